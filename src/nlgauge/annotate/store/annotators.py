"""Annotators of a study: pseudonyms, roles, consent, and deletion on request."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nlgauge.annotate.store.database import Transaction
from nlgauge.errors import DataError

WORDS_OF = "words of"  # in the data of a task: the annotators who wrote what it shows
_COLUMNS = "id, name, role, slot, expires, consented, state"
_LETTERS = "bcdfghjkmnpqrstvwxz23456789"  # none that look alike, and no words


@dataclass(frozen=True)
class Annotator:
    """An annotator is known by a pseudonym; nothing else is stored of a person."""

    id: int
    name: str
    role: str
    slot: int | None
    expires: int
    consented: bool
    state: str  # active, failed (screening or gold), withdrawn


def add_annotators(
    db: Transaction, count: int, *, names: Sequence[str] = (), role: str = "", days: float = 30
) -> list[Annotator]:
    """Add annotators, with pseudonyms that are drawn unless names are given."""
    db.lock()
    called = list(names) or [_pseudonym() for _ in range(count)]
    expires = int(time.time() + days * 86400)
    planned = {slot for (slot,) in db.rows("SELECT DISTINCT slot FROM plan")}
    taken = {slot for (slot,) in db.rows("SELECT slot FROM annotator WHERE slot IS NOT NULL")}
    free = sorted(planned - taken)
    if planned and len(free) < len(called):
        raise DataError(
            f"the design was drawn for {len(planned)} annotators, and {len(free)} have no link "
            "yet; ask for fewer, or make a study with more slots"
        )
    added = []
    for number, name in enumerate(called):
        if not name.strip() or len(name) > 200:
            raise DataError(f"name {name!r:.40}: give one of 1 to 200 characters")
        if db.one("SELECT 1 FROM annotator WHERE name = ?", name):
            raise DataError(f"an annotator is called {name!r} already; give another name")
        slot = free[number] if planned else None
        ((key,),) = db.rows(
            """INSERT INTO annotator (name, role, slot, expires, state)
            VALUES (?, ?, ?, ?, 'active') RETURNING id""",
            name, role, slot, expires,
        )  # fmt: skip
        added.append(Annotator(key, name, role, slot, expires, False, "active"))
    return added


def _pseudonym() -> str:
    return "p-" + "".join(secrets.choice(_LETTERS) for _ in range(8))


def find_annotator(db: Transaction, key: int) -> Annotator | None:
    """Return an annotator by number, if there is one."""
    row = db.one(f"SELECT {_COLUMNS} FROM annotator WHERE id = ?", key)
    return None if row is None else _annotator(row)


def linked_annotators(db: Transaction) -> list[Annotator]:
    """Return the annotators whose links are valid, in the order in which they were made."""
    rows = db.rows(
        f"""SELECT {_COLUMNS} FROM annotator WHERE state <> 'withdrawn' AND expires > ?
        ORDER BY id""",
        int(time.time()),
    )
    return [_annotator(row) for row in rows]


def _annotator(row: Sequence[Any]) -> Annotator:
    key, name, role, slot, expires, consented, state = row
    return Annotator(key, name, role, slot, expires, consented is not None, state)


def give_consent(db: Transaction, key: int) -> None:
    """Write down when an annotator agreed to take part."""
    db.run(
        "UPDATE annotator SET consented = ? WHERE id = ? AND consented IS NULL",
        int(time.time()), key,
    )  # fmt: skip


def exclude_annotator(db: Transaction, key: int) -> None:
    """Give an annotator who failed no more tasks."""
    db.run("UPDATE annotator SET state = 'failed' WHERE id = ?", key)


def delete_answers(db: Transaction, key: int) -> int:
    """Delete all that an annotator said, and return how many answers there were.

    The pseudonym goes, too; what remains is that someone asked for it, and when.
    """
    db.lock()
    own = "SELECT id FROM assignment WHERE annotator = ?"
    answers = f"SELECT id FROM answer WHERE assignment IN ({own})"
    ((count,),) = db.rows(f"SELECT COUNT(*) FROM answer WHERE assignment IN ({own})", key)
    ((name,),) = db.rows("SELECT name FROM annotator WHERE id = ?", key)
    db.run("INSERT INTO deletion (annotator, asked_at) VALUES (?, ?)", key, time.time())
    db.run(f"DELETE FROM judgement WHERE answer IN ({answers})", key)
    db.run(f"DELETE FROM answer WHERE assignment IN ({own})", key)
    db.run(
        """UPDATE task SET given = given - 1 WHERE id IN
        (SELECT task FROM assignment WHERE annotator = ? AND kind = 'main')""",
        key,
    )
    db.run("DELETE FROM assignment WHERE annotator = ?", key)
    # What others were to do with the annotator's words; their answers stay.
    for task, data in db.rows("SELECT id, data FROM task WHERE data <> '{}'"):
        if name in json.loads(data).get(WORDS_OF, ()):
            db.run("UPDATE task SET data = '{}', excluded = '[]', wanted = 0 WHERE id = ?", task)
            db.run(
                """DELETE FROM assignment WHERE task = ?
                AND id NOT IN (SELECT assignment FROM answer)""",
                task,
            )
    db.run(
        "UPDATE annotator SET state = 'withdrawn', name = ? WHERE id = ?", f"withdrawn-{key}", key
    )
    return int(count)
