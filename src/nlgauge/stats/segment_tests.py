"""Paired tests on segment scores: Student's t, and Wilcoxon's signed ranks."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction
from typing import Literal

import numpy as np

from nlgauge.kernels import Floats

SegmentTest = Literal["t", "wilcoxon"]


def segment_test(test: SegmentTest, a: Floats, b: Floats) -> tuple[float, float]:
    """Return the two-sided p-value, and a number whose sign tells which side has the higher scores.

    No difference in any segment gives 1. Wilcoxon's test leaves out segments without a difference.
    """
    from scipy import stats

    differences = a - b
    if not differences.any():
        return 1.0, 0.0
    if a.size < 2:
        return float("nan"), float("nan")
    with warnings.catch_warnings():  # equal differences have no variance, and t is infinite
        warnings.simplefilter("ignore", RuntimeWarning)
        if test == "t":
            return float(stats.ttest_1samp(differences, 0).pvalue), float(differences.mean())
        ranks = stats.rankdata(np.abs(differences[differences != 0]))
        direction = (np.sign(differences[differences != 0]) * ranks).sum()
        return float(stats.wilcoxon(differences).pvalue), float(direction)


def t_test_of_sums(total: Fraction, squares: Fraction, segments: int) -> tuple[float, float]:
    """Return what `segment_test` returns for Student's t, from the exact sum of the differences and
    that of their squares.
    """
    from scipy import stats

    if squares == 0:
        return 1.0, 0.0
    if segments < 2:
        return float("nan"), float("nan")
    mean = total / segments
    variance = (squares - total * mean) / (segments - 1)
    if variance <= 0:  # equal differences, up to the rounding of their squares
        return 0.0, float(mean)
    t = float(mean) / math.sqrt(variance / segments)
    return float(2 * stats.t.sf(abs(t), segments - 1)), float(mean)
