"""How trained metrics agree with people on data that none of them was trained on.

    python benchmarks/studies/trained_tables.py FILE [FILE ...] [--most 400]

Files are judged translations, rated ones or pairs of a better and a worse output of one sentence.
Prints a Markdown table for each: Pearson's r with ratings, or the share of pairs in the right order
(ties count half), and how far each trained metric is above the best of its inputs, by which the one
is meant that agreed best on WMT15. Intervals are 95 % of 1,000 resamples of sources.
"""

from __future__ import annotations

import argparse
import gzip
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from nlgauge import Corpus
from nlgauge.core import registry
from nlgauge.errors import NlgaugeWarning
from nlgauge.kernels import Floats, available_threads
from nlgauge.run.scoring import compute_rows

# Trained metrics, and the best of what they look at.
METRICS = {
    "beer": "chrf",
    "ks-svm": "rouge-l",
    "blend": "eed",
    "blend(inputs=match)": "bertscore",
    "ruse": "bertscore",
    "esim": "bertscore",
    "nubia": "bertscore",
    "bert-mte": "bertscore",
    "bleurt": "bertscore",
    "gauge(inputs=shared)": "bertscore",
    "gauge": "bert-mte",
}
PLAIN = ("chrf", "rouge-l", "eed", "bertscore")
CRITERION = "da_z"
RESAMPLES = 1000
Measure = Callable[[Floats, Floats], Floats]  # scores and weights [resamples, items] -> [resamples]


def read(path: Path, most: int) -> list[dict[str, Any]]:
    """Return so many records, drawn at random."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    records = [r for r in records if "better" in r or CRITERION in r["human"]]
    drawn = np.random.default_rng(1).permutation(len(records))[:most]
    return [records[k] for k in sorted(drawn.tolist())]


def in_order(scores: Floats, weights: Floats) -> Floats:
    """Return the share of pairs whose better output, in the first half, scores higher."""
    better, worse = np.split(scores, 2)
    return np.asarray(weights @ ((np.sign(better - worse) + 1) / 2) / weights.sum(axis=1))


def correlating(ratings: Floats) -> Measure:
    """Return the measure that correlates scores with ratings."""

    def measure(scores: Floats, weights: Floats) -> Floats:
        shares = weights / weights.sum(axis=1, keepdims=True)
        x = scores - (shares @ scores)[:, None]
        y = ratings - (shares @ ratings)[:, None]
        spread = np.sqrt((shares * x**2).sum(axis=1) * (shares * y**2).sum(axis=1))
        return np.asarray((shares * x * y).sum(axis=1) / spread)

    return measure


def drawn_weights(records: list[dict[str, Any]]) -> Floats:
    """Return how often each record is drawn: all once, then resamples of sources."""
    _, codes = np.unique([r["source"] for r in records], return_inverse=True)
    size = int(codes.max()) + 1
    drawn = np.random.default_rng(1).multinomial(size, np.full(size, 1 / size), RESAMPLES)
    return np.vstack([np.ones(len(records)), drawn[:, codes]]).astype(np.float64)


def short(values: Floats, sign: str = "") -> str:
    """Return the first of numbers with the interval of the others, without leading zeros."""
    low, high = np.nanpercentile(values[1:], [2.5, 97.5])
    whole, *ends = (f"{v:{sign}.3f}".replace("0.", ".") for v in (values[0], low, high))
    return f"{whole} [{', '.join(ends)}]"


def main() -> None:
    """Score each file by all metrics at once, and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--most", type=int, default=400, help="records of each file")
    args = parser.parse_args()
    warnings.simplefilter("ignore", NlgaugeWarning)
    specs = [*PLAIN, *METRICS]
    metrics = [registry.metric(spec) for spec in specs]
    for path in args.files:
        records = read(path, args.most)
        paired = "better" in records[0]
        sides = [r[side] for side in ("better", "worse") for r in records] if paired else records
        references = [r["references"] for r in records] * (1 + paired)
        corpus = Corpus.build([side["hypothesis"] for side in sides], references)
        ratings = [] if paired else [float(np.mean(r["human"][CRITERION])) for r in records]
        measure = in_order if paired else correlating(np.array(ratings))
        weights = drawn_weights(records)
        found = {}
        for spec, metric, rows in zip(
            specs, metrics, compute_rows(metrics, corpus, available_threads()), strict=True
        ):
            sign = 1 if metric.info.higher_is_better else -1
            found[spec] = measure(sign * metric.score(rows), weights)
        what = "pairs in the right order" if paired else "Pearson's r"
        print(f"\n{path.name}, {len(records)} records\n")
        print(f"| metric | {what} | above | by |\n|---|---|---|---|")
        for spec in specs:
            base = METRICS.get(spec)
            above = f"{base} | {short(found[spec] - found[base], '+')}" if base else " | "
            print(f"| {spec} | {short(found[spec])} | {above} |", flush=True)


if __name__ == "__main__":
    main()
