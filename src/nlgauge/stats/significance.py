"""Paired tests of systems that answered the same segments, all under one roof."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, get_args

import numpy as np

from nlgauge.core.facts.choices import PairedTest
from nlgauge.core.facts.defaults import SEED
from nlgauge.core.given import GivenScores
from nlgauge.core.table import Column, ScoreTable
from nlgauge.kernels import Floats
from nlgauge.stats import resampling
from nlgauge.stats.poisson import poisson_p_value, poisson_scores
from nlgauge.stats.randomisation import Pair, randomisation
from nlgauge.stats.segment_tests import segment_test

TESTS: tuple[PairedTest, ...] = get_args(PairedTest)
WITHOUT_DRAWS: tuple[PairedTest, ...] = ("t", "wilcoxon")
SEGMENT_TESTS: tuple[PairedTest, ...] = (*WITHOUT_DRAWS, "poisson-segments")
Keys = tuple[str, str, str]  # system, system, metric


class TestOutcome(NamedTuple):
    """An outcome is a two-sided p-value, and a number that is positive if the first system's is the
    higher.
    """

    p_value: float
    direction: float


def tested_table(table: ScoreTable, test: PairedTest) -> ScoreTable:
    """Return what a test compares: corpus scores that are functions of summed rows, or segment
    scores.
    """
    if test in SEGMENT_TESTS:
        columns = tuple(segment_column(column) for column in table.columns)
        rows = {s: tuple(_segment_rows(table, s, c.name) for c in columns) for s in table.systems}
        return replace(table, columns=columns, rows=rows)
    rows = {
        system: tuple(c.metric.separable(r) for c, r in zip(table.columns, tables, strict=True))
        for system, tables in table.rows.items()
    }
    unchanged = all(
        new is old for s in rows for new, old in zip(rows[s], table.rows[s], strict=True)
    )
    return table if unchanged else replace(table, rows=rows)


def segment_column(column: Column) -> Column:
    """Return a column of the same name for means of a metric's segment scores."""
    higher = column.metric.info.higher_is_better
    return Column(
        column.name, GivenScores(name=column.name, higher_is_better=higher), column.signature
    )


def _segment_rows(table: ScoreTable, system: str, name: str) -> Floats:
    scores = table.segment_scores(system, name)
    return np.stack([scores, np.ones_like(scores)], axis=1)


def paired_tests(
    table: ScoreTable,
    pairs: Sequence[Pair],
    test: PairedTest,
    *,
    trials: int,
    seed: int = SEED,
    threads: int | None = None,
) -> Mapping[Keys, TestOutcome]:
    """Test every pair of systems by every metric, on a `tested_table`."""
    keys = [(a, b, column.name) for column in table.columns for a, b in pairs]
    if test in ("t", "wilcoxon"):
        segments = {
            (s, c.name): table.segment_scores(s, c.name) for s in table.rows for c in table.columns
        }
        return {
            (a, b, m): TestOutcome(*segment_test(test, segments[a, m], segments[b, m]))
            for a, b, m in keys
        }
    scores = table.printed()
    observed = {(a, b, m): scores[a, m] - scores[b, m] for a, b, m in keys}
    if test in ("randomisation", "paired-ar"):
        ties = test == "randomisation"
        p_values = randomisation(table, pairs, trials=trials, seed=seed, ties=ties, threads=threads)
        return {key: TestOutcome(p_values[key], observed[key]) for key in keys}
    if test in ("poisson", "poisson-segments"):
        drawn = poisson_scores(table, resamples=trials, seed=seed)
        return resampled_tests(observed, drawn, poisson_p_value)
    drawn = resampling.resampled_scores(table, resamples=trials, seed=seed)
    p_value = resampling.shift_p_value if test == "bootstrap-shift" else resampling.paired_p_value
    return resampled_tests(observed, drawn, p_value)


def resampled_tests(
    observed: Mapping[Keys, float],
    drawn: Mapping[tuple[str, str], Floats],
    p_value: Callable[[Floats, Floats, float], float],
) -> Mapping[Keys, TestOutcome]:
    """Test differences by the scores of resamples, which are given by system and metric."""
    return {
        (a, b, m): TestOutcome(p_value(drawn[b, m], drawn[a, m], difference), difference)
        for (a, b, m), difference in observed.items()
    }
