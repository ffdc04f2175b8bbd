"""Metrics are ranked here by their correlation with one criterion's ratings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nlgauge.core.facts.choices import MeasuredCorrelation, Points
from nlgauge.core.facts.defaults import CONFIDENCE, RESAMPLES, SEED
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats
from nlgauge.meta.correlation.bootstrap import blocks, drawn_counts, span
from nlgauge.meta.correlation.paired_scores import PairedScores
from nlgauge.stats.correlation import CORRELATIONS
from nlgauge.stats.weighted import resampled


@dataclass(frozen=True)
class MeasuredAgreement:
    """A metric agrees with people as measured: positively if better scores go with better
    ratings.
    """

    name: str
    value: float
    low: float
    high: float
    points: int
    near_best: bool  # its difference to the best may be chance


def check_resamples(resamples: int) -> None:
    """Refuse to draw no resamples, before anything is scored."""
    if resamples < 1:
        raise SpecError(f"resamples={resamples}: must be at least 1")


def measure(
    paired: PairedScores,
    criterion: str,
    *,
    level: Points = "segment",
    correlation: MeasuredCorrelation = "pearson",
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> tuple[MeasuredAgreement, ...]:
    """Measure all metrics, best first; 95 % intervals by a bootstrap over items, or over systems.

    Resamples rather than a jackknife, because they also tell which differences may be chance.
    """
    check_resamples(resamples)
    scores = paired.scores
    human = paired.human_systems(criterion) if level == "system" else paired.human(criterion)
    known = ~np.isnan(human)
    if known.sum() < 3:
        raise DataError(
            f"fewer than 3 {level}s have both scores and a rating of {criterion}; "
            "do items and systems have the same names?"
        )
    of = scores.system_scores if level == "system" else scores.segment_scores
    columns = []
    for column in scores.columns:
        sign = 1 if column.metric.info.higher_is_better else -1
        columns.append(sign * of(column.name)[known])
    units = np.arange(len(human))[known] if level == "system" else scores.items.codes[known]
    correlate = CORRELATIONS[correlation]
    values = np.array([correlate(values, human[known]) for values in columns])
    if np.isnan(values).all():
        raise DataError(f"the ratings of {criterion} do not vary, so nothing correlates with them")
    best = int(np.nanargmax(values))
    drawn = _resampled(np.array(columns), human[known], units, correlation, resamples, seed)
    found = []
    for j, name in enumerate(scores.names):
        low, high = span(drawn[:, j], CONFIDENCE)
        _, ahead = span(drawn[:, j] - drawn[:, best], CONFIDENCE)
        near = j == best or bool(ahead >= 0)
        found.append(MeasuredAgreement(name, float(values[j]), low, high, int(known.sum()), near))
    # Undefined ones last.
    return tuple(sorted(found, key=lambda m: (m.value != m.value, -m.value)))


def _resampled(
    columns: Floats,
    human: Floats,
    units: npt.NDArray[np.intp],
    correlation: MeasuredCorrelation,
    resamples: int,
    seed: int,
) -> Floats:
    """Correlate resampled units, [resamples, metrics]; outputs of an item come together."""
    distinct, codes = np.unique(units, return_inverse=True)
    rng = np.random.default_rng(seed)
    people = np.broadcast_to(human, columns.shape)
    return np.concatenate(
        [
            resampled(correlation, columns, people, drawn_counts(rng, len(distinct), n)[:, codes])
            for n in blocks(resamples, len(units))
        ]
    )
