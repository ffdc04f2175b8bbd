"""Permutation tests between metrics, against loops and nlpstats."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from nlgauge.errors import SpecError
from nlgauge.meta.correlation.permutation import permutation_test
from nlgauge.meta.correlation.swapped_pairs import pair_permutation_test
from nlgauge.stats import correlation, pairs

GOLDEN = Path(__file__).parents[1] / "golden" / "stats"
SCORES = json.loads((GOLDEN / "scores.json").read_text())
NLPSTATS = json.loads((GOLDEN / "nlpstats.json").read_text())["records"]
HUMAN = np.array(SCORES["human"], float)
METRICS = np.array([SCORES["metricA"], SCORES["metricB"]], float)
GROUPINGS = {"system": "means", "input": "item", "global": "none"}
# What nlpstats calls "both" swaps systems, then inputs.
SWAPS = {"systems": "systems", "inputs": "inputs", "both": "crossed"}


@pytest.mark.parametrize("record", [r for r in NLPSTATS if r["name"] == "permutation_test"])
def test_p_values_equal_nlpstats(record: dict[str, str]) -> None:
    drawn = permutation_test(
        METRICS,
        HUMAN,
        grouping=GROUPINGS[record["level"]],
        coefficient={"kendall": "kendall-b"}.get(record["coefficient"], record["coefficient"]),
        swap=SWAPS[record["method"]],
        permutations=150 if record["level"] == "global" else 2000,
    )
    p = drawn.p_values(record["alternative"])[0, 1]
    expected = float(record["p"])
    # Four standard errors of both sides.
    n = 1 / (1 / float(record["n"]) + 1 / drawn.samples.shape[1])
    spread = 4 * np.sqrt(max(expected * (1 - expected), 1 / n) / n)
    assert p == pytest.approx(expected, abs=spread)


def every_swap(systems: int, items: int) -> np.ndarray:
    cells = product([False, True], repeat=systems * items)
    return np.array(list(cells)).reshape(-1, systems, items)


@pytest.mark.parametrize("coefficient", ["pearson", "kendall-b", "kendall-wmt14", "accuracy-eq"])
@pytest.mark.parametrize("grouping", ["none", "item", "system", "means"])
def test_p_value_is_the_share_of_all_swaps(coefficient: str, grouping: str) -> None:
    rng = np.random.default_rng(8)
    x = rng.integers(0, 5, (2, 4, 3)).astype(float)
    z = rng.integers(0, 4, (4, 3)).astype(float)
    scaled = [(m - m.mean()) / m.std() for m in x]

    def value(scores: np.ndarray) -> float:
        groups = {
            "none": [(scores.ravel(), z.ravel())],
            "item": zip(scores.T, z.T, strict=True),
            "system": zip(scores, z, strict=True),
            "means": [(scores.mean(axis=1), z.mean(axis=1))],
        }[grouping]
        values = [
            correlation.pearson(a, b)
            if coefficient == "pearson"
            else pairs.agreement(coefficient, a, b)
            for a, b in groups
        ]
        return float(np.nanmean(values))

    def difference(swap: np.ndarray) -> float:
        a, b = scaled
        return value(np.where(swap, b, a)) - value(np.where(swap, a, b))

    swaps = every_swap(4, 3)[::9]  # a ninth of all will do
    differences = np.array([difference(swap) for swap in swaps])
    observed = difference(np.zeros((4, 3), bool))
    exact = np.mean(differences >= observed - 1e-9)
    drawn = permutation_test(x, z, grouping=grouping, coefficient=coefficient)
    assert drawn.observed[0] == pytest.approx(observed)
    assert drawn.p_values()[0, 1] == pytest.approx(exact, abs=0.07)


def test_fast_and_plain_ways_agree() -> None:
    from nlgauge.meta.correlation import permutation

    rng = np.random.default_rng(4)
    x = rng.integers(0, 9, (3, 5, 6)).astype(float)
    z = rng.integers(0, 6, (5, 6)).astype(float)
    z[2, 3] = np.nan
    for coefficient in ("pearson", "kendall-a", "kendall-b", "kendall-wmt12", "kendall-eq"):
        fast = permutation_test(x, z, grouping="item", coefficient=coefficient, permutations=9)
        known = np.where(np.isnan(z), np.nan, x)
        scaled = [(m - np.nanmean(m)) / np.nanstd(m) for m in known]
        plain = permutation._Plain(np.array(scaled).transpose(0, 2, 1), z.T, coefficient)
        swaps = np.concatenate(list(permutation._swaps("both", (9, 5, 6), 12345)))
        expected = plain.differences(swaps.transpose(0, 2, 1), fast.pairs)
        found = np.column_stack([fast.observed, fast.samples])
        np.testing.assert_allclose(found, expected, atol=1e-12)


def test_equal_metrics_are_not_told_apart() -> None:
    same = np.stack([METRICS[0], METRICS[0]])
    assert permutation_test(same, HUMAN, permutations=50).p_values()[0, 1] == 1
    assert pair_permutation_test(same, HUMAN, np.zeros(2), permutations=50).p_values()[1, 0] == 1


def test_swapped_verdicts_are_random_signs() -> None:
    # Three pairs of outputs in one group: the first metric is right on all, the second on none.
    x, z = np.array([[[1.0, 2, 3]], [[3.0, 2, 1]]]), np.array([[1.0, 2, 3]])
    drawn = pair_permutation_test(x, z, np.zeros(2), permutations=4000)
    assert drawn.observed[0] == pytest.approx(1)
    assert drawn.p_values()[0, 1] == pytest.approx(1 / 8, abs=0.03)


def test_a_single_metric_has_nothing_to_be_compared_with() -> None:
    with pytest.raises(SpecError, match="two metrics"):
        permutation_test(METRICS[:1], HUMAN)
