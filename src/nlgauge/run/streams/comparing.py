"""Compare systems by segment scores that never stand in memory all at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from nlgauge.core.facts.choices import Correction, PairedTest
from nlgauge.core.facts.defaults import ALPHA, RESAMPLES, SEED
from nlgauge.core.table import ScoreTable
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats, native
from nlgauge.run.comparison import Comparison, assembled, rankings
from nlgauge.run.comparison_plan import ComparisonPlan, chosen_pairs
from nlgauge.run.streams.engines import Engine, HereEngine
from nlgauge.run.streams.finished import JoinedRuns, SegmentSpan
from nlgauge.stats.intervals import Intervals
from nlgauge.stats.poisson import (
    PoissonSums,
    merged_sums,
    plain_sums,
    poisson_p_value,
    poisson_sums,
)
from nlgauge.stats.randomisation import Pair
from nlgauge.stats.segment_tests import t_test_of_sums
from nlgauge.stats.significance import Keys, TestOutcome, resampled_tests, segment_column

# What can be told from sums alone. Trials of a randomisation and ranks need all scores at once.
STREAM_TESTS: tuple[PairedTest, ...] = ("poisson-segments", "poisson", "t")


@dataclass(frozen=True, eq=False)
class SegmentSums:
    """Sums over segments, which can be merged in any order: of scores, of differences and their
    squares, and of resampled scores.
    """

    scores: native.ColumnSums  # systems × metrics
    moments: native.ColumnSums  # pairs × metrics, then the same of squares
    drawn: PoissonSums  # as scores, and a last column that counts segments

    def merged(self, other: SegmentSums) -> SegmentSums:
        """Return the sums over the segments of both; these sums may be used for it."""
        self.scores.merge(other.scores)
        self.moments.merge(other.moments)
        return SegmentSums(self.scores, self.moments, merged_sums(self.drawn, other.drawn))


@dataclass(frozen=True, eq=False)
class SummingJob:
    """A job is sent to every process that adds scores up."""

    runs: JoinedRuns
    pairs: tuple[Pair, ...]
    resamples: int
    seed: int


def sum_span(job: SummingJob, span: SegmentSpan) -> SegmentSums:
    """Add up the scores of a span, in whichever process."""
    found = job.runs.read(span).scores
    scores = np.hstack(list(found.values()))
    apart = [found[a] - found[b] for a, b in job.pairs]
    ones = np.ones((span.rows, 1))
    (drawn,) = poisson_sums(
        [np.hstack([scores, ones])], first=span.first, resamples=job.resamples, seed=job.seed
    )
    return SegmentSums(_sums(scores), _sums(np.hstack([*apart, *(d * d for d in apart)])), drawn)


def _sums(rows: Floats) -> native.ColumnSums:
    sums = native.ColumnSums([[]] * rows.shape[1])
    sums.add(np.ascontiguousarray(rows))
    return sums


def compare_stream(
    folders: Sequence[str],
    *,
    baseline: str | None = None,
    pairs: Sequence[Pair] | None = None,
    test: PairedTest = "poisson-segments",
    correction: Correction = "none",
    alpha: float = ALPHA,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    engine: Engine | None = None,
) -> Comparison:
    """Compare the systems of finished runs, from the folders that `score --stream --segments` wrote
    over the same segments.

    `poisson-segments` and `t` compare means of segment scores, `poisson` corpus scores: it needs no
    scores of segments, but runs with `--confidence`, whose resamples it takes. Intervals are those
    of the Poisson bootstrap. The result is the same for any shards and engine.
    """
    if test not in STREAM_TESTS:
        raise SpecError(
            f"test={test}: needs all scores at once; from a stream there are "
            f"{', '.join(STREAM_TESTS)}"
        )
    runs = JoinedRuns.open(folders)
    chosen = chosen_pairs(runs.names, baseline, pairs)
    scores = runs.scores()
    corpus = test == "poisson"
    if corpus and not scores.resamples:
        raise SpecError(
            "test=poisson: not all runs have resamples of one seed and number; score with "
            "--confidence, or take test=poisson-segments"
        )
    plan = ComparisonPlan(
        test=test,
        correction=correction,
        alpha=alpha,
        interval="poisson",
        resamples=scores.resamples if corpus else resamples,
        seed=scores.seed if corpus else seed,
    )
    plan.warn_of_few_trials(len(chosen) * len(runs.metrics))
    table = replace(scores.table(), intervals={})
    tested, drawn = table, scores.resampled()
    own_draws = (scores.resamples, scores.seed) == (plan.resamples, plan.seed)
    own = _intervals(table, drawn if own_draws else None, plan)
    sums = None
    if not corpus:
        job = SummingJob(runs, tuple(chosen), plan.resamples, plan.seed)
        sums = _summed(job, engine or HereEngine())
        tested, drawn = _tested(table, sums), _drawn(runs, sums)
    printed = tested.printed()
    keys = [(a, b, name) for name in runs.metrics for a, b in chosen]
    observed = {(a, b, name): printed[a, name] - printed[b, name] for a, b, name in keys}
    outcomes = resampled_tests(observed, drawn, poisson_p_value)
    if test == "t" and sums is not None:
        outcomes = _t_tests(job, sums, table.segments)
    found = assembled(plan, table, tested, outcomes, own, _intervals(tested, drawn, plan))
    return found if baseline or pairs else replace(found, rankings=rankings(found, tested))


def _intervals(
    table: ScoreTable, drawn: Mapping[tuple[str, str], Floats] | None, plan: ComparisonPlan
) -> Intervals:
    """Return intervals by these resamples; if there are none, no intervals."""
    return Intervals(
        table,
        "none" if drawn is None else "poisson",
        resamples=plan.resamples,
        level=1 - plan.alpha,
        seed=plan.seed,
        resampled=drawn,
    )


def _summed(job: SummingJob, engine: Engine) -> SegmentSums:
    """Add up the scores of all spans, as the engine returns them."""
    found = (sums for _, sums in engine.run(sum_span, job, job.runs.spans()))
    total: SegmentSums = next(found)  # a finished run has segments
    for sums in found:
        total = total.merged(sums)
    return total


def _tested(table: ScoreTable, sums: SegmentSums) -> ScoreTable:
    """Return the table of means of segment scores, whose rows are their sums."""
    columns = tuple(map(segment_column, table.columns))
    totals = sums.scores.rounded().reshape(len(table.systems), len(columns))
    rows = {
        system: tuple(np.array([[total, float(table.segments)]]) for total in own)
        for system, own in zip(table.systems, totals, strict=True)
    }
    return replace(table, columns=columns, rows=rows)


def _drawn(runs: JoinedRuns, found: SegmentSums) -> dict[tuple[str, str], Floats]:
    """Return means of resampled segment scores, by system and metric."""
    numbers = plain_sums(found.drawn)
    sums, counts = numbers[:, :-1], numbers[:, -1:]
    means = np.divide(sums, counts, out=np.zeros_like(sums), where=counts > 0)
    keys = [(system, name) for system in runs.names for name in runs.metrics]
    return dict(zip(keys, means.T, strict=True))


def _t_tests(job: SummingJob, sums: SegmentSums, segments: int) -> dict[Keys, TestOutcome]:
    """Test the means of differences by exact sums of these and of their squares."""
    names = list(job.runs.metrics)
    exact = [sum(map(Fraction, parts), Fraction()) for parts in sums.moments.parts()]
    found = {}
    for m, name in enumerate(names):
        for k, (a, b) in enumerate(job.pairs):
            place = k * len(names) + m
            total, squares = exact[place], exact[place + len(job.pairs) * len(names)]
            found[a, b, name] = TestOutcome(*t_test_of_sums(total, squares, segments))
    return found
