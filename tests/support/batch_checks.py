"""What every batch of segments promises, whatever the metric and its options."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from nlgauge import Corpus, Metric
from nlgauge.core.metric import totals

ROUNDING = 1e-9


def problems(metric: Metric, corpus: Corpus, rng: Random) -> list[tuple[str, int | None]]:
    """Return what is wrong, each with the segment that shows it."""
    rows = _rows(metric, corpus)
    found = [*_numbers(metric, rows), *_sums(metric, rows)]
    order = list(range(len(corpus)))
    rng.shuffle(order)
    cut = rng.randint(1, max(1, len(corpus) - 1))
    # Both shards in another order, each by threads: what differs is looked into.
    if not _differences("", _shards(metric, corpus, order, cut, threads=3), rows[order]):
        return found
    moved = corpus.take(order)
    return [
        *found,
        *_differences("threads", _rows(metric, corpus, threads=3), rows),
        *_differences("order", _rows(metric, moved), rows[order]),
        *_differences("shards", _shards(metric, corpus, range(len(corpus)), cut), rows),
        ("rows differ in shards of another order by threads", None),
    ]


def _rows(metric: Metric, corpus: Corpus, threads: int = 1) -> np.ndarray:
    """A tool may add to a corpus what belongs to no segment: that is left out."""
    return metric.separable(metric.rows(corpus, metric.fit(corpus), threads=threads))


def _shards(
    metric: Metric, corpus: Corpus, order: Sequence[int], cut: int, threads: int = 1
) -> np.ndarray:
    state = metric.fit(corpus.take(order))
    parts = (corpus.take(shard) for shard in (order[:cut], order[cut:]) if shard)
    return np.vstack(
        [metric.separable(metric.rows(part, state, threads=threads)) for part in parts]
    )


def _numbers(metric: Metric, rows: np.ndarray) -> list[tuple[str, int | None]]:
    """Segments whose score is not finite or out of bounds."""
    scores = metric.score(rows)
    low, high = metric.bounds
    slack = ROUNDING * max(1.0, *(abs(b) for b in (low, high) if np.isfinite(b)), 0.0)
    wrong = ~np.isfinite(rows).all(axis=1) | ~np.isfinite(scores)
    beyond = ~wrong & ((scores < low - slack) | (scores > high + slack))
    return [
        *((f"segment score {scores[i]} is not finite", int(i)) for i in np.flatnonzero(wrong)),
        *((f"score {scores[i]} beyond {(low, high)}", int(i)) for i in np.flatnonzero(beyond)),
    ]


def _sums(metric: Metric, rows: np.ndarray) -> list[tuple[str, int | None]]:
    sums = totals(rows)
    value = float(metric.score(sums))
    low, high = metric.bounds
    metric.parts(sums)
    if not np.isfinite(value):
        return [(f"corpus score {value} is not finite", None)]
    if not low - ROUNDING * 10 <= value <= high + ROUNDING * 10:
        return [(f"corpus score {value} beyond {(low, high)}", None)]
    return []


def _differences(what: str, found: np.ndarray, rows: np.ndarray) -> list[tuple[str, int | None]]:
    same = (found == rows) | (np.isnan(found) & np.isnan(rows))
    return [(f"{what}: rows differ", int(i)) for i in np.flatnonzero(~same.all(axis=1))[:3]]
