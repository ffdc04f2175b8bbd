"""Make the tables of QARLA and ORANGE."""

from __future__ import annotations

import numpy as np

from nlgauge.meta.without_people.metric_sets import Qarla
from nlgauge.meta.without_people.orange import Orange
from nlgauge.meta.without_people.qarla import MetricSet
from nlgauge.report.tables.grid import Cell, Field, Grid, Strong

KING = "KING: share of references whose QUEEN is above that of every system"
NOT_STRICT = "KING: share of references whose QUEEN is not below that of any system"


def qarla_grids(result: Qarla) -> list[Grid]:
    """Return systems by QUEEN, sets and single metrics by KING, and clusters."""
    grids = [systems_grid(result), sets_grid(result), metrics_grid(result)]
    if len(result.clusters) < len(result.single):
        grids.append(clusters_grid(result))
    return grids


def systems_grid(result: Qarla) -> Grid:
    """Return the systems by their mean QUEEN."""
    best = result.best
    queens = [one.queens for one in (best, *result.given)]
    names = result.peers + result.models
    order = sorted(range(len(names)), key=lambda i: -np.nan_to_num(queens[0][i], nan=-1))
    rows: list[list[Cell]] = [
        [
            names[i],
            "system" if i < len(result.peers) else "reference",
            *(float(values[i]) for values in queens),
        ]
        for i in order
    ]
    heads = ("best set", *map(set_name, result.given))
    return Grid(
        "QUEEN of systems and references",
        (Field("text"), Field("by"), *(Field(head, ".4f") for head in heads)),
        rows,
        (
            f"best set: {set_name(best)}",
            f"mean over {result.used} of {len(result.topics)} segments (those with three "
            "references or more); a reference is measured by the others",
        ),
    )


def set_name(one: MetricSet) -> str:
    """Return the name of a set of metrics."""
    return " + ".join(one.metrics)


def sets_grid(result: Qarla) -> Grid:
    """Return sets of metrics by KING, with JACK."""
    rows: list[list[Cell]] = [
        [set_name(one), Strong(one.king) if one is result.best else one.king, one.jack]
        for one in (*result.top, *result.given)
    ]
    notes = [f"the best of all {len(result.kings) - 1} sets of {len(result.searched)} metrics"]
    if result.given:
        notes.append(f"the last {len(result.given)} as asked for")
    return Grid(
        "Sets of metrics",
        (Field("set"), Field("KING ↑", ".4f"), Field("JACK ↑", ".4f")),
        rows,
        ("; ".join(notes),),
    )


def metrics_grid(result: Qarla) -> Grid:
    """Return single metrics by KING, with JACK."""
    top = max(one.king for one in result.single)
    ranked = sorted(result.single, key=lambda one: -one.king)
    rows: list[list[Cell]] = [
        [one.metrics[0], Strong(one.king) if one.king == top else one.king, one.jack]
        for one in ranked
    ]
    notes = [KING if result.strict else NOT_STRICT]
    if np.isnan(result.best.jack):
        notes.append("JACK: not defined, as systems were not compared with each other")
    else:
        notes.append(
            "JACK: share of references that two systems resemble more than each other; how far the "
            "systems can be relied on to judge metrics by"
        )
    return Grid(
        "Metrics alone",
        (Field("metric"), Field("KING ↑", ".4f"), Field("JACK ↑", ".4f")),
        rows,
        tuple(notes),
    )


def clusters_grid(result: Qarla) -> Grid:
    """Return the clusters of metrics, with the best of each."""
    rows: list[list[Cell]] = [
        [cluster.best, cluster.king, len(cluster.metrics), _others(cluster.metrics, cluster.best)]
        for cluster in result.clusters
    ]
    return Grid(
        "Clusters of metrics that accept the same texts",
        (Field("best"), Field("KING", ".4f"), Field("size"), Field("others")),
        rows,
    )


def _others(metrics: tuple[str, ...], best: str) -> str:
    return " ".join(name for name in metrics if name != best)


def orange_grids(result: Orange) -> list[Grid]:
    """Return metrics by how well they tell references from systems."""
    columns = [result.orange, result.probability, result.king]
    best = [float(result.orange.min()), float(result.probability.max()), float(result.king.max())]
    rows: list[list[Cell]] = []
    for k, name in enumerate(result.metrics):
        values = [float(column[k]) for column in columns]
        rows.append(
            [name, *(Strong(v) if v == b else v for v, b in zip(values, best, strict=True))]
        )
    heads = ("ORANGE ↓", "P(reference ≥ system) ↑", "never beaten ↑")
    return [
        Grid(
            "References against systems",
            (Field("metric"), *(Field(head, ".4f") for head in heads)),
            rows,
            (
                "ORANGE: mean rank of a reference among the systems, by the length of the list; "
                "all scored by the other references",
                f"{result.used} of {len(result.topics)} segments (those with two references or "
                f"more), {len(result.peers)} systems",
            ),
        )
    ]
