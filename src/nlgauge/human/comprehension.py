"""The cross-comprehension test (Kolluru and Gotoh, 2005): questions that one author wrote about a
text are answered from summaries by the others.

Rows: `item` the question, `criterion` its author, `system` the author of the summary (or a
machine), `label` of the answer: R relevant, P partially relevant, I irrelevant, N not found.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from nlgauge.data.judgements import Judgements
from nlgauge.errors import DataError, SpecError

_LABELS = {
    **dict.fromkeys(("r", "relevant"), "R"),
    **dict.fromkeys(("p", "partially relevant", "partial"), "P"),
    **dict.fromkeys(("i", "irrelevant"), "I"),
    **dict.fromkeys(("n", "not found"), "N"),
}
_Answer = tuple[str, str, str, str]  # question, its author, summary's author, label


@dataclass(frozen=True)
class Answers:
    """Answers are counted as shares of their labels."""

    name: str
    answers: int
    relevant: float
    partial: float
    irrelevant: float
    not_found: float
    at_least_partial: float  # R + P
    found: float  # all but N


@dataclass(frozen=True)
class MachineSummary:
    """A machine stands beside people, on the same questions; to be compared, not read as such."""

    machine: Answers
    human: Answers


@dataclass(frozen=True)
class CrossComprehension:
    """The test gives the relevance of each author's summaries, of each author's questions, and of
    machines.
    """

    summaries: tuple[Answers, ...]
    questionnaires: tuple[Answers, ...]
    overall: Answers
    machines: tuple[MachineSummary, ...]
    own: int  # answers to an author's own questions, which do not count


def cross_comprehension(
    judgements: Judgements, *, machines: Collection[str] = ()
) -> CrossComprehension:
    """Analyse a cross-comprehension test; `machines` are the systems that are no people."""
    rows = [_answer(record) for record in judgements.records()]
    crossed = [row for row in rows if row[1] != row[2]]
    for name in machines:
        if all(row[2] != name for row in rows):
            raise SpecError(
                f"machine {name!r} has no answers; systems are the authors of summaries"
            )
    people = [row for row in crossed if row[2] not in machines]
    if not people:
        raise DataError("there are no answers from one author's summary to another's questions")
    compared = []
    for name in machines:
        answered = [row for row in crossed if row[2] == name]
        asked = {row[:2] for row in answered}
        by_people = [row for row in people if row[:2] in asked]
        compared.append(MachineSummary(_shares(name, answered), _shares("people", by_people)))
    return CrossComprehension(
        summaries=_by(people, 2),
        questionnaires=_by(people, 1),
        overall=_shares("all", people),
        machines=tuple(compared),
        own=len(rows) - len(crossed),
    )


def characters_per_word(text: str) -> float:
    """Return the mean length of words; the blanks between them do not count."""
    words = text.split()
    if not words:
        raise DataError("a text without words has no word length")
    return sum(map(len, words)) / len(words)


def _answer(record: dict[str, str]) -> _Answer:
    for name, what in (
        ("item", "question"),
        ("criterion", "author of the question"),
        ("system", "author of the summary"),
        ("label", "label of the answer"),
    ):
        if name not in record:
            raise DataError(f"an answer has no {name!r}, the {what}: {record}")
    label = _LABELS.get(record["label"].lower())
    if label is None:
        raise DataError(
            f"question {record['item']!r}: label {record['label']!r}; there are R (relevant), "
            "P (partially relevant), I (irrelevant) and N (not found)"
        )
    return record["item"], record["criterion"], record["system"], label


def _by(rows: Sequence[_Answer], column: int) -> tuple[Answers, ...]:
    names = dict.fromkeys(row[column] for row in rows)
    return tuple(_shares(name, [row for row in rows if row[column] == name]) for name in names)


def _shares(name: str, rows: Sequence[_Answer]) -> Answers:
    labels = [row[3] for row in rows]
    n = len(labels)
    r, p, i, lost = (labels.count(label) / n if n else float("nan") for label in "RPIN")
    return Answers(name, n, r, p, i, lost, at_least_partial=r + p, found=r + p + i)
