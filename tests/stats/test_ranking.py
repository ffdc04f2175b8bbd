"""From judgements to ranks: published examples, SciPy's optimiser and hand calculations."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from nlgauge.data.judgements import Judgements
from nlgauge.errors import DataError, SpecError
from nlgauge.human.aggregation import aggregate, agreement_weights, rate_systems
from nlgauge.human.normalisation import normalise, rescale
from nlgauge.human.pairwise import Comparisons, comparisons
from nlgauge.human.ranking import rank
from nlgauge.human.skills import trueskill
from nlgauge.human.strengths import bradley_terry

# Baseball, American League East, 1987: Milwaukee, Detroit, Toronto, New York, Boston, Cleveland,
# Baltimore. Agresti, Categorical Data Analysis; the estimates as in his book and R's BradleyTerry2.
BASEBALL = np.array(
    [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ],
    float,
)
AGRESTI = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0]
AGRESTI_ERRORS = [0.3433, 0.3396, 0.3367, 0.3359, 0.3339, 0.3319]

seeds = st.integers(0, 2**32 - 1)


def rated(*rows: tuple[str, str, str, float], criterion: str = "c") -> Judgements:
    """Rows of item, system, annotator and value."""
    names = ("item", "system", "annotator", "value")
    return Judgements.build(
        [dict(zip(names, row, strict=True)) | {"criterion": criterion} for row in rows]
    )


def preferred(*rows: tuple[str, str, str, float]) -> Judgements:
    """Rows of item, system, other system and value."""
    names = ("item", "system", "against", "value")
    return Judgements.build([dict(zip(names, row, strict=True)) for row in rows])


def test_baseball() -> None:
    fit = bradley_terry(BASEBALL)
    assert fit.values - fit.values[-1] == pytest.approx(AGRESTI, abs=6e-5)
    c = fit.covariance
    errors = np.sqrt(np.diag(c)[:-1] + c[-1, -1] - 2 * c[:-1, -1])
    assert errors == pytest.approx(AGRESTI_ERRORS, abs=6e-5)
    assert fit.values.sum() == pytest.approx(0, abs=1e-12)


def davidson(theta: np.ndarray, wins: np.ndarray, ties: np.ndarray, prior: float) -> float:
    """Minus the log-likelihood, written from the formula."""
    strengths, nu = np.exp(theta[:-1]), np.exp(theta[-1])
    value = prior * (theta[:-1] ** 2).sum() / 2
    for i, j in combinations(range(len(strengths)), 2):
        tie = nu * np.sqrt(strengths[i] * strengths[j])
        total = strengths[i] + strengths[j] + tie
        value -= wins[i, j] * np.log(strengths[i] / total)
        value -= wins[j, i] * np.log(strengths[j] / total)
        value -= ties[i, j] * np.log(tie / total)
    return float(value)


@settings(max_examples=15, deadline=None)
@given(seeds, st.integers(2, 5), st.sampled_from([0.0, 0.5]))
def test_davidson_is_at_the_maximum(seed: int, n: int, prior: float) -> None:
    rng = np.random.default_rng(seed)
    wins = rng.integers(1, 9, (n, n)).astype(float)
    np.fill_diagonal(wins, 0)
    ties = np.triu(rng.integers(1, 5, (n, n)), 1).astype(float)
    ties += ties.T
    fit = bradley_terry(wins, ties, prior=prior)
    start = np.zeros(n + 1)
    best = minimize(davidson, start, args=(wins, ties, prior), tol=1e-12)
    found = best.x[:-1] - best.x[:-1].mean()
    assert fit.values == pytest.approx(found, abs=2e-4)
    assert fit.tie == pytest.approx(np.exp(best.x[-1]), rel=2e-4)
    at = davidson(np.append(fit.values, np.log(fit.tie)), wins, ties, prior)
    assert at <= best.fun + 1e-9


def test_two_systems_by_hand() -> None:
    # 3 : 1 is a log-odds of ln 3, with variance 1/3 + 1/1 of the difference.
    fit = bradley_terry(np.array([[0, 3], [1, 0]]))
    assert fit.values[0] - fit.values[1] == pytest.approx(np.log(3))
    assert fit.errors == pytest.approx(np.full(2, np.sqrt(4 / 3) / 2))
    half = bradley_terry(np.array([[0, 2], [0, 0]]), np.array([[0, 2], [2, 0]]), how="half")
    assert half.values == pytest.approx(fit.values)


@pytest.mark.parametrize(
    ("wins", "message"),
    [
        ([[0, 2, 1], [0, 0, 1], [0, 1, 0]], "^best never lost to"),
        ([[0, 1, 0], [1, 0, 0], [0, 0, 0]], "was never compared with"),
    ],
)
def test_no_strengths_without_a_path_of_wins(wins: list[list[int]], message: str) -> None:
    with pytest.raises(DataError, match=message):
        bradley_terry(np.array(wins), names=("best", "b", "c"))
    assert np.isfinite(bradley_terry(np.array(wins), prior=0.1).values).all()


@pytest.mark.parametrize("n", [2, 3])
def test_strengths_are_finite_or_refused(n: int) -> None:
    # Every table of up to one win and one tie of each pair: with ties, wins alone may leave the
    # likelihood without a maximum, also where everybody can be reached from everybody.
    pairs = list(combinations(range(n), 2))
    for outcomes in product(product((0, 1), repeat=3), repeat=len(pairs)):
        wins, ties = np.zeros((n, n)), np.zeros((n, n))
        for (i, j), (ahead, behind, even) in zip(pairs, outcomes, strict=True):
            wins[i, j], wins[j, i], ties[i, j], ties[j, i] = ahead, behind, even, even
        try:
            fit = bradley_terry(wins, ties)
        except DataError:
            continue
        assert np.isfinite([*fit.values, *fit.errors]).all()
        best = davidson(np.append(fit.values, np.log(fit.tie)), wins, ties, 0) if ties.any() else 0
        # No point far away is better, as it would be without a maximum.
        for direction in product((-12, 0, 12), repeat=n + 1) if ties.any() else ():
            assert davidson(np.array(direction, float), wins, ties, 0) >= best - 1e-6


def test_ranks_without_strengths_say_why() -> None:
    rows = [("1", "a", "c", 1), ("2", "a", "c", 1), ("3", "a", "b", 0.5), ("4", "a", "c", 0.5)]
    ranking = rank(preferred(*rows), resamples=20)
    assert np.isnan([system.strength for system in ranking.systems]).all()
    assert "do not settle the strengths" in ranking.notes[0]


def matches(*rows: tuple[int, int, float]) -> Comparisons:
    first, second, value = map(np.array, zip(*rows, strict=True))
    systems = tuple("abc"[: max(first.max(), second.max()) + 1])
    return Comparisons(systems, first, second, value.astype(float), np.arange(len(rows)))


def test_trueskill_of_one_match() -> None:
    # As trueskill.org and the package trueskill 0.4.5 print it, with their defaults.
    defaults = {"tau": 25 / 300, "draw": 0.1}
    mu, sigma = trueskill(matches((0, 1, 1)), **defaults)
    assert mu == pytest.approx([29.396, 20.604], abs=5e-4)
    assert sigma == pytest.approx([7.171, 7.171], abs=5e-4)
    mu, sigma = trueskill(matches((0, 1, 0.5)), **defaults)
    assert mu == pytest.approx([25, 25])
    assert sigma == pytest.approx([6.458, 6.458], abs=5e-4)


def test_trueskill_of_a_series() -> None:
    # trueskill 0.4.5, TrueSkill(tau=0, draw_probability=.25), rated one after another; its normal
    # distribution has seven digits.
    rows = [(0, 1, 1), (1, 2, 0.5), (0, 2, 0), (2, 1, 1), (0, 1, 0.5)]
    mu, sigma = trueskill(matches(*rows), draw=0.25, seed=None)
    assert mu == pytest.approx([22.2374645, 20.905042, 29.2618725], abs=1e-5)
    assert sigma == pytest.approx([4.7442208, 4.4685308, 4.9577066], abs=1e-5)


def test_shares_of_wins_by_hand() -> None:
    # a beats b twice and ties once; a against c 1 : 1; b beats c.
    rows = [("1", "a", "b", 1), ("2", "b", "a", 0), ("3", "a", "b", 0.5)]
    rows += [("1", "a", "c", 1), ("2", "a", "c", 0), ("3", "b", "c", 1)]
    result = rank(preferred(*rows), resamples=50)
    a, b, c = (next(s for s in result.systems if s.system == name) for name in "abc")
    assert (a.wins, a.ties, a.losses) == (3, 1, 1)
    assert a.win_share == 3 / 4
    assert a.half_share == 3.5 / 5
    assert a.expected_wins == pytest.approx((2 / 2 + 1 / 2) / 2)
    assert b.expected_wins == pytest.approx((0 + 1) / 2)
    assert c.expected_wins == pytest.approx((1 / 2 + 0) / 2)
    assert [s.system for s in result.systems] == ["a", "b", "c"]
    assert result.wins.tolist() == [[0, 2, 1], [0, 0, 1], [1, 0, 0]]


def test_clear_and_unclear_ranks() -> None:
    clear = [(str(i), "good", other, 1) for i in range(30) for other in ("x", "y")]
    even = [(str(i), "x", "y", i % 2) for i in range(30)]
    result = rank(preferred(*clear, *even), resamples=200)
    good, *rest = result.systems
    assert (good.system, good.rank_low, good.rank_high, good.cluster) == ("good", 1, 1, 1)
    assert {(s.rank_low, s.rank_high, s.cluster) for s in rest} == {(2, 3, 2)}
    assert "good never lost" in result.notes[0]
    assert np.isnan(good.strength)
    assert not np.isnan(rank(preferred(*clear, *even), prior=0.1, resamples=5).systems[0].strength)


def test_ratings_become_comparisons() -> None:
    given = rated(
        *(("1", s, "p", v) for s, v in (("a", 5.0), ("b", 3.0), ("c", 3.0))),
        *(("1", s, "q", v) for s, v in (("a", 1.0), ("b", 2.0))),
    )
    wins, ties = comparisons(given).counts()
    assert wins.tolist() == [[0, 1, 1], [1, 0, 0], [0, 0, 0]]
    assert ties.tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 0]]
    wins, ties = comparisons(given, margin=1).counts()
    assert (wins.sum(), ties.sum() / 2) == (2, 2)
    with pytest.raises(DataError, match="nothing to compare"):
        comparisons(rated(("1", "a", "p", 1), ("2", "b", "p", 1)))
    both = Judgements.join([given, rated(("1", "a", "p", 1), criterion="d")])
    with pytest.raises(SpecError, match="choose one of: c, d"):
        comparisons(both)


def test_z_scores_by_annotator_and_criterion() -> None:
    rows = [("1", "s", "p", 1.0), ("2", "s", "p", 3.0), ("1", "s", "q", 4.0), ("2", "s", "q", 4.0)]
    z = normalise(rated(*rows))
    assert z.value.tolist() == [-1, 1, 0, 0]
    sample = normalise(rated(*rows), deviation="sample")
    assert sample.value == pytest.approx([-(0.5**0.5), 0.5**0.5, 0, 0])
    assert aggregate(z).value.tolist() == [-0.5, 0.5]
    two = Judgements.join([rated(*rows[:2]), rated(("1", "s", "p", 9.0), criterion="d")])
    assert normalise(two).value.tolist() == [-1, 1, 0]


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30), st.floats(0.1, 100), st.floats(-9, 9)
)
def test_z_scores_do_not_depend_on_the_annotators_scale(
    values: list[float], factor: float, shift: float
) -> None:
    if np.std(values) < 1e-3:
        return
    rows = [(str(i), "s", "p", v) for i, v in enumerate(values)]
    other = [(str(i), "s", "p", v * factor + shift) for i, v in enumerate(values)]
    z = normalise(rated(*rows)).value
    assert z.mean() == pytest.approx(0, abs=1e-9)
    assert z.std() == pytest.approx(1)
    assert normalise(rated(*other)).value == pytest.approx(z, abs=1e-5)


def test_normalised_adequacy() -> None:
    # Isozaki et al. (2010) divide by the scale: a mean of 4 by three judges is .75.
    given = rated(("1", "s", "p", 3.0), ("1", "s", "q", 4.0), ("1", "s", "r", 5.0))
    assert aggregate(rescale(given, 1, 5)).value.tolist() == [0.75]
    assert rate_systems(given, scale=(1, 5)).systems[0].share == 0.75
    with pytest.raises(DataError, match="rating 5 is not on the scale from 1 to 4"):
        rescale(given, 1, 4)


def test_weights_by_agreement() -> None:
    p, q, r = [1.0, 2, 3, 4], [1.0, 3, 3, 5], [3.0, 1, 2, 1]
    rows = [
        (str(i), "s", name, v)
        for name, values in (("p", p), ("q", q), ("r", r))
        for i, v in enumerate(values)
    ]
    weights = agreement_weights(rated(*rows))
    assert weights["p"] == pytest.approx(np.corrcoef(p, np.add(q, r) / 2)[0, 1])
    assert weights["r"] == 0
    expected = (weights["p"] * np.array(p) + weights["q"] * np.array(q)) / (
        weights["p"] + weights["q"]
    )
    assert aggregate(rated(*rows), weights="agreement").value == pytest.approx(expected)
    given = aggregate(rated(*rows), weights={"p": 1, "q": 0, "r": 1})
    assert given.value == pytest.approx([2, 1.5, 2.5, 2.5])
    with pytest.raises(SpecError, match="'q' needs a weight"):
        aggregate(rated(*rows), weights={"p": 1})


def test_means_of_systems() -> None:
    rows = [("1", "a", "p", 1.0), ("2", "a", "p", 3.0), ("1", "b", "p", 5.0), ("1", "a", "q", 2.0)]
    found = {s.system: s for s in rate_systems(rated(*rows)).systems}
    assert (found["a"].outputs, found["a"].ratings) == (2, 3)
    assert found["a"].mean == (1.5 + 3) / 2
    assert found["b"].mean == 5
    # p: mean 3, population deviation √(8/3); q: 0.
    sd = (8 / 3) ** 0.5
    assert found["b"].z == pytest.approx(2 / sd)
    assert found["a"].z == pytest.approx((-2 / sd / 2 + 0) / 2)
