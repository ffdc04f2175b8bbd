"""The only importer of the native module, which metrics reach as `kernels.native`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from nlgauge import _native as native
from nlgauge._native import Kernel, Reading, Texts

if TYPE_CHECKING:
    from nlgauge.data import Corpus

Floats = npt.NDArray[np.float64]

__all__ = ["Floats", "Kernel", "Reading", "Texts", "available_threads", "native", "rows"]


def available_threads() -> int:
    """Processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def rows(
    corpus: Corpus,
    kernels: Sequence[Kernel],
    *,
    tokenizer: str = "space",
    lowercase: bool = False,
    reading: Reading | None = None,
    threads: int = 1,
) -> list[Floats]:
    """One matrix `[segments, columns]` per kernel, from one pass over the texts."""
    return native.compute_rows(
        corpus.hypotheses,
        corpus.references.flat,
        corpus.references.starts,
        corpus.reference_weights,
        tokenizer,
        lowercase,
        list(kernels),
        max(1, threads),
        reading,
    )
