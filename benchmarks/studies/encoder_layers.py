"""Which layer of an encoder agrees best with people: segment-level Pearson's r of BERTScore at each
layer, averaged over language pairs, beside BLEU and chrF.

    python benchmarks/studies/encoder_layers.py wmt15_da_seg.jsonl.gz --model minilm

Records have `hypothesis`, `references`, `lang_pair`, and one number in `human`.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import defaultdict
from pathlib import Path

import numpy as np

from nlgauge import Corpus
from nlgauge.core import registry
from nlgauge.metrics.contextual.bertscore import MEASURES, BERTScore
from nlgauge.models.encoders.encoder import find_encoder

OTHERS = ("sentbleu", "chrf")


def read(path: Path, target: str) -> dict[str, list[dict]]:
    """The records of each language pair into the language."""
    opened = gzip.open if path.suffix == ".gz" else open
    groups = defaultdict(list)
    with opened(path, "rt", encoding="utf-8") as file:
        for record in map(json.loads, file):
            if record["lang_pair"].endswith(f"-{target}"):
                groups[record["lang_pair"]].append(record)
    return dict(sorted(groups.items()))


def correlations(records: list[dict], metric: BERTScore, threads: int) -> dict[str, np.ndarray]:
    """r of every measure at every layer, and of the other metrics."""
    human = np.array([next(iter(record["human"].values())) for record in records])
    corpus = Corpus.build([r["hypothesis"] for r in records], [r["references"] for r in records])
    layers = range(find_encoder(metric.model).layers + 1)
    measured = metric.measured(corpus, layers, metric.fit(corpus), threads=threads)
    scores = np.concatenate(list(measured), axis=1)
    found = {
        name: np.array([np.corrcoef(layer[:, k], human)[0, 1] for layer in scores])
        for k, name in enumerate(MEASURES)
    }
    for name in OTHERS:
        other = registry.metric(name)
        rows = other.rows(corpus, other.fitted(corpus))
        found[name] = np.array([np.corrcoef(other.score(rows), human)[0, 1]])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--model", default="minilm")
    parser.add_argument("--idf", action="store_true")
    parser.add_argument("--target", default="en", help="language of the outputs")
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    metric = BERTScore(model=given.model, idf=given.idf)
    groups = read(given.data, given.target)
    found = {pair: correlations(r, metric, given.threads) for pair, r in groups.items()}
    print("\t".join(["measure", "layer", *found, "mean"]))
    for name in (*MEASURES, *OTHERS):
        by_layer = np.stack([values[name] for values in found.values()], axis=-1)
        for layer, values in enumerate(by_layer):
            shown = (f"{value:.4f}" for value in (*values, values.mean()))
            print("\t".join([name, str(layer) if name in MEASURES else "", *shown]))


if __name__ == "__main__":
    main()
