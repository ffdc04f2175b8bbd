"""Write the errors that judges marked as judgements, beside those of people."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from nlgauge.core.table import ScoreTable
from nlgauge.data.judgements import Judgements
from nlgauge.errors import SpecError
from nlgauge.io.judgements.judgement_files import write_judgements
from nlgauge.metrics.judge.error_judges import ErrorJudge


def judge_spans(table: ScoreTable) -> Judgements:
    """Return what the judges of a table say of each output: a rating, and a row for each error,
    with the judge as annotator.
    """
    judges = [column for column in table.columns if isinstance(column.metric, ErrorJudge)]
    if not judges or table.suite is None:
        names = ", ".join(column.name for column in table.columns)
        raise SpecError(f"none of {names} marks errors; use judge-mqm or judge-esa")
    return Judgements.build(row for column in judges for row in _rows(table, column.name))


def _rows(table: ScoreTable, name: str) -> Iterator[dict[str, Any]]:
    metric = table.column(name).metric
    if not isinstance(metric, ErrorJudge) or table.suite is None:
        return
    protocol = metric.info.name.removeprefix("judge-")
    for system, corpus in table.suite.systems.items():
        scores = table.segment_scores(system, name)
        found = metric.error_spans(corpus)
        for item, errors, score in zip(table.segment_ids, found, scores, strict=True):
            if errors is None:
                continue
            place: dict[str, Any] = {
                "item": item, "system": system, "annotator": metric.judge, "protocol": protocol
            }  # fmt: skip
            yield place | {"criterion": protocol, "value": float(score)}
            for error in errors:
                row = place | {"criterion": f"{protocol}-errors", "severity": error.severity}
                row["label"] = error.category or error.severity
                if error.place is not None:
                    row |= {"start": error.start, "end": error.end}
                yield row


def write_judge_spans(path: str | os.PathLike[str], table: ScoreTable) -> None:
    """Write what `judge_spans` returns to a file of judgements."""
    write_judgements(path, judge_spans(table))
