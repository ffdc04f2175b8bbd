"""How well do metrics of dialogue agree with people? Beside each stand the cosine of the last
utterance and the reply, the same without the reply's length, and intervals.

    python benchmarks/studies/dialogue.py DATA [--models FOLDER]

DATA has `human/` with grade_dialogue, engage, conture and dstc9_dialog. Of metrics that were fitted
to conture, figures on it are those of folds, from the models' cards.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import rankdata

from nlgauge import Corpus
from nlgauge.core import registry
from nlgauge.kernels import Floats

METRICS = (
    "reply-cosine", "reply-length", "perplexity", "ruber(combine=unreferenced)",
    "ruber-bert(combine=unreferenced)", "ssrem(combine=unreferenced)", "maude", "roberta-eval",
    "adem", "gan-d", "ruber", "ruber-bert", "ssrem",
)  # fmt: skip
LOWER = ("perplexity",)
REFERENCED = ("ruber", "ruber-bert", "ssrem")
FITTED = ("roberta-eval", "adem")  # to conture
RESAMPLES = 1000


def read(path: Path) -> list[dict[str, Any]]:
    """Return the records of a file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def rated(record: Mapping[str, Any]) -> float:
    """Return the mean rating of a record."""
    return float(np.mean(next(iter(record["human"].values()))))


def sets(data: Path) -> dict[str, list[dict[str, Any]]]:
    """Return judged replies by set."""
    found: dict[str, list[dict[str, Any]]] = {}
    for name in ("grade_dialogue", "engage", "conture"):
        for record in read(data / "human" / f"{name}.jsonl.gz"):
            found.setdefault(record["dataset"], []).append(record)
    return found


def spearman(x: Floats, y: Floats, length: Floats | None = None) -> float:
    """Return Spearman's correlation, or the partial one given the length."""
    ranks = [rankdata(values) for values in (x, y)]
    if length is not None:
        base = np.column_stack([np.ones(len(x)), rankdata(length)])
        ranks = [r - base @ np.linalg.lstsq(base, r, rcond=None)[0] for r in ranks]
    return float(np.corrcoef(*ranks)[0, 1])


def intervals(scores: Floats, cosine: Floats, human: Floats) -> tuple[Floats, Floats]:
    """Return 95 % intervals of the correlation, and of its distance above the cosine's."""
    rng = np.random.default_rng(1)
    drawn = []
    for _ in range(RESAMPLES):
        rows = rng.integers(len(human), size=len(human))
        own, other = (spearman(x[rows], human[rows]) for x in (scores, cosine))
        drawn.append((own, own - other))
    low, high = np.nanpercentile(drawn, [2.5, 97.5], axis=0)
    return np.array([low[0], high[0]]), np.array([low[1], high[1]])


def spec(name: str, models: Path | None) -> str:
    """Return a metric with its model of a folder, if it has one there."""
    bare, _, options = name.removesuffix(")").partition("(")
    if models is None or not (models / f"{bare}.safetensors").is_file():
        return name
    given = [*filter(None, [options]), f"model={models / bare}.safetensors"]
    return f"{bare}({','.join(given)})"


def main() -> None:
    """Print a table for each set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--models", type=Path, help="folder of models in place of those that ship")
    parser.add_argument("--only", nargs="+", default=list(METRICS))
    arguments = parser.parse_args()
    for name, records in sets(arguments.data).items():
        corpus = Corpus.build(
            [r["hypothesis"] for r in records],
            [r["references"] for r in records],
            contexts=[r["source"] for r in records],
        )
        human = np.array([rated(r) for r in records])
        length = np.array([len(r["hypothesis"].split()) for r in records], np.float64)
        print(f"\n{name}: {len(records)} replies")
        print("| metric | Spearman | 95 % | without length | above the cosine, 95 % |")
        print("|---|---|---|---|---|")
        cosine = scored("reply-cosine", corpus)
        for metric in arguments.only:
            if metric in REFERENCED and not all(r["references"] for r in records):
                continue
            scores = scored(spec(metric, arguments.models), corpus)
            scores = -scores if metric in LOWER else scores
            own, above = intervals(scores, cosine, human)
            fitted = " (fitted to it)" if name == "conture" and metric in FITTED else ""
            print(
                f"| {metric}{fitted} | {spearman(scores, human):.3f} "
                f"| {own[0]:.3f} to {own[1]:.3f} "
                f"| {spearman(scores, human, length):.3f} "
                f"| {above[0]:+.3f} to {above[1]:+.3f} |",
                flush=True,
            )


def scored(name: str, corpus: Corpus) -> Floats:
    """Return the scores of all replies."""
    metric = registry.metric(name)
    return metric.score(metric.rows(corpus))


if __name__ == "__main__":
    main()
