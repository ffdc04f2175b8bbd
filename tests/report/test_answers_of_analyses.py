"""The answers in words of analyses of judgements, worked out by hand."""

from __future__ import annotations

from nlgauge.data.judgements import Judgements
from nlgauge.human.comprehension import cross_comprehension
from nlgauge.human.grades import answers
from nlgauge.human.relevance import relevance_prediction
from nlgauge.human.statements import questionnaire
from nlgauge.report.answers.analysis_verdicts import (
    comprehension_answer,
    grades_answer,
    questionnaire_answer,
    relevance_answer,
)


def test_what_surrogates_are_worth() -> None:
    """Of two documents, one headline is judged as the full text is, in half of the time."""
    labels = {
        "full": ("relevant", "not relevant"),
        "headline": ("relevant", "relevant"),
        "summary": ("relevant", "not relevant"),
    }
    seconds = {"full": 10.0, "headline": 5.0, "summary": 12.0}
    rows = [
        {
            **{"item": f"d{i}", "system": system, "annotator": "p", "criterion": "e"},
            **{"label": label, "seconds": seconds[system]},
        }
        for system, own in labels.items()
        for i, label in enumerate(own)
    ]
    (section,) = relevance_answer(relevance_prediction(Judgements.build(rows)))
    assert section.lines == [
        "summary is judged as the full text is in 100.0% of 2 judgements, and takes 20.0% more "
        "time.",
        "headline is judged as the full text is in 50.0% of 2 judgements, and saves 50.0% of the "
        "time.",
        "2 judgements of each are few: only large differences can be told from chance.",
    ]


def test_what_summaries_answer() -> None:
    rows = [
        {"item": "b1", "criterion": "B", "system": "A", "label": "R"},
        {"item": "b2", "criterion": "B", "system": "A", "label": "N"},
        {"item": "a1", "criterion": "A", "system": "B", "label": "P"},
        {"item": "b1", "criterion": "B", "system": "robot", "label": "N"},
        {"item": "b2", "criterion": "B", "system": "robot", "label": "N"},
    ]
    (section,) = comprehension_answer(
        cross_comprehension(Judgements.build(rows), machines=["robot"])
    )
    assert section.lines == [
        "Summaries answer 66.7% of the 3 questions of other authors, at least in part.",
        "B has the highest value, 100.0%; A has the lowest, 50.0%.",
        "The summary of robot answers 0.0%, those of people 50.0% of the same questions.",
        "3 judgements are few: only large differences can be told from chance.",
    ]


def test_grades_part_by_part() -> None:
    rows = [
        {"item": str(i), "system": system, "criterion": part, "label": label}
        for part, labels in (("strict", ("wrong", "correct")), ("lenient", ("related", "related")))
        for system, label in zip("ab", labels, strict=True)
        for i in range(120)
    ]
    (section,) = grades_answer(answers(Judgements.build(rows)))
    assert section.lines == [
        "strict: b has the highest value, 1.000; a has the lowest, 0.000.",
        "lenient: a and b have 0.500.",
    ]


def test_statements_and_their_twins() -> None:
    rows = [
        {"item": m, "system": system, "annotator": p, "criterion": criterion, "value": value}
        for m, p, values in (("m", "p", (6, 6, 2)), ("n", "q", (2, 2, 6)))
        for system in "ab"
        for criterion, value in zip(("concise", "repetitive", "clear"), values, strict=True)
    ]
    (section,) = questionnaire_answer(questionnaire(Judgements.build(rows)))
    # Who finds a text concise should not find it repetitive: turned, 6 is 2 and 2 is 6.
    assert section.lines[-1] == (
        "Answers to statements and to their reversed twins do not always go together (r from −1.00 "
        "to −1.00): some may not have read with care."
    )
    assert section.lines[0] == "informativeness, of 7 points: a and b have 4.00."
