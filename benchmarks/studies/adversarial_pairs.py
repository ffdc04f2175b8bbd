"""Do metrics prefer a paraphrase of the reference to a copy of it with an error?

    python benchmarks/studies/adversarial_pairs.py menli_adversarial.jsonl.gz -m bertscore gauge

Records have `reference`, `paraphrase`, `adversarial` and the kind of `error`, as in the data of
Chen and Eger (2023), MENLI: robust evaluation metrics from natural language inference. Prints a
Markdown table: by kind of error, the share of pairs in which the paraphrase scores higher; ties
count half. Pairs whose adversarial copy is the reference itself are left out. A share is marked
where its 95 % interval (Wilson's) is wholly below one half (−) or wholly above (+).
"""

from __future__ import annotations

import argparse
import gzip
import json
import warnings
from pathlib import Path

import numpy as np

import nlgauge
from nlgauge.core import registry
from nlgauge.kernels import available_threads
from nlgauge.run.scoring import compute_rows

METRICS = (
    *("sentbleu", "chrf", "ter", "meteor-1.5", "rouge-l"),
    *("bertscore", "bertr", "moverscore", "yisi-1", "sim", "simile"),
    *("emb-avg", "greedy", "extrema", "wmd", "wmd-o", "we-wpi", "s+wms"),
    *("beer", "ks-svm", "blend", "blend(inputs=match)", "ruse", "esim", "nubia"),
    *("bert-mte", "bleurt", "gauge(inputs=shared)", "gauge"),
)


def read(path: Path, most: int) -> list[dict[str, str]]:
    """Return the pairs that differ from their reference, at most so many of each kind."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    records = [r for r in records if r["adversarial"] != r["reference"]]
    order = np.random.default_rng(1).permutation(len(records))
    seen: dict[str, int] = {}
    found = []
    for k in order.tolist():
        kind = records[k]["error"]
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] <= most:
            found.append(records[k])
    return found


def preferred(specs: list[str], records: list[dict[str, str]]) -> dict[str, np.ndarray]:
    """Return by metric 1 where the paraphrase scores higher, 0 where the copy does, .5 for ties.
    Texts are encoded once for all metrics.
    """
    metrics = [registry.metric(spec) for spec in specs]
    texts = [r[side] for side in ("paraphrase", "adversarial") for r in records]
    corpus = nlgauge.Corpus.build(texts, [[r["reference"]] for r in records] * 2)
    found = {}
    rows = compute_rows(metrics, corpus, available_threads())
    for spec, metric, own in zip(specs, metrics, rows, strict=True):
        scores = metric.score(own) if metric.info.higher_is_better else -metric.score(own)
        paraphrase, adversarial = np.split(scores, 2)
        found[spec] = (np.sign(paraphrase - adversarial) + 1) / 2
    return found


def interval(share: float, count: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share of so many pairs."""
    z = 1.96
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * (share * (1 - share) / count + (z / (2 * count)) ** 2) ** 0.5
    return middle - half, middle + half


def cells(won: np.ndarray, records: list[dict[str, str]], kinds: list[str]) -> list[str]:
    """Return shares by kind, marked where they are surely below or above one half, and of all."""
    found = []
    for kind in kinds:
        own = won[[record["error"] == kind for record in records]]
        low, high = interval(float(own.mean()), len(own))
        found.append(short(own.mean()) + "−" * (high < 0.5) + "+" * (low > 0.5))
    return [*found, short(won.mean())]


def short(share: float) -> str:
    """Return a share with two digits, without a leading zero."""
    return f"{share:.2f}".removeprefix("0")


def main() -> None:
    """Score all pairs, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("-m", "--metrics", nargs="+", default=METRICS)
    parser.add_argument("--most", type=int, default=10_000, help="pairs of each kind")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", nlgauge.errors.NlgaugeWarning)
    records = read(arguments.data, arguments.most)
    kinds = sorted({r["error"] for r in records})
    counts = [sum(r["error"] == kind for r in records) for kind in kinds]
    heads = [f"{kind} ({count})" for kind, count in zip(kinds, counts, strict=True)]
    print(f"| metric | {' | '.join(heads)} | all |")
    print(f"|---|{'---|' * (len(kinds) + 1)}")
    for spec, won in preferred(arguments.metrics, records).items():
        print(f"| {spec} | {' | '.join(cells(won, records, kinds))} |", flush=True)


if __name__ == "__main__":
    main()
