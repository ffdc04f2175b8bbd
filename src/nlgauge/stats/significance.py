"""Paired tests of systems that answered the same segments, all under one roof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, get_args

import numpy as np

from nlgauge.core.facts.choices import PairedTest
from nlgauge.core.facts.defaults import SEED
from nlgauge.core.given import GivenScores
from nlgauge.core.table import Column, ScoreTable
from nlgauge.kernels import Floats
from nlgauge.stats import resampling
from nlgauge.stats.randomisation import Pair, randomisation
from nlgauge.stats.segment_tests import segment_test

TESTS: tuple[PairedTest, ...] = get_args(PairedTest)
SEGMENT_TESTS: tuple[PairedTest, ...] = ("t", "wilcoxon")
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
        columns = tuple(_segment_column(column) for column in table.columns)
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


def _segment_column(column: Column) -> Column:
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
    resampled = resampling.resampled_scores(table, resamples=trials, seed=seed)
    p_value = resampling.shift_p_value if test == "bootstrap-shift" else resampling.paired_p_value
    return {
        (a, b, m): TestOutcome(
            p_value(resampled[b, m], resampled[a, m], observed[a, b, m]), observed[a, b, m]
        )
        for a, b, m in keys
    }
