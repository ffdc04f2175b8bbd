"""Statistics against SciPy, statsmodels, PyPI's krippendorff and published numbers."""

import krippendorff as krippendorff_package
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa
from statsmodels.stats.multitest import multipletests

from nlgauge.errors import DataError
from nlgauge.stats import agreement, correlation, dependent, multiplicity, ties, variance, weighted

# Ten subjects, fourteen raters, five categories: Fleiss' textbook table.
FLEISS_TABLE = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]

seeds = st.integers(0, 2**32 - 1)


def test_spearman_of_the_ranks_example() -> None:
    x, y = [0.1, 0.4, 0.2, 0.6], [0.9, 0.6, 0.2, 0.7]
    assert correlation.ranks(x).tolist() == [1, 3, 2, 4]
    assert correlation.ranks(y).tolist() == [4, 2, 1, 3]
    assert correlation.spearman(x, y) == pytest.approx(-0.2)


@given(seeds, st.integers(2, 60), st.sampled_from([2, 4, 1000]))
def test_correlations_equal_scipy(seed: int, n: int, values: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = (rng.integers(0, values, n).astype(float) for _ in range(2))
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert np.isnan(correlation.pearson(x, y))
        assert np.isnan(correlation.kendall_b(x, y))
        return
    expected = {
        "pearson": stats.pearsonr(x, y)[0],
        "spearman": stats.spearmanr(x, y)[0],
        "kendall-b": stats.kendalltau(x, y)[0],
        "kendall-c": stats.kendalltau(x, y, variant="c")[0],
        "r2": stats.linregress(x, y).rvalue ** 2,
    }
    for name, value in expected.items():
        assert correlation.CORRELATIONS[name](x, y) == pytest.approx(value, abs=1e-10), name


@given(seeds, st.integers(2, 30))
def test_pairs_are_counted_as_two_loops_count_them(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 5, n), rng.integers(0, 5, n)
    counts = [0] * 5
    for i in range(n):
        for j in range(i):
            dx, dy = np.sign(x[i] - x[j]), np.sign(y[i] - y[j])
            kind = 4 if dx == dy == 0 else 2 if dx == 0 else 3 if dy == 0 else 0 if dx == dy else 1
            counts[kind] += 1
    assert list(correlation.pair_counts(x, y)) == counts


def test_pairs_with_a_missing_value_are_left_out() -> None:
    nan = float("nan")
    assert correlation.kendall_a([1, 2, nan, 3], [1, 3, 9, 2]) == pytest.approx(1 / 3)


def test_williams_and_steiger_published_check() -> None:
    williams = dependent.williams(0.9, 0.8, 0.85, 20)
    assert williams.statistic == pytest.approx(1.7292, abs=5e-5)
    assert williams.p_value == pytest.approx(0.0509, abs=5e-5)
    steiger = dependent.steiger(0.9, 0.8, 0.85, 20)
    assert steiger.statistic == pytest.approx(1.6515, abs=5e-5)
    assert steiger.p_value == pytest.approx(0.0493, abs=5e-5)


def test_equal_correlations_are_a_coin_toss() -> None:
    assert dependent.williams(0.7, 0.7, 0.9, 30).p_value == 0.5
    assert dependent.steiger(0.7, 0.7, 1.0, 30).p_value == 0.5


def test_experiment_wise_error_of_the_paper() -> None:
    assert multiplicity.experiment_wise_error(0.05, 105) == pytest.approx(0.9954, abs=5e-5)
    assert multiplicity.experiment_wise_error(0.015, 5) == pytest.approx(0.0728, abs=5e-5)
    assert multiplicity.sidak_level(0.0728, 5) == pytest.approx(0.015, abs=1e-4)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_corrections_equal_statsmodels(p_values: list[float]) -> None:
    for ours, theirs in (
        ("sidak", "sidak"),
        ("bonferroni", "bonferroni"),
        ("holm", "holm"),
        ("benjamini-hochberg", "fdr_bh"),
    ):
        expected = multipletests(p_values, method=theirs)[1]
        assert multiplicity.adjust(p_values, ours) == pytest.approx(expected, abs=1e-12)


def test_fleiss_textbook_table() -> None:
    assert agreement.fleiss_from_counts(FLEISS_TABLE) == pytest.approx(0.2099, abs=5e-5)


@given(seeds, st.integers(2, 30), st.integers(2, 6), st.integers(2, 5))
def test_fleiss_and_cohen_equal_statsmodels(seed: int, items: int, raters: int, k: int) -> None:
    ratings = np.random.default_rng(seed).integers(0, k, (items, raters))
    if np.ptp(ratings) == 0:
        assert agreement.fleiss(ratings) == 1
        return
    table = np.stack([(ratings == c).sum(axis=1) for c in range(k)], axis=1)
    assert agreement.fleiss(ratings) == pytest.approx(fleiss_kappa(table), abs=1e-10)
    a, b = ratings[:, 0], ratings[:, 1]
    used = np.unique([a, b])
    if used.size < 2:
        return
    crossed = np.array([[((a == x) & (b == y)).sum() for y in used] for x in used])
    for ours, theirs in (("none", None), ("linear", "linear"), ("quadratic", "quadratic")):
        expected = cohens_kappa(crossed, wt=theirs).kappa
        if np.isfinite(expected):
            found = agreement.cohen(a, b, ours)
            assert found == pytest.approx(expected, abs=1e-10), ours


@given(
    seeds,
    st.integers(2, 30),
    st.integers(2, 5),
    st.sampled_from(["nominal", "ordinal", "interval", "ratio"]),
    st.floats(0, 0.6),
)
def test_krippendorff_equals_the_package(
    seed: int, items: int, raters: int, level: str, missing: float
) -> None:
    rng = np.random.default_rng(seed)
    ratings = rng.integers(1, 6, (items, raters)).astype(float)
    ratings[rng.random(ratings.shape) < missing] = np.nan
    paired = ratings[(~np.isnan(ratings)).sum(axis=1) >= 2]
    if np.unique(paired[~np.isnan(paired)]).size < 2:
        return
    expected = krippendorff_package.alpha(ratings.T, level_of_measurement=level)
    assert agreement.krippendorff(ratings, level) == pytest.approx(expected, abs=1e-10)


def test_agreement_of_marked_sets_by_hand() -> None:
    marked = [{1, 2, 3}, {2, 3, 4}, {2}]
    assert agreement.jaccard(marked) == pytest.approx((2 / 4 + 1 / 3 + 1 / 3) / 3)
    assert agreement.f1(marked) == pytest.approx((4 / 6 + 2 / 4 + 2 / 4) / 3)


def test_unequal_numbers_of_ratings_are_refused_with_the_remedy() -> None:
    with pytest.raises(DataError, match="Krippendorff"):
        agreement.fleiss([[1, 2, np.nan], [1, 1, 2]])


@given(seeds, st.integers(2, 4))
def test_anova_and_post_hoc_tests_equal_scipy(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    groups = {f"g{i}": rng.normal(i / 3, 1, rng.integers(3, 9)) for i in range(k)}
    result = variance.anova(groups)
    expected = stats.f_oneway(*groups.values())
    assert result.f == pytest.approx(expected.statistic)
    assert result.p_value == pytest.approx(expected.pvalue)
    matrix = stats.tukey_hsd(*groups.values()).pvalue
    for (a, b), p in variance.tukey(groups).items():
        assert p == pytest.approx(matrix[int(a[1:]), int(b[1:])], abs=1e-6)


def test_two_groups_make_scheffe_the_f_test() -> None:
    groups = {"a": [1.0, 2.0, 4.0], "b": [3.0, 5.0, 6.0, 7.0]}
    assert variance.scheffe(groups)["a", "b"] == pytest.approx(
        stats.f_oneway(*groups.values()).pvalue
    )


CONSTANTS = [k / 10 for k in range(1, 20)] + [k / 7 for k in range(1, 20)] + [1e-9, 1e9, 0.0]


@pytest.mark.parametrize("name", list(correlation.CORRELATIONS))
def test_a_constant_side_leaves_every_coefficient_undefined(name: str) -> None:
    varied = [1.0, 2, 4, 3, 5, 9, 7]
    for constant in CONSTANTS:
        for n in (2, 3, 7):
            sides = [constant] * n, varied[:n]
            assert np.isnan(correlation.CORRELATIONS[name](*sides)), (constant, n)
            assert np.isnan(correlation.CORRELATIONS[name](*reversed(sides))), (constant, n)
            grids = [np.array([side]) for side in sides]
            assert np.isnan(weighted.rowwise(name, *grids)).all()
            assert np.isnan(weighted.resampled(name, *grids, np.ones((1, n)))).all()


def test_scores_that_differ_by_rounding_tie() -> None:
    # 0.1 + 0.2 is 0.30000000000000004.
    x, y = [0.1 + 0.2, 0.3, 0.5, 0.1], [2.0, 1.0, 3.0, 4.0]
    plain = [0.3, 0.3, 0.5, 0.1]
    for name in ("spearman", "kendall-a", "kendall-b", "kendall-c"):
        expected = correlation.CORRELATIONS[name](plain, y)
        assert correlation.CORRELATIONS[name](x, y) == expected
        ones = np.ones((1, 4))
        found = weighted.resampled(name, np.array([x]), np.array([y]), ones)[0, 0]
        assert found == pytest.approx(expected)
    assert correlation.pair_counts(x, y) == correlation.pair_counts(plain, y)
    assert np.isnan(correlation.pearson([0.1 + 0.2, 0.3, 0.3], [1, 2, 3]))


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30))
def test_ties_by_rounding_move_no_value_visibly(values: list[float]) -> None:
    given_values = np.array(values)
    tied = ties.tie_rounding(given_values)
    assert np.allclose(tied, given_values, rtol=1e-12, atol=0)
    order = np.argsort(given_values, kind="stable")
    assert (np.diff(tied[order]) >= 0).all()
