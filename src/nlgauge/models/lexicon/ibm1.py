"""Learn lexical translation tables from texts and translations: IBM model 1 (Brown et al., 1993).

Every word of a text comes from one word of its translation, or from none, whatever their places;
the probabilities are found by expectation maximisation, from equal ones on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.errors import DataError, SpecError
from nlgauge.io.files import read_lines
from nlgauge.kernels import checked_threads, native
from nlgauge.models.lexicon.translations import NULL
from nlgauge.text.preparation import Preparation

MOST_PAIRS = 50_000_000  # of words that occur together: 20 bytes each
Progress = Callable[[int, float], None]


@dataclass(frozen=True)
class Translation:
    """A translation is a word, one that it may be translated by, and the latter's probability."""

    given: str
    word: str
    probability: float


@dataclass(frozen=True)
class _Numbered:
    words: npt.NDArray[np.uint32]
    starts: npt.NDArray[np.int64]
    vocabulary: list[str]


def learn_translations(
    given: Sequence[Sequence[str]],
    texts: Sequence[Sequence[str]],
    *,
    iterations: int = 5,
    least: float = 1e-4,
    occurrences: int = 1,
    most_pairs: int = MOST_PAIRS,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[Translation]:
    """Return probabilities of words given the words of translations, in the order of the words.

    `given` and `texts` are words, one list for each text and its translation. Words that occur
    fewer than `occurrences` times count as no words; pairs below the probability `least` are left
    out at the end, and others keep their probability. `progress` hears the number of each iteration
    and the perplexity before it. Threads never change a number.
    """
    if len(given) != len(texts):
        raise DataError(f"{len(given)} texts have {len(texts)} translations; expected one for each")
    if iterations < 1:
        raise SpecError(f"iterations={iterations}: must be at least 1")
    if not 0 < least <= 1:
        raise SpecError(f"least={least}: must be a probability above 0")
    columns = [
        _numbered(side, occurrences, first) for side, first in ((given, [NULL]), (texts, []))
    ]
    threads = checked_threads(threads)
    model = _model(*columns, most_pairs=most_pairs, threads=threads)
    size = max(1, len(columns[1].words))
    for number in range(1, iterations + 1):
        likelihood = model.iterate(threads=threads)
        if progress is not None:
            progress(number, exp(-likelihood / size))
    return list(_entries(model, columns[0].vocabulary, columns[1].vocabulary, least))


def read_pairs(
    source: str, target: str, *, tokenizers: tuple[str, str], lowercase: bool, longest: int
) -> tuple[list[list[str]], list[list[str]], int]:
    """Return the words of two files that are translations of each other line by line, and how many
    pairs are left out because a text has more words than `longest`; empty lines are left out, too.
    """
    sides = [read_lines(path) for path in (source, target)]
    if len(sides[0]) != len(sides[1]):
        raise DataError(
            f"{source} has {len(sides[0])} lines and {target} {len(sides[1])}; line by line they "
            "must be translations of each other"
        )
    words = [
        Preparation(tokenizer, lowercase=lowercase).words(texts)
        for tokenizer, texts in zip(tokenizers, sides, strict=True)
    ]
    whole = [pair for pair in zip(*words, strict=True) if all(pair)]
    kept = [pair for pair in whole if max(map(len, pair)) <= longest]
    if not kept:
        raise DataError(f"{source}, {target}: no pair has at most {longest} words on both sides")
    return [a for a, _ in kept], [b for _, b in kept], len(whole) - len(kept)


def _numbered(texts: Sequence[Sequence[str]], occurrences: int, first: list[str]) -> _Numbered:
    counts = Counter(word for text in texts for word in text)
    known = sorted(word for word, count in counts.items() if count >= occurrences and word != NULL)
    numbers = {word: number for number, word in enumerate(known, start=len(first))}
    kept = [[numbers[word] for word in text if word in numbers] for text in texts]
    starts = np.zeros(len(kept) + 1, np.int64)
    np.cumsum([len(text) for text in kept], out=starts[1:])
    flat = np.fromiter((n for text in kept for n in text), np.uint32, count=int(starts[-1]))
    return _Numbered(flat, starts, [*first, *known])


def _model(
    given: _Numbered, texts: _Numbered, *, most_pairs: int, threads: int
) -> native.WordTranslations:
    if not len(texts.words):
        raise DataError("there are no words to learn from; check the files and occurrences")
    try:
        return native.WordTranslations(
            given.words,
            given.starts,
            len(given.vocabulary),
            texts.words,
            texts.starts,
            len(texts.vocabulary),
            most_pairs=most_pairs,
            threads=threads,
        )
    except native.TooManyPairsError:
        raise DataError(
            f"more than {most_pairs:,} pairs of words occur together, which is more than memory "
            "was allowed for; leave out rare words (occurrences=2 or more), or raise the limit"
        ) from None


def _entries(model: Any, given: list[str], words: list[str], least: float) -> Iterable[Translation]:
    columns = (column.tolist() for column in model.entries(least=least))
    for first, second, probability in zip(*columns, strict=True):
        yield Translation(given[first], words[second], probability)
