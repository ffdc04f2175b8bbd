"""Analysis of variance and the comparisons after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from nlgauge.errors import DataError
from nlgauge.kernels import Floats


@dataclass(frozen=True)
class Anova:
    """This is the result of a single-factor analysis of variance."""

    f: float
    p_value: float
    df_between: int
    df_within: int
    ms_between: float
    ms_within: float


def _groups(groups: Mapping[str, Sequence[float] | Floats]) -> dict[str, Floats]:
    arrays = {name: np.asarray(values, np.float64) for name, values in groups.items()}
    if len(arrays) < 2 or sum(a.size for a in arrays.values()) <= len(arrays):
        raise DataError("analysis of variance needs two groups and more values than groups")
    if any(a.size == 0 for a in arrays.values()):
        raise DataError("analysis of variance: a group has no values")
    return arrays


def anova(groups: Mapping[str, Sequence[float] | Floats]) -> Anova:
    """Compute F = MS between / MS within, with k − 1 and N − k degrees of freedom."""
    from scipy.stats import f as f_distribution

    arrays = _groups(groups)
    values = np.concatenate(list(arrays.values()))
    k, n = len(arrays), values.size
    between = sum(a.size * (a.mean() - values.mean()) ** 2 for a in arrays.values())
    within = sum(((a - a.mean()) ** 2).sum() for a in arrays.values())
    ms_between, ms_within = float(between) / (k - 1), float(within) / (n - k)
    if ms_within == 0:
        f = float("inf") if ms_between > 0 else float("nan")
    else:
        f = ms_between / ms_within
    return Anova(f, float(f_distribution.sf(f, k - 1, n - k)), k - 1, n - k, ms_between, ms_within)


def tukey(groups: Mapping[str, Sequence[float] | Floats]) -> dict[tuple[str, str], float]:
    """Return a p-value for each pair by Tukey's HSD, in Kramer's form for unequal groups."""
    from scipy.stats import studentized_range

    arrays, table = _groups(groups), anova(groups)
    pairs, difference, spread = _differences(arrays, table.ms_within)
    q = _ratio(difference, np.sqrt(spread / 2))
    p = studentized_range.sf(q, len(arrays), table.df_within)
    return dict(zip(pairs, p.tolist(), strict=True))


def scheffe(groups: Mapping[str, Sequence[float] | Floats]) -> dict[tuple[str, str], float]:
    """Return a p-value for each pair by Scheffé's test."""
    from scipy.stats import f as f_distribution

    arrays, table = _groups(groups), anova(groups)
    k = len(arrays)
    pairs, difference, spread = _differences(arrays, table.ms_within)
    p = f_distribution.sf(_ratio(difference**2, spread * (k - 1)), k - 1, table.df_within)
    return dict(zip(pairs, p.tolist(), strict=True))


def _differences(
    arrays: Mapping[str, Floats], ms_within: float
) -> tuple[list[tuple[str, str]], Floats, Floats]:
    """Return the pairs and, for each, |difference of means| and MSE · (1/n_a + 1/n_b)."""
    pairs = list(combinations(arrays, 2))
    means = {name: float(values.mean()) for name, values in arrays.items()}
    sizes = {name: 1 / values.size for name, values in arrays.items()}
    difference = np.array([abs(means[a] - means[b]) for a, b in pairs])
    return pairs, difference, ms_within * np.array([sizes[a] + sizes[b] for a, b in pairs])


def _ratio(a: Floats, b: Floats) -> Floats:
    """Return a / b; where there is no spread, equal means are equal and others infinitely apart."""
    otherwise = np.where(a == 0, 0.0, np.inf)
    result: Floats = np.divide(a, b, out=otherwise, where=b > 0)
    return result
