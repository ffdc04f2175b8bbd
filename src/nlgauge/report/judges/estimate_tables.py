"""Make tables of what judges take, before they are asked."""

from __future__ import annotations

from collections.abc import Sequence

from nlgauge.data.judge_server import JudgeServer
from nlgauge.report.tables.grid import Cell, Field, Grid
from nlgauge.run.judge_estimates import EstimatedRun


def estimate_grid(runs: Sequence[EstimatedRun], server: JudgeServer | None) -> Grid:
    """Return requests, tokens and cost of each judge and system, and of all together."""
    rows: list[list[Cell]] = [
        [run.metric, run.system, *_numbers([run]), run.estimate.cost] for run in runs
    ]
    priced = runs[0].estimate.cost is not None
    if len(runs) > 1:
        total = sum(run.estimate.cost or 0.0 for run in runs) if priced else None
        rows.append(["together", "", *_numbers(runs), total])
    counts = ("segments", "requests", "kept replies", "input tokens", "output tokens")
    fields = (Field("metric"), Field("system"), *(Field(name, ",d") for name in counts))
    notes = [
        "estimates: a token has about four Latin letters, or one other character; replies count as "
        "long as they may be; the same text of two systems is asked for once with a cache"
    ]
    if server is not None and server.cache is None:
        notes.append("no cache: a run that is cut off begins anew; give --judge-cache FOLDER")
    if not priced:
        notes.append("no prices: give --judge-price INPUT OUTPUT, of a million tokens")
    return Grid("Estimate", (*fields, Field("cost", ".4f")), rows, tuple(notes))


def _numbers(runs: Sequence[EstimatedRun]) -> list[Cell]:
    found = [run.estimate for run in runs]
    return [
        sum(e.segments for e in found),
        sum(e.requests for e in found),
        sum(e.kept for e in found),
        sum(e.input_tokens for e in found),
        sum(e.output_tokens for e in found),
    ]
