"""Make tables of how judges behave."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from nlgauge.core.outputs import OutputScores
from nlgauge.core.table import ScoreTable
from nlgauge.data.corpus import Suite
from nlgauge.meta.judge_conduct import JudgeConduct, judge_conduct
from nlgauge.report.tables.grid import Cell, Field, Grid
from nlgauge.report.tables.score_tables import signature_note

if TYPE_CHECKING:
    from nlgauge.report.pages.page import Section

_NOTES = {
    "deviation of samples": "deviation of samples: between replies to the same question; 0 is a "
    "judge that always says the same",
    "position bias": "position bias: how much more often the first of two texts wins than the "
    "second, whichever that is; 0 is none, 1 always the first",
    "score ~ length": "~ length: Spearman's correlation with the number of words; a judge that "
    "favours long texts has more of it than people have",
}


def judged_sections(table: ScoreTable, suite: Suite | None) -> list[Section]:
    """Return a section of a page that tells how the judges among the metrics of a table behaved;
    none without judges.
    """
    from nlgauge.report.pages.page import Section

    lengths = None
    if suite is not None:
        texts = (text for corpus in suite for text in corpus.hypotheses)
        lengths = np.array([len(text.split()) for text in texts], np.float64)
    judges = judge_conduct(OutputScores.of_table(table), lengths)
    grids = conduct_grids(judges, signed=False)
    return [Section(title="Judges", grids=grids)] if grids else []


def conduct_grids(judges: Sequence[JudgeConduct], *, signed: bool = True) -> list[Grid]:
    """Return how judges behave: failures, consistency, and what they favour; nothing without
    judges. `signed` adds their signatures, where they stand nowhere else.
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
    signatures = [signature_note(j.metric, j.signature) for j in judges] if signed else []
    return [Grid("Judges", fields, rows, (*notes, *signatures))]
