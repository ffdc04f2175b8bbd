"""Count how far a study is."""

from __future__ import annotations

from dataclasses import dataclass

from nlgauge.annotate.store.database import StudyDatabase, Transaction


@dataclass(frozen=True)
class StudyProgress:
    """How much of a study is done."""

    items: int
    tasks: int
    wanted: int  # answers to tasks, over all annotators
    answered: int
    annotators: int
    active: int  # annotators who answered at least once
    design_hash: str
    seed: int


def progress_of(database: StudyDatabase) -> StudyProgress:
    """Return how much of a study is done."""

    def look(db: Transaction) -> StudyProgress:
        settings: dict[str, str] = dict(
            db.rows("SELECT name, value FROM setting WHERE name IN ('design', 'seed')")
        )
        ((items,),) = db.rows("SELECT COUNT(*) FROM item")
        ((tasks, wanted),) = db.rows(
            "SELECT COUNT(*), COALESCE(SUM(wanted), 0) FROM task WHERE kind = 'main'"
        )
        ((answered, active),) = db.rows(
            """SELECT COUNT(*), COUNT(DISTINCT annotator) FROM counted
            JOIN assignment ON assignment.id = counted.assignment WHERE kind = 'main'"""
        )
        ((annotators,),) = db.rows("SELECT COUNT(*) FROM annotator WHERE state <> 'withdrawn'")
        return StudyProgress(
            items, tasks, int(wanted), answered, annotators, active, settings["design"],
            int(settings["seed"]),
        )  # fmt: skip

    return database.read(look)
