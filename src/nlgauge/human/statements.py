"""The questionnaire for meeting summaries (Murray et al., 2005): twelve statements on a Likert
scale, some with reversed polarity, so that careless answers show.

Rows: `item` the meeting, `system`, `annotator`, `criterion` the key of a statement, `value`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from nlgauge.data.judgements import Judgements
from nlgauge.data.labels import NONE
from nlgauge.errors import DataError
from nlgauge.human.scales import likert
from nlgauge.stats.correlation import pearson


@dataclass(frozen=True)
class Statement:
    """A statement is something to agree with; agreeing with a reversed one speaks against the
    summary.
    """

    key: str
    text: str
    group: str
    reversed: bool = False
    twin: str | None = None  # the reversed statement that asks for the same impression


STATEMENTS = (
    Statement(
        "important", "The summary has the important points of the meeting.", "informativeness"
    ),
    Statement("concise", "It avoids saying things twice.", "informativeness", twin="repetitive"),
    Statement("relevant", "Most sentences seem relevant.", "informativeness", twin="unnecessary"),
    Statement("balanced", "Topics get space according to their importance.", "informativeness"),
    Statement("repetitive", "It repeats itself.", "informativeness", reversed=True),
    Statement(
        "unnecessary", "It holds information nobody needs.", "informativeness", reversed=True
    ),
    Statement("referents", "It is easy to tell who or what is meant.", "readability"),
    Statement("continuity", "Sentences join smoothly.", "readability", twin="disjointed"),
    Statement("clear", "Most sentences are clear and well formed.", "readability", twin="clumsy"),
    Statement("disjointed", "It seems disjointed.", "readability", reversed=True),
    Statement("incoherent", "It is incoherent.", "readability", reversed=True),
    Statement("clumsy", "Most sentences are poorly built.", "readability", reversed=True),
)
_Place = tuple[str | None, str | None, str | None]  # item, system, annotator
_BY_KEY = {statement.key: statement for statement in STATEMENTS}


@dataclass(frozen=True)
class StatementMean:
    """The mean tells how far people agreed with a statement about a system, as answered."""

    system: str
    statement: str
    answers: int
    mean: float


@dataclass(frozen=True)
class GroupMean:
    """The mean is a system's over the statements of a group; high is good."""

    system: str
    group: str
    answers: int
    mean: float


@dataclass(frozen=True)
class Consistency:
    """Consistency is the correlation of a statement with its reversed twin, turned: near 1 if
    people took care.
    """

    statement: str
    twin: str
    answers: int
    correlation: float


@dataclass(frozen=True)
class Questionnaire:
    """A questionnaire has answers by statement and by group, and whether they are consistent."""

    statements: tuple[StatementMean, ...]
    groups: tuple[GroupMean, ...]
    consistency: tuple[Consistency, ...]
    points: int


def questionnaire(judgements: Judgements, *, points: int = 7) -> Questionnaire:
    """Analyse answers on a scale from 1 to `points`."""
    scale = likert(points)
    ratings = judgements.ratings()
    for key in ratings.criterion.used().names:
        if key not in _BY_KEY:
            raise DataError(f"no statement {key!r}; criteria are {', '.join(_BY_KEY)}")
    if (ratings.criterion.codes == NONE).any() or not len(ratings):
        raise DataError("every answer needs a criterion, the key of a statement, and a value")
    x = ratings.value
    if outside := x[~scale.accepted(x)].tolist():
        raise DataError(f"answer {outside[0]:g} is not on the scale from 1 to {points}")
    keys = np.array(list(ratings.criterion))
    turned = np.where(np.isin(keys, [s.key for s in STATEMENTS if s.reversed]), points + 1 - x, x)
    systems = ratings.system.used()
    statements, groups = [], []
    for (i, system), statement in product(enumerate(systems.names), STATEMENTS):
        chosen = (systems.codes == i) & (keys == statement.key)
        if chosen.any():
            mean = float(x[chosen].mean())
            statements.append(StatementMean(system, statement.key, int(chosen.sum()), mean))
    for (i, system), group in product(
        enumerate(systems.names), dict.fromkeys(s.group for s in STATEMENTS)
    ):
        chosen = (systems.codes == i) & np.isin(
            keys, [s.key for s in STATEMENTS if s.group == group]
        )
        if chosen.any():
            mean = float(turned[chosen].mean())
            groups.append(GroupMean(system, group, int(chosen.sum()), mean))
    answered: dict[str, dict[_Place, float]] = {}
    places = zip(ratings.item, ratings.system, ratings.annotator, strict=True)
    for key, place, value in zip(keys, places, turned.tolist(), strict=True):
        answered.setdefault(key, {})[place] = value
    twins = [(s.key, s.twin) for s in STATEMENTS if s.twin is not None]
    consistency = [_consistency(a, b, answered) for a, b in twins]
    return Questionnaire(tuple(statements), tuple(groups), tuple(consistency), points)


def _consistency(
    first: str, second: str, answered: Mapping[str, Mapping[_Place, float]]
) -> Consistency:
    a, b = answered.get(first, {}), answered.get(second, {})
    both = [place for place in a if place in b]
    r = pearson([a[place] for place in both], [b[place] for place in both])
    return Consistency(first, second, len(both), r)
