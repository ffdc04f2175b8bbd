"""Scores beside judgements, from files."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from nlgauge.errors import DataError, SpecError
from nlgauge.human.judgements import Judgements
from nlgauge.io import PathLike, guess_format, names_of, read_suite
from nlgauge.io.judgements import read_judgements, with_ids
from nlgauge.io.outputs import read_outputs
from nlgauge.io.records import RECORD_FORMATS
from nlgauge.io.scores import read_scores
from nlgauge.kernels import Floats
from nlgauge.labels import Labels
from nlgauge.meta.paired import Paired
from nlgauge.metric import Metric
from nlgauge.outputs import Outputs, OutputScores
from nlgauge.scoring import score_outputs, score_suite

UNNAMED = "judgement"  # the criterion of judgements that name none


@dataclass(frozen=True, eq=False)
class Judged:
    """What was read."""

    paired: Paired
    lengths: Floats | None  # of the outputs, in words; None without texts
    outputs: Outputs | None = None  # in the order of the scores, if these were made from texts


def read_judged(
    paths: PathLike | Sequence[PathLike] = (),
    systems: Sequence[PathLike] | None = None,
    *,
    metrics: Sequence[str | Metric] = (),
    judgements: Sequence[PathLike] | None = None,
    judgement_format: str | None = None,
    scores: Sequence[PathLike] | None = None,
    split: str | None = None,
    format: str | None = None,
    lower_is_better: Collection[str] = (),
    shared_options: Mapping[str, object] | None = None,
    threads: int | None = None,
    **texts: Any,
) -> Judged:
    """Texts in any layout that `read_suite` knows, or records of which not every system has every
    item; with judgements in their field `human`, in an mt-metrics-eval folder, or in files of their
    own; and scores of other tools, which may also stand alone.

    `lower_is_better` names columns of `scores`; other names in it are left to the caller.
    """
    names = names_of(paths)
    if not names and not scores:
        raise SpecError("nothing to measure; give texts, or scores of other tools")
    judged = None
    if judgements:
        judged = read_judgements(judgements, format=judgement_format, split=split)
    found: OutputScores | None = None
    lengths: Floats | None = None
    outputs: Outputs | None = None
    groups: Mapping[str, Labels] = {}
    if names:
        folder = systems is None and Path(names[0]).is_dir()
        if systems is None and not folder and (format or guess_format(names)) in RECORD_FORMATS:
            outputs, own = read_outputs(names, format=format, split=split, **_encoding(texts))
            judged = judged or own
            groups = outputs.groups
            lengths = _lengths(outputs)
            if metrics:
                found = score_outputs(
                    outputs, metrics, shared_options=shared_options, threads=threads
                )
        else:
            if split is not None:
                raise SpecError(f"split={split!r}: only records (jsonl, tsv ...) have such a field")
            suite = read_suite(names, systems, format=format, **texts)
            if folder and judged is None:
                judged = read_judgements(names[:2], format="mtme")
            if judged is not None:
                judged = with_ids(judged, _ids(suite))
            outputs = Outputs.of_suite(suite)
            lengths = _lengths(outputs)
            table = score_suite(suite, metrics, shared_options=shared_options, threads=threads)
            found = OutputScores.of_table(table)
    if scores:
        given = read_scores(scores)
        lower = [name for name in lower_is_better if name in given.names]
        given = read_scores(scores, lower_is_better=lower) if lower else given
        found = given if found is None else found.joined(given)
    if judged is None:
        raise DataError(
            "there are no judgements: add a field `human` to the records, or give a file of "
            "judgements (--judgements)"
        )
    if found is None:
        raise SpecError("no metric; give some with -m, or scores of other tools with --scores")
    paired = Paired(scores=found, judgements=_with_criterion(judged), groups=groups)
    return Judged(paired, lengths, outputs if metrics else None)


def _encoding(texts: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in texts.items() if key == "encoding"}


def _ids(suite: Any) -> Sequence[str]:
    first = next(iter(suite))
    return first.ids or [str(i + 1) for i in range(len(suite))]


def _lengths(outputs: Outputs) -> Floats:
    return np.array([len(text.split()) for text in outputs.corpus.hypotheses], np.float64)


def _with_criterion(judgements: Judgements) -> Judgements:
    if (judgements.criterion.codes >= 0).all():
        return judgements
    names = (name or UNNAMED for name in judgements.criterion)
    return replace(judgements, criterion=Labels.build(names))
