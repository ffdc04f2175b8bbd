"""The answer in words that stands first on a page: who is best, and whether that may be chance."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import nlgauge
from nlgauge.data.judgements import Judgements
from nlgauge.human.aggregation import rate_systems
from nlgauge.human.annotator_agreement import agreement
from nlgauge.human.ranking import rank
from nlgauge.human.stopping.decisions import Decisions, PairDecision, Verdict
from nlgauge.meta import robustness
from nlgauge.meta.choose.plane import Plane, Planes
from nlgauge.meta.choose.recommend import recommend
from nlgauge.meta.without_people.orange import leave_one_out, orange
from nlgauge.report.answers.metric_verdicts import (
    meta_answer,
    orange_answer,
    plane_answer,
    recommendation_answer,
    regression_answer,
    robustness_answer,
)
from nlgauge.report.answers.people_verdicts import (
    agreement_answer,
    decisions_answer,
    ranks_answer,
    systems_answer,
)
from nlgauge.report.answers.verdicts import comparison_answer, named, score_answer
from nlgauge.stats.regression import least_squares


def compared(**systems: float) -> str:
    rows: list[dict[str, Any]] = [
        {"system": name, "x": level + i % 3, "y": -level - i % 3}
        for name, level in systems.items()
        for i in range(20)
    ]
    result = nlgauge.compare(rows, lower_is_better=["y"], trials=200, resamples=20)
    (section,) = comparison_answer(result)
    assert section.title == "In short"
    return " ".join(section.lines)


def test_a_clear_lead() -> None:
    assert compared(north=9.0, south=2.0) == (
        "north is best by both metrics. The lead of north over south is significant by both "
        "metrics. 20 segments are few: only large differences can be told from chance."
    )


def test_a_tie() -> None:
    assert compared(north=9.0, south=9.0).startswith(
        "north and south are equal by both metrics. 20 segments"
    )
    # Those that tie at the top lead over the rest.
    assert compared(north=9.0, south=9.0, coast=1.0).startswith(
        "north and south are best together by both metrics. The lead of north and south over "
        "coast is significant by both metrics."
    )
    assert compared(a=9.0, b=9.0, c=9.0, d=9.0).startswith("All 4 systems are equal by both")
    assert "The lead of a over all 4 others is significant" in compared(
        **{"a": 9.0, "b": 1.0, "c": 2.0, "d": 3.0, "e": 1.5}
    )


@pytest.mark.filterwarnings("ignore:there is one segment")
@pytest.mark.parametrize(
    ("segments", "said"),
    [
        (1, "1 segment is too few for any test to be trusted."),
        (5, "5 segments are too few for any test to be trusted."),
        (6, "6 segments are few: only large differences can be told from chance."),
    ],
)
def test_small_samples(segments: int, said: str) -> None:
    """The signs of five differences turn in 32 ways, so that p of two sides is 2/32 or more."""
    hyps = {"a": ["x y"] * segments, "b": ["z"] * segments}
    table = nlgauge.score(hyps, ["x y"] * segments, metrics="ter")
    (section,) = comparison_answer(nlgauge.compare(table, trials=2000, resamples=20))
    assert section.lines[-1] == said
    assert ("may be chance" in section.lines[1]) == (segments < 6)


def test_rivals_with_the_same_metrics_are_named_together() -> None:
    hyps = {"a": ["x y"] * 5 + ["x"], "b": ["x y"] * 5 + ["z"], "c": ["x y"] * 5 + ["w"]}
    table = nlgauge.score(hyps, ["x y"] * 6, metrics=["ter", "chrf"])
    (section,) = comparison_answer(nlgauge.compare(table, trials=100, resamples=20))
    assert section.lines[1] == "The lead of a over b and c by ter and chrf may be chance."


def test_a_single_system() -> None:
    table = nlgauge.score({"a": ["x y", "x z"]}, ["x y", "x y"], metrics="ter", confidence=True)
    (section,) = score_answer(table)
    # One of four words is wrong.
    assert section.lines[0].startswith("a scores ter 25.00 [0.00, 50.00].")
    assert section.lines[2] == "2 segments are few: other texts may score quite differently."


def test_a_lead_that_may_be_chance() -> None:
    hyps = {"a": ["x y"] * 5 + ["x"], "b": ["x y"] * 5 + ["z"]}
    table = nlgauge.score(hyps, ["x y"] * 6, metrics="ter")
    (section,) = comparison_answer(nlgauge.compare(table, trials=100, resamples=20))
    assert " ".join(section.lines).startswith(
        "a is best by ter. The lead of a over b by ter may be chance. 6 segments are few"
    )
    (section,) = score_answer(table)
    assert " ".join(section.lines).startswith("a is best by ter. Whether the differences are real")


def test_systems_that_were_tested_against_the_first() -> None:
    hyps = {"a": ["x y"] * 9, "b": ["x y"] * 9, "c": ["z"] * 9}
    suite = nlgauge.Suite.build(hyps, ["x y"] * 9)
    table = nlgauge.score_suite(suite, ["ter"], paired=True, resamples=50)
    assert score_answer(table)[0].lines[1] == (
        "1 of 2 differences to a is significant; that of b by ter may be chance."
    )


def test_tests_of_too_few_segments_are_not_believed() -> None:
    """sacreBLEU's randomisation counts what is more extreme: of three segments that is nothing."""
    suite = nlgauge.Suite.build({"a": ["x y"] * 3, "b": ["z"] * 3}, ["x y"] * 3)
    table = nlgauge.score_suite(suite, ["ter"], paired=True, resamples=50)
    assert min(table.p_values.values()) < 0.05
    assert score_answer(table)[0].lines == [
        "a is best by ter.",
        "3 segments are too few for any test to be trusted.",
    ]


def test_names_that_are_too_many_are_counted() -> None:
    assert named(["a", "b"], 2) == "a and b"
    assert named(["a", "b", "c"], 2) == "a, b and 1 other"
    assert named(list("abcde"), 2) == "a, b and 3 others"


def test_agreement_with_people() -> None:
    rows = [
        {"item": i, "system": s, "good": i * k, "m": i * k + k % 3, "n": -i, "same": i * k}
        for k, s in enumerate("abcdef", 1)
        for i in range(1, 7)
    ]
    named = {"system": "system", "id": "item"}
    (section,) = meta_answer(nlgauge.meta_evaluate(rows, "good", scores=["m", "n"], **named))
    own = [
        np.corrcoef([(i * k, i * k + k % 3) for k in range(1, 7)], rowvar=False)[0, 1]
        for i in range(1, 7)
    ]
    assert " ".join(section.lines).startswith(f"m agrees best with good: {np.mean(own):.3f} [")
    (section,) = meta_answer(nlgauge.meta_evaluate(rows, "good", scores=["same", "n"], **named))
    assert " ".join(section.lines).startswith("same agrees best with good: 1.000 (")


def test_criteria_with_the_same_best_metric_share_a_sentence() -> None:
    """Counted by hand: two criteria at two levels would be four sentences."""
    rows = [
        {"item": i, "system": s, "good": i * k, "clear": i + k, "m": i * k + i, "n": -i}
        for k, s in enumerate("abc", 1)
        for i in range(1, 40)
    ]
    named = {"system": "system", "id": "item", "scores": ["m", "n"]}
    (section,) = meta_answer(nlgauge.meta_evaluate(rows, ["good", "clear"], **named))
    first, second, *_ = section.lines
    assert first.startswith("m agrees best with good: ") and " and clear: " in first
    assert "(Pearson's r among the outputs of each item, 117 outputs)" in first
    assert "between systems, 3 systems)" in second
    assert sum("agrees best" in line for line in section.lines) == 2


def test_metrics_that_agree_equally_and_agreement_by_chance() -> None:
    rng = np.random.default_rng(0)
    rows = [
        {"item": i, "system": s, "good": k * i % 7, "noise": rng.normal(), "m": k * i % 7}
        for k, s in enumerate("abcd", 1)
        for i in range(30)
    ]
    for row in rows:
        row |= {"n": 2 * row["m"], "far": rng.normal()}
    named = {"system": "system", "id": "item", "scores": ["m", "n", "far"]}
    (section,) = meta_answer(nlgauge.meta_evaluate(rows, ["good", "noise"], **named))
    assert section.lines[0].startswith("m and n agree best with good: 1.000")
    assert "far" not in section.lines[0]
    assert any(line.startswith("The best agreement with noise may be") for line in section.lines)


def test_too_few_ratings() -> None:
    rows = [{"item": i, "system": "s", "good": i, "m": i} for i in range(2)]
    named = {"system": "system", "id": "item", "scores": ["m"]}
    (section,) = meta_answer(nlgauge.meta_evaluate(rows, "good", **named))
    assert section.lines == ["The ratings are too few to tell which metric agrees with people."]


def test_metrics_by_which_a_lead_may_be_chance_are_listed_by_rival() -> None:
    hyps = {"a": ["x y"] * 5 + ["x"], "b": ["x y"] * 5 + ["z"]}
    table = nlgauge.score(hyps, ["x y"] * 6, metrics=["ter", "chrf"])
    (section,) = comparison_answer(nlgauge.compare(table, trials=100, resamples=20))
    assert "The lead of a over b by ter and chrf may be chance." in section.lines


def test_what_a_study_has_decided() -> None:
    def pair(first: str, second: str, verdict: Verdict, more: int | None = None) -> PairDecision:
        return PairDecision(
            first=first,
            second=second,
            verdict=verdict,
            difference=0.5,
            low=0.1,
            high=0.9,
            judgements=9,
            items=3,
            more=more,
        )

    found = Decisions(
        criterion="fluency",
        systems=("a", "b", "c", "d"),
        pairs=(
            pair("a", "b", "first"),
            pair("a", "c", "first"),
            pair("d", "b", "second"),
            pair("b", "c", "equal"),
            pair("a", "d", "open", 40),
        ),
        compared=False,
        alpha=0.05,
        margin=0.2,
        method="mixture",
    )
    (section,) = decisions_answer([found])
    assert section.lines == [
        "fluency: a is better than b and c; b is better than d; no difference of interest between "
        "b and c; 1 of 5 pairs are open (about 40 more judgements)."
    ]


def test_how_far_annotators_agree() -> None:
    rows = [
        {"item": str(i), "system": "s", "annotator": who, "criterion": "c", "value": i % 3}
        for i in range(9)
        for who in ("p", "q")
    ]
    (section,) = agreement_answer(agreement(Judgements.build(rows), resamples=10))
    assert section.lines[0].startswith("c: Krippendorff α (ordinal) 1.000 [")


@pytest.mark.parametrize(
    ("second", "verdict"),
    [
        ([0, 1, 2] * 3, "0.8 and more can be relied on"),
        ([1, 1, 2, *[0, 1, 2] * 2], "0.8 and more can be relied on"),
        ([1, 1, 1, 1, 1, 2, 0, 1, 2], "between 0.667 and 0.8, conclusions are tentative"),
        ([2, 1, 0] * 3, "below 0.667, single ratings are not to be relied on"),
    ],
)
def test_what_agreement_allows(second: list[int], verdict: str) -> None:
    """Krippendorff's limits; α was worked out by the measure, which has tests of its own."""
    rows = [
        {"item": str(i), "system": "s", "annotator": who, "criterion": "c", "value": value}
        for who, values in (("p", [0, 1, 2] * 3), ("q", second))
        for i, value in enumerate(values)
    ]
    result = agreement(Judgements.build(rows), resamples=10)
    (section,) = agreement_answer(result)
    alpha = result.criteria[0].measure(result.criteria[0].headline).value
    assert verdict in section.lines[0]
    assert ("0.8 and more" in verdict) == (alpha >= 0.8)


def test_what_metrics_notice() -> None:
    corpus = nlgauge.Corpus.build(["the cat sat on the mat"] * 3, ["the cat sat on the mat"] * 3)
    kinds = ("reverse", "empty", "case")
    (section,) = robustness_answer(robustness(corpus, ["per", "ter"], perturbations=kinds))
    # Position-independent errors do not see another order; TER looks at no case of letters.
    assert section.lines[:2] == [
        "per notices 1 of 2 ways to break the meaning (not reverse) and stays the same under "
        "0 of 1 changes that keep it.",
        "ter notices 2 of 2 ways to break the meaning and stays the same under 1 of 1 changes "
        "that keep it.",
    ]
    assert section.lines[2].startswith("ter tells the two kinds apart best: in 100.0% of pairs")
    assert section.lines[3:] == [
        "A text counts if its score moves by more than 0.01 of the metric's range; a change is "
        "noticed, or left alone, if it is so in 90% of its texts or more.",
        "reverse, empty and case fit fewer than 10 texts, which say little.",
    ]


def test_which_metric_to_use() -> None:
    (section,) = recommendation_answer(recommend("mt", "adequacy"))
    assert section.lines[0].startswith("By the literature, use ")
    assert section.lines[0].endswith(" for machine translation.")
    assert "Ratings of your own outputs would tell more" in section.lines[1]


def test_where_the_plane_has_its_maximum() -> None:
    plane = Plane(
        criterion="fluency",
        group=None,
        level="system",
        points=5,
        alphas=(0.0, 1.0),
        orders=(1, 2),
        r=np.array([[0.5, 0.1], [0.9, np.nan]]),
        zeros=np.zeros((2, 2)),
        region=None,
    )
    (section,) = plane_answer(Planes((plane,), None, "aev|..."))
    assert section.lines == [
        "fluency: AEv(0, 2) agrees best, R² 81.0% over 5 systems.",
        "So few points say little: more of them may have another maximum.",
    ]


@pytest.mark.parametrize(
    ("r", "points", "said"),
    [
        # By the tables of Student's t: of 30 points, |r| is more than 0.361 in 5 % of cases.
        (0.355, 30, "R² 12.6% over 30 systems, which may be chance."),
        (0.365, 30, "R² 13.3% over 30 systems."),
        (-0.365, 30, "R² 13.3% over 30 systems, but against the ratings: higher scores go with "),
    ],
)
def test_a_maximum_of_chance_or_against_the_ratings(r: float, points: int, said: str) -> None:
    plane = Plane(
        criterion="fluency",
        group=None,
        level="system",
        points=points,
        alphas=(0.0,),
        orders=(1,),
        r=np.array([[r]]),
        zeros=np.zeros((1, 1)),
        region=None,
    )
    (section,) = plane_answer(Planes((plane,), None, "aev|..."))
    assert section.lines[0].startswith(f"fluency: AEv(0, 1) agrees best, {said}")


def test_terms_that_say_the_same() -> None:
    rng = np.random.default_rng(1)
    first = rng.normal(size=200)
    terms = np.column_stack([first, first + 0.1 * rng.normal(size=200), rng.normal(size=200)])
    fit = least_squares(first + rng.normal(size=200), terms, ["m", "twin", "other"])
    model = SimpleNamespace(fit=fit, criterion="fluency", group=None)
    (section,) = regression_answer([model])  # type: ignore[list-item]
    assert section.lines[-1] == (
        "m and twin repeat what other terms say, so that the signs tell little on their own."
    )


def test_where_references_rank() -> None:
    """Counted by hand: a rank among a reference and two systems is drawn by lot, 2 on average."""
    refs = [["the cat sat", "the cat sat down"]] * 3
    suite = nlgauge.Suite.build({"A": ["the cat"] * 3, "B": ["dogs bark"] * 3}, refs)
    (section,) = orange_answer(orange(leave_one_out(suite, ["chrf"])))
    assert section.lines == [
        "chrf ranks references highest among the systems' outputs: ORANGE 0.333, where ranks drawn "
        "by lot would have 0.667."
    ]
    backwards = nlgauge.Suite.build({"A": ["the cat sat"] * 3, "B": ["the cat sat down"] * 3}, refs)
    found = orange(leave_one_out(backwards, ["ter"]))
    assert (found.orange[0] >= 2 / 3) == (len(orange_answer(found)[0].lines) == 2)


def test_systems_in_order() -> None:
    rows = [
        {"item": str(i), "system": name, "criterion": "c", "value": value}
        for i in range(20)
        for name, value in (("a", 5), ("b", 3), ("c", 3))
    ]
    judgements = Judgements.build(rows)
    (section,) = ranks_answer(rank(judgements, criterion="c", resamples=50))
    assert section.lines[0].startswith("c: a comes first, then b and c (whose order may be chance)")
    (section,) = systems_answer(rate_systems(judgements))
    assert section.lines[0] == "c: a has the highest mean, 5.00."
