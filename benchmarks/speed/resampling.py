"""Resampling alone against sacreBLEU: 1,000 resamples of BLEU's statistics, in turns.

    python benchmarks/speed/resampling.py [--reps 5]

The ratio of medians of processor time is what counts; both begin with the same statistics.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from nlgauge.core import registry
from nlgauge.core.table import Column, ScoreTable
from nlgauge.stats import resampling

BARS = {2_000: 12, 50_000: 25}


def rows_of(size: int) -> np.ndarray:
    """Statistics as BLEU's: lengths, matches and n-grams of the orders 1 to 4."""
    rng = np.random.default_rng(size)
    lengths = rng.integers(8, 39, (size, 2))
    totals = lengths[:, :1] - np.arange(4)
    matches = rng.binomial(totals, [0.6, 0.35, 0.22, 0.14])
    return np.hstack([lengths, matches, totals]).astype(float)


def seconds(run: Callable[[], Any]) -> float:
    gc.collect()
    start = time.process_time()
    run()
    return time.process_time() - start


def main() -> None:
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import _bootstrap_resample, estimate_ci

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reps", type=int, default=5)
    reps = parser.parse_args().reps
    metric = registry.metric("bleu")
    for size, bar in BARS.items():
        rows = rows_of(size)
        table = ScoreTable((Column("bleu", metric, ""),), {"system": (rows,)}, size)
        listed = rows.astype(int).tolist()

        def theirs(listed: list = listed) -> Any:
            scores = _bootstrap_resample(listed, BLEU(), 1000)[1]
            return estimate_ci(np.array([score.score for score in scores]))

        def ours(table: ScoreTable = table) -> Any:
            return resampling.bootstrap(table)

        times = [(seconds(ours), seconds(theirs)) for _ in range(reps + 1)][1:]
        own, other = (statistics.median(column) for column in zip(*times, strict=True))
        print(
            f"{size:,} segments: nlgauge {own * 1e3:.1f} ms, sacreBLEU {other * 1e3:.0f} ms, "
            f"{other / own:.1f}× (bar {bar}×)",
            flush=True,
        )


if __name__ == "__main__":
    main()
