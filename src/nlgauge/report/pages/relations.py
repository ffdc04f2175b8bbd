"""Show how metrics relate to each other, and say how many figures a page bears."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlgauge.core.outputs import OutputScores
from nlgauge.meta.without_people.clustering import ClusterTree as Tree
from nlgauge.meta.without_people.clustering import cluster_metrics, metric_correlations
from nlgauge.report.figures import Dendrogram, Figure, HeatMap
from nlgauge.report.pages.page import Section

MOST_DRAWN = 12  # metrics with figures of their own


def drawn(names: Sequence[str]) -> tuple[list[str], str]:
    """Return the first of many metrics, and a sentence that says so.

    The sentence is empty if there are few metrics.
    """
    first = list(names[:MOST_DRAWN])
    if len(first) == len(names):
        return first, ""
    return first, f"Drawn for the first {len(first)} of {len(names)} metrics: {', '.join(first)}."


def relations(scores: OutputScores, text: str = "") -> list[Section]:
    """Return the correlations between metrics and their tree; nothing for a single metric."""
    if len(scores.columns) < 2 or len(scores.items.names) < 3:
        return []
    names = scores.names
    better = [1 if c.metric.info.higher_is_better else -1 for c in scores.columns]
    r = metric_correlations(scores) * np.outer(better, better)
    figures: list[Figure] = []
    if len(names) > 2:
        tree = cluster_metrics(scores, r=r)
        figures.append(tree_figure(tree, "Metrics that agree are joined first", "1 − |r|"))
        # What the tree joins stands side by side.
        order = list(tree.order)
        names, r = [names[i] for i in order], r[np.ix_(order, order)]
    title = "Pearson's r of segment scores"
    turned = [c.name for c in scores.columns if not c.metric.info.higher_is_better]
    figures.insert(0, HeatMap.of_correlations(title, names, r))
    said = "Over the outputs of all systems. Metrics with a low correlation tell different things."
    text = text or said
    if turned and len(turned) < len(scores.columns):
        text += f" Lower is better by {', '.join(turned)}: the signs are turned, so that metrics "
        text += "that agree have positive correlations."
    return [Section(title="Agreement of the metrics", text=text, figures=figures)]


def tree_figure(tree: Tree, title: str, distance: str) -> Dendrogram:
    """Draw a tree of metrics that were joined by average linkage."""
    axis = f"{distance}, average linkage"
    return Dendrogram(title=title, labels=tree.names, merges=tree.merges, axis=axis)
