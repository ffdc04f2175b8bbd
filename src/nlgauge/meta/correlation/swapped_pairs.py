"""A permutation test for calibrated ties: what changes places between two metrics is not a score
but the verdict on a pair of outputs, so that each metric keeps its own threshold (as at WMT since
2024, mt-metrics-eval's `PairwisePermutationSigDiff`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from nlgauge.core.facts.defaults import PERMUTATIONS, SEED
from nlgauge.kernels import Floats
from nlgauge.meta.correlation.permutation import Permutation

_BLOCK = 1 << 22  # signs held in memory at once


def pair_permutation_test(
    metrics: Floats,
    human: Floats,
    epsilons: Floats,
    *,
    coefficient: str = "accuracy-eq",
    permutations: int = PERMUTATIONS,
    seed: int = SEED,
) -> Permutation:
    """Test metrics [metrics, groups, outputs] with human scores [groups, outputs]; scores that
    differ by at most the metric's epsilon are tied.
    """
    rng = np.random.default_rng(seed)
    observed = np.zeros(len(metrics))
    drawn = np.zeros((permutations, len(metrics)))
    step = max(1, _BLOCK // permutations)
    groups = 0
    for verdicts in _verdicts(metrics, human, epsilons):
        groups += 1
        for start in range(0, verdicts.shape[1], step):
            part = verdicts[:, start : start + step] / verdicts.shape[1]
            signs = rng.integers(2, size=(permutations, part.shape[1]), dtype=bool) * 2.0 - 1
            observed += part.sum(axis=1)
            drawn += signs @ part.T
    factor = (2 if coefficient == "kendall-eq" else 1) / max(groups, 1)
    pairs = tuple(combinations(range(len(metrics)), 2))
    first, second = np.array(pairs).T
    samples = (drawn[:, first] - drawn[:, second]).T * factor
    return Permutation(pairs, (observed[first] - observed[second]) * factor, samples)


def _verdicts(metrics: Floats, human: Floats, epsilons: Floats) -> Iterator[Floats]:
    """Return for each group whether metric and people agree on each pair: [metrics, pairs]."""
    for g, y in enumerate(human):
        known = ~np.isnan(y) & ~np.isnan(metrics[:, g]).any(axis=0)
        x, y = metrics[:, g, known], y[known]
        i, j = np.triu_indices(y.size, 1)
        if i.size:
            difference = x[:, i] - x[:, j]
            difference[np.abs(difference) <= epsilons[:, None]] = 0
            yield (np.sign(difference) == np.sign(y[i] - y[j])).astype(np.float64)
