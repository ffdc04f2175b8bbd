"""Soft pairwise accuracy (Thompson et al., 2024): are metric and people equally sure which of two
systems is better? One minus the mean difference of their p-values.
"""

from __future__ import annotations

import numpy as np

from nlgauge.kernels import Floats

PERMUTATIONS = 1000
SEED = 4  # of mt-metrics-eval


def confidences(scores: Floats, *, permutations: int = PERMUTATIONS, seed: int = SEED) -> Floats:
    """Return p-values that a system is not better than another, [systems, systems] above the
    diagonal, by paired permutation of [systems, segments].

    The draws are those of mt-metrics-eval, and so are the sums in single precision: with few
    segments, its values depend on which differences come out equal.
    """
    draws = np.random.default_rng(seed).random((permutations, scores.shape[1]), dtype=np.float32)
    signs = np.rint(draws) * np.float32(2) - np.float32(1)
    single = np.ascontiguousarray(scores, np.float32)
    sums, swapped = single.sum(axis=1), signs @ single.T  # [systems], [permutations, systems]
    systems = len(scores)
    p = np.full((systems, systems), np.nan)
    for i in range(systems):
        for j in range(i + 1, systems):
            p[i, j] = np.mean(swapped[:, i] - swapped[:, j] >= sums[i] - sums[j])
    return p


def soft_pairwise_accuracy(
    metric: Floats, human: Floats, *, permutations: int = PERMUTATIONS, seed: int = SEED
) -> float:
    """Return the accuracy of a metric's scores, both [systems, segments]; segments that lack a
    value for any system are left out.
    """
    known = ~(np.isnan(metric) | np.isnan(human)).any(axis=0)
    if known.sum() < 1 or len(metric) < 2:
        return float("nan")
    p, q = (
        confidences(grid[:, known], permutations=permutations, seed=seed)
        for grid in (human, metric)
    )
    return float(1 - np.nanmean(np.abs(p - q)))
