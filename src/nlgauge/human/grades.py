"""Verbal grades with weights: coverage of reference units (DUC 2001) and three-way answers.

Rows: `item` the reference unit or question, `system`, `label` the grade, and maybe `annotator`;
`criterion` is the summary or topic that a unit belongs to, or the guideline answers were judged by.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nlgauge.data.judgements import Judgements
from nlgauge.data.labels import NONE
from nlgauge.errors import DataError, SpecError

COVERAGE: Mapping[str, float] = {
    "all": 1.0,
    "most": 0.75,
    "some": 0.5,
    "hardly any": 0.25,
    "none": 0.0,
}
ANSWERS: Mapping[str, float] = {"correct": 1.0, "related": 0.5, "wrong": 0.0}
_ALSO = {"somehow related": "related", "hardly": "hardly any"}


@dataclass(frozen=True)
class GradedSystem:
    """A graded system has a score in one part, or in all (None), and the share of each grade."""

    system: str
    part: str | None
    judged: int  # units or questions
    score: float
    shares: Mapping[str, float]


@dataclass(frozen=True)
class Grades:
    """Grades list the systems, best first; then part by part, if there are several."""

    systems: tuple[GradedSystem, ...]
    parts: tuple[GradedSystem, ...]
    weights: Mapping[str, float]


def coverage(judgements: Judgements, *, weights: Mapping[str, float] | None = None) -> Grades:
    """Return the mean weight over reference units of each summary (`criterion`), then over
    summaries.
    """
    return _grades(judgements, _changed(COVERAGE, weights), together=True)


def answers(judgements: Judgements, *, weights: Mapping[str, float] | None = None) -> Grades:
    """Return the mean weight over questions, for each guideline (`criterion`)."""
    return _grades(judgements, _changed(ANSWERS, weights), together=False)


def _changed(weights: Mapping[str, float], changes: Mapping[str, float] | None) -> dict[str, float]:
    if unknown := set(changes or ()) - set(weights):
        raise SpecError(f"no grade {sorted(unknown)[0]!r}; there are {', '.join(weights)}")
    return {**weights, **(changes or {})}


def _grades(judgements: Judgements, weights: Mapping[str, float], *, together: bool) -> Grades:
    grades = tuple(weights)
    codes = []
    for item, system, label in zip(
        judgements.item, judgements.system, judgements.label, strict=True
    ):
        name = None if label is None else _ALSO.get(label.lower(), label.lower())
        if item is None or system is None or name not in weights:
            raise DataError(
                f"item {item!r}, system {system!r}: grade {label!r}; every row needs an item, a "
                f"system and a label, one of {', '.join(weights)}"
            )
        codes.append(grades.index(name))
    code = np.array(codes)
    value = np.array([weights[name] for name in grades])[code]
    systems, parts = judgements.system.used(), judgements.criterion.used()
    found: list[GradedSystem] = []
    for s, system in enumerate(systems.names):
        for p in np.unique(parts.codes[systems.codes == s]):
            rows = (systems.codes == s) & (parts.codes == p)
            # Several annotators of a unit count as one.
            _, unit = np.unique(judgements.item.codes[rows], return_inverse=True)
            means = np.bincount(unit, value[rows]) / np.bincount(unit)
            shares = np.bincount(code[rows], minlength=len(grades)) / rows.sum()
            part = None if p == NONE else parts.names[p]
            by_grade = dict(zip(grades, shares.tolist(), strict=True))
            found.append(GradedSystem(system, part, len(means), float(means.mean()), by_grade))
    found.sort(key=lambda graded: -graded.score)
    if not together or all(graded.part is None for graded in found):
        return Grades(tuple(found), (), weights)
    whole = [_together(name, [g for g in found if g.system == name]) for name in systems.names]
    return Grades(tuple(sorted(whole, key=lambda g: -g.score)), tuple(found), weights)


def _together(system: str, parts: list[GradedSystem]) -> GradedSystem:
    grades = parts[0].shares
    return GradedSystem(
        system,
        None,
        sum(part.judged for part in parts),
        float(np.mean([part.score for part in parts])),
        {name: float(np.mean([part.shares[name] for part in parts])) for name in grades},
    )
