"""Tell whether differences between systems are real, by paired tests, intervals and clusters."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from nlgauge.core.facts.choices import BootstrapInterval, Correction, PairedTest
from nlgauge.core.facts.defaults import ALPHA, RESAMPLES, SEED
from nlgauge.core.metric import Interval
from nlgauge.core.outputs import OutputScores
from nlgauge.core.results import Result
from nlgauge.core.signature import with_bootstrap
from nlgauge.core.table import ScoreTable
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats, checked_threads
from nlgauge.run.comparison_plan import ComparisonPlan, check_all_pairs, chosen_pairs
from nlgauge.run.frame_shapes import as_frame
from nlgauge.stats import intervals, multiplicity, variance
from nlgauge.stats.clusters import Rank, ranks
from nlgauge.stats.poisson import POISSON
from nlgauge.stats.randomisation import Pair
from nlgauge.stats.significance import WITHOUT_DRAWS, TestOutcome, paired_tests, tested_table


@dataclass(frozen=True)
class SystemScore:
    """A system score is one system's score by one metric, on the printed scale."""

    system: str
    metric: str
    score: float
    interval: Interval | None


@dataclass(frozen=True)
class Difference:
    """A difference is one comparison: the score of `system` less that of `other`.

    For tests on segment scores it is a difference of their means. `adjusted` is the p-value after
    the correction; `better` is the system that the test favours, significantly or not.
    """

    metric: str
    system: str
    other: str
    difference: float
    interval: Interval | None
    p_value: float
    adjusted: float
    significant: bool
    better: str | None

    def turned(self) -> Difference:
        """Return the same comparison with the other system first."""
        between = self.interval
        if between is not None:
            between = replace(between, low=-between.high, high=-between.low, mean=-between.mean)
        return replace(
            self,
            system=self.other,
            other=self.system,
            difference=-self.difference,
            interval=between,
        )

    @property
    def verdict(self) -> str:
        """Return what the system is, compared with the other."""
        if not self.significant or self.better is None:
            return "no significant difference"
        return "better" if self.better == self.system else "worse"


@dataclass(frozen=True)
class SystemRanking:
    """A ranking has the systems by one metric, from the best score down, with their clusters."""

    metric: str
    systems: tuple[str, ...]
    ranks: tuple[Rank, ...]


@dataclass(frozen=True)
class Variance:
    """This is the analysis of variance of one metric's segment scores, with p-values of pairs."""

    metric: str
    anova: variance.Anova
    pairs: tuple[Pair, ...]
    tukey: tuple[float, ...]
    scheffe: tuple[float, ...]


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison(Result):
    """A comparison holds how systems compare with a baseline or each other, and how it was done."""

    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    signatures: tuple[str, ...]
    higher_is_better: tuple[bool, ...]
    scales: tuple[float, ...]
    segments: int
    scores: tuple[SystemScore, ...]
    differences: tuple[Difference, ...]
    rankings: tuple[SystemRanking, ...]  # if all pairs were compared
    variances: tuple[Variance, ...]  # if asked for
    test: PairedTest
    trials: int  # of a randomisation; resamples of a bootstrap test; 0 for other tests
    interval_method: BootstrapInterval
    resamples: int  # of the intervals
    seed: int
    alpha: float
    correction: Correction
    experiment_wise_error: float  # of all uncorrected comparisons, were they independent
    left_out: Mapping[str, str] = field(default_factory=dict)  # as in the table
    # The scores that were compared; no part of what is written as JSON.
    table: ScoreTable | None = field(default=None, compare=False, metadata={"shown": False})

    def difference(self, system: str, other: str, metric: str) -> Difference:
        """Return the score of a system less that of another, whichever way round it was tested."""
        for found in self.differences:
            if found.metric == metric and {found.system, found.other} == {system, other}:
                return found if found.system == system else found.turned()
        raise SpecError(f"{system} and {other} were not compared by {metric}")

    def p_values(self, metric: str) -> Floats:
        """Return the corrected p-values, [systems, systems]; NaN where no comparison was made."""
        place = {system: i for i, system in enumerate(self.systems)}
        matrix = np.full((len(place), len(place)), np.nan)
        for found in self.differences:
            if found.metric == metric:
                i, j = place[found.system], place[found.other]
                matrix[i, j] = matrix[j, i] = found.adjusted
        return matrix

    def regressions(self, system: str, than: str) -> list[Difference]:
        """Return the comparisons in which a system is significantly worse than another."""
        return [
            found
            for found in self.differences
            if {found.system, found.other} == {system, than}
            and found.significant
            and found.better == than
        ]


def with_scores(table: ScoreTable, given: OutputScores) -> ScoreTable:
    """Add metrics to a table that another tool computed for the same systems and segments."""
    if len(given.items.names) != table.segments:
        raise DataError(
            f"{', '.join(given.names)}: scores of {len(given.items.names)} segments, but the texts "
            f"have {table.segments}; give one score for each segment"
        )
    joined = OutputScores.of_table(table).joined(given).table()
    return replace(joined, left_out=table.left_out)


def with_p_values(table: ScoreTable, *, trials: int, seed: int = SEED) -> ScoreTable:
    """Add p-values of each system against the first, by sacreBLEU's approximate randomisation."""
    pairs = chosen_pairs(table.systems, table.systems[0], None)
    outcomes = paired_tests(
        tested_table(table, "paired-ar"), pairs, "paired-ar", trials=trials, seed=seed, threads=None
    )
    found = {(system, name): outcome.p_value for (system, _, name), outcome in outcomes.items()}
    return replace(table, p_values=found, p_test="approximate randomisation")


def compare(
    table: Any,
    *,
    lower_is_better: Collection[str] = (),
    scores: Collection[str] | None = None,
    system: str | None = None,
    id: str | None = None,
    hypothesis: str | Sequence[str] | None = None,
    references: str | Sequence[str] | None = None,
    metrics: Any = None,
    baseline: str | None = None,
    pairs: Sequence[Pair] | None = None,
    test: PairedTest = "randomisation",
    correction: Correction = "none",
    alpha: float = ALPHA,
    interval: BootstrapInterval = "percentile",
    variance: bool = False,
    trials: int | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
) -> Comparison:
    """Compare all pairs of systems, or every system with the `baseline`, or the `pairs` given.

    `table` is what `nlgauge.score` returned, or a data frame of scores that other tools gave: one
    row for each output, with the columns `system` and, if rows are not in the same order for all
    systems, `id`. `scores` names the columns of scores (by default all other numbers), and
    `lower_is_better` those in which less is better. Of a frame with texts, `hypothesis`,
    `references` and `metrics` are as for `nlgauge.score`.

    `trials` are those of the test: by default 10,000 for randomisation tests, and as many as
    `resamples` for bootstrap tests. Intervals have the level 1 − `alpha`; the correction is over
    all comparisons, whatever their pair and metric. `variance` adds analyses of variance.

    >>> rows = [{"model": m, "doc": d, "judge": d + (m == "b")} for m in "ab" for d in range(20)]
    >>> found = nlgauge.compare(rows, system="model", id="doc", scores=["judge"])
    >>> found.difference("b", "a", "judge").verdict
    'better'
    """
    texts = {"hypothesis": hypothesis, "references": references, "metrics": metrics}
    given = {name: value for name, value in texts.items() if value is not None}
    rows = as_frame(table, {"system": system, "id": id, "scores": scores, **given})
    if rows is None and given:
        raise SpecError(f"{', '.join(given)}: only of a data frame; give nlgauge.score(...) them")
    if rows is not None and given:
        from nlgauge.run.scoring import score

        if scores is not None:
            raise SpecError(f"give scores= or {', '.join(given)}: both at once are not compared")
        table = score(rows, system=system, id=id, threads=threads, **given)
    elif rows is not None:
        from nlgauge.run.data_frames import DataFrame

        frame = DataFrame.read(rows, system="system" if system is None else system, id=id)
        table = frame.scores(scores, lower_is_better).table()
    if not isinstance(table, ScoreTable):
        raise SpecError(
            f"compare takes the table that nlgauge.score returns for several systems, or a data "
            f"frame of scores, not {type(table).__name__}"
        )
    plan = ComparisonPlan(
        test=test,
        correction=correction,
        alpha=alpha,
        interval=interval,
        trials=trials,
        resamples=resamples,
        seed=seed,
    )
    chosen = chosen_pairs(table.systems, baseline, pairs)
    if variance:
        check_all_pairs(len(table.systems))  # Tukey's and Scheffé's tests are of all pairs
    plan.warn_of_few_trials(len(chosen) * len(table.columns))
    tested = tested_table(table, test)
    outcomes = paired_tests(
        tested, chosen, test, trials=plan.draws, seed=seed, threads=checked_threads(threads)
    )
    drawn = partial(intervals.Intervals, method=interval, resamples=resamples, level=1 - alpha)
    own = drawn(table, seed=seed)
    between = own if tested is table else drawn(tested, seed=seed)
    found = assembled(plan, table, tested, outcomes, own, between)
    return replace(
        found,
        rankings=rankings(found, tested) if baseline is None and pairs is None else (),
        variances=tuple(_variance(table, c.name) for c in table.columns) if variance else (),
    )


def assembled(
    plan: ComparisonPlan,
    table: ScoreTable,
    tested: ScoreTable,
    outcomes: Mapping[tuple[str, str, str], TestOutcome],
    own: intervals.Intervals,
    between: intervals.Intervals,
) -> Comparison:
    """Put a comparison together: what the test said of the scores it compared, and intervals of
    the scores themselves and of their differences.
    """
    columns, printed, means = table.columns, table.printed(), tested.printed()
    p_values = [outcome.p_value for outcome in outcomes.values()]
    adjusted = multiplicity.adjust(p_values, plan.correction)
    differences = tuple(
        Difference(
            metric=name,
            system=a,
            other=b,
            difference=means[a, name] - means[b, name],
            interval=between.difference(a, b, name),
            p_value=outcome.p_value,
            adjusted=p,
            significant=p <= plan.alpha,
            better=_better(tested, (a, b, name), outcome),
        )
        for ((a, b, name), outcome), p in zip(outcomes.items(), adjusted.tolist(), strict=True)
    )
    signatures = [c.signature for c in columns]
    if POISSON in (plan.interval, plan.test.partition("-")[0]):
        signatures = [with_bootstrap(text, POISSON) for text in signatures]
    return Comparison(
        systems=tuple(table.systems),
        metrics=tuple(c.name for c in columns),
        signatures=tuple(signatures),
        higher_is_better=tuple(c.metric.info.higher_is_better for c in columns),
        scales=tuple(c.metric.info.scale for c in columns),
        segments=table.segments,
        scores=tuple(
            SystemScore(system, c.name, printed[system, c.name], own.score(system, c.name))
            for c in columns
            for system in table.systems
        ),
        differences=differences,
        rankings=(),
        variances=(),
        test=plan.test,
        trials=0 if plan.test in WITHOUT_DRAWS else plan.draws,
        interval_method=plan.interval,
        resamples=plan.resamples,
        seed=plan.seed,
        alpha=plan.alpha,
        correction=plan.correction,
        experiment_wise_error=multiplicity.experiment_wise_error(plan.alpha, len(differences)),
        left_out=dict(table.left_out),
        table=table,
    )


def rankings(found: Comparison, tested: ScoreTable) -> tuple[SystemRanking, ...]:
    """Return the ranking of the systems by every metric, if all pairs were compared."""
    return tuple(_ranking(tested, name, found.differences) for name in found.metrics)


def _better(table: ScoreTable, key: tuple[str, str, str], outcome: TestOutcome) -> str | None:
    a, b, metric = key
    higher = table.column(metric).metric.info.higher_is_better
    if outcome.direction == 0 or np.isnan(outcome.direction):
        return None
    return a if (outcome.direction > 0) == higher else b


def _ranking(table: ScoreTable, metric: str, differences: Sequence[Difference]) -> SystemRanking:
    systems = table.systems
    sign = 1 if table.column(metric).metric.info.higher_is_better else -1
    # Sorting is stable: systems with equal scores stay in the order given.
    order = sorted(range(len(systems)), key=lambda i: -sign * table[systems[i], metric].score)
    place = {system: i for i, system in enumerate(systems)}
    wins = np.zeros((len(systems), len(systems)), bool)
    for d in differences:
        if d.metric == metric and d.significant and d.better is not None:
            loser = d.other if d.better == d.system else d.system
            wins[place[d.better], place[loser]] = True
    return SystemRanking(metric, tuple(systems[i] for i in order), tuple(ranks(order, wins)))


def _variance(table: ScoreTable, metric: str) -> Variance:
    groups = {system: table.segment_scores(system, metric) for system in table.systems}
    tukey, scheffe = variance.tukey(groups), variance.scheffe(groups)
    return Variance(
        metric, variance.anova(groups), tuple(tukey), tuple(tukey.values()), tuple(scheffe.values())
    )
