"""Agreement by pairs against loops, SciPy and the procedures of mt-metrics-eval, which were
re-written as loops from its public code: see the source in the golden file.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import pairs as oracle
from scipy import stats

from nlgauge.stats import correlation, pairs, weighted
from nlgauge.stats.soft import confidences, soft_pairwise_accuracy

GOLDEN = Path(__file__).parents[1] / "golden" / "stats"
SCORES = {
    name: np.array(grid, float)
    for name, grid in json.loads((GOLDEN / "scores.json").read_text()).items()
    if name != "layout"
}
PROCEDURES = json.loads((GOLDEN / "mt_metrics_eval.json").read_text())["records"]
NAMES = {
    "Pearson": "pearson",
    "Spearman": "spearman",
    "Kendall b": "kendall-b",
    "Kendall c": "kendall-c",
    "KendallVariants 23": "kendall-eq",
    "KendallVariants acc23": "accuracy-eq",
    "KendallWithTiesOpt 23": "kendall-eq",
    "KendallWithTiesOpt acc23": "accuracy-eq",
}
seeds = st.integers(0, 2**32 - 1)


def grids(record: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    name, *rounded = record["metric"].split()
    # As Python rounds: NumPy's rounding differs in the last place.
    metric = np.vectorize(lambda v: round(v, 1))(SCORES[name]) if rounded else SCORES[name]
    human = SCORES[record["gold"]]
    by = record.get("average_by", "sys")
    shape = {"none": lambda g: g.reshape(1, -1), "item": lambda g: g.T, "sys": lambda g: g}[by]
    return shape(metric), shape(human)


@pytest.mark.parametrize("name", [*NAMES, "PairwiseConfidenceError"])
def test_values_of_the_procedures_of_mt_metrics_eval(name: str) -> None:
    for record in (r for r in PROCEDURES if r["name"] == name):
        x, y = grids(record)
        if name == "PairwiseConfidenceError":
            assert soft_pairwise_accuracy(x, y) == pytest.approx(record["value"], abs=2e-4)
        elif "threshold" in record:
            found = pairs.calibrate(NAMES[name], x, y)
            assert found.value == pytest.approx(record["value"], abs=1e-10), record
            assert found.epsilon == pytest.approx(record["threshold"], abs=1e-12), record
        else:
            values = weighted.rowwise(NAMES[name], x, y)
            assert np.nanmean(values) == pytest.approx(record["value"], abs=1e-10), record


def test_wmt_variants_by_hand() -> None:
    # Pairs of (1,1) (2,2) (2,3) (3,3) (0,4): the metric ties one pair that people tell apart,
    # people tie one that the metric tells apart; 4 concordant and 4 discordant.
    metric, human = [1, 2, 2, 3, 0], [1, 2, 3, 3, 4]
    assert oracle.counts(metric, human) == [4, 4, 1, 1, 0]
    expected = {
        "kendall-a": 0,
        "kendall-wmt12": (4 - 5) / 9,
        "kendall-wmt13": 0,
        "kendall-wmt14": 0 / 9,
        "kendall-eq": (4 - 4 - 1 - 1) / 10,
        "accuracy-eq": 4 / 10,
    }
    for name, value in expected.items():
        assert pairs.agreement(name, metric, human) == pytest.approx(value), name


@given(seeds, st.integers(2, 12), st.sampled_from([2, 4, 1000]))
def test_kendall_equals_scipy(seed: int, n: int, values: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = (rng.integers(0, values, n).astype(float) for _ in range(2))
    for variant in "bc":
        expected = stats.kendalltau(x, y, variant=variant)[0]
        found = pairs.agreement(f"kendall-{variant}", x, y)
        assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(seeds, st.integers(1, 4), st.integers(2, 7))
def test_calibration_finds_the_best_of_all_thresholds(seed: int, groups: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 30, (groups, n)).astype(float)
    y = rng.integers(0, 3, (groups, n)).astype(float)
    value, epsilon = oracle.best_threshold(x.tolist(), y.tolist())
    found = pairs.calibrate("accuracy-eq", x, y)
    assert (found.value, found.epsilon) == pytest.approx((value, epsilon))
    assert pairs.calibrate("kendall-eq", x, y).value == pytest.approx(2 * value - 1)


def test_calibration_of_nothing_is_undefined() -> None:
    one = np.array([[1.0, np.nan]])
    assert np.isnan(pairs.calibrate("accuracy-eq", one, one).value)


@given(seeds, st.integers(1, 8), st.sampled_from([3, 1000]), st.booleans())
def test_weights_are_copies(seed: int, n: int, values: int, missing: bool) -> None:
    rng = np.random.default_rng(seed)
    x, y = (rng.integers(0, values, (2, n)).astype(float) for _ in range(2))
    if missing:
        x[0, 0] = np.nan
    weights = rng.multinomial(n, np.full(n, 1 / n), size=3).astype(float)
    for name in (*weighted._LINEAR, *pairs.FORMULAS):
        found = weighted.resampled(name, x, y, weights)
        for draw, w in enumerate(weights):
            rows = weighted.rowwise(name, x, y, np.broadcast_to(w, x.shape))
            for g in range(2):
                known = ~np.isnan(x[g])
                a, b, copies = x[g, known], y[g, known], w[known].astype(int)
                expected = copied(name, a, b, copies)
                assert found[draw, g] == pytest.approx(expected, abs=1e-9, nan_ok=True), name
                assert rows[g] == pytest.approx(expected, abs=1e-9, nan_ok=True), name


def copied(name: str, x: np.ndarray, y: np.ndarray, copies: np.ndarray) -> float:
    a, b = np.repeat(x, copies), np.repeat(y, copies)
    if name in pairs.FORMULAS:
        counts = oracle.counts(x.tolist(), y.tolist(), copies.tolist())
        distinct = min(np.unique(a).size, np.unique(b).size)
        return float(pairs.FORMULAS[name](pairs.Pairs(*counts, outputs=a.size, distinct=distinct)))
    return correlation.CORRELATIONS[name](a, b)


@given(seeds)
def test_weighted_pairs_with_a_threshold(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 9, 6).astype(float), rng.integers(0, 3, 6).astype(float)
    copies = rng.integers(0, 3, 6)
    counts = oracle.counts(x.tolist(), y.tolist(), copies.tolist(), epsilon=2)
    expected = (counts[0] + counts[4]) / sum(counts) if sum(counts) else float("nan")
    found = weighted.resampled("accuracy-eq", x[None], y[None], copies[None] * 1.0, epsilon=2)
    assert found[0, 0] == pytest.approx(expected, nan_ok=True)


def test_confidence_is_the_share_of_all_swaps() -> None:
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(2, 8))
    signs = np.array(np.meshgrid(*[[-1, 1]] * 8)).reshape(8, -1).T
    difference = scores[0] - scores[1]
    exact = np.mean(signs @ difference >= difference.sum() - 1e-9)
    assert confidences(scores, permutations=20_000)[0, 1] == pytest.approx(exact, abs=0.02)
    assert soft_pairwise_accuracy(scores, scores) == 1
