"""Say how usual a text is: a small language model of word trigrams (Kneser and Ney, 1995).

A word's probability after two others is read from the trigrams if they have it, else from the
bigrams and unigrams below, each time with the weight that its context leaves for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.core.file_cache import FileCache
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats
from nlgauge.models.files.artefacts import reading
from nlgauge.models.files.shipped import shipped_file
from nlgauge.models.files.trained_model import read_model
from nlgauge.text.preparation import Preparation

FILE = "language-en.safetensors"
METRIC = "language-model"  # what the file says it is a model of
BITS = 20  # of a word's number in a key
START, END, UNKNOWN = 0, 1, 2  # numbers of what is no word
PREPARATION = Preparation("13a", lowercase=True)
Keys = npt.NDArray[np.int64]
Arrays = Mapping[str, npt.NDArray[Any]]


def keys_of(*words: Keys) -> Keys:
    """Return one number for each run of words, which are given by place."""
    found = np.zeros_like(words[0])
    for word in words:
        found = found << BITS | word
    return found


class NGramModel:
    """An n-gram model has logarithms of probabilities, and of what contexts leave for others."""

    one_run = True

    def __init__(self, arrays: Arrays, name: str = "") -> None:
        self.name = name
        words = bytes(np.asarray(arrays["words"], np.uint8)).decode().split("\n")
        self._numbers = {word: k for k, word in enumerate(words, UNKNOWN + 1)}
        self._one, self._left_one = (_numbers(arrays, f"1.{k}") for k in ("logs", "left"))
        self._two, self._left_two = (_numbers(arrays, f"2.{k}") for k in ("logs", "left"))
        self._three = _numbers(arrays, "3.logs")
        self._pairs, self._triples = (np.asarray(arrays[f"{n}.keys"], np.int64) for n in (2, 3))
        sizes = len(self._one), len(self._left_one), len(self._two), len(self._left_two)
        if sizes != (len(words) + UNKNOWN + 1,) * 2 + (len(self._pairs),) * 2:
            raise ValueError("its probabilities are not as many as its words")
        if len(self._three) != len(self._triples) or len(words) >= 1 << BITS:
            raise ValueError("its probabilities are not as many as its trigrams")
        # Words that are not known are many, and one is as probable as the other.
        self._unknown = np.log(max(1, int(np.asarray(arrays["unknown"])[0])))
        for keys in (self._pairs, self._triples):
            if (np.diff(keys) <= 0).any():
                raise ValueError("its n-grams are not in order")

    def losses(self, texts: Iterable[str]) -> Floats:
        """Return the mean negative logarithm of the probability of each text's words and its end.

        It does not depend on other texts.
        """
        return np.array([-logs.mean() for logs in self.log_probabilities(list(texts))])

    def log_probabilities(
        self, texts: Sequence[str], given: Sequence[str] | None = None, *, threads: int = 1
    ) -> list[Floats]:
        """Return the logarithms of the probabilities of each text's words and its end."""
        del threads
        if given is not None:
            raise SpecError(
                f"model={self.name}: n-grams do not see what a text is given; choose smollm2, a "
                ".gguf file or the folder of a checkpoint"
            )
        numbers = [
            [START, START, *(self._numbers.get(word, UNKNOWN) for word in text), END]
            for text in PREPARATION.words(texts)
        ]
        flat = np.array([n for text in numbers for n in text], np.int64)
        starts = np.cumsum([0, *map(len, numbers)])
        logs = np.zeros(len(flat))
        logs[2:] = self._logs(flat[:-2], flat[1:-1], flat[2:])
        return [logs[i + 2 : j] for i, j in pairwise(starts)]

    def _logs(self, first: Keys, second: Keys, third: Keys) -> Floats:
        """Return the logarithms of probabilities of words after two others."""
        triple, known = _found(self._triples, keys_of(first, second, third))
        context, seen = _found(self._pairs, keys_of(first, second))
        pair, paired = _found(self._pairs, keys_of(second, third))
        lower = np.where(paired, self._two[pair], self._left_one[second] + self._one[third])
        left = np.where(seen, self._left_two[context], 0.0)
        logs = np.where(known, self._three[triple], left + lower)
        return logs - np.where(third == UNKNOWN, self._unknown, 0.0)


def _found(keys: Keys, wanted: Keys) -> tuple[Keys, npt.NDArray[np.bool_]]:
    """Return where keys are, and whether they are there at all."""
    if not len(keys):
        raise ValueError("it has no n-grams")
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return at, keys[at] == wanted


def _numbers(arrays: Arrays, name: str) -> Floats:
    return np.asarray(arrays[name], np.float64)


def find_language_model(path: str | None = None, *, option: str = "model") -> NGramModel:
    """Return the model that ships, or the one in a file; `option` is how messages call it."""
    found = str(shipped_file(FILE) if path is None else path)
    return _models.get([found], found, option)


def _read(path: str, option: str) -> NGramModel:
    model = read_model(path, METRIC, option=option)
    with reading(path, "no language model", "install nlgauge again, or fit it: nlgauge train lm"):
        return NGramModel(model.arrays, model.name)


_models: FileCache[[str, str], NGramModel] = FileCache(_read, most=2)
