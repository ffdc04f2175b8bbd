"""Estimate word trigrams from sentences: interpolated Kneser-Ney (Kneser and Ney, 1995; Chen and
Goodman, 1999).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.errors import DataError
from nlgauge.kernels import Floats
from nlgauge.models.lexicon.ngram_model import BITS, END, START, UNKNOWN, Keys, keys_of

DISCOUNT = 0.75  # of what occurs more than once
_WORD, _PAIR = (1 << BITS) - 1, (1 << 2 * BITS) - 1


def estimate_trigrams(
    sentences: Sequence[Sequence[str]], *, least: int = 2, once: float = DISCOUNT
) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of an `NGramModel`; words that occur less than `least` times are unknown,
    and share the probability of unknown words.

    `once` is the discount of n-grams that occur once. If it is 1, leaving them out changes no
    probability, and they are left out.
    """
    counts = Counter(chain.from_iterable(sentences))
    known = sorted(word for word, count in counts.items() if count >= least and "\n" not in word)
    if not known:
        raise DataError(f"language model: no word occurs {least} times; give more texts")
    if len(known) + UNKNOWN + 1 >= 1 << BITS:
        raise DataError(
            f"language model: {len(known)} words occur {least} times or more, and it can hold "
            f"{(1 << BITS) - UNKNOWN - 2}; give fewer texts"
        )
    numbers = {word: k for k, word in enumerate(known, UNKNOWN + 1)}
    runs = ([START, START, *(numbers.get(w, UNKNOWN) for w in text), END] for text in sentences)
    triples = chain.from_iterable(zip(own, own[1:], own[2:], strict=False) for own in runs)
    columns = np.array(list(triples), np.int64)
    size = len(known) + UNKNOWN + 1
    return {
        "words": np.frombuffer("\n".join(known).encode(), np.uint8),
        **_estimated(keys_of(*columns.T), size, len(counts) - len(known), once),
    }


def _estimated(
    occurring: Keys, size: int, unknown: int, once: float
) -> dict[str, npt.NDArray[Any]]:
    """Return logarithms of probabilities; `unknown` different words share one number."""
    fewest = 2 if once == 1 else 1  # occurrences of an n-gram that is kept
    triples, counts = np.unique(occurring, return_counts=True)
    # Below the highest order, what counts is how many different words stand before.
    pairs, pair_counts = np.unique(triples & _PAIR, return_counts=True)
    before = np.bincount(pairs & _WORD, minlength=size).astype(np.float64)
    taken = np.minimum(before, DISCOUNT)
    one = (before - taken) / before.sum() + taken.sum() / before.sum() / (size + unknown)
    two, contexts, left = _interpolated(pairs, pair_counts, one[pairs & _WORD], once)
    left_one = np.ones(size)
    left_one[contexts] = left
    below = two[np.searchsorted(pairs, triples & _PAIR)]
    three, contexts, left = _interpolated(triples, counts, below, once)
    # What follows from what is below is left out.
    largely = left < 1
    kept = np.union1d(pairs[pair_counts >= fewest], contexts[largely])
    at = np.minimum(np.searchsorted(pairs, kept), len(pairs) - 1)
    followed = left_one[kept >> BITS] * one[kept & _WORD]  # of a context that is no pair
    left_two = np.ones(len(kept))
    left_two[np.searchsorted(kept, contexts[largely])] = left[largely]
    return {
        "unknown": np.array([unknown], np.int64),
        "1.logs": _logs(one),
        "1.left": _logs(left_one),
        "2.keys": kept,
        "2.logs": _logs(np.where(pairs[at] == kept, two[at], followed)),
        "2.left": _logs(left_two),
        "3.keys": triples[counts >= fewest],
        "3.logs": _logs(three[counts >= fewest]),
    }


def _interpolated(
    grams: Keys, counts: npt.NDArray[np.int64], below: Floats, once: float
) -> tuple[Floats, Keys, Floats]:
    """Return probabilities of n-grams, and the contexts with what they leave for shorter ones."""
    contexts, where = np.unique(grams >> BITS, return_inverse=True)
    taken = np.where(counts == 1, once, DISCOUNT)
    totals = np.bincount(where, weights=counts)
    left = np.bincount(where, weights=taken) / totals
    return (counts - taken) / totals[where] + left[where] * below, contexts, left


def _logs(probable: Floats) -> Floats:
    logs: Floats = np.log(np.maximum(probable, 1e-12))
    return logs
