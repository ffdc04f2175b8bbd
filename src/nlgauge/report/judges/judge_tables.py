"""Make tables of what judges take, and of how they behave."""

from __future__ import annotations

from collections.abc import Sequence

from nlgauge.data.judge_server import JudgeServer
from nlgauge.meta.judge_conduct import JudgeConduct
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


def conduct_grids(judges: Sequence[JudgeConduct]) -> list[Grid]:
    """Return how judges behave: failures, consistency, and what they favour; nothing without
    judges.
    """
    if not judges:
        return []
    criteria = list(dict.fromkeys(name for judge in judges for name in judge.people_and_length))
    rows: list[list[Cell]] = []
    for j in judges:
        total = j.judged + j.unparsed + j.refused + j.unanswered
        rows.append(
            [
                j.metric, total, *(n / total for n in (j.unparsed, j.refused, j.unanswered)),
                j.sample_deviation, j.order_changed, j.position_bias, j.score_and_length,
                *(j.people_and_length.get(name) for name in criteria),
            ]
        )  # fmt: skip
    shares = ("unparsed", "refused", "unanswered")
    fields = (
        Field("judge"),
        Field("outputs"),
        *(Field(name, ".1%") for name in shares),
        Field("deviation of samples", ".3f"),
        Field("order changed verdict", ".1%"),
        Field("position bias", "+.3f"),
        Field("score ~ length", "+.3f"),
        *(Field(f"{name} ~ length", "+.3f") for name in criteria),
    )
    notes = (
        "deviation of samples: between replies to the same question, as printed; 0 is a judge that "
        "always says the same",
        "position bias: how much more often the first of two texts wins than the second, whichever "
        "that is; 0 is none, 1 always the first",
        "~ length: Spearman's correlation with the number of words; a judge that favours long "
        "texts has more of it than people have",
        *(judge.signature for judge in judges),
    )
    return [Grid("Judges", fields, rows, notes)]
