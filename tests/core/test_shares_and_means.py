"""Shares, harmonic means and unit vectors, against hand calculation."""

import numpy as np
import pytest

from nlgauge.core.arithmetic import harmonic_mean, ratio, unit_vectors, weighted_harmonic_mean


def test_a_share_of_nothing_is_0() -> None:
    assert ratio([1, 2, 3], [2, 0, -1]).tolist() == [0.5, 0, 0]
    assert ratio(1, 4) == 0.25
    assert ratio([[1.0], [2.0]], [2.0, 4.0]).tolist() == [[0.5, 0.25], [1, 0.5]]


def test_harmonic_means() -> None:
    # 2 · ½ · 1 / 1½ = ⅔; it is 0 where one side is not positive.
    found = harmonic_mean([0.5, 0.0, 1.0, -1.0, np.nan, -0.5], [1.0, 1.0, 0.0, 3.0, 1.0, -0.5])
    assert found.tolist() == [2 / 3, 0, 0, 0, 0, 0]
    # ½ · 1 / (¾ · ½ + ¼ · 1) = 0.8
    assert weighted_harmonic_mean(0.5, 1.0, 0.75) == pytest.approx(0.8, abs=1e-15)
    assert weighted_harmonic_mean(0.5, 0.25, 1.0) == 0.25  # recall alone
    assert weighted_harmonic_mean(0.5, 0.25, 0.0) == 0.5  # precision alone
    assert weighted_harmonic_mean(0.5, -0.25, 1.0) == 0


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_unit_vectors_keep_their_type(kind: type) -> None:
    found = unit_vectors(np.array([[3, 4], [0, 0]], kind))
    assert found.dtype == kind
    assert found == pytest.approx(np.array([[0.6, 0.8], [0, 0]]), abs=1e-7)
