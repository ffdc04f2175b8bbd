"""Make the tables of models of annotators: who is reliable, and where the model corrects votes."""

from __future__ import annotations

from collections.abc import Sequence

from nlgauge.human.annotators.annotator_models import FittedAnnotators
from nlgauge.report.tables.grid import Cell, Field, Grid

_TITLES = {"dawid-skene": "Dawid–Skene", "mace": "MACE"}
_MANY_ROWS = 30


def model_grids(fitted: Sequence[FittedAnnotators]) -> list[Grid]:
    """Return, for each criterion, the annotators and the outputs whose label differs from votes."""
    return [grid for found in fitted for grid in (_annotators(found), *_corrected(found))]


def _annotators(found: FittedAnnotators) -> Grid:
    rows: list[Sequence[Cell]] = [
        (a.annotator, a.judgements, a.reliability, a.agreement)
        for a in sorted(found.annotators, key=lambda a: -a.reliability)
    ]
    shares = ", ".join(
        f"{name} {share:.2f}" for name, share in zip(found.classes, found.shares, strict=True)
    )
    meaning = (
        "reliability: probability of knowing the answer (competence)"
        if found.model == "mace"
        else "reliability: probability of the right category"
    )
    return Grid(
        f"{_TITLES[found.model]}: {found.criterion or 'judgements'}",
        (
            Field("annotator"),
            Field("judgements"),
            Field("reliability"),
            Field("as probable label"),
        ),
        rows,
        (
            f"{meaning}; categories: {shares}; log-likelihood {found.log_likelihood:.2f}",
            *found.notes,
        ),
    )


def _corrected(found: FittedAnnotators) -> list[Grid]:
    changed = [label for label in found.labels if label.label != label.majority]
    if not changed:
        return []
    rows: list[Sequence[Cell]] = [
        (o.item, o.system, o.label, o.probability, o.majority) for o in changed[:_MANY_ROWS]
    ]
    more = len(changed) - len(rows)
    return [
        Grid(
            f"Labels that differ from the majority: {found.criterion or 'judgements'}",
            (
                Field("item"),
                Field("system"),
                Field("label"),
                Field("probability"),
                Field("majority"),
            ),
            rows,
            (f"and {more} more; -f json has all",) if more > 0 else (),
        )
    ]
