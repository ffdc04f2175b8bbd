"""Make the report of `nlgauge plane`: a summary, then each plane as table and pictures."""

from __future__ import annotations

from nlgauge.meta.choose.axes import Region
from nlgauge.meta.choose.plane import Plane, Planes
from nlgauge.report.answers.metric_verdicts import plane_answer
from nlgauge.report.figures import Contour, HeatMap
from nlgauge.report.pages.page import Section
from nlgauge.report.tables.meta.plane_tables import (
    plane_grid,
    plane_title,
    region_text,
    summary_grid,
)


def plane_sections(planes: Planes) -> list[Section]:
    """Return the summary, then the table and the pictures of each plane."""
    summary = Section(
        title="Summary",
        text="AEv(α, N) compares n-grams up to length N; α leads from recall (0) to precision (1). "
        "R² is the share of the ratings' variance that a member explains.",
        grids=[summary_grid(planes)],
    )
    found = [
        Section(
            title=plane_title(plane),
            grids=[plane_grid(plane)],
            figures=[_contour(plane), _map(plane)],
        )
        for plane in planes.planes
    ]
    return [*plane_answer(planes), summary, *found]


def _contour(plane: Plane) -> Contour:
    region, best = plane.region, plane.maxima
    return Contour(
        title=f"Evaluation plane: {plane_title(plane)}",
        x_label="α",
        y_label="N",
        x=plane.alphas,
        y=plane.orders,
        values=100 * plane.r2,
        value_label="R² %",
        maximum=(best[0].alpha, best[0].order) if best else None,
        region=None if region is None else _bounds(region),
        region_label=f"predicted: {region_text(region)}" if region else "",
    )


def _bounds(region: Region) -> tuple[float, float, float, float]:
    return region.alpha_low, region.alpha_high, region.order_low, region.order_high


def _map(plane: Plane) -> HeatMap:
    best = {(member.alpha, member.order) for member in plane.maxima}
    orders = plane.orders[::-1]
    return HeatMap(
        title=f"R² in %: {plane_title(plane)}",
        rows=[f"N = {order}" for order in orders],
        columns=[f"α {alpha:g}" for alpha in plane.alphas],
        values=100 * plane.r2[::-1],
        format=".1f",
        marked=[[(alpha, order) in best for alpha in plane.alphas] for order in orders],
        mark_note="the maximum",
    )
