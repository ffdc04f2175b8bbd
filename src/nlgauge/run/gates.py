"""Say which scores miss a limit, and which losses are beyond a margin: gates for tests and CI."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nlgauge.core.table import ScoreTable
from nlgauge.errors import SpecError, did_you_mean
from nlgauge.run.comparison import Comparison, Difference

Margin = float | Mapping[str, float]  # on the printed scale, for all metrics or by metric


@dataclass(frozen=True)
class MissedLimit:
    """A limit is missed by a system whose score is worse than asked for."""

    system: str
    metric: str
    score: float
    limit: float
    higher_is_better: bool

    def __str__(self) -> str:
        word = "under" if self.higher_is_better else "over"
        return f"{self.system}: {self.metric} {self.score:.4g} is {word} {self.limit:g}"


def missed_limits(table: ScoreTable, limits: Mapping[str, float]) -> list[MissedLimit]:
    """Return the scores that are under their limit; over it, where lower is better."""
    found = []
    names = [column.name for column in table.columns]
    for name, limit in limits.items():
        if name not in names:
            hint = did_you_mean(name, names, f"there is: {', '.join(names)}")
            raise SpecError(f"a limit of {name!r}, but no such score; {hint}")
        higher = table.column(name).metric.info.higher_is_better
        for system in table.systems:
            score = table.score(system, name).score
            if score < limit if higher else score > limit:
                found.append(MissedLimit(system, name, score, limit, higher))
    return found


def losses(result: Comparison, system: str, than: str, margin: Margin = 0.0) -> list[Difference]:
    """Return the comparisons in which a system is significantly worse than another, and by more
    than the margin.
    """
    by_metric = margin if isinstance(margin, Mapping) else dict.fromkeys(result.metrics, margin)
    for name, value in by_metric.items():
        if name not in result.metrics:
            hint = did_you_mean(name, result.metrics, f"there is: {', '.join(result.metrics)}")
            raise SpecError(f"a margin of {name!r}, but no such score; {hint}")
        if not value >= 0:
            raise SpecError(f"margin={value}: must be at least 0")
    return [
        found
        for found in result.regressions(system, than)
        if abs(found.difference) > by_metric.get(found.metric, 0.0)
    ]


def worst_segments(table: ScoreTable, metric: str, system: str, than: str, most: int) -> list[int]:
    """Return the segments in which a system loses most against another, the worst first."""
    sign = 1 if table.column(metric).metric.info.higher_is_better else -1
    lost = sign * (table.segment_scores(than, metric) - table.segment_scores(system, metric))
    order = np.argsort(-lost, kind="stable")
    return [int(i) for i in order[:most] if lost[i] > 0]
