"""Decisions between systems at any look, allocation, and means that it does not bias."""

import math
from typing import Any

import numpy as np
import pytest

from nlgauge import DataError, SpecError
from nlgauge.data import Judgements
from nlgauge.human.stopping.allocation import Allocation, allocate_pairs, allocate_systems
from nlgauge.human.stopping.decisions import decide
from nlgauge.human.stopping.pair_differences import differences
from nlgauge.human.stopping.weighted_means import weighted_means
from nlgauge.stats.anytime.mixture import anytime_interval


def rated(
    items: int, effects: dict[str, float], *, people: int = 1, seed: int = 1
) -> list[dict[str, Any]]:
    rng = np.random.default_rng(seed)
    return [
        {"item": f"i{i}", "system": s, "annotator": f"a{a}", "value": effect + rng.normal()}
        for i in range(items)
        for a in range(people)
        for s, effect in effects.items()
    ]


def test_ratings_are_paired_within_items_by_annotator_first() -> None:
    said = [
        ("A", "x", 5), ("B", "y", 1), ("A", "y", 4), ("B", "z", 2), ("A", "x", 1), ("B", "w", 9),
    ]  # fmt: skip
    rows = [{"item": "i", "system": s, "annotator": a, "value": v} for s, a, v in said]
    (pair,) = differences(Judgements.build(rows)).pairs
    # y rated both, 4 − 1, complete at row 2; x's first rating meets z's, 5 − 2, at row 3; x's
    # repeated rating does not count, so w's has no partner.
    assert pair.value.tolist() == [3, 3]
    assert pair.arrival.tolist() == [2, 3]
    assert pair.judgements == 4


def test_ratings_of_different_items_are_paired_in_order() -> None:
    rows = [
        {"item": f"i{k}", "system": "AB"[k % 2], "value": float(10 * k)} for k in range(5)
    ]  # A: 0, 20, 40; B: 10, 30
    (pair,) = differences(Judgements.build(rows)).pairs
    assert pair.value.tolist() == [-10, -10]


def test_comparisons_are_turned_to_one_way() -> None:
    rows = [
        {"item": "1", "system": "A", "against": "B", "value": 1},
        {"item": "2", "system": "B", "against": "A", "value": 1},
        {"item": "3", "system": "B", "against": "A", "value": 0.5},
    ]
    found = differences(Judgements.build(rows))
    assert found.compared
    assert found.pairs[0].value.tolist() == [0.5, -0.5, 0]


def test_a_difference_is_found_and_equals_are_left_open_or_equal() -> None:
    judgements = Judgements.build(rated(300, {"A": 1.0, "B": 0.0, "C": 0.0}))
    found = decide(judgements)
    verdicts = {(p.first, p.second): p.verdict for p in found.pairs}
    assert verdicts == {("A", "B"): "first", ("A", "C"): "first", ("B", "C"): "open"}
    assert found.pairs[0].better == "A"
    assert [(p.first, p.second) for p in found.open] == [("B", "C")]
    margin = decide(judgements, margin=0.5)
    assert margin.pairs[2].verdict == "equal"
    assert margin.more == 0


def test_the_interval_is_that_of_the_differences_shared_among_pairs() -> None:
    judgements = Judgements.build(rated(100, {"A": 0.2, "B": 0.0, "C": 0.0}))
    pair = differences(judgements).pairs[0]
    values = judgements.value
    expected = anytime_interval(
        pair.value, pair.item, alpha=0.05 / 3, pseudo=2 * float(values.var())
    )
    found = decide(judgements).pairs[0]
    assert (found.low, found.high) == (expected.low, expected.high)
    alone = decide(judgements, pairs=[("A", "B")]).pairs[0]
    assert alone.high - alone.low < found.high - found.low


def test_so_many_more_judgements_decide_it() -> None:
    rows = [{"item": f"i{k}", "system": "A", "against": "B", "value": float(k % 8 < 5)}
            for k in range(96)]  # fmt: skip
    found = decide(Judgements.build(rows)).pairs[0]
    assert found.verdict == "open"
    assert found.more is not None
    enough = -(-(96 + found.more) // 8) * 8  # whole rounds of five wins and three losses
    again = [dict(row, item=f"i{k}") for k, row in enumerate(rows * 10)]
    # Values that go on as they are decide the pair there, and not much before.
    assert decide(Judgements.build(again[:enough])).pairs[0].verdict == "first"
    assert decide(Judgements.build(again[: enough - 24])).pairs[0].verdict == "open"


def test_no_end_is_in_sight_without_a_difference_or_margin() -> None:
    rows = [{"item": f"i{k}", "system": "A", "against": "B", "value": float(k % 2)}
            for k in range(100)]  # fmt: skip
    assert decide(Judgements.build(rows)).pairs[0].more is None
    assert decide(Judgements.build(rows)).more is None
    assert decide(Judgements.build(rows), margin=0.1).pairs[0].more is not None


def test_copies_by_more_annotators_do_not_decide() -> None:
    rows = rated(25, {"A": 0.45, "B": 0.0}, seed=5)
    copies = [dict(row, annotator=f"a{k}") for k in range(40) for row in rows]
    assert decide(Judgements.build(copies)).pairs[0].verdict == "open"


def test_betting_is_for_scales_and_exact() -> None:
    rng = np.random.default_rng(3)
    rows = [
        {"item": f"i{i}", "system": s, "annotator": "a", "value": float(rng.integers(1, top))}
        for i in range(300)
        for s, top in (("A", 6), ("B", 4))
    ]
    found = decide(Judgements.build(rows), method="betting", scale=(1, 5)).pairs[0]
    assert found.better == "A"
    assert found.low > 0
    with pytest.raises(SpecError, match="ends of the scale"):
        decide(Judgements.build(rows), method="betting")


def test_what_cannot_be_decided_is_refused_or_open() -> None:
    constant = [{"item": f"i{i}", "system": s, "value": 3.0} for i in range(50) for s in "AB"]
    found = decide(Judgements.build(constant))
    assert found.pairs[0].verdict == "open"
    assert "all judgements are equal" in found.notes[0]
    scaled = decide(Judgements.build(constant), scale=(1, 5), margin=1.0)
    assert scaled.pairs[0].verdict == "equal"
    with pytest.raises(DataError, match="1 systems"):
        decide(Judgements.build(rated(5, {"A": 0.0})))
    with pytest.raises(SpecError, match="no judgement of the system 'Z'"):
        decide(Judgements.build(rated(5, {"A": 0.0, "B": 0.0})), pairs=[("A", "Z")])
    with pytest.raises(SpecError, match="margin=0"):
        decide(Judgements.build(rated(5, {"A": 0.0, "B": 0.0})), margin=0)
    several = [dict(row, criterion=c) for row in rated(3, {"A": 0.0, "B": 0.0}) for c in "xy"]
    with pytest.raises(SpecError, match="choose one of: x, y"):
        decide(Judgements.build(several))


def test_a_pair_nobody_judged_is_open() -> None:
    rows = [
        {"item": f"i{k}", "system": "A", "against": other, "value": 1.0}
        for k in range(40)
        for other in "BC"
    ]
    found = {(p.first, p.second): p for p in decide(Judgements.build(rows)).pairs}
    assert found["B", "C"].verdict == "open"
    assert math.isnan(found["B", "C"].difference)
    assert found["A", "B"].verdict == "first"


def test_judgements_go_to_open_pairs_and_at_times_to_others() -> None:
    decisions = decide(Judgements.build(rated(300, {"A": 1.0, "B": 0.0, "C": 0.0})))
    pairs = allocate_pairs(decisions, explore=0.3)
    assert pairs.probabilities == pytest.approx([0.1, 0.1, 0.8])
    systems = allocate_systems(decisions, explore=0.3)
    assert systems.probabilities == pytest.approx([0.1, 0.45, 0.45])
    rng = np.random.default_rng(1)
    drawn = [pairs.draw(rng) for _ in range(4000)]
    assert np.mean([pair == ("B", "C") for pair, _ in drawn]) == pytest.approx(0.8, abs=0.03)
    assert {round(p, 6) for _, p in drawn} == {0.1, 0.8}
    done = decide(Judgements.build(rated(300, {"A": 1.0, "B": 0.0})))
    assert allocate_pairs(done).probabilities.tolist() == [1.0]
    with pytest.raises(SpecError, match="explore=0"):
        allocate_pairs(decisions, explore=0)


def test_weighted_means_by_hand() -> None:
    said = [("A", 4.0, 0.5), ("B", 2.0, 0.5), ("A", 5.0, 0.8), ("B", 1.0, 0.2), ("A", 3.0, 0.8)]
    rows: list[dict[str, Any]] = [
        {"item": str(k), "system": s, "value": v, "propensity": p}
        for k, (s, v, p) in enumerate(said)
    ]
    a, b, both = weighted_means(Judgements.build(rows))
    # The first step only starts the means. A: 4; 4 + (5 − 4) / 0.8; 4.5; 4.5 + (3 − 4.5) / 0.8.
    assert a.mean == pytest.approx((4 + 5.25 + 4.5 + 2.625) / 4)
    # B has no mean before its first judgement; that of all so far, 4, stands in for it.
    assert b.mean == pytest.approx(((4 + (2 - 4) / 0.5) + 2 + (2 + (1 - 2) / 0.2) + 1.5) / 4)
    assert (a.plain, b.plain) == (4, 1.5)
    assert both.mean == pytest.approx(a.mean - b.mean)
    with pytest.raises(DataError, match="has no propensity"):
        weighted_means(Judgements.build([*rows, {"item": "9", "system": "A", "value": 1.0}]))


@pytest.mark.parametrize("compared", [False, True])
def test_allocation_by_results_biases_plain_means_alone(compared: bool) -> None:
    # Whoever looks bad after two judgements is judged less: plain means are too low (Nie et al.,
    # 2018), as bad luck is not corrected.
    plain, weighted = [], []
    for run in range(400):
        rng = np.random.default_rng(run)
        rows: list[dict[str, Any]] = []
        means = {"A": 0.0, "B": 0.0}
        for k in range(24):
            start = k < 4
            good = max(means, key=lambda name: means[name])
            odds = Allocation(("A", "B"), np.array([0.5, 0.5] if start else [0.9, 0.1]))
            if good == "B" and not start:
                odds = Allocation(("A", "B"), np.array([0.1, 0.9]))
            name, chance = odds.draw(rng)
            value = float(rng.random() < 0.5)
            row = {"item": str(k), "system": name, "value": value, "propensity": chance}
            rows.append(row | ({"against": "R"} if compared else {}))
            mine = [r["value"] for r in rows if r["system"] == name]
            means[name] = float(np.mean(mine))
        found = weighted_means(Judgements.build(rows))
        truth = 0.0 if compared else 0.5
        for mean in found:
            if mean.first == "A" and mean.second in (None, "R"):
                plain.append(mean.plain - truth)
                weighted.append(mean.mean - truth)
    error = np.std(weighted) / np.sqrt(len(weighted))
    assert abs(np.mean(weighted)) < 3 * error
    assert np.mean(plain) < -3 * np.std(plain) / np.sqrt(len(plain))
