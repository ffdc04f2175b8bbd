"""Fit a model of annotators to judgements, criterion by criterion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from nlgauge.core.facts.choices import AnnotatorModelName
from nlgauge.core.facts.defaults import SEED
from nlgauge.data.judgements import Judgements
from nlgauge.errors import DataError, SpecError
from nlgauge.human.annotators.dawid_skene import dawid_skene
from nlgauge.human.annotators.label_table import LabelTable, label_table
from nlgauge.human.annotators.mace import mace
from nlgauge.kernels import Floats


@dataclass(frozen=True)
class AnnotatorReliability:
    """An annotator's reliability is the probability of the right category by the model: for
    Dawid–Skene over the categories as frequent as they are, for MACE the competence.
    """

    annotator: str
    judgements: int
    reliability: float
    agreement: float  # share of judgements that are the most probable category


@dataclass(frozen=True)
class ProbableLabel:
    """This is the most probable category of an output, beside what most annotators said."""

    item: str | None
    system: str | None
    against: str | None
    label: str
    probability: float
    majority: str  # the first of those said most often


@dataclass(frozen=True, eq=False, kw_only=True)
class FittedAnnotators:
    """This is what a model found of one criterion."""

    criterion: str | None
    model: AnnotatorModelName
    classes: tuple[str, ...]
    shares: tuple[float, ...]  # of the categories
    annotators: tuple[AnnotatorReliability, ...]
    labels: tuple[ProbableLabel, ...]
    probabilities: Floats  # [outputs, classes], in the order of `labels`
    confusions: Floats  # [annotators, true, said]
    log_likelihood: float
    notes: tuple[str, ...] = ()


def fit_annotators(
    judgements: Judgements,
    *,
    model: AnnotatorModelName = "dawid-skene",
    criterion: str | Sequence[str] | None = None,
    seed: int = SEED,
) -> tuple[FittedAnnotators, ...]:
    """Fit a model to all criteria, or to those named; `seed` is of MACE's random starts."""
    if model not in get_args(AnnotatorModelName):
        raise SpecError(f"model={model!r}: there are {', '.join(get_args(AnnotatorModelName))}")
    names: Sequence[str | None]
    if criterion is None:
        names = judgements.criterion.used().names or [None]
    else:
        names = [criterion] if isinstance(criterion, str) else criterion
    return tuple(
        _fitted(label_table(judgements, criterion=name), name, model, seed) for name in names
    )


def _fitted(
    table: LabelTable, criterion: str | None, model: AnnotatorModelName, seed: int
) -> FittedAnnotators:
    name, classes = criterion or "the judgements", len(table.classes)
    if len(table.annotators) < 2:
        raise DataError(f"{name}: one annotator; a model compares two or more")
    votes = table.votes()
    if not (votes.sum(axis=1) >= 2).any():
        raise DataError(f"{name}: no output has two annotators; a model needs outputs they share")
    if model == "mace":
        truth, knowing, habits, likelihood = mace(table, seed=seed)
        reliability = knowing
        shares = truth.mean(axis=0)
        right = knowing[:, None, None] * np.eye(classes)
        confusions = right + (1 - knowing)[:, None, None] * habits[:, None, :]
        confusions = confusions / confusions.sum(axis=2, keepdims=True)
    else:
        truth, confusions, shares, likelihood = dawid_skene(table)
        reliability = np.einsum("k,akk->a", shares, confusions)
    best, most = truth.argmax(axis=1), votes.argmax(axis=1)
    count = np.bincount(table.annotator)
    agreed = np.bincount(table.annotator, best[table.output] == table.label)
    return FittedAnnotators(
        criterion=criterion,
        model=model,
        classes=table.classes,
        shares=tuple(shares.tolist()),
        annotators=tuple(
            AnnotatorReliability(a, int(n), float(r), float(k / n))
            for a, n, r, k in zip(table.annotators, count, reliability, agreed, strict=True)
        ),
        labels=tuple(
            ProbableLabel(
                *key,
                table.classes[best[i]],
                float(truth[i, best[i]]),
                table.classes[most[i]],
            )
            for i, key in enumerate(table.outputs)
        ),
        probabilities=truth,
        confusions=confusions,
        log_likelihood=likelihood,
        notes=("all judgements are equal, so nothing tells annotators apart",)
        if classes == 1
        else (),
    )
