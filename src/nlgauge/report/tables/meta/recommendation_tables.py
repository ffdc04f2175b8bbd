"""Make the tables of a recommendation."""

from __future__ import annotations

from nlgauge.core.facts.tasks import TASKS
from nlgauge.meta.choose.recommend import Recommendation
from nlgauge.report.tables.grid import Cell, Estimate, Field, Grid, Strong
from nlgauge.report.tables.meta.plane_tables import region_text
from nlgauge.run.doctor import by_remedy

_SHOWN = 5  # candidates named in the first table


def recommendation_grids(found: Recommendation) -> list[Grid]:
    """Return the answers with their reasons, then the candidates, then what was measured."""
    grids = [answers_grid(found), candidates_grid(found)]
    return [*grids, measured_grid(found)] if found.measured else grids


def answers_grid(found: Recommendation) -> Grid:
    """Return what to use by each kind of evidence, with the reasons."""
    rows: list[list[Cell]] = []
    notes = []
    region = found.region
    if region is None:
        rows.append(["plane", None])
        notes.append("plane: neither task nor criterion has a place on it")
    else:
        rows.append(["plane", found.member])
        notes.append(f"plane: {region.reason}, so {region_text(region)}")
    runnable = [c for c in found.candidates if not c.missing]
    rows.append(["literature", _listed([c.name for c in runnable])])
    first = f"{runnable[0].name} is {runnable[0].reason}" if runnable else "none can run here"
    notes.append(f"literature: {first}")
    if found.measured:
        best = found.measured[0]
        near = [m.name for m in found.measured[1:] if m.near_best]
        what = "systems" if found.level == "system" else "outputs"
        rows.append(["measured", Strong(best.name)])
        notes.append(
            f"measured: {found.correlation} {best.value:.3f} over {best.points} {what}; "
            + (f"{_listed(near)} may be as good" if near else "better than all others")
        )
    else:
        notes.append("ratings of your own outputs would tell more: nlgauge recommend FILE ...")
    notes.extend(found.notes)
    title = f"For {TASKS[found.task].name}"
    title += f", {found.criterion}" if found.criterion else ""
    return Grid(title, (Field("by"), Field("use")), rows, tuple(notes))


def _listed(names: list[str]) -> str | None:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more or None


def candidates_grid(found: Recommendation) -> Grid:
    """Return the metrics that the literature has for the task."""
    rows: list[list[Cell]] = [
        [
            Strong(c.name) if c.fits else c.name,
            "✓" if c.role == "proposed" else "*",
            c.family,
            ", ".join(c.needs),
            not c.missing,
        ]
        for c in found.candidates
    ]
    fields = tuple(map(Field, ("metric", "", "family", "needs", "can run")))
    notes = ["✓ proposed for the task, * adopted for it"]
    if any(c.fits for c in found.candidates):
        notes[0] += f"; bold: made for {found.criterion} or the like"
    for remedy, names in by_remedy({c.name: c.missing for c in found.candidates}).items():
        notes.append(remedy if len(names) == 1 else f"{', '.join(names)}: {remedy}")
    if found.elsewhere:
        notes.append(f"also in the survey, not in nlgauge: {', '.join(found.elsewhere)}")
    return Grid("Literature", fields, rows, tuple(notes))


def measured_grid(found: Recommendation) -> Grid:
    """Return the metrics by how well they agree with the ratings."""
    rows: list[list[Cell]] = []
    for m in found.measured:
        estimate = Estimate(m.value, m.low, m.high)
        rows.append([m.name, Strong(estimate) if m.near_best else estimate])
    unit = "systems" if found.level == "system" else "items"
    notes = (
        f"95 % intervals by a bootstrap over {unit}; bold: not worse than the best beyond chance",
    )
    fields = (Field("metric"), Field(f"{found.correlation} with {found.criterion}"))
    return Grid(f"Measured, {found.level} level", fields, rows, notes)
