"""Is one metric's correlation with people higher than another's? Tests for two correlations that
share a variable: r12 and r13 with the human scores, r23 between the metrics, n items.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from nlgauge.errors import SpecError


@dataclass(frozen=True)
class TestResult:
    """A test statistic comes with its one-sided p-value: that the first is not higher."""

    __test__ = False  # the name is a statistician's, not pytest's

    statistic: float
    p_value: float
    degrees: int | None = None


def _check(n: int, *correlations: float) -> None:
    if n < 4:
        raise SpecError(f"n={n}: comparing correlations needs at least 4 items")
    if any(not -1 <= r <= 1 for r in correlations):
        raise SpecError(f"correlations must lie in [-1, 1]: {correlations}")


def williams(r12: float, r13: float, r23: float, n: int) -> TestResult:
    """Test two correlations by Williams (1959): Student's t with n − 3 degrees of freedom."""
    from scipy.stats import t as student

    _check(n, r12, r13, r23)
    if r12 == r13:
        return TestResult(0.0, 0.5, n - 3)
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    below = 2 * max(k, 0.0) * (n - 1) / (n - 3) + ((r12 + r13) ** 2 / 4) * (1 - r23) ** 3
    if below == 0:
        statistic = math.copysign(math.inf, r12 - r13)
    else:
        statistic = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / below)
    return TestResult(statistic, float(student.sf(statistic, n - 3)), n - 3)


def steiger(r12: float, r13: float, r23: float, n: int) -> TestResult:
    """Test two correlations by Steiger (1980): Fisher's z with pooled covariance."""
    from scipy.stats import norm

    _check(n, r12, r13, r23)
    if r12 == r13:
        return TestResult(0.0, 0.5)
    mean = (r12 + r13) / 2
    free = 1 - mean**2
    covariance = (r23 * (1 - 2 * mean**2) - 0.5 * mean**2 * (1 - 2 * mean**2 - r23**2)) / free**2
    if abs(r12) == 1 or abs(r13) == 1 or covariance >= 1:
        statistic = math.copysign(math.inf, r12 - r13)
    else:
        difference = math.atanh(r12) - math.atanh(r13)
        statistic = difference * math.sqrt(n - 3) / math.sqrt(2 - 2 * covariance)
    return TestResult(statistic, float(norm.sf(statistic)))
