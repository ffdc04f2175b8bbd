"""Show recommendations as tables and pictures."""

from __future__ import annotations

from nlgauge.core.tasks import TASKS
from nlgauge.meta.choose.recommend import Recommendation
from nlgauge.report.figures import IntervalPlot
from nlgauge.report.pages.page import Section
from nlgauge.report.tables.grid import Cell, Estimate, Field, Grid, Strong
from nlgauge.report.tables.plane_tables import region_text

_SHOWN = 5  # candidates named in the first table


def recommendation_grids(found: Recommendation) -> list[Grid]:
    """Return the answers with their reasons, then the candidates, then what was measured."""
    grids = [_answers(found), _candidates(found)]
    return [*grids, _measured(found)] if found.measured else grids


def recommendation_sections(found: Recommendation) -> list[Section]:
    """Return the answers first; what was measured is also drawn."""
    sections = [Section(title="Answers", grids=[_answers(found)])]
    if found.measured:
        plot = IntervalPlot(
            title=f"Agreement with {found.criterion}, {found.level} level",
            labels=[m.name for m in found.measured],
            values=[m.value for m in found.measured],
            lows=[m.low for m in found.measured],
            highs=[m.high for m in found.measured],
            axis=found.correlation,
            format=".3f",
            groups=[int(not m.near_best) for m in found.measured],
            reference=0.0,
        )
        text = "Blue: not worse than the best beyond chance."
        sections.append(
            Section(title="Measured", text=text, grids=[_measured(found)], figures=[plot])
        )
    return [*sections, Section(title="Literature", grids=[_candidates(found)])]


def _answers(found: Recommendation) -> Grid:
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
    title = f"For {TASKS[found.task].name}"
    title += f", {found.criterion}" if found.criterion else ""
    return Grid(title, (Field("by"), Field("use")), rows, tuple(notes))


def _listed(names: list[str]) -> str | None:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more or None


def _candidates(found: Recommendation) -> Grid:
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
    notes += [c.missing for c in found.candidates if c.missing]
    if found.elsewhere:
        notes.append(f"also in the survey, not in nlgauge: {', '.join(found.elsewhere)}")
    return Grid("Literature", fields, rows, tuple(notes))


def _measured(found: Recommendation) -> Grid:
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
