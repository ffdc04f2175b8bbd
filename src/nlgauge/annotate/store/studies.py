"""Make the database of a study, and read the study and its tasks from it."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from nlgauge.annotate.design.plans import draw_plan
from nlgauge.annotate.design.study import Study
from nlgauge.annotate.design.study_file import parse_study
from nlgauge.annotate.design.study_records import StudyRecords
from nlgauge.annotate.design.tasks import draw_tasks
from nlgauge.annotate.forms.protocol import ShownOutput, StudyTask
from nlgauge.annotate.store.database import StudyDatabase, Transaction, plain
from nlgauge.errors import DataError
from nlgauge.io.judgements.study_judgements import IN_TABLES
from nlgauge.version import __version__


@dataclass(frozen=True)
class StudySettings:
    """What a study's database says of it."""

    study: Study
    secret: str
    design_hash: str


def create_study(database: StudyDatabase, text: str, study: Study, records: StudyRecords) -> None:
    """Write items, tasks and the design that was drawn into an empty database, at once."""
    tasks = draw_tasks(study, records.items)
    plan = draw_plan(study, tasks)
    items = {item.name: number for number, item in enumerate(records.items, 1)}
    outputs = {
        (item.name, system): number
        for number, (item, system) in enumerate(
            ((item, system) for item in records.items for system in item.outputs), 1
        )
    }
    wanted = study.assignment.slots if plan else study.assignment.annotators
    settings = {
        "study": _complete(text, study),
        "seed": str(study.seed),
        "design": hashlib.sha256(repr((tasks, plan)).encode()).hexdigest(),
        "secret": secrets.token_urlsafe(32),
        "nlgauge": __version__,
    }

    def write(to: Transaction) -> None:
        to.many("INSERT INTO setting (name, value) VALUES (?, ?)", settings.items())
        to.many(
            "INSERT INTO item (id, name, record) VALUES (?, ?, ?)",
            ((items[i.name], i.name, plain(i.record)) for i in records.items),
        )
        to.many(
            "INSERT INTO output (id, item, system, text) VALUES (?, ?, ?, ?)",
            (
                (outputs[item.name, system], items[item.name], system, output)
                for item in records.items
                for system, output in item.outputs.items()
            ),
        )
        to.many(
            """INSERT INTO task
            (id, page, stage, kind, item, outputs, data, wanted, draw, role, arm)
            VALUES (?, ?, ?, ?, ?, ?, '{}', ?, ?, ?, ?)""",
            (
                (
                    number, t.page, t.stage, t.kind, t.item and items[t.item],
                    plain([outputs[o] for o in t.outputs]),
                    wanted if t.kind == "main" else 1_000_000, t.draw, t.role,
                    arm_of([system for _, system in t.outputs]),
                )
                for number, t in enumerate(tasks, 1)
            ),
        )  # fmt: skip
        to.many(
            "INSERT INTO plan (slot, position, task) VALUES (?, ?, ?)",
            ((s, p, task + 1) for s, chosen in enumerate(plan, 1) for p, task in enumerate(chosen)),
        )
        to.many(
            "INSERT INTO media (name, type, data) VALUES (?, ?, ?)",
            ((p.name, p.type, p.data) for p in records.pictures.values()),
        )
        for question in study.questions:
            for item in records.items:
                rows = question.fixed_rows({**item.record, "item": item.name})
                insert_rows(to, None, [{**row, "protocol": question.info.name} for row in rows])
        to.set_counters()

    database.write(write)


def _complete(text: str, study: Study) -> str:
    """Return the study file with the texts of files that it names, so that it stands alone."""
    return json.dumps({"file": text, "consent": study.consent, "instructions": study.instructions})


def insert_rows(to: Transaction, answer: int | None, rows: Sequence[dict[str, Any]]) -> None:
    """Add rows of judgements that an answer led to."""
    if not rows:
        return
    names = (
        "item", "system", "criterion", "label", "against", "protocol", "part", "annotator", "value",
        "severity", "start", "end",
    )  # fmt: skip
    columns = ", ".join(IN_TABLES.get(name, name) for name in names)
    to.many(
        f"INSERT INTO judgement (answer, {columns}) VALUES (?{', ?' * len(names)})",
        ((answer, *(row.get(name) for name in names)) for row in rows),
    )


def load_settings(database: StudyDatabase) -> StudySettings:
    """Read what was asked for in the study, and the secret that its links are signed with."""
    found: dict[str, str] = dict(
        database.read(lambda db: db.rows("SELECT name, value FROM setting"))
    )
    if "study" not in found:
        raise DataError(f"{database.name}: holds no study; make one with `nlgauge annotate new`")
    kept = json.loads(found["study"])
    study = parse_study(kept["file"], f"{database.name}: study", files=kept)
    return StudySettings(study, found["secret"], found["design"])


def check_writable(database: StudyDatabase) -> None:
    """Write what is there already, so that a file that cannot be written is told at once."""
    database.write(lambda db: db.run("UPDATE setting SET value = value WHERE name = 'seed'"))


def load_task(db: Transaction, number: int) -> tuple[int, StudyTask]:
    """Return the number of a task's page, and the task."""
    row = db.one("SELECT page, stage, item, outputs, data FROM task WHERE id = ?", number)
    if row is None:
        raise DataError(f"no task {number}")
    page, stage, item, outputs, data = row
    shown = load_outputs(db, json.loads(outputs))
    if item is None:
        name, record = "", {}
    else:
        ((name, text),) = db.rows("SELECT name, record FROM item WHERE id = ?", item)
        record = _record(text)
    return page, StudyTask(
        item=name, record=record, outputs=shown, stage=stage, data=json.loads(data)
    )


def load_outputs(db: Transaction, numbers: Sequence[int]) -> tuple[ShownOutput, ...]:
    """Return outputs by their numbers, in that order."""
    marks = ", ".join("?" * len(numbers))
    rows = (
        []
        if not numbers
        else db.rows(
            f"""SELECT output.id, item.name, system, text FROM output JOIN item ON item.id = item
        WHERE output.id IN ({marks})""",
            *numbers,
        )
    )
    by_number = {number: ShownOutput(item, system, text) for number, item, system, text in rows}
    return tuple(by_number[number] for number in numbers)


@lru_cache(maxsize=4096)
def _record(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text)
    return found


def arm_of(systems: Sequence[str]) -> str:
    """Return how a task is marked that is about outputs of these systems."""
    return plain(sorted(systems))


def load_records(database: StudyDatabase) -> list[tuple[str, dict[str, Any]]]:
    """Return the names and records of all items."""
    rows = database.read(lambda db: db.rows("SELECT name, record FROM item ORDER BY id"))
    return [(name, json.loads(record)) for name, record in rows]
