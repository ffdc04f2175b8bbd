"""Permutation tests between 20 metrics on 15 systems × 1,000 segments: all 190 pairs, 1,000
permutations. The bar for PERM-BOTH is 30 s.

    python benchmarks/speed/metametrics.py
"""

from __future__ import annotations

import time

import numpy as np

from nlgauge.meta.correlation.permutation import Grouping, permutation_test

METRICS, SYSTEMS, SEGMENTS, BAR = 20, 15, 1000, 30.0
CASES: tuple[tuple[Grouping, str], ...] = (
    ("means", "pearson"),
    ("means", "kendall-b"),
    ("none", "pearson"),
    ("system", "pearson"),
    ("item", "pearson"),
    ("item", "kendall-b"),
    ("item", "accuracy-eq"),
)


def main() -> None:
    """Print seconds, and those of the processor: other work on the machine counts for the first."""
    rng = np.random.default_rng(12345)
    human = rng.normal(size=(SYSTEMS, 1)) / 3 + rng.normal(size=(SYSTEMS, SEGMENTS))
    shares = np.linspace(0.2, 0.6, METRICS)
    noise = rng.normal(size=(METRICS, SYSTEMS, SEGMENTS))
    metrics = shares[:, None, None] * human + noise
    print("| PERM-BOTH | wall | processor | bar |  |\n|---|---:|---:|---:|---|")
    for grouping, coefficient in CASES:
        start, used = time.perf_counter(), time.process_time()
        permutation_test(metrics, human, grouping=grouping, coefficient=coefficient)
        wall, processor = time.perf_counter() - start, time.process_time() - used
        verdict = "met" if wall < BAR else "missed"
        name = f"{coefficient}, {'system means' if grouping == 'means' else grouping}"
        print(
            f"| {name} | {wall:.1f} s | {processor:.1f} s | {BAR:.0f} s | {verdict} |", flush=True
        )


if __name__ == "__main__":
    main()
