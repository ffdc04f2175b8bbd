"""Scores and ratings of systems and items, made from plain arrays."""

import numpy as np

from nlgauge.core.given import GivenScores
from nlgauge.core.outputs import OutputScores
from nlgauge.core.table import Column
from nlgauge.data.judgements import Judgements
from nlgauge.data.labels import Labels
from nlgauge.meta.correlation.paired_scores import PairedScores


def paired(
    metrics: dict[str, np.ndarray],
    human: dict[str, np.ndarray],
    *,
    lower: tuple[str, ...] = (),
    groups: dict[str, list[str]] | None = None,
) -> PairedScores:
    """From [systems, items] with NaN where nobody rated."""
    shape = next(iter(metrics.values())).shape
    names = [(f"s{i}", f"i{j}") for i in range(shape[0]) for j in range(shape[1])]
    columns = [GivenScores(name=name, higher_is_better=name not in lower) for name in metrics]
    rows = [np.column_stack([grid.ravel(), np.ones(grid.size)]) for grid in metrics.values()]
    scores = OutputScores(
        items=Labels.build(item for _, item in names),
        systems=Labels.build(system for system, _ in names),
        columns=tuple(Column(m.name, m, m.signature()) for m in columns),
        rows=tuple(rows),
    )
    ratings = [
        {"system": system, "item": item, "criterion": criterion, "value": value}
        for criterion, grid in human.items()
        for (system, item), value in zip(names, grid.ravel(), strict=True)
        if not np.isnan(value)
    ]
    found = {name: Labels.build(column) for name, column in (groups or {}).items()}
    return PairedScores(scores=scores, judgements=Judgements.build(ratings), groups=found)
