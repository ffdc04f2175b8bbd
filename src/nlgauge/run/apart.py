"""Score systems that have segments of their own, each by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from nlgauge.core import registry
from nlgauge.core.table import ScoreTable
from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError
from nlgauge.run.scoring import score_suite


def score_apart(
    suites: Mapping[str, Suite], metrics: registry.Metrics, **settings: Any
) -> ScoreTable:
    """Return one table of systems that need not share a segment; `settings` are those of
    `score_suite`. Segments and tests of systems against each other are not for such a table.
    """
    if not suites:
        raise DataError("no system to score; give at least one")
    tables = [score_suite(suite, metrics, **settings) for suite in suites.values()]
    return replace(
        tables[0],
        rows={name: rows for table in tables for name, rows in table.rows.items()},
        segments=sum(table.segments for table in tables),
        ids=None,
        intervals={key: span for table in tables for key, span in table.intervals.items()},
        left_out={name: why for table in tables for name, why in table.left_out.items()},
        suite=None,
        apart=True,
    )
