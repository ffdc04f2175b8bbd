"""Make tables of what judges take, and of how they behave."""

from __future__ import annotations

import math
from collections.abc import Sequence

from nlgauge.data.judge_server import JudgeServer
from nlgauge.meta.judge_conduct import JudgeConduct
from nlgauge.report.tables.grid import Cell, Field, Grid
from nlgauge.run.judge_estimates import EstimatedRun

_NOTES = {
    "deviation of samples": "deviation of samples: between replies to the same question; 0 is a "
    "judge that always says the same",
    "position bias": "position bias: how much more often the first of two texts wins than the "
    "second, whichever that is; 0 is none, 1 always the first",
    "score ~ length": "~ length: Spearman's correlation with the number of words; a judge that "
    "favours long texts has more of it than people have",
}


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
    totals = [j.judged + j.unparsed + j.refused + j.unanswered for j in judges]
    lines: list[tuple[str, str, list[float]]] = [
        ("outputs", ",.0f", [float(total) for total in totals]),
        *(
            (
                f"{name}, share",
                ".1%",
                [getattr(j, name) / n for j, n in zip(judges, totals, strict=True)],
            )
            for name in ("unparsed", "refused", "unanswered")
        ),
        ("deviation of samples", ".3f", [j.sample_deviation for j in judges]),
        ("order changed the verdict", ".1%", [j.order_changed for j in judges]),
        ("position bias", "+.3f", [j.position_bias for j in judges]),
        ("score ~ length", "+.3f", [j.score_and_length for j in judges]),
        *(
            (f"people's {name} ~ length", "+.3f", [j.people_and_length[name] for j in judges])
            for name in criteria
        ),
    ]
    known = [line for line in lines if not all(map(math.isnan, line[2]))]
    rows: list[list[Cell]] = [
        [name, *(None if math.isnan(v) else format(v, how) for v in values)]
        for name, how, values in known
    ]
    said = {name for name, *_ in known}
    notes = [note for name, note in _NOTES.items() if name in said]
    fields = (Field("measure"), *(Field(judge.metric) for judge in judges))
    return [Grid("Judges", fields, rows, (*notes, *(judge.signature for judge in judges)))]
