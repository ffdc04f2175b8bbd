"""Judgements beside runs in shards: of millions of scored outputs, people judged a sample.

Only outputs that were judged are held, with what is known of all of them: corpus scores of the
systems. Everything that `correlate` computes can then be computed, in memory that grows with the
judgements and not with the run.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nlgauge.core.outputs import OutputScores, StreamSample
from nlgauge.data.judgements import Judgements
from nlgauge.data.labels import NONE, Labels
from nlgauge.errors import DataError, SpecError
from nlgauge.io.judgements.judgement_files import read_judgements
from nlgauge.io.texts.suites import PathLike
from nlgauge.kernels import Floats
from nlgauge.meta.correlation.paired_scores import PairedScores
from nlgauge.meta.correlation.reading import JudgedScores, named_criteria, required
from nlgauge.run.streams.engines import Engine, HereEngine
from nlgauge.run.streams.finished import JoinedRuns, SegmentSpan
from nlgauge.stats.significance import segment_column

JudgedOutput = tuple[int, str, str, Floats]  # number of the segment, system, item, scores


@dataclass(frozen=True, eq=False)
class PickingJob:
    """A job is sent to every process that looks for judged outputs."""

    runs: JoinedRuns
    judged: Mapping[str, Collection[str]]  # items by system


def pick_span(job: PickingJob, span: SegmentSpan) -> list[JudgedOutput]:
    """Return the outputs of a span that were judged, in whichever process."""
    block = job.runs.read(span)
    return [
        (span.first + row, system, item, scores[row])
        for system, scores in block.scores.items()
        for row, item in enumerate(block.ids)
        if item in job.judged[system]
    ]


def read_judged_runs(
    folders: Sequence[str],
    judgements: Sequence[PathLike] | Judgements,
    *,
    metrics: Sequence[str] | None = None,
    judgement_format: str | None = None,
    engine: Engine | None = None,
) -> JudgedScores:
    """Read the scores of judged outputs from the folders that `score --stream --segments` wrote
    over the same segments, for `correlate`; by default those of all metrics that the runs have.
    """
    runs = JoinedRuns.open(folders)
    if metrics is not None:
        if unknown := [name for name in metrics if name not in runs.metrics]:
            raise SpecError(
                f"{', '.join(unknown)}: not in the runs, which have {', '.join(runs.metrics)}"
            )
        runs = replace(runs, metrics={name: runs.metrics[name] for name in metrics})
    if not isinstance(judgements, Judgements):
        given = read_judgements(judgements, format=judgement_format) if judgements else None
        judgements = required(given)
    job = PickingJob(runs, _judged(judgements, runs.names))
    found: list[JudgedOutput] = []
    for _, picked in (engine or HereEngine()).run(pick_span, job, runs.spans()):
        found += picked
    found.sort(key=lambda output: (runs.names.index(output[1]), output[0]))
    paired = PairedScores(
        scores=_scores(runs, found), judgements=named_criteria(judgements), groups={}
    )
    return JudgedScores(paired, None)


def _judged(judgements: Judgements, systems: Sequence[str]) -> dict[str, set[str]]:
    """Return the items of which outputs of each system were judged, alone or against another."""
    found: dict[str, set[str]] = {system: set() for system in systems}
    if not set(systems) & {*judgements.system.names, *judgements.against.names}:
        named = ", ".join(judgements.system.names[:5]) or "no system"
        raise DataError(
            f"the judgements are about {named}, and the runs have {', '.join(systems)}; names of "
            "systems must agree"
        )
    items = np.array([*judgements.item.names, ""], object)
    for column in (judgements.system, judgements.against):
        codes = column.recoded(systems)
        for code, system in enumerate(systems):
            own = judgements.item.codes[(codes == code) & (judgements.item.codes != NONE)]
            found[system].update(items[np.unique(own)])
    return found


def _scores(runs: JoinedRuns, found: Sequence[JudgedOutput]) -> OutputScores:
    """Return the judged outputs as a sample of the stream."""
    seen: dict[tuple[str, str], int] = {}
    for number, system, item, _ in found:
        if seen.setdefault((system, item), number) != number:
            raise DataError(
                f"the id {item!r}, which was judged, is that of the segments "
                f"{seen[system, item] + 1:,} and {number + 1:,}; judged ids must be unique"
            )
    table = runs.scores().table()
    columns = tuple(map(segment_column, table.columns))
    scores = np.array([row for *_, row in found]).reshape(-1, len(columns))
    return OutputScores(
        items=Labels.build(item for _, _, item, _ in found),
        systems=Labels.build((system for _, system, _, _ in found), runs.names),
        columns=columns,
        rows=tuple(np.stack([x, np.ones_like(x)], axis=1) for x in scores.T),
        sample=StreamSample(
            segments=table.segments,
            numbers={item: number for number, _, item, _ in found},
            scores=table.printed(),
        ),
    )
