"""Scores and the judgements beside them are read from files here."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nlgauge.core.metric import Metric
from nlgauge.core.outputs import Outputs, OutputScores
from nlgauge.data.judgements import Judgements
from nlgauge.data.labels import Labels
from nlgauge.data.paths import is_folder
from nlgauge.data.run_context import RunContext
from nlgauge.errors import DataError, SpecError
from nlgauge.io.judgements.judged_outputs import read_outputs
from nlgauge.io.judgements.judgement_files import read_judgements, with_ids
from nlgauge.io.scores.score_files import read_scores
from nlgauge.io.texts.suites import RECORD_FORMATS, PathLike, guess_format, names_of, read_suite
from nlgauge.kernels import Floats
from nlgauge.meta.correlation.paired_scores import PairedScores
from nlgauge.run.scoring import score_outputs

UNNAMED = "judgement"  # the criterion of judgements that name none


@dataclass(frozen=True, eq=False)
class JudgedScores:
    """Scores and judgements come with the texts they are about, if there are any."""

    paired: PairedScores
    lengths: Floats | None  # of the outputs, in words; None without texts
    outputs: Outputs | None = None  # in the order of the scores, if these were made from texts


def read_texts(
    paths: PathLike | Sequence[PathLike],
    systems: Sequence[PathLike] | None = None,
    *,
    judgements: Sequence[PathLike] | None = None,
    judgement_format: str | None = None,
    split: str | None = None,
    format: str | None = None,
    **texts: Any,
) -> tuple[Outputs, Judgements]:
    """Read texts in any layout that `read_suite` knows, or records of which not every system has
    every item; with judgements in their field `human`, in an mt-metrics-eval folder, or in files of
    their own.
    """
    names = names_of(paths)
    judged = _read_judgements(judgements, judgement_format, split, texts.get("id_fields", ()))
    folder = systems is None and is_folder(names[0])
    if systems is None and not folder and (format or guess_format(names)) in RECORD_FORMATS:
        outputs, own = read_outputs(
            names, format=format, split=split, rated=judged is None, **_of_records(texts)
        )
        judged = judged or own
    else:
        if split is not None:
            raise SpecError(f"split={split!r}: only records (jsonl, tsv ...) have such a field")
        outputs = Outputs.of_suite(read_suite(names, systems, format=format, **texts))
        if folder and judged is None:
            judged = read_judgements(names[:2], format="mtme")
        if judged is not None:
            judged = with_ids(judged, outputs.items.names)
    return outputs, required(judged)


def read_judged(
    paths: PathLike | Sequence[PathLike] = (),
    systems: Sequence[PathLike] | None = None,
    *,
    metrics: Sequence[str | Metric] = (),
    judgements: Sequence[PathLike] | None = None,
    judgement_format: str | None = None,
    scores: Sequence[PathLike] | None = None,
    split: str | None = None,
    lower_is_better: Collection[str] = (),
    shared_options: Mapping[str, object] | None = None,
    context: RunContext | None = None,
    **texts: Any,
) -> JudgedScores:
    """Read texts and judgements as `read_texts` does, and score them; scores of other tools may be
    added, or stand alone. `lower_is_better` names columns of `scores`; other names in it are left
    to the caller. `context` has the settings of the run.
    """
    if not names_of(paths) and not scores:
        raise SpecError("nothing to measure; give texts, or scores of other tools")
    found: OutputScores | None = None
    outputs: Outputs | None = None
    if names_of(paths):
        outputs, judged = read_texts(
            paths,
            systems,
            judgements=judgements,
            judgement_format=judgement_format,
            split=split,
            **texts,
        )
        if context is not None:
            outputs = replace(outputs, corpus=outputs.corpus.within(context))
        if metrics:
            found = score_outputs(outputs, metrics, shared_options=shared_options)
    else:
        fields = texts.get("id_fields", ())
        judged = required(_read_judgements(judgements, judgement_format, split, fields))
    if scores:
        given = read_scores(scores)
        lower = [name for name in lower_is_better if name in given.names]
        given = read_scores(scores, lower_is_better=lower) if lower else given
        found = given if found is None else found.joined(given)
    if found is None:
        raise SpecError("no metric; give some with -m, or scores of other tools with --scores")
    paired = PairedScores(
        scores=found,
        judgements=named_criteria(judged),
        groups={} if outputs is None else outputs.groups,
    )
    lengths = None if outputs is None else _lengths(outputs)
    return JudgedScores(paired, lengths, outputs if metrics else None)


def _read_judgements(
    paths: Sequence[PathLike] | None,
    format: str | None,
    split: str | None,
    id_fields: Sequence[str],
) -> Judgements | None:
    if not paths:
        return None
    return read_judgements(paths, format=format, split=split, id_fields=id_fields)


def required(judgements: Judgements | None) -> Judgements:
    """Return the judgements, or say where they could be given."""
    if judgements is None:
        raise DataError(
            "there are no judgements: add a field `human` to the records, or give a file of "
            "judgements (--judgements)"
        )
    return judgements


def _of_records(texts: Mapping[str, Any]) -> dict[str, Any]:
    known = ("encoding", "id_fields", "skip_unusable", "columns", "features")
    return {key: value for key, value in texts.items() if key in known}


def _lengths(outputs: Outputs) -> Floats:
    return np.array([len(text.split()) for text in outputs.corpus.hypotheses], np.float64)


def named_criteria(judgements: Judgements) -> Judgements:
    """Return judgements of which each has a criterion."""
    if (judgements.criterion.codes >= 0).all():
        return judgements
    names = (name or UNNAMED for name in judgements.criterion)
    return replace(judgements, criterion=Labels.build(names))
