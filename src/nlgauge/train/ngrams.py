"""Fit the language model of word trigrams that metrics look at.

N-grams that occur once are discounted by 1, so that leaving them out changes no probability.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.core.resources import contents_hash
from nlgauge.errors import DataError
from nlgauge.io.files import read_lines
from nlgauge.models.files.trained_model import write_model
from nlgauge.models.lexicon.kneser_ney import DISCOUNT, estimate_trigrams
from nlgauge.models.lexicon.ngram_model import METRIC, PREPARATION, NGramModel

HELD_OUT = 20  # one text of so many is held out where there is no other file to measure on
ON = "mean negative logarithm of a word's probability"


@dataclass(frozen=True, eq=False)
class FittedLanguageModel:
    """This is a language model that was fitted to texts, and what is known of it."""

    arrays: Mapping[str, npt.NDArray[Any]]
    header: Mapping[str, Any]

    def write(self, path: str) -> None:
        """Write the file, which metrics take for their option `model` or `language`."""
        write_model(path, self.header, self.arrays)


def fit_language_model(texts: Iterable[str], *, least: int = 2) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of an `NGramModel`, in half precision; words that occur less than `least`
    times are unknown, and share the probability of unknown words.
    """
    words = [text for text in PREPARATION.words(dict.fromkeys(texts)) if text]
    arrays = estimate_trigrams(words, least=least, once=1.0)
    return {
        name: array.astype(np.float16) if array.dtype == np.float64 else array
        for name, array in arrays.items()
    }


def train_language_model(
    paths: Sequence[str], *, dev: str | None = None, least: int = 2, licence: str = ""
) -> FittedLanguageModel:
    """Fit a model to the lines of files, and measure it on another file, or on lines that it is not
    fitted to for that; like lines count once, and stay on one side.
    """
    files = {path: list(dict.fromkeys(filter(str.strip, read_lines(path)))) for path in paths}
    texts = list(dict.fromkeys(text for own in files.values() for text in own))
    if dev is None:
        held, kept = texts[::HELD_OUT], [t for k, t in enumerate(texts) if k % HELD_OUT]
        where, split = f"every {HELD_OUT}th line", {"lines": f"1 of {HELD_OUT}"}
    else:
        known = set(texts)
        held, kept = [t for t in read_lines(dev) if t.strip() and t not in known], texts
        where, split = Path(dev).name, {"dev": Path(dev).name}
    if not held or not kept:
        raise DataError(f"language model: no text is left to measure it on, of {len(texts)}")
    figures = [
        {"on": where, "name": name, "measure": ON, "value": value}
        for name, value in (
            ("model", float(_loss(NGramModel(fit_language_model(kept, least=least)), held))),
            ("control: words without their order", _unigram_loss(kept, held, least)),
        )
    ]
    facts = [(path, len(own), licence) for path, own in files.items()]
    header = language_model_header(facts, split, figures, least=least)
    return FittedLanguageModel(fit_language_model(texts, least=least), header)


def language_model_header(
    files: Iterable[tuple[str, int, str]],
    split: Mapping[str, str],
    figures: Sequence[Mapping[str, Any]],
    *,
    least: int = 2,
) -> dict[str, Any]:
    """Return what a file says of itself; `files` are paths, numbers of texts, and licences."""
    return {
        "metric": METRIC,
        "options": {},
        "features": [],
        "data": [
            {
                "name": Path(path).name,
                "sha256": contents_hash(Path(path)),
                "licence": licence,
                "rows": rows,
            }
            for path, rows, licence in files
        ],
        "split": dict(split),
        "figures": list(figures),
        "settings": {"order": 3, "least": least, "discount": DISCOUNT},
    }


def _loss(model: NGramModel, texts: Sequence[str]) -> float:
    """Return the mean over all words and ends of texts."""
    logs = np.concatenate(model.log_probabilities(texts))
    return float(-logs.mean())


def _unigram_loss(texts: Sequence[str], held: Sequence[str], least: int) -> float:
    """Return the same of a model that counts words, ends of texts and unknown words, plus one."""
    end, rare = object(), object()
    counts = Counter(word for text in PREPARATION.words(texts) for word in text)
    known = {word: n for word, n in counts.items() if n >= least}
    table: Counter[object] = Counter(known)
    table[end], table[rare] = len(texts), counts.total() - sum(known.values())
    total, kinds = table.total() + len(table), max(1, len(counts) - len(known))
    own = [word if word in known else rare for text in PREPARATION.words(held) for word in text]
    logs = [np.log((table[word] + 1) / total / (kinds if word is rare else 1)) for word in own]
    logs += [np.log((table[end] + 1) / total)] * len(held)
    return float(-np.mean(logs))
