"""Measure how well metrics agree with people, from a data frame or a table of scores."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from nlgauge.core import registry
from nlgauge.core.outputs import OutputScores
from nlgauge.core.table import ScoreTable
from nlgauge.data.judgements import Judgements
from nlgauge.data.run_context import RunContext
from nlgauge.errors import SpecError
from nlgauge.io.column_names import ColumnNames
from nlgauge.meta.correlation.meta_result import MetaResult, correlate
from nlgauge.meta.correlation.paired_scores import PairedScores
from nlgauge.meta.correlation.reading import named_criteria, read_judged, required
from nlgauge.meta.correlation.settings import MetaSettings
from nlgauge.run.frame_shapes import as_frame
from nlgauge.run.scoring import score_outputs

METRICS = ("sentbleu", "chrf", "ter")


def meta_evaluate(
    given: Any,
    human: Any = None,
    *,
    metrics: registry.Metrics | None = None,
    scores: str | Collection[str] | None = None,
    lower_is_better: Collection[str] = (),
    criteria: Sequence[str] | None = None,
    split: str | None = None,
    threads: int | None = None,
    settings: MetaSettings | None = None,
    **columns: Any,
) -> MetaResult:
    """Correlate metrics with what people said, with intervals and tests between the metrics.

    A data frame has one row for each output: `human` names its columns of ratings, `metrics` score
    its texts (`hypothesis`, `references`, `system`, `id`, `source` name columns, too), and `scores`
    are columns of other tools' scores, beside the metrics or instead of them. Of a table that
    `nlgauge.score` returned, `human` are judgements, also as a frame with the columns item, system,
    criterion and value; by default those that the table keeps. Of a file of judged outputs, whose
    path is given, `human` are criteria, by default all; names of columns are as for a frame, and
    `id_fields` are columns that make the id together.

    `lower_is_better` are ratings or scores in which less is better; `split` is a column, each value
    of which has results of its own. `settings` say what is measured, and how.

    >>> rows = [
    ...     {"model": m, "doc": d, "judge": d * m, "rated": d + m} for m in (1, 2) for d in range(9)
    ... ]
    >>> found = nlgauge.meta_evaluate(rows, "rated", scores=["judge"], system="model", id="doc")
    >>> {agreement.level for agreement in found.agreements}
    {'segment'}
    """
    rows = as_frame(given, {**columns, "human": human, "scores": scores})
    if rows is not None:
        paired = _of_frame(rows, human, metrics, scores, lower_is_better, split, threads, columns)
    elif isinstance(given, ScoreTable | OutputScores) and not columns:
        paired = _of_table(given, human)
    elif isinstance(given, str | os.PathLike) and not scores:
        criteria = [human] if isinstance(human, str) else human or criteria
        paired = _of_file(given, metrics, split, threads, columns)
    else:
        raise SpecError(
            "meta_evaluate takes a data frame, the table that nlgauge.score returned (without "
            "names of columns), or the path of a file of judged outputs (without scores=), not "
            f"{type(given).__name__}"
        )
    settings = settings or MetaSettings()
    lower = [name for name in lower_is_better if name in paired.criteria]
    settings = replace(settings, lower_is_better=(*settings.lower_is_better, *lower))
    return correlate(paired, criteria=criteria, split=split, settings=settings)


def _of_frame(
    given: Any,
    human: Any,
    metrics: registry.Metrics | None,
    scores: str | Collection[str] | None,
    lower_is_better: Collection[str],
    split: str | None,
    threads: int | None,
    columns: dict[str, Any],
) -> PairedScores:
    from nlgauge.run.data_frames import DataFrame

    frame = DataFrame.read(given, human=human, **columns)
    wanted = [scores] if isinstance(scores, str) else list(scores or ())
    chosen = metrics if metrics is not None or wanted else METRICS
    outputs, judgements = frame.outputs(split, texts=chosen is not None)
    lower = [name for name in lower_is_better if name in wanted]
    parts = [] if chosen is None else [score_outputs(outputs, chosen, threads=threads)]
    parts += [frame.scores(wanted, lower, split)] if wanted else []
    found = parts[0] if len(parts) == 1 else parts[0].joined(parts[1])
    return PairedScores(
        scores=found, judgements=named_criteria(required(judgements)), groups=outputs.groups
    )


def _of_file(
    path: str | os.PathLike[str],
    metrics: registry.Metrics | None,
    split: str | None,
    threads: int | None,
    columns: dict[str, Any],
) -> PairedScores:
    reading = {name: columns[name] for name in ("id_fields", "skip_unusable") if name in columns}
    names = {name: given for name, given in columns.items() if name not in reading}
    return read_judged(
        path,
        metrics=registry.listed(METRICS if metrics is None else metrics),
        split=split,
        context=RunContext(threads=threads),
        columns=ColumnNames.build(names),
        **reading,
    ).paired


def _of_table(given: ScoreTable | OutputScores, human: Any) -> PairedScores:
    scores = OutputScores.of_table(given) if isinstance(given, ScoreTable) else given
    if human is None and isinstance(given, ScoreTable):
        human = given.judgements
    if human is not None and not isinstance(human, Judgements):
        human = Judgements.build(human)
    return PairedScores(scores=scores, judgements=named_criteria(required(human)), groups={})
