"""How well metrics agree with people: correlations with intervals, tests between metrics, and what
may mislead.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import get_args

import numpy as np

from nlgauge.core.facts.choices import Combination
from nlgauge.core.results import Result
from nlgauge.data.judgements import Judgements
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats
from nlgauge.meta.correlation import preference_pairs
from nlgauge.meta.correlation.between_metrics import Significance, significance
from nlgauge.meta.correlation.levels import LevelPoints, ScoredJudgements
from nlgauge.meta.correlation.metric_agreement import (
    MetricAgreement,
    agreements,
    preferences,
    too_few,
)
from nlgauge.meta.correlation.outliers import Outliers, outliers
from nlgauge.meta.correlation.paired_scores import PairedScores
from nlgauge.meta.correlation.partitions import Partitions, partitions
from nlgauge.meta.correlation.settings import PREFERENCES, SOFT, Level, MetaSettings
from nlgauge.meta.judge_conduct import JudgeConduct, judge_conduct


@dataclass(frozen=True, eq=False)
class Scatter:
    """A scatter plot shows one point per output, or per system."""

    part: str
    criterion: str
    level: str
    metrics: tuple[str, ...]
    x: Floats  # [metrics, points], as printed
    human: Floats  # [points]
    systems: tuple[str, ...]  # of the points
    items: tuple[str, ...]  # of the points; empty for systems


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class MetaResult(Result):
    """This is everything that `nlgauge meta` found."""

    metrics: tuple[str, ...]
    criteria: tuple[str, ...]
    split: str | None
    parts: tuple[str, ...]
    settings: MetaSettings
    agreements: tuple[MetricAgreement, ...]
    significance: tuple[Significance, ...] = ()
    outliers: tuple[Outliers, ...] = ()
    partitions: tuple[Partitions, ...] = ()
    scatter: tuple[Scatter, ...] = ()
    judges: tuple[JudgeConduct, ...] = ()  # how judges among the metrics behaved
    # The scores and judgements that all this is about; no part of what is written as JSON.
    paired: PairedScores | None = field(default=None, metadata={"shown": False})

    def agreement(self, metric: str, **where: str) -> MetricAgreement:
        """Return the agreement of a metric, further narrowed: `agreement("chrf", part="cs-en")`."""
        found = [
            a
            for a in self.agreements
            if a.metric == metric and all(getattr(a, k) == v for k, v in where.items())
        ]
        if len(found) != 1:
            raise SpecError(f"{len(found)} agreements of {metric} with {where}; name exactly one")
        return found[0]


def correlate(
    paired: PairedScores,
    *,
    criteria: Sequence[str] | None = None,
    split: str | None = None,
    weights: Floats | None = None,
    lengths: Floats | None = None,
    settings: MetaSettings | None = None,
) -> MetaResult:
    """Correlate every metric with every criterion, in every part of a `split`.

    `weights` are of outputs, for means of ratings over a system: their lengths (Leusch et al.,
    2005, section 3.5). `lengths` are those of the outputs, to see whether judges favour long ones.
    """
    settings = settings or MetaSettings()
    criteria = _criteria(paired, criteria)
    if unknown := set(settings.lower_is_better) - set(criteria):
        raise SpecError(f"lower_is_better={', '.join(sorted(unknown))}: no such criterion")
    parts = _parts(paired, split, weights)
    found: list[MetricAgreement] = []
    tests: list[Significance] = []
    checks: list[Outliers] = []
    smoothed: list[Partitions] = []
    plots: list[Scatter] = []
    for part, (own, own_weights) in parts.items():
        for criterion in criteria:
            rated = ScoredJudgements(
                paired=own,
                criterion=criterion,
                part=part,
                negate=settings.lower_is_better,
                weights=own_weights,
                system_over=settings.system_over,
            )
            if _only_comparisons(rated):
                found += preferences(rated, preference_pairs.judged(rated), settings)
                continue
            for level in settings.levels or rated.levels():
                points = rated.points(level)
                plots.append(_scatter(rated, level, points))
                for name in settings.coefficients:
                    if name == PREFERENCES or (name == SOFT and level != "system"):
                        continue
                    values = agreements(rated, level, points, name, settings)
                    found += values
                    if too_few(level, points):
                        continue
                    tested = significance(rated, level, name, points, values, settings)
                    tests += [] if tested is None else [tested]
                if level == "system":
                    checks += outliers(rated, points)
            if PREFERENCES in settings.coefficients:
                apart = preference_pairs.from_ratings(rated, settings.threshold)
                found += preferences(rated, apart, settings)
            for size in settings.partition_sizes:
                smoothed += partitions(
                    rated, size, draws=settings.partition_draws, seed=settings.seed
                )
    return MetaResult(
        metrics=tuple(paired.scores.names),
        criteria=tuple(criteria),
        split=split,
        parts=tuple(parts),
        settings=settings,
        agreements=tuple(found),
        significance=tuple(tests),
        outliers=tuple(checks),
        partitions=tuple(smoothed),
        scatter=tuple(plots),
        judges=_judges(paired, criteria, lengths),
        paired=paired,
    )


def _judges(
    paired: PairedScores, criteria: Sequence[str], lengths: Floats | None
) -> tuple[JudgeConduct, ...]:
    human = {name: paired.human(name) for name in criteria}
    rated = {name: said for name, said in human.items() if not np.isnan(said).all()}
    return judge_conduct(paired.scores, lengths, rated)


def combined(
    paired: PairedScores,
    criteria: Sequence[str],
    how: Combination = "mean",
    *,
    lower_is_better: Collection[str] = (),
) -> PairedScores:
    """Add one more criterion, the mean or the sum of some, where an output has all of them. Those
    of which less is better are negated first.
    """
    if how not in get_args(Combination):
        raise SpecError(f"combine={how!r}: there is: {', '.join(get_args(Combination))}")
    signs = [-1.0 if name in lower_is_better else 1.0 for name in criteria]
    columns = [paired.human(name) for name in _criteria(paired, criteria)]
    human = np.stack([sign * column for sign, column in zip(signs, columns, strict=True)])
    values = human.mean(axis=0) if how == "mean" else human.sum(axis=0)
    name = f"{how}({','.join(criteria)})"
    scores = paired.scores
    rows = [
        {"item": item, "system": system, "criterion": name, "value": value}
        for item, system, value in zip(scores.items, scores.systems, values, strict=True)
        if not np.isnan(value)
    ]
    if not rows:
        raise DataError(f"no output was rated for all of {', '.join(criteria)}")
    joined = Judgements.join([paired.judgements, Judgements.build(rows)])
    return PairedScores(scores=scores, judgements=joined, groups=paired.groups)


def _criteria(paired: PairedScores, asked: Sequence[str] | None) -> list[str]:
    known = list(paired.judgements.criterion.used().names)
    if not known:
        raise DataError("the judgements have no criterion; add a field `criterion` to each")
    for name in asked or ():
        if name not in known:
            raise SpecError(f"criterion={name!r}: the judgements are about {', '.join(known)}")
    return known if asked is None else list(asked)


def _parts(
    paired: PairedScores, split: str | None, weights: Floats | None
) -> dict[str, tuple[PairedScores, Floats | None]]:
    if split is None:
        return {"all": (paired, weights)}
    parts = paired.split(split)
    codes = paired.groups[split].codes
    return {
        name: (own, None if weights is None else weights[codes == i])
        for i, (name, own) in enumerate(parts.items())
    }


def _only_comparisons(rated: ScoredJudgements) -> bool:
    rows = rated.paired.judgements.where(criterion=rated.criterion)
    return len(rows.ratings()) == 0 and len(rows.comparisons()) > 0


def _scatter(rated: ScoredJudgements, level: Level, points: LevelPoints) -> Scatter:
    scores = rated.paired.scores
    names = tuple(rated.names)
    if level == "system":
        x = rated.signs[:, None] * points.metrics[:, 0]
        systems = scores.systems.names
        return Scatter(rated.part, rated.criterion, level, names, x, points.human[0], systems, ())
    known = np.flatnonzero(~np.isnan(rated.human))
    return Scatter(
        rated.part,
        rated.criterion,
        level,
        names,
        rated.signs[:, None] * rated.metrics[:, known],
        rated.human[known],
        tuple(scores.systems.names[i] for i in scores.systems.codes[known]),
        tuple(scores.items.names[i] for i in scores.items.codes[known]),
    )
