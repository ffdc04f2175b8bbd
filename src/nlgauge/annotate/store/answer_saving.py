"""Save answers: each once, with the rows of judgements that follow from it."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nlgauge.annotate.design.study import Study
from nlgauge.annotate.design.study_records import GOLD
from nlgauge.annotate.forms.protocol import Protocol, Row, StudyTask
from nlgauge.annotate.store.annotators import WORDS_OF, Annotator, exclude_annotator
from nlgauge.annotate.store.assigning import Given, next_follow_up_draw
from nlgauge.annotate.store.database import Transaction, plain
from nlgauge.annotate.store.studies import insert_rows, load_outputs


@dataclass(frozen=True)
class GivenAnswer:
    """An answer as it came in, checked; `by_question` has the answers of each question."""

    key: str  # the same when it is sent again
    form: Mapping[str, Sequence[str]]
    by_question: Sequence[Mapping[str, Any]]
    seconds: float | None


@dataclass(frozen=True)
class Saved:
    """What became of an answer."""

    new: bool  # False: it was there already
    correct: bool | None = None  # of a gold item
    answer: int = 0


class AnswerRefused(Exception):  # noqa: N818
    """An answer that comes too late, such as a second one where there is no way back."""


def save_answer(
    db: Transaction, study: Study, annotator: Annotator, given: Given, task: StudyTask, page: int,
    answer: GivenAnswer,
) -> Saved:  # fmt: skip
    """Save an answer and what follows from it; one with the same key is saved only once."""
    key = f"{annotator.id}/{answer.key}"
    questions = study.pages[page].questions
    earlier: list[int | None] = []
    # Only where it matters: most answers are the first and may be changed.
    if given.kind == "gold" or not study.pages[page].can_return or _leads_on(questions):
        if (saved := _saved(db, key)) is not None:
            return saved
        earlier = [
            c for (c,) in db.rows("SELECT correct FROM answer WHERE assignment = ?", given.id)
        ]
        _check_again(study, given, page, earlier)
    rows = [
        question.rows(task, answers)
        for question, answers in zip(questions, answer.by_question, strict=True)
    ]
    correct = None
    if given.kind == "gold":
        flat = [row for each in rows for row in each]
        correct = is_right(flat, task.record[GOLD], study.gold.tolerance)
    now = time.time()
    took = now - given.given_at
    # The browser knows how long the page was looked at, which is never longer than it was there.
    seconds = took if answer.seconds is None or answer.seconds > took + 1 else answer.seconds
    content = {"form": dict(answer.form), "answers": list(answer.by_question)}
    row = db.one(
        """INSERT INTO answer (assignment, key, content, seconds, answered_at, correct)
        VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING RETURNING id""",
        given.id, key, plain(content), seconds, now, None if correct is None else int(correct),
    )  # fmt: skip
    if row is None:
        return _saved(db, key) or Saved(False)
    (number,) = row
    insert_rows(
        db,
        number,
        [
            {**each, "protocol": question.info.name}
            for question, made in zip(questions, rows, strict=True)
            for each in made
        ],
    )
    if given.kind == "main" and not earlier:
        _follow_up(db, study, annotator, given, task, page, answer.by_question)
    if correct is False:
        _judge_gold(db, study, annotator, len(earlier) + 1)
    return Saved(True, correct, number)


def _leads_on(questions: Sequence[Protocol]) -> bool:
    return any(question.leads_on for question in questions)


def _saved(db: Transaction, key: str) -> Saved | None:
    """Return what became of an answer that was sent before, if it was."""
    row = db.one("SELECT id, correct FROM answer WHERE key = ?", key)
    return None if row is None else Saved(False, None if row[1] is None else bool(row[1]), row[0])


def _check_again(study: Study, given: Given, page: int, earlier: Sequence[int | None]) -> None:
    """Refuse a further answer where one is all there may be."""
    if not earlier:
        return
    if given.kind == "gold" and (1 in earlier or len(earlier) >= study.gold.attempts):
        raise AnswerRefused("This task is finished.")
    if given.kind != "gold" and not study.pages[page].can_return:
        raise AnswerRefused("This answer was given before and cannot be changed.")


def is_right(rows: Sequence[Row], gold: Mapping[str, Any], tolerance: float) -> bool:
    """Return whether judgements agree with the known answers, which are by criterion: a number, a
    label, a list of labels, or for a comparison the better system or "tie".
    """
    for criterion, expected in gold.items():
        said = [row for row in rows if row.get("criterion") == criterion]
        if not said:
            return False
        if isinstance(expected, list):
            if {row.get("label") for row in said} != set(expected):
                return False
        elif isinstance(expected, str):
            if any(_name(row) != expected for row in said):
                return False
        elif any(abs(row.get("value", float("inf")) - expected) > tolerance for row in said):
            return False
    return True


def _name(row: Row) -> str | None:
    if row.get("against") is None:
        return row.get("label")
    better: dict[float, str] = {1.0: row["system"], 0.0: row["against"]}
    return better.get(row["value"], "tie")


def _judge_gold(db: Transaction, study: Study, annotator: Annotator, attempts: int) -> None:
    """Exclude an annotator who cannot pass the screening any more, or failed too often."""
    if attempts < study.gold.attempts:
        return
    rows = db.rows(
        """SELECT position, MAX(correct) FROM assignment JOIN answer ON assignment = assignment.id
        WHERE annotator = ? AND kind = 'gold' GROUP BY assignment.id, position""",
        annotator.id,
    )
    failed = [position for position, right in rows if not right]
    screened = [position for position in failed if position <= study.screening.items]
    too_many = bool(study.gold.failures) and len(failed) >= study.gold.failures
    if too_many or len(screened) > study.screening.items - study.screening.passed:
        exclude_annotator(db, annotator.id)


def _follow_up(
    db: Transaction, study: Study, annotator: Annotator, given: Given, task: StudyTask, page: int,
    by_question: Sequence[Mapping[str, Any]],
) -> None:  # fmt: skip
    for place, question in enumerate(study.pages[page].questions):
        if not question.leads_on:
            continue
        db.lock()
        ((item,),) = db.rows("SELECT item FROM task WHERE id = ?", given.task)
        rows = db.rows("SELECT id FROM output WHERE item = ? ORDER BY id", item)
        numbers = [number for (number,) in rows]
        outputs = load_outputs(db, numbers)
        known = dict(zip(outputs, numbers, strict=True))
        made = question.follow_ups(
            task, by_question[place], annotator.name, outputs, _earlier(db, given, place)
        )
        for follow in made:
            wanted = study.assignment.annotators if follow.wanted is None else follow.wanted
            data = {**follow.data, WORDS_OF: follow.words_of}
            db.run(
                """INSERT INTO task
                (page, stage, kind, item, outputs, data, wanted, draw, role, excluded)
                VALUES (?, ?, 'main', ?, ?, ?, ?, ?, ?, ?)""",
                page, follow.stage, item, plain([known[o] for o in follow.outputs]), plain(data),
                wanted, next_follow_up_draw(db), follow.role, plain(follow.excluded),
            )  # fmt: skip


def _earlier(db: Transaction, given: Given, place: int) -> list[tuple[str, Mapping[str, Any]]]:
    """Return what others answered to a question of the same task, in the order they did."""
    rows = db.rows(
        """SELECT name, content FROM counted JOIN assignment ON assignment.id = counted.assignment
        JOIN annotator ON annotator.id = annotator WHERE task = ? AND kind = 'main'
        AND assignment.id <> ? ORDER BY counted.id""",
        given.task, given.id,
    )  # fmt: skip
    return [(name, json.loads(content)["answers"][place]) for name, content in rows]
