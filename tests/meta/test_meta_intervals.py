"""Intervals of agreement: against plain loops over what is left out, and what they should cover."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from support.score_grids import paired

from nlgauge.meta.correlation.meta_result import correlate
from nlgauge.meta.correlation.settings import MetaSettings
from nlgauge.report.tables.meta.meta_summary import summary

RNG = np.random.default_rng(5)
QUALITY = RNG.standard_normal((6, 25))
SCORES = QUALITY + RNG.standard_normal((6, 25)) + 0.5 * RNG.standard_normal((6, 1))


def r(x: np.ndarray, y: np.ndarray) -> float:
    return float(stats.pearsonr(x.ravel(), y.ravel())[0])


def variance(changes: list[float]) -> float:
    """Of what leaving out each unit changes, with n / (n - 1)."""
    n = len(changes)
    return float(np.sum((np.array(changes) - np.mean(changes)) ** 2) * n / (n - 1))


def limits(value: float, v: float, freedom: float) -> tuple[float, float]:
    """Student's interval on Fisher's scale."""
    half = stats.t.ppf(0.975, freedom) * np.sqrt(v) / (1 - value**2)
    return float(np.tanh(np.arctanh(value) - half)), float(np.tanh(np.arctanh(value) + half))


def both(items: float, systems: float, outputs: float, i: int, s: int) -> tuple[float, float]:
    more = max(systems - outputs, 0)
    total = items + more
    return total, total**2 / (items**2 / (i - 1) + more**2 / (s - 1))


def found(level: str, x: np.ndarray, y: np.ndarray, **settings: object) -> tuple[float, float]:
    chosen = MetaSettings(levels=(level,), test="none", **settings)
    agreement = correlate(paired({"m": x}, {"c": y}), settings=chosen).agreement("m")
    return agreement.low, agreement.high


def without_item(i: int) -> tuple[np.ndarray, np.ndarray]:
    return np.delete(SCORES, i, axis=1), np.delete(QUALITY, i, axis=1)


def without_system(s: int) -> tuple[np.ndarray, np.ndarray]:
    return np.delete(SCORES, s, axis=0), np.delete(QUALITY, s, axis=0)


def test_segment_interval_equals_loops_over_what_is_left_out() -> None:
    value = r(SCORES, QUALITY)
    items = variance([value - r(*without_item(i)) for i in range(25)])
    systems = variance([value - r(*without_system(s)) for s in range(6)])
    flat = SCORES.ravel(), QUALITY.ravel()
    outputs = sum((value - r(*(np.delete(v, k) for v in flat))) ** 2 for k in range(150))
    assert found("segment", SCORES, QUALITY) == pytest.approx(
        limits(value, *both(items, systems, outputs, 25, 6)), abs=1e-9
    )
    assert found("segment", SCORES, QUALITY, over="items") == pytest.approx(
        limits(value, items, 24), abs=1e-9
    )
    assert found("segment", SCORES, QUALITY, over="systems") == pytest.approx(
        limits(value, systems, 5), abs=1e-9
    )


def test_system_interval_equals_loops_over_what_is_left_out() -> None:
    def value_of(x: np.ndarray, y: np.ndarray) -> float:
        return r(x.mean(axis=1), y.mean(axis=1))

    value = value_of(SCORES, QUALITY)
    items = variance([value - value_of(*without_item(i)) for i in range(25)])
    systems = variance([value - value_of(*without_system(s)) for s in range(6)])
    outputs = 0.0
    for s in range(6):
        for i in range(25):
            means = [v.mean(axis=1) for v in (SCORES, QUALITY)]
            for mean, grid in zip(means, (SCORES, QUALITY), strict=True):
                mean[s] = np.delete(grid[s], i).mean()
            outputs += (value - r(*means)) ** 2
    assert found("system", SCORES, QUALITY) == pytest.approx(
        limits(value, *both(items, systems, outputs, 25, 6)), abs=1e-9
    )


def test_by_item_interval_over_items_is_students() -> None:
    values = [r(SCORES[:, i], QUALITY[:, i]) for i in range(25)]
    expected = limits(float(np.mean(values)), np.var(values, ddof=1) / 25, 24)
    assert found("segment-by-item", SCORES, QUALITY, over="items") == pytest.approx(expected)


@pytest.mark.parametrize("level", ["segment", "segment-by-item", "segment-by-system", "system"])
@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall-b", "accuracy-eq", "r2"])
def test_intervals_hold_their_value_and_stay_in_range(level: str, coefficient: str) -> None:
    data = paired({"m": SCORES, "best": QUALITY}, {"c": QUALITY})
    settings = MetaSettings(levels=(level,), coefficients=(coefficient,), test="none")
    for agreement in correlate(data, settings=settings).agreements:
        lowest = 0 if coefficient in ("accuracy-eq", "r2") else -1
        if agreement.metric == "best":  # nothing that is left out changes it
            assert agreement.value == pytest.approx(1)
            assert np.isnan([agreement.low, agreement.high]).all()
            continue
        assert lowest <= agreement.low <= agreement.value + 1e-12
        assert agreement.value - 1e-12 <= agreement.high <= 1


@pytest.mark.parametrize("level", ["system", "segment-by-item"])
@pytest.mark.parametrize("coefficient", ["spearman", "kendall-b", "accuracy-eq"])
def test_a_perfect_order_of_five_systems_has_no_interval(level: str, coefficient: str) -> None:
    # One of 5! = 120 random orders is right, so that [1, 1] would hold the true value of a
    # metric that knows nothing in none of these cases, not in 95 % of them.
    human = np.arange(5.0)[:, None] + np.arange(4) / 100
    metric = human**3
    settings = MetaSettings(levels=(level,), coefficients=(coefficient,), test="none")
    result = correlate(paired({"m": metric}, {"c": human}), settings=settings)
    found = result.agreement("m")
    assert found.value == pytest.approx(1)
    assert np.isnan([found.low, found.high]).all()
    notes = [note for grid in summary(result) for note in grid.notes]
    assert any("may be so by luck" in note for note in notes)
    assert not any(note.startswith("[low, high]") for note in notes)
    resampled = replace(settings, interval="percentile", resamples=50)
    result = correlate(paired({"m": metric}, {"c": human}), settings=resampled)
    assert any("may be so by luck" in note for grid in summary(result) for note in grid.notes)


def test_an_item_rated_alike_counts_neither_in_the_mean_nor_in_the_interval() -> None:
    x = np.array([[1.0, 1, 3], [2, 2, 1], [3, 5, 2], [5, 4, 4]])
    y = np.array([[2.0, 0.1, 3], [1, 0.1, 2], [3, 0.1, 1], [6, 0.1, 5]])
    settings = MetaSettings(levels=("segment-by-item",), test="none")
    value = correlate(paired({"m": x}, {"c": y}), settings=settings).agreement("m")
    assert value.groups == 2
    assert value.value == pytest.approx(np.mean([r(x[:, k], y[:, k]) for k in (0, 2)]))
    assert value.low <= value.value <= value.high


def test_by_item_intervals_are_as_wide_as_chance() -> None:
    """A bootstrap of items and systems is 1.6 times as wide."""
    rng = np.random.default_rng(3)

    def draw() -> tuple[np.ndarray, np.ndarray]:
        quality = rng.standard_normal((10, 30))
        return quality + 1.7 * rng.standard_normal((10, 30)), quality

    def mean(x: np.ndarray, y: np.ndarray) -> float:
        return float(np.mean([r(x[:, i], y[:, i]) for i in range(30)]))

    ideal = 2 * 1.96 * np.std([mean(*draw()) for _ in range(300)])
    widths = [np.diff(found("segment-by-item", *draw()))[0] for _ in range(15)]
    assert 0.85 < np.median(widths) / ideal < 1.25


def test_judged_preferences_have_an_interval_that_holds_the_value() -> None:
    settings = MetaSettings(coefficients=("kendall-darr",), threshold=0.5, test="none")
    result = correlate(paired({"m": SCORES}, {"c": QUALITY}), settings=settings)
    agreement = result.agreement("m")
    assert agreement.low < agreement.value < agreement.high
