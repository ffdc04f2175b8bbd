"""Intervals that hold at all looks: against integration, bets one by one, and simulation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.sequential import betting_out, mixture_ratio

from nlgauge import DataError, SpecError
from nlgauge.stats.anytime.betting import betting_excludes, betting_interval, betting_path
from nlgauge.stats.anytime.mixture import (
    AnytimeInterval,
    anytime_interval,
    anytime_path,
    growth_needed,
    precision,
    radius,
)


@pytest.mark.parametrize("n", [12, 30])
def test_the_ends_of_the_interval_are_where_the_likelihood_ratio_is_one_in_alpha(n: int) -> None:
    values = np.random.default_rng(n).normal(0.4, 1.3, n)
    found = anytime_interval(values, alpha=0.05, horizon=20)
    weight = precision(0.05, 20)
    for end in (found.low, found.high):
        ratio = mixture_ratio((values - end).tolist(), weight)
        assert ratio == pytest.approx(20, rel=1e-6)


def test_for_much_data_it_is_the_boundary_of_robbins() -> None:
    # sqrt((n + c) log((n + c) / (c α²))) / n standard deviations (Robbins, 1970, eq. 17).
    n, weight = 10**6, precision(0.05, 500)
    expected = np.sqrt((n + weight) * np.log((n + weight) / (weight * 0.05**2))) / n
    assert radius(4.0 / n, n, n, alpha=0.05)[()] == pytest.approx(2 * expected, rel=1e-4)


def test_the_horizon_is_where_it_is_tightest() -> None:
    at = {h: float(radius(1 / 400, 400, 400, alpha=0.05, horizon=h)) for h in (100, 400, 1600)}
    assert at[400] < at[100]
    assert at[400] < at[1600]


def test_too_few_values_say_nothing() -> None:
    found = anytime_interval([1.0, 1.2, 0.9], alpha=0.05)
    assert (found.low, found.high) == (-np.inf, np.inf)


@given(st.integers(30, 80), st.integers(0, 99))
@settings(max_examples=20, deadline=None)
def test_the_path_ends_in_the_interval(n: int, seed: int) -> None:
    values = np.random.default_rng(seed).normal(5, 2, n)
    means, radii = anytime_path(values, alpha=0.1, pseudo=0.5)
    found = anytime_interval(values, alpha=0.1, pseudo=0.5)
    assert means[-1] == pytest.approx(found.mean)
    assert radii[-1] == pytest.approx(found.high - found.mean)


def test_copies_of_a_judgement_tell_nothing_new() -> None:
    values = np.random.default_rng(1).normal(0, 1, 60)
    once = anytime_interval(values, np.arange(60), alpha=0.05)
    thrice = anytime_interval(np.repeat(values, 3), np.repeat(np.arange(60), 3), alpha=0.05)
    assert thrice.effective == pytest.approx(60)
    assert (thrice.low, thrice.high) == pytest.approx((once.low, once.high))


def test_independent_judgements_of_an_item_count_each() -> None:
    rng = np.random.default_rng(2)
    values, items = rng.normal(0, 1, 900), np.repeat(np.arange(300), 3)
    alone = anytime_interval(values, alpha=0.05)
    together = anytime_interval(values, items, alpha=0.05)
    assert together.effective > 750
    assert together.high - together.low == pytest.approx(alone.high - alone.low, rel=0.1)


def test_equal_values_are_no_certainty_with_one_more_deviation() -> None:
    sure = anytime_interval([0.5] * 60, alpha=0.05)
    unsure = anytime_interval([0.5] * 60, alpha=0.05, pseudo=0.25)
    assert sure.high == sure.low == 0.5
    # A rule of three for all looks: about log(1 / α²)^½ / n deviations remain possible.
    assert 0.02 < unsure.high - 0.5 < 0.06


@pytest.mark.parametrize("effect", [0.1, 0.2])
def test_growth_leads_to_the_boundary(effect: float) -> None:
    now = AnytimeInterval(effect, -1, 1, 1 / 100, 100, 100, 100.0)
    times = growth_needed(now, effect, alpha=0.05)
    n = 100 * times
    assert float(radius(1 / n, n, n, alpha=0.05)) == pytest.approx(effect, rel=1e-6)
    assert growth_needed(now, 0.0, alpha=0.05) == np.inf
    assert growth_needed(now, 1e-9, alpha=0.05) == np.inf


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng, shape: rng.standard_normal(shape),
        lambda rng, shape: rng.choice([-0.5, 0.5], shape),
        lambda rng, shape: rng.choice([-1.0, 0.0, 1.0], shape, p=[0.05, 0.9, 0.05]),
    ],
    ids=["normal", "preferences", "mostly ties"],
)
def test_looking_after_each_value_finds_false_winners_in_under_five_percent(draw) -> None:  # type: ignore[no-untyped-def]
    values = draw(np.random.default_rng(3), (600, 800))
    means, radii = anytime_path(values, alpha=0.05, pseudo=0.25)
    wrong = (np.abs(means) > radii).any(axis=1).mean()
    assert wrong <= 0.05
    n = np.arange(1, 801)
    peeking = (np.abs(means) > 1.96 * values.std() / np.sqrt(n))[:, 20:].any(axis=1).mean()
    assert peeking > 0.25


@given(st.lists(st.sampled_from([0.0, 0.3, 0.5, 1.0]), min_size=1, max_size=25), st.data())
@settings(max_examples=60, deadline=None)
def test_bets_are_those_made_one_by_one(values: list[float], data: st.DataObject) -> None:
    mean = data.draw(st.sampled_from([0.0, 0.2, 0.5, 0.95, 1.0]))
    out = betting_excludes(values, 0, 1, mean, alpha=0.1)
    assert bool(out[-1]) == betting_out(values, mean, 0.1)
    low, high = betting_interval(values, 0, 1, alpha=0.1)
    if not out[-1]:
        assert low <= mean <= high
    elif not low < high:
        pytest.fail("the interval is empty")


def test_bets_on_long_lists_go_on_where_they_were() -> None:
    values = np.random.default_rng(4).random(2300)
    lows, highs = betting_path(values, 0, 1, alpha=0.05)
    assert (np.diff(lows) >= 0).all()
    assert (np.diff(highs) <= 0).all()
    for mean in (0.4, 0.46, 0.55):
        out = betting_excludes(values, 0, 1, mean, alpha=0.05)
        inside = (lows <= mean) & (mean <= highs)
        # The interval is rounded outwards by a step of its grid.
        assert not (~inside & ~out).any()


def test_betting_scales_with_the_ends() -> None:
    values = np.random.default_rng(5).random(200)
    low, high = betting_interval(values, 0, 1, alpha=0.05)
    assert betting_interval(10 * values - 5, -5, 5, alpha=0.05) == pytest.approx(
        (10 * low - 5, 10 * high - 5)
    )


def test_betting_holds_where_rare_values_matter() -> None:
    # 1 in 100 is far from 0: an interval of the first hundred values often ends below it.
    values = (np.random.default_rng(6).random((400, 2000)) < 0.01).astype(float)
    assert betting_excludes(values, 0, 1, 0.01, alpha=0.05)[:, -1].mean() <= 0.05
    means, radii = anytime_path(values, alpha=0.05, pseudo=0.25)
    # As docs/explanation/stopping.md says, the mixture is not made for that.
    assert 0.2 < (np.abs(means - 0.01) > radii).any(axis=1).mean() < 0.3


def test_what_is_no_data_is_refused() -> None:
    with pytest.raises(DataError, match="finite"):
        anytime_interval([1.0, np.nan], alpha=0.05)
    with pytest.raises(DataError, match="3 values, but 2 clusters"):
        anytime_interval([1.0, 2.0, 3.0], np.array([0, 1]), alpha=0.05)
    with pytest.raises(SpecError, match="alpha=2"):
        anytime_interval([1.0], alpha=2)
    with pytest.raises(DataError, match=r"1\.5 is not between 0 and 1"):
        betting_interval([0.5, 1.5], 0, 1, alpha=0.05)
    with pytest.raises(SpecError, match="low=1"):
        betting_interval([0.5], 1, 0, alpha=0.05)
