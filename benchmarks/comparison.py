"""How often tests raise a false alarm, find a real difference, and how fast they are.

    python benchmarks/comparison.py                          # all, some minutes
    python benchmarks/comparison.py --only errors --replications 2000
    python benchmarks/comparison.py --only speed peer

errors   Equal systems: two noisy copies of the same kind, segments drawn from a pool, and the
         outputs of each swapped at random. A test at level 0.05 should reject 5 % of them. Power:
         the second system has a little more noise, and nothing is swapped.
speed    Approximate randomisation of all pairs of many systems.
peer     The same for one pair by sacreBLEU (paired-ar), from the same statistics.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
from corpora import Noise, systems

import nlgauge
from nlgauge.core.table import ScoreTable
from nlgauge.stats.randomisation import randomisation
from nlgauge.stats.significance import TESTS, Test, paired_tests, tested_table

METRICS = ("bleu", "chrf", "ter")
SACREBLEU_NAMES = {"bleu": "BLEU", "chrf": "chrF2", "ter": "TER"}
NOISE = Noise(0.26, 0.08, 0.08, 0.6)
MORE_NOISE = Noise(0.28, 0.085, 0.085, 0.62)
ALPHA = 0.05
POOL = 20_000
BATCH = 50  # replications that share the draws of a test, as pairs of one table


def replications(
    pool: ScoreTable, pair: tuple[str, str], swapped: bool, segments: int, rng: np.random.Generator
) -> ScoreTable:
    """A table of BATCH pairs of systems a0, b0, a1, b1 ..., each on segments of its own."""
    rows: dict[str, tuple[Any, ...]] = {}
    for i in range(BATCH):
        drawn = rng.integers(pool.segments, size=segments)
        swaps = rng.integers(2, size=(segments, 1), dtype=bool) & swapped
        a, b = ([table[drawn] for table in pool.rows[system]] for system in pair)
        rows[f"a{i}"] = tuple(np.where(swaps, y, x) for x, y in zip(a, b, strict=True))
        rows[f"b{i}"] = tuple(np.where(swaps, x, y) for x, y in zip(a, b, strict=True))
    return ScoreTable(pool.columns, rows, segments)


def rejections(
    pool: ScoreTable, pair: tuple[str, str], swapped: bool, arguments: argparse.Namespace
) -> dict[tuple[Test, str], float]:
    """The share of replications that each test calls significant, by test and metric."""
    rng = np.random.default_rng(arguments.seed)
    pairs = [(f"a{i}", f"b{i}") for i in range(BATCH)]
    batches = -(-arguments.replications // BATCH)
    counts: dict[tuple[Test, str], int] = {(t, m): 0 for t in arguments.tests for m in METRICS}
    for batch in range(batches):
        table = replications(pool, pair, swapped, arguments.segments, rng)
        for test in arguments.tests:
            outcomes = paired_tests(
                tested_table(table, test), pairs, test, trials=arguments.trials, seed=batch
            )
            for (_, _, metric), outcome in outcomes.items():
                counts[test, metric] += outcome.p_value <= ALPHA
    return {key: count / (batches * BATCH) for key, count in counts.items()}


def errors(arguments: argparse.Namespace) -> None:
    """Type-I error and power of every test."""
    refs, texts = systems(POOL, {"a": NOISE, "equal": NOISE, "worse": MORE_NOISE}, arguments.seed)
    pool = nlgauge.score(texts, refs, metrics=METRICS)
    start = time.perf_counter()
    found = {
        "type-I error": rejections(pool, ("a", "equal"), True, arguments),
        "power": rejections(pool, ("a", "worse"), False, arguments),
    }
    n = arguments.replications
    print(
        f"{n} replications, {arguments.segments} segments, {arguments.trials} trials, level "
        f"{ALPHA}; standard error of 5 %: {100 * (0.05 * 0.95 / n) ** 0.5:.2f} %; "
        f"{time.perf_counter() - start:.0f} s"
    )
    print(f"{'':16} " + " ".join(f"{kind} {m:4}".rjust(18) for kind in found for m in METRICS))
    for test in arguments.tests:
        cells = (f"{100 * found[kind][test, m]:16.2f} %" for kind in found for m in METRICS)
        print(f"{test:16} " + " ".join(cells))


def many_systems(arguments: argparse.Namespace) -> ScoreTable:
    """Systems of slowly rising noise, scored."""
    noises = {
        f"system{k:02}": Noise(0.24 + 0.003 * k, 0.08, 0.08, 0.6) for k in range(arguments.systems)
    }
    refs, texts = systems(2_000, noises, arguments.seed)
    return nlgauge.score(texts, refs, metrics=METRICS)


def timed(run: Callable[[], Any], clock: Callable[[], float] = time.perf_counter) -> Any:
    """The result, and the shortest of three times."""
    times = []
    for _ in range(3):
        start = clock()
        result = run()
        times.append(clock() - start)
    return result, min(times)


def speed(arguments: argparse.Namespace) -> None:
    """All pairs; bar: 20 s for 20 systems."""
    table = many_systems(arguments)
    pairs = len(list(combinations(table.systems, 2)))
    what = f"{pairs} pairs x {len(METRICS)} metrics x {table.segments} segments x 10000 trials"
    results = []
    for threads in (1, 2):
        result, seconds = timed(lambda n=threads: randomisation(table, threads=n))  # type: ignore[misc]
        results.append(result)
        print(f"{what}: {seconds:.2f} s with {threads} threads over pairs (bar: 20 s)")
    print(f"p-values do not depend on threads: {results[0] == results[1]}")


def peer(arguments: argparse.Namespace) -> None:
    """One pair, in processor time; bar: 20 times sacreBLEU."""
    from peers import sacrebleu_metric
    from sacrebleu.significance import Result, _paired_ar_test

    table = many_systems(arguments)
    a, b = table.systems[:2]
    baseline, metrics = {}, {}
    for name in METRICS:
        metric = sacrebleu_metric(name)
        stats_a, stats_b = (table.rows_of(s, name).tolist() for s in (a, b))
        # Both start from the same statistics, so that only the tests are timed.
        metric._extract_corpus_statistics = lambda *_, stats=stats_b: stats
        result = Result(metric._aggregate_and_compute(stats_a).score)
        baseline[SACREBLEU_NAMES[name]] = (stats_a, result)
        metrics[SACREBLEU_NAMES[name]] = metric
    hyps = [""] * table.segments
    theirs, seconds = timed(
        lambda: _paired_ar_test(baseline, b, hyps, None, metrics, 10_000, seed=12345)[1],
        time.process_time,
    )
    one = {"one pair": [(a, b)], "all pairs": list(combinations(table.systems, 2))}
    for name, pairs in one.items():
        ours, total = timed(
            lambda p=pairs: randomisation(table, p, ties=False, threads=1),  # type: ignore[misc]
            time.process_time,
        )
        each = total / len(pairs)
        print(
            f"sacreBLEU paired-ar {seconds:.2f} s, nlgauge {each * 1e3:.1f} ms per pair ({name}): "
            f"{seconds / each:.0f} times (bar: 20)"
        )
    largest = max(abs(ours[a, b, m] - theirs[SACREBLEU_NAMES[m]].p_value) for m in METRICS)
    print(f"largest difference of the p-values: {largest:.1e}")


PARTS = {"errors": errors, "speed": speed, "peer": peer}


def main() -> None:
    """Parse, run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--tests", nargs="+", choices=TESTS, default=list(TESTS))
    parser.add_argument("--replications", type=int, default=4000)
    parser.add_argument("--segments", type=int, default=100, help="of each replication (100)")
    parser.add_argument("--trials", type=int, default=1000, help="of each replication (1000)")
    parser.add_argument("--systems", type=int, default=20, help="for speed and peer (20)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for part in arguments.only:
        PARTS[part](arguments)


if __name__ == "__main__":
    main()
