"""Make the reports of `nlgauge qarla` and `nlgauge orange`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlgauge.meta.without_people.metric_sets import Qarla
from nlgauge.meta.without_people.orange import Orange
from nlgauge.meta.without_people.qarla import MetricSet
from nlgauge.report.answers.metric_verdicts import orange_answer, qarla_answer
from nlgauge.report.figures import Distribution, Figure, HeatMap, IntervalPlot
from nlgauge.report.pages.page import Section
from nlgauge.report.pages.relations import tree_figure
from nlgauge.report.tables.meta.qarla_tables import (
    clusters_grid,
    metrics_grid,
    orange_grids,
    set_name,
    sets_grid,
    systems_grid,
)

FEWEST = 5  # segments whose values have a spread


def qarla_sections(result: Qarla) -> list[Section]:
    """Return the tables, with QUEEN of every text, KING of every metric, and their tree."""
    sections = [
        *qarla_answer(result),
        Section(
            title="Systems",
            text="QUEEN: how often a text resembles a reference as much as references resemble "
            "each other, by every metric of the set. Systems have filled dots, references hollow "
            "ones.",
            grids=[systems_grid(result)],
            figures=_queens(result),
        ),
        Section(
            title="Metrics",
            grids=[sets_grid(result), metrics_grid(result)],
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
        clusters = [clusters_grid(result)] if len(result.clusters) < len(result.single) else []
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
        hollow=[i >= len(result.peers) for i in order],
    )
    if result.used < FEWEST:
        return [means]
    samples = [result.best.queen[:, i] for i in order]
    spread = Distribution(
        title="QUEEN by segment",
        labels=names,
        samples=samples,
        axis="QUEEN",
        groups=[int(i >= len(result.peers)) for i in order],  # systems, then references
    )
    return [means, spread]


def _kings(title: str, sets: Sequence[MetricSet]) -> Figure:
    ranked = sorted(sets, key=lambda one: -one.king)
    return IntervalPlot(
        title=title,
        labels=[set_name(one) for one in ranked],
        values=[one.king for one in ranked],
        axis="KING",
        format=".3f",
    )


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
    found = Section(title=title, grids=orange_grids(result), figures=[values, ranks])
    return [*orange_answer(result), found]
