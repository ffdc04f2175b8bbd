"""Give rather those tasks that tell systems apart that are not told apart yet.

The system that is rated next, or the pair that is compared, is drawn with probabilities that
`nlgauge.human.stopping` makes of what is decided so far; the probability is stored with the
judgement, so that estimates can be weighted by it. Probabilities are computed anew when there are
a tenth more answers, not each time.
"""

from __future__ import annotations

import json
import random

from nlgauge.annotate.design.study import Study
from nlgauge.annotate.store.annotators import Annotator
from nlgauge.annotate.store.chosen import Chosen
from nlgauge.annotate.store.database import Transaction
from nlgauge.annotate.store.studies import arm_of
from nlgauge.errors import DataError
from nlgauge.human.stopping.allocation import allocate_pairs, allocate_systems
from nlgauge.human.stopping.decisions import decide
from nlgauge.io.judgements.study_judgements import judgements_of, query

_SETTING = "allocation"
Shares = dict[str, float]  # by arm


def adaptive_task(
    db: Transaction, study: Study, annotator: Annotator, rng: random.Random
) -> Chosen | None:
    """Return a task whose systems were drawn, with the probability of that draw."""
    open_arms = _open_arms(db, annotator)
    if not open_arms:
        return None
    shares = _shares(db, study)
    alike = 1 / max(len(shares), len(open_arms))
    weights = [shares.get(arm, alike) for arm in open_arms]
    arm = rng.choices(list(open_arms), weights)[0]
    probability = weights[list(open_arms).index(arm)] / sum(weights)
    return Chosen(open_arms[arm], "main", probability)


def _open_arms(db: Transaction, annotator: Annotator) -> dict[str, int]:
    """Return the least judged task of each arm that is new to an annotator."""
    found = {}
    for (arm,) in db.rows("SELECT DISTINCT arm FROM task WHERE kind = 'main' ORDER BY arm"):
        row = db.one(
            """SELECT id FROM task WHERE kind = 'main' AND arm = ? AND given < wanted AND role = ?
            AND NOT EXISTS (SELECT 1 FROM assignment WHERE assignment.annotator = ?
            AND assignment.task = task.id) ORDER BY given, draw LIMIT 1""",
            arm, annotator.role, annotator.id,
        )  # fmt: skip
        if row is not None:
            found[arm] = row[0]
    return found


def _shares(db: Transaction, study: Study) -> Shares:
    ((answers,),) = db.rows("SELECT COALESCE(MAX(id), 0) FROM answer")
    row = db.one("SELECT value FROM setting WHERE name = ?", _SETTING)
    if row is not None:
        kept = json.loads(row[0])
        if answers < kept["answers"] * 1.1 + 5:
            return dict(kept["shares"])
    shares = _allocated(db, study)
    db.run("DELETE FROM setting WHERE name = ?", _SETTING)
    db.run(
        "INSERT INTO setting (name, value) VALUES (?, ?)",
        _SETTING, json.dumps({"answers": answers, "shares": shares}),
    )  # fmt: skip
    return shares


def _allocated(db: Transaction, study: Study) -> Shares:
    """Return the share of judgements that each system or pair shall get, from those so far."""
    rows = db.rows(query(), "main")
    criterion = getattr(study.questions[0], "criterion", None)
    if not rows:
        return {}
    explore = study.assignment.exploration
    try:
        decisions = decide(judgements_of(rows), criterion=criterion)
    except DataError:  # too few to say anything
        return {}
    if decisions.compared:
        pairs = allocate_pairs(decisions, explore=explore)
        arms = [arm_of(pair) for pair in pairs.choices]
        return dict(zip(arms, pairs.probabilities.tolist(), strict=True))
    systems = allocate_systems(decisions, explore=explore)
    arms = [arm_of([name]) for name in systems.choices]
    return dict(zip(arms, systems.probabilities.tolist(), strict=True))
