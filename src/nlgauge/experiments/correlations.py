"""Correlate metrics with judgements, for the experiments whose tables are made of that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nlgauge.errors import DataError
from nlgauge.experiments.experiment import ExperimentData, OurFigure
from nlgauge.meta.correlation.meta_result import correlate
from nlgauge.meta.correlation.paired_scores import PairedScores
from nlgauge.meta.correlation.reading import read_judged
from nlgauge.meta.correlation.settings import Level, MetaSettings

Correlations = Mapping[tuple[str, str], OurFigure]  # by metric and coefficient


def judged_scores(given: ExperimentData, metrics: Sequence[str]) -> PairedScores:
    """Read the judged outputs, and score them with metrics."""
    found = read_judged(given.files["judged"], metrics=metrics, threads=given.threads)
    return found.paired


def criterion_of(paired: PairedScores, given: ExperimentData, papers: str) -> str:
    """Return the criterion to look at: what was asked for, or the paper's, or the only one."""
    known = list(paired.criteria)
    wanted = given.criterion or (papers if papers in known else None)
    if wanted is None and len(known) == 1:
        wanted = known[0]
    if wanted is None or wanted not in known:
        raise DataError(
            f"the judgements are about {', '.join(known)}, and the paper's about {papers}; name "
            "the one to take with --criterion"
        )
    return wanted


def correlations(
    paired: PairedScores,
    criterion: str,
    level: Level,
    coefficients: Sequence[str] = ("pearson",),
) -> Correlations:
    """Return the coefficients of every metric at a level, with intervals where there are any."""
    settings = MetaSettings(levels=(level,), coefficients=tuple(coefficients), test="none")
    result = correlate(paired, criteria=[criterion], settings=settings)
    return {
        (found.metric, found.coefficient): OurFigure(
            found.value, *((found.low, found.high) if np.isfinite(found.low) else (None, None))
        )
        for found in result.agreements
    }


def points_note(paired: PairedScores, criterion: str) -> str:
    """Say how many systems and outputs our figures are from."""
    outputs = int((~np.isnan(paired.human(criterion))).sum())
    systems = len(set(paired.scores.systems))
    return f"ours: {criterion}, {outputs} rated outputs of {systems} systems"
