"""Kendall's coefficients of two metrics whose scores change places, for small groups of outputs.

With u = 1 for an output whose scores are swapped, what a pair (s, t) of outputs counts is

    f00 + u_s (f10 − f00) + u_t (f01 − f00) + u_s u_t (f11 − f10 − f01 + f00)

where f10 is the count if s has the second metric's score and t the first's. So counts are linear in
features that all metrics share: 1, u_s, and u_s · u_t.
"""

from __future__ import annotations

import numpy as np

from nlgauge.kernels import Floats
from nlgauge.stats.pairs import FORMULAS, Pairs

SMALL = 32  # outputs in a group: beyond, there are too many features
_BLOCK = 1 << 21  # numbers held in memory at once

MetricPairs = tuple[tuple[int, int], ...]


class PermutedPairs:
    """Pairs of outputs are counted for metrics x [metrics, groups, outputs] and human scores z
    [groups, outputs].
    """

    def __init__(self, x: Floats, z: Floats, coefficient: str) -> None:
        self.x, self.z, self.formula = x, z, FORMULAS[coefficient]
        self.s, self.t = np.triu_indices(z.shape[1], 1)
        human = z[:, self.s] - z[:, self.t]  # NaN if one is missing
        self.there, self.order = ~np.isnan(human), np.nan_to_num(np.sign(human))
        self.total = self.there.sum(axis=1)
        self.equal = (human == 0).sum(axis=1)

    def differences(self, swaps: np.ndarray, pairs: MetricPairs) -> Floats:
        """Return [pairs, draws] of the mean over groups for swaps [draws, groups, outputs]."""
        sums = np.zeros((2, len(pairs), len(swaps)))
        counts = np.zeros_like(sums)
        # Without ties a coefficient is linear in C − D, and its mean over groups one product.
        untied = self._value(0, 0, 0, slice(None)), self._value(1, 0, 0, slice(None))
        slope = np.ravel(untied[1] - untied[0])
        features = 1 + self.z.shape[1] + len(self.s)
        step = max(1, _BLOCK // (features * len(swaps)))
        for start in range(0, len(self.z), step):
            part = np.arange(start, min(start + step, len(self.z)))
            order = np.sign(self.x[:, None, part][..., self.s] - self.x[None, :, part][..., self.t])
            tied = (order == 0) & self.there[part]
            with_ties = tied.any(axis=(0, 1, 3))
            simple = ~with_ties & ~np.isnan(slope[part])
            order = (np.nan_to_num(order) * self.order[part]).astype(np.int8)
            for factor in np.unique(slope[part[simple]]):
                # Groups that count alike are added before the factor, in whole numbers.
                own = np.flatnonzero(simple & (slope[part] == factor))
                weights = _weights(order[:, :, own], pairs, self.s, self.t)
                flat = weights.reshape(len(weights), -1)
                found = flat @ self._features(swaps[:, part[own]]).reshape(flat.shape[1], -1)
                sums += factor * found.reshape(sums.shape) + untied[0][part[own]].sum()
                counts += own.size
            for g in np.flatnonzero(with_ties):
                kinds = (
                    order[:, :, [g]],
                    tied[:, :, [g]],
                    tied[:, :, [g]] & (self.order[part[g]] == 0),
                )
                own = self._features(swaps[:, part[[g]]])[0]
                a, b, c = (
                    np.float64(_weights(kind, pairs, self.s, self.t)[:, 0] @ own) for kind in kinds
                )
                values = self._value(a, b, c, part[g]).reshape(sums.shape)
                known = ~np.isnan(values)
                sums += np.where(known, values, 0)
                counts += known
        mean = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
        difference: Floats = mean[0] - mean[1]
        return difference

    def _features(self, swaps: np.ndarray) -> np.ndarray:
        """Return what each draw swaps as features: [groups, features, draws]."""
        u = np.moveaxis(swaps, 0, 2).astype(np.float32)
        ones = np.ones((len(u), 1, u.shape[2]), np.float32)
        return np.concatenate([ones, u, u[:, self.s] * u[:, self.t]], axis=1)

    def _value(self, difference, tied, both, groups) -> Floats:  # type: ignore[no-untyped-def]
        """Return the coefficient, from C − D, the metric's ties and those on both sides."""
        total, equal = self.total[groups], self.equal[groups]
        decided = total - tied - equal + both
        return self.formula(
            Pairs(
                (decided + difference) / 2,
                (decided - difference) / 2,
                tied - both,
                equal - both,
                both,
            )
        )


def _weights(counts: np.ndarray, pairs: MetricPairs, s: np.ndarray, t: np.ndarray) -> np.ndarray:
    """Return weights of the features, [2 mixtures · pairs, groups, features], from what pairs of
    outputs count with scores of any two metrics: [metrics, metrics, groups, pairs of outputs].
    These are small whole numbers, and so are their sums: single precision holds them exactly.
    """
    first, second = np.array(pairs).T
    i, j = np.concatenate([first, second]), np.concatenate([second, first])
    f = counts.astype(np.int8)
    f00, f11 = f[i, i], f[j, j]
    left, right = f[j, i] - f00, f[i, j] - f00
    belongs = np.eye(max(t) + 1, dtype=np.float32)  # of pairs to their outputs
    outputs = len(belongs)
    result = np.empty((*f00.shape[:2], 1 + outputs + len(s)), np.float32)
    result[..., 0] = f00.sum(axis=-1)
    result[..., 1 : 1 + outputs] = left.astype(np.float32) @ belongs[s]
    result[..., 1 : 1 + outputs] += right.astype(np.float32) @ belongs[t]
    result[..., 1 + outputs :] = f11 - f00 - left - right
    return result
