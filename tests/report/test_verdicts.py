"""The answer in words that stands first on a page: who is best, and whether that may be chance."""

from __future__ import annotations

from typing import Any

import nlgauge
from nlgauge.data.judgements import Judgements
from nlgauge.human.annotator_agreement import agreement
from nlgauge.human.stopping.decisions import Decisions, PairDecision, Verdict
from nlgauge.report.pages.verdicts import (
    agreement_answer,
    comparison_answer,
    decisions_answer,
    meta_answer,
    score_answer,
)


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
        "north is best by both metrics. The lead of north is significant over every system it was "
        "compared with. 20 segments are few: only large differences can be told from chance."
    )


def test_a_tie() -> None:
    assert compared(north=9.0, south=9.0).startswith(
        "north and south are best together by both metrics. 20 segments"
    )


def test_a_lead_that_may_be_chance() -> None:
    hyps = {"a": ["x y"] * 5 + ["x"], "b": ["x y"] * 5 + ["z"]}
    table = nlgauge.score(hyps, ["x y"] * 6, metrics="ter")
    (section,) = comparison_answer(nlgauge.compare(table, trials=100, resamples=20))
    assert " ".join(section.lines).startswith(
        "a is best by ter. The lead of a over b by ter may be chance. 6 segments are few"
    )
    (section,) = score_answer(table)
    assert " ".join(section.lines).startswith("a is best by ter. Whether the differences are real")
    assert score_answer(nlgauge.score({"a": ["x"]}, ["x"], metrics="ter")) == []


def test_systems_that_were_tested_against_the_first() -> None:
    hyps = {"a": ["x y"] * 9, "b": ["x y"] * 9, "c": ["z"] * 9}
    suite = nlgauge.Suite.build(hyps, ["x y"] * 9)
    table = nlgauge.score_suite(suite, ["ter"], paired=True, resamples=50)
    assert score_answer(table)[0].lines[1] == (
        "1 of 2 differences to a are significant; that of b by ter may be chance."
    )


def test_agreement_with_people() -> None:
    rows = [
        {"item": i, "system": s, "good": i * k, "m": i * k, "n": -i}
        for k, s in enumerate("ab", 1)
        for i in range(1, 7)
    ]
    named = {"system": "system", "id": "item", "scores": ["m", "n"]}
    (section,) = meta_answer(nlgauge.meta_evaluate(rows, "good", **named))
    assert " ".join(section.lines).startswith("m agrees best with good: 1.000 [")


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
