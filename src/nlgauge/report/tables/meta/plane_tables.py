"""Make the tables of the evaluation plane."""

from __future__ import annotations

import numpy as np

from nlgauge.core.facts.tasks import TASKS
from nlgauge.meta.choose.axes import Region
from nlgauge.meta.choose.plane import Plane, Planes
from nlgauge.report.tables.grid import Cell, Field, Grid, SignatureNote, Strong
from nlgauge.report.tables.score_tables import signature_note


def plane_grids(planes: Planes) -> list[Grid]:
    """Return a summary over criteria and groups, then each plane in per cent."""
    return [summary_grid(planes), *(plane_grid(plane) for plane in planes.planes)]


def summary_grid(planes: Planes) -> Grid:
    """Return a summary with a row for each criterion and group."""
    grouped = any(plane.group is not None for plane in planes.planes)
    expected = any(plane.region is not None for plane in planes.planes)
    fields = [Field("group")] * grouped + [Field("criterion"), Field("points")]
    fields += [Field("best member"), Field("R² %", ".2f")]
    if expected:
        fields += [Field("predicted"), Field("best there"), Field("R² % there", ".2f")]
    rows: list[list[Cell]] = []
    for plane in planes.planes:
        best = plane.maxima
        row: list[Cell] = [plane.group] if grouped else []
        row += [plane.criterion, plane.points, _listed(plane)]
        row.append(100 * best[0].r2 if best else None)
        if expected:
            region = None if plane.region is None else region_text(plane.region)
            there = plane.best_predicted
            row.append(region)
            row.append(None if there is None else member_text(there.alpha, there.order))
            row.append(None if there is None else _emphasised(plane, 100 * there.r2))
        rows.append(row)
    level = planes.planes[0].level if planes.planes else "system"
    met = any(plane.as_predicted for plane in planes.planes)
    notes: list[str | SignatureNote] = (
        ["bold: the maximum lies where it was predicted"] if met else []
    )
    notes.append(signature_note("aev", planes.signature))
    if planes.task is None:
        notes.append("no task is given, so nothing is predicted along N: --task NAME")
    task = f", {TASKS[planes.task].name}" if planes.task else ""
    return Grid(f"Evaluation plane, {level} level{task}", tuple(fields), rows, tuple(notes))


def _emphasised(plane: Plane, value: float) -> Cell:
    return Strong(value) if plane.as_predicted else value


def _listed(plane: Plane) -> str | None:
    best = plane.maxima
    names = [member_text(member.alpha, member.order) for member in best[:3]]
    more = f" and {len(best) - 3} more" if len(best) > 3 else ""
    return " = ".join(names) + more if best else None


def member_text(alpha: float, order: int) -> str:
    """Return a member of the family as the paper writes it."""
    return f"AEv({alpha:g}, {order})"


def region_text(region: Region) -> str:
    """Return the bounds of a region in words."""
    orders = f"N {region.order_low}–{region.order_high}"
    if region.order_low == region.order_high:
        orders = f"N {region.order_low}"
    return f"α {region.alpha_low:.2g}–{region.alpha_high:.2g}, {orders}"


def plane_grid(plane: Plane) -> Grid:
    """Return one plane in per cent, as the paper prints it."""
    best = {(member.alpha, member.order) for member in plane.maxima}
    rows: list[list[Cell]] = []
    for i in reversed(range(len(plane.orders))):  # the paper has N = 4 on top
        order = plane.orders[i]
        row: list[Cell] = [order]
        for alpha, value in zip(plane.alphas, (100 * plane.r2[i]).tolist(), strict=True):
            row.append(Strong(value) if (alpha, order) in best else value)
        rows.append(row)
    fields = (Field("N \\ α"), *(Field(f"{alpha:g}", ".2f") for alpha in plane.alphas))
    return Grid(f"{plane_title(plane)}: R² in %", fields, rows, tuple(_notes(plane)))


def plane_title(plane: Plane) -> str:
    """Return the criterion and group of a plane as a title."""
    return plane.criterion if plane.group is None else f"{plane.group}, {plane.criterion}"


def _notes(plane: Plane) -> list[str]:
    notes = []
    if plane.region is not None:
        notes.append(f"predicted {region_text(plane.region)}: {plane.region.reason}")
    if plane.maxima and np.nanmax(plane.r[plane.r2 >= np.nanmax(plane.r2)]) < 0:
        notes.append("the best member falls where the ratings rise (R is negative)")
    empty = [
        f"{share:.0%} for N = {order}"
        for order, share in zip(plane.orders, plane.zeros.max(axis=1), strict=True)
        if share > 0
    ]
    if empty:
        what = "systems" if plane.level == "system" else "outputs"
        notes.append(f"{what} without a match of some length, scored 0: {', '.join(empty)}")
    return notes
