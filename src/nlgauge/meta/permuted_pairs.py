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
    """Metrics x [metrics, groups, outputs], human scores z [groups, outputs]."""

    def __init__(self, x: Floats, z: Floats, coefficient: str) -> None:
        self.x, self.z, self.formula = x, z, FORMULAS[coefficient]
        self.s, self.t = np.triu_indices(z.shape[1], 1)
        human = z[:, self.s] - z[:, self.t]  # NaN if one is missing
        self.there, self.order = ~np.isnan(human), np.nan_to_num(np.sign(human))
        self.total = self.there.sum(axis=1)
        self.equal = (human == 0).sum(axis=1)

    def differences(self, swaps: np.ndarray, pairs: MetricPairs) -> Floats:
        """[pairs, draws] of the mean over groups for swaps [draws, groups, outputs]."""
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
            order = np.nan_to_num(order) * self.order[part]
            if simple.any():
                weights = _weights(order[:, :, simple], pairs, self.s, self.t)
                weights = weights * slope[part[simple], None]  # [pairs · 2, groups, features]
                flat = weights.reshape(len(weights), -1)
                found = flat @ self._features(swaps[:, part[simple]]).reshape(flat.shape[1], -1)
                sums += found.reshape(sums.shape) + untied[0][part[simple]].sum()
                counts += simple.sum()
            for g in np.flatnonzero(with_ties):
                kinds = (
                    order[:, :, [g]],
                    tied[:, :, [g]],
                    tied[:, :, [g]] & (self.order[part[g]] == 0),
                )
                own = self._features(swaps[:, part[[g]]])[0]
                a, b, c = (_weights(kind, pairs, self.s, self.t)[:, 0] @ own for kind in kinds)
                values = self._value(a, b, c, part[g]).reshape(sums.shape)
                known = ~np.isnan(values)
                sums += np.where(known, values, 0)
                counts += known
        mean = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
        difference: Floats = mean[0] - mean[1]
        return difference

    def _features(self, swaps: np.ndarray) -> Floats:
        """[groups, features, draws]."""
        u = np.moveaxis(swaps, 0, 2).astype(np.float64)
        ones = np.ones((len(u), 1, u.shape[2]))
        return np.concatenate([ones, u, u[:, self.s] * u[:, self.t]], axis=1)

    def _value(self, difference, tied, both, groups) -> Floats:  # type: ignore[no-untyped-def]
        """The coefficient, from C − D, the metric's ties and those on both sides."""
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


def _weights(counts: np.ndarray, pairs: MetricPairs, s: np.ndarray, t: np.ndarray) -> Floats:
    """Of the features, [2 mixtures · pairs, groups, features], from what pairs of outputs count
    with scores of any two metrics: [metrics, metrics, groups, pairs of outputs].
    """
    first, second = np.array(pairs).T
    i, j = np.concatenate([first, second]), np.concatenate([second, first])
    f = counts.astype(np.float64)
    f00, f10, f01, f11 = f[i, i], f[j, i], f[i, j], f[j, j]
    belongs = np.eye(max(t) + 1)  # of pairs to their outputs
    linear = (f10 - f00) @ belongs[s] + (f01 - f00) @ belongs[t]
    products = f11 - f10 - f01 + f00
    return np.concatenate([f00.sum(axis=-1, keepdims=True), linear, products], axis=-1)
