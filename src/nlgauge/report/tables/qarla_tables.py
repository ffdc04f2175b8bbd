"""Show QARLA and ORANGE as tables and pictures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlgauge.meta.without_people.metric_sets import Qarla
from nlgauge.meta.without_people.orange import Orange
from nlgauge.meta.without_people.qarla import MetricSet
from nlgauge.report.explain.relations import tree_figure
from nlgauge.report.figures import Distribution, Figure, HeatMap, IntervalPlot
from nlgauge.report.pages.page import Section
from nlgauge.report.tables.grid import Cell, Field, Grid, Strong

KING = "KING: share of references whose QUEEN is above that of every system"
NOT_STRICT = "KING: share of references whose QUEEN is not below that of any system"

FEWEST = 5  # segments whose values have a spread


def qarla_grids(result: Qarla) -> list[Grid]:
    """Return systems by QUEEN, sets and single metrics by KING, and clusters."""
    grids = [_systems(result), _sets(result), _metrics(result)]
    if len(result.clusters) < len(result.single):
        grids.append(_clusters(result))
    return grids


def qarla_sections(result: Qarla) -> list[Section]:
    """Return the tables, with QUEEN of every text, KING of every metric, and their tree."""
    sections = [
        Section(
            title="Systems",
            text="QUEEN: how often a text resembles a reference as much as references resemble "
            "each other, by every metric of the set. Systems are blue, references orange.",
            grids=[_systems(result)],
            figures=_queens(result),
        ),
        Section(
            title="Metrics",
            grids=[_sets(result), _metrics(result)],
            figures=[_kings("KING of each metric", result.single)],
        ),
    ]
    if len(result.single) > 2:
        made: list[Figure] = [tree_figure(result.tree, "Metrics by the texts they accept", "1 − s")]
        order = list(result.tree.order)
        names = [result.tree.names[i] for i in order]
        shares = 1 - result.tree.distances[np.ix_(order, order)]
        title = "Share of the same verdicts (s)"
        made.append(HeatMap(title=title, rows=names, columns=names, values=shares))
        clusters = [_clusters(result)] if len(result.clusters) < len(result.single) else []
        sections.append(Section(title="Clusters", grids=clusters, figures=made))
    return sections


def _queens(result: Qarla) -> list[Figure]:
    texts, queens = result.peers + result.models, result.best.queens
    order = sorted(range(len(texts)), key=lambda i: -np.nan_to_num(queens[i], nan=-1))
    names = [texts[i] for i in order]
    means = IntervalPlot(
        title="Mean QUEEN by the best set",
        labels=names,
        values=queens[order],
        axis="QUEEN",
        format=".3f",
        groups=[int(i >= len(result.peers)) for i in order],
    )
    if result.used < FEWEST:
        return [means]
    samples = [result.best.queen[:, i] for i in order]
    spread = Distribution(title="QUEEN by segment", labels=names, samples=samples, axis="QUEEN")
    return [means, spread]


def _kings(title: str, sets: Sequence[MetricSet]) -> Figure:
    ranked = sorted(sets, key=lambda one: -one.king)
    return IntervalPlot(
        title=title,
        labels=[_name(one) for one in ranked],
        values=[one.king for one in ranked],
        axis="KING",
        format=".3f",
    )


def _systems(result: Qarla) -> Grid:
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
    heads = ("best set", *map(_name, result.given))
    return Grid(
        "QUEEN of systems and references",
        (Field("text"), Field("by"), *(Field(head, ".4f") for head in heads)),
        rows,
        (
            f"best set: {_name(best)}",
            f"mean over {result.used} of {len(result.topics)} segments (those with three "
            "references or more); a reference is measured by the others",
        ),
    )


def _name(one: MetricSet) -> str:
    return " + ".join(one.metrics)


def _sets(result: Qarla) -> Grid:
    rows: list[list[Cell]] = [
        [_name(one), Strong(one.king) if one is result.best else one.king, one.jack]
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


def _metrics(result: Qarla) -> Grid:
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


def _clusters(result: Qarla) -> Grid:
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


def orange_sections(result: Orange) -> list[Section]:
    """Return the table, with its values and the ranks behind them."""
    order = np.argsort(result.orange, kind="stable").tolist()
    names = [result.metrics[i] for i in order]
    values = IntervalPlot(
        title="ORANGE ↓",
        labels=names,
        values=result.orange[order],
        axis="mean rank of a reference / length of the list",
        format=".3f",
    )
    ranks = Distribution(
        title="Ranks of references",
        labels=names,
        samples=[(result.ranks[i] / result.lengths).ravel() for i in order],
        axis="rank / length of the list",
    )
    title = "References against systems"
    return [Section(title=title, grids=orange_grids(result), figures=[values, ranks])]
