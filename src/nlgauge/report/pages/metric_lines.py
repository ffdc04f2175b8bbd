"""Say in one line of each metric what it looks at, and which way is good."""

from __future__ import annotations

from collections.abc import Iterable

from nlgauge.core.families import LOOKS_AT
from nlgauge.core.info import Info
from nlgauge.core.table import Column
from nlgauge.report.tables.score_tables import scale_note


def metric_lines(columns: Iterable[Column]) -> list[str]:
    """Return a sentence for each metric: its name and title, what it looks at, and its range."""
    return [_line(column) for column in columns]


def _line(column: Column) -> str:
    info = column.metric.info
    title = "" if info.title.lower() == column.name.lower() else f" ({info.title})"
    way = "higher" if info.higher_is_better else "lower"
    span = scale_note(column).replace("–", "–\u2060")  # which is not broken at the dash
    return f"{column.name}{title} looks at {_looked_at(info)}; {way} is better ({span})."


def _looked_at(info: Info) -> str:
    """Return what a metric looks at: what its family does, but for those that count words of the
    outputs without comparing them with a reference or with the turns before.
    """
    counting = info.family in ("ngram", "dialogue") and not info.uses
    if not counting or {"references", "turns"} & set(info.needs):
        return LOOKS_AT[info.family]
    return f"words of the outputs{' and of their sources' if 'sources' in info.needs else ' alone'}"
