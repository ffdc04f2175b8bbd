"""Get what people said out of a study: judgements, and answers in full."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from nlgauge.annotate.forms.protocol import StudyTask
from nlgauge.annotate.store.database import StudyDatabase, Transaction
from nlgauge.annotate.store.studies import load_task
from nlgauge.data.judgements import Judgements
from nlgauge.errors import DataError
from nlgauge.io.judgements.study_judgements import judgements_of, query

KINDS = ("main", "repeat", "control", "gold")


def study_judgements(database: StudyDatabase, *, kind: str = "main") -> Judgements:
    """Return the judgements of a study: those that count, or repetitions, controls or gold."""
    rows = database.read(lambda db: db.rows(query(), kind))
    if not rows:
        raise DataError(f"{database.name}: there are no {kind} judgements yet")
    return judgements_of(rows)


def study_answers(database: StudyDatabase) -> Iterator[dict[str, Any]]:
    """Yield every answer in full, also those that were changed later, in the order they came."""
    rows = database.read(
        lambda db: db.rows(
            """SELECT answer.id, name, assignment.task, assignment.kind, position, content,
            answer.seconds, answered_at, correct, propensity,
            answer.id IN (SELECT id FROM counted)
            FROM answer JOIN assignment ON assignment.id = assignment
            JOIN annotator ON annotator.id = annotator ORDER BY answer.id"""
        )
    )
    for number, name, task, kind, position, content, seconds, at, correct, chance, counts in rows:
        shown = database.read(partial(_shown, number=task))
        record = {
            "answer": number,
            "annotator": name,
            "item": shown.item or None,
            "systems": [output.system for output in shown.outputs],
            "kind": kind,
            "position": position,
            "stage": shown.stage,
            "answers": json.loads(content)["answers"],
            "seconds": seconds,
            "time": at,
            "counts": bool(counts),
            "correct": None if correct is None else bool(correct),
            "propensity": chance,
        }
        yield {key: value for key, value in record.items() if value is not None}


def _shown(db: Transaction, number: int) -> StudyTask:
    return load_task(db, number)[1]
