"""The only importer of the native module."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from nlgauge import _native
from nlgauge._native import Kernel, Texts

if TYPE_CHECKING:
    from nlgauge.data import Corpus

Floats = npt.NDArray[np.float64]

__all__ = [
    "Floats",
    "Kernel",
    "Texts",
    "available_threads",
    "bleu",
    "chrf",
    "find_invalid_utf8",
    "has_avx2",
    "resampled_totals",
    "rows",
    "ter",
    "tokenize",
]

has_avx2 = _native.has_avx2
find_invalid_utf8 = _native.find_invalid_utf8
resampled_totals = _native.resampled_totals

NATIVE_TOKENIZERS = frozenset(_native.Tokenizer.__members__)


def available_threads() -> int:
    """Processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def bleu(
    order: int, ref_length: str, *, start: bool = False, end: bool = False, weighted: bool = False
) -> Kernel:
    """Lengths, clipped matches and n-gram totals."""
    rule = _native.RefLength.__members__[ref_length]
    return _native.Bleu(order, rule, start, end, weighted)


def chrf(
    char_order: int, word_order: int, beta: float, *, whitespace: bool, eps_smoothing: bool
) -> Kernel:
    """Hypothesis n-grams, reference n-grams and matches of each order, for the best reference."""
    return _native.Chrf(char_order, word_order, beta, whitespace, eps_smoothing)


def ter(shift_size: int, shift_distance: int, candidates: int) -> Kernel:
    """Edits and mean reference length."""
    return _native.Ter(shift_size, shift_distance, candidates)


def rows(
    corpus: Corpus,
    kernels: Sequence[Kernel],
    *,
    tokenizer: str = "space",
    lowercase: bool = False,
    threads: int = 1,
) -> list[Floats]:
    """One matrix `[segments, columns]` per kernel, from one pass over the texts."""
    references = corpus.references
    return _native.compute_rows(
        corpus.hypotheses,
        references.flat,
        references.starts,
        corpus.reference_weights,
        _native.Tokenizer.__members__[tokenizer],
        lowercase,
        list(kernels),
        max(1, threads),
    )


def tokenize(texts: Texts, tokenizer: str, lowercase: bool = False) -> list[list[str]]:
    """The words a kernel would see."""
    return _native.tokenize(texts, _native.Tokenizer.__members__[tokenizer], lowercase)
