"""Give annotators their next task.

An annotator has at most one task that is open. The next one is, in this order: a gold item if one
is due; by chance an earlier task again, as it was or with a spoilt text; a task of the plan that
was drawn, or the least judged one that is new to the annotator.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, replace

from nlgauge.annotate.design.study import Study
from nlgauge.annotate.forms.protocol import StudyTask
from nlgauge.annotate.store.adapting import adaptive_task
from nlgauge.annotate.store.annotators import Annotator
from nlgauge.annotate.store.chosen import Chosen
from nlgauge.annotate.store.database import Transaction, plain
from nlgauge.annotate.store.studies import load_task

_APART = 5  # tasks between one and its repetition
_COLUMNS = "assignment.id, assignment.task, assignment.kind, position, given_at, propensity"

# Tasks whose words were deleted are wanted no more.
_STAYS = "(SELECT wanted FROM task WHERE task.id = assignment.task) > 0"


@dataclass(frozen=True)
class Given:
    """A task that was given to an annotator."""

    id: int
    task: int
    kind: str  # main, repeat, control, gold
    position: int  # from 1
    given_at: float
    propensity: float | None = None
    failed: int = 0  # attempts at a gold item


def open_task(db: Transaction, study: Study, annotator: Annotator) -> Given | None:
    """Return the task that an annotator has and did not finish, if there is one."""
    return _last_task(db, study, annotator)[0]


def _last_task(db: Transaction, study: Study, annotator: Annotator) -> tuple[Given | None, int]:
    """Return the last task of an annotator, if it is open, and its position."""
    row = db.one(
        f"""SELECT {_COLUMNS}, COUNT(answer.id), MAX(correct) FROM assignment
        LEFT JOIN answer ON answer.assignment = assignment.id WHERE assignment.id =
        (SELECT id FROM assignment WHERE annotator = ? ORDER BY position DESC LIMIT 1)
        GROUP BY assignment.id""",
        annotator.id,
    )
    if row is None:
        return None, 0
    *columns, tried, right = row
    last = Given(*columns)
    more = last.kind == "gold" and not right and tried < study.gold.attempts
    return (replace(last, failed=tried) if not tried or more else None), last.position


def next_task(db: Transaction, study: Study, annotator: Annotator) -> Given | None:
    """Return the open task of an annotator or give a new one; None if there is nothing to do."""
    if annotator.state != "active":
        return None
    found, last = _last_task(db, study, annotator)
    if found is not None:
        return found
    db.lock()
    position = last + 1
    rng = random.Random(f"{study.seed}/{annotator.id}/{position}")
    chosen = None
    if not _has_enough(db, study, annotator):
        chosen = _gold(db, study, annotator, position) or _again(db, study, annotator, last, rng)
        chosen = chosen or _new(db, study, annotator, rng)
    if chosen is None:
        return None
    now = time.time()
    if chosen.kind == "main":
        db.run("UPDATE task SET given = given + 1 WHERE id = ?", chosen.task)
    ((key,),) = db.rows(
        """INSERT INTO assignment (annotator, task, kind, position, given_at, propensity)
        VALUES (?, ?, ?, ?, ?, ?) RETURNING id""",
        annotator.id, chosen.task, chosen.kind, position, now, chosen.propensity,
    )  # fmt: skip
    return Given(key, chosen.task, chosen.kind, position, now, chosen.propensity)


def _has_enough(db: Transaction, study: Study, annotator: Annotator) -> bool:
    most = study.assignment.most_tasks
    if not most:
        return False
    ((done,),) = db.rows(
        "SELECT COUNT(*) FROM assignment WHERE annotator = ? AND kind = 'main'", annotator.id
    )
    return bool(done >= most)


def _gold(db: Transaction, study: Study, annotator: Annotator, position: int) -> Chosen | None:
    every = study.gold.every
    due = position <= study.screening.items or (every and position % every == 0)
    row = due and db.one(
        """SELECT id FROM task WHERE kind = 'gold' AND role = ? AND id NOT IN
        (SELECT task FROM assignment WHERE annotator = ?) ORDER BY stage, draw LIMIT 1""",
        annotator.role, annotator.id,
    )  # fmt: skip
    return Chosen(row[0], "gold") if row else None


def _again(
    db: Transaction, study: Study, annotator: Annotator, last: int, rng: random.Random
) -> Chosen | None:
    drawn, settings = rng.random(), study.assignment
    if drawn < settings.repeats:
        kind = "repeat"
    elif drawn < settings.repeats + settings.controls:
        kind = "control"
    else:
        return None
    rows = db.rows(
        """SELECT task FROM assignment WHERE annotator = ? AND kind = 'main' AND position <= ?
        AND task NOT IN (SELECT task FROM assignment WHERE annotator = ? AND kind <> 'main')
        ORDER BY position""",
        annotator.id, last + 1 - _APART, annotator.id,
    )  # fmt: skip
    return Chosen(rng.choice(rows)[0], kind) if rows else None


def _new(db: Transaction, study: Study, annotator: Annotator, rng: random.Random) -> Chosen | None:
    if annotator.slot is not None:
        row = db.one(
            """SELECT task FROM plan WHERE slot = ? AND task NOT IN
            (SELECT task FROM assignment WHERE annotator = ? AND kind = 'main')
            ORDER BY position LIMIT 1""",
            annotator.slot, annotator.id,
        )  # fmt: skip
        return Chosen(row[0], "main") if row else None
    if study.assignment.design == "adaptive":
        drawn = adaptive_task(db, study, annotator, rng)
        if drawn is not None:
            return drawn
    new = """task.role = ? AND NOT EXISTS (SELECT 1 FROM assignment
        WHERE assignment.annotator = ? AND assignment.task = task.id)
        AND REPLACE(excluded, ?, '') = excluded"""  # which does not hold the name
    values = (annotator.role, annotator.id, plain(annotator.name))
    row = db.one(
        f"""SELECT id FROM task WHERE kind = 'main' AND {new} AND given < wanted
        ORDER BY stage, given, draw LIMIT 1""",
        *values,
    )
    if row is None:
        # What others were given and never answered: if at all, the last task of an annotator.
        stale = time.time() - study.assignment.release_hours * 3600
        row = db.one(
            f"""SELECT task.id FROM annotator JOIN assignment AS other ON other.position =
            (SELECT MAX(position) FROM assignment WHERE assignment.annotator = annotator.id)
            AND other.annotator = annotator.id JOIN task ON task.id = other.task
            WHERE task.kind = 'main' AND {new} AND task.wanted > (SELECT COUNT(*) FROM assignment
            AS held WHERE held.task = task.id AND held.kind = 'main' AND (held.given_at > ?
            OR EXISTS (SELECT 1 FROM answer WHERE answer.assignment = held.id)))
            ORDER BY task.stage, task.draw LIMIT 1""",
            *values,
            stale,
        )
    return Chosen(row[0], "main") if row else None


def find_given(db: Transaction, annotator: Annotator, key: int) -> Given | None:
    """Return what was given under a number, if it was given to this annotator."""
    row = db.one(
        f"SELECT {_COLUMNS} FROM assignment WHERE annotator = ? AND id = ? AND {_STAYS}",
        annotator.id, key,
    )  # fmt: skip
    return Given(*row) if row else None


def at_position(db: Transaction, annotator: Annotator, position: int) -> Given | None:
    """Return what an annotator was given at a position."""
    row = db.one(
        f"SELECT {_COLUMNS} FROM assignment WHERE annotator = ? AND position = ? AND {_STAYS}",
        annotator.id, position,
    )  # fmt: skip
    return Given(*row) if row else None


def shown_task(db: Transaction, study: Study, given: Given) -> tuple[int, StudyTask]:
    """Return the page and the task as the annotator sees it: of a control, the text is spoilt."""
    page, task = load_task(db, given.task)
    if given.kind != "control":
        return page, task
    from nlgauge.meta.stress.perturbations import perturbation

    spoil = perturbation(study.assignment.control_by)
    outputs = tuple(
        replace(output, text=spoil(output.text, 0.6, seed=study.seed) or output.text[::-1])
        for output in task.outputs
    )
    return page, replace(task, outputs=outputs)


def order_of_outputs(study: Study, given: Given, count: int) -> list[int]:
    """Return the order in which the outputs of a task are shown to this annotator."""
    order = list(range(count))
    random.Random(f"{study.seed}/order/{given.id}").shuffle(order)
    return order


def next_follow_up_draw(db: Transaction) -> int:
    """Return the place of a new task behind all others."""
    ((last,),) = db.rows("SELECT MAX(draw) FROM task")
    return int(last) + 1
