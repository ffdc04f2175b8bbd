"""What trained metrics cost a pair beside BERTScore, in processor time of one thread.

    python benchmarks/speed/trained_metrics.py [-m ruse esim "gauge(inputs=shared)"]

A metric on the encoder pass that it shares with BERTScore may cost 20 % more, one that reads both
texts at once twice as much. Metrics take turns; what counts is the median of their runs. Sentences
are made of a small grammar, every hypothesis with some other words.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
import warnings

from parser_speed import ADJECTIVES, NOUNS, VERBS, sentence

from nlgauge import Corpus
from nlgauge.core import registry
from nlgauge.errors import NlgaugeWarning

SHARED = ("ruse", "esim", "blend(inputs=match)", "gauge(inputs=shared)")
CROSS = ("bert-mte", "bleurt")
OTHERS = ("bertscore(layer=6)", "blend", "nubia", "nubia(looks_at=published)", "gauge")
BARS = {**dict.fromkeys(SHARED, 1.2), **dict.fromkeys(CROSS, 2.0)}


def pairs(count: int, words: int, seed: int) -> Corpus:
    """Return references, and copies of them in which every fifth word is another."""
    rng = random.Random(seed)
    refs = [sentence(rng, words) for _ in range(count)]
    others = [*NOUNS, *VERBS, *ADJECTIVES]
    hyps = [[rng.choice(others) if rng.random() < 0.2 else word for word in ref] for ref in refs]
    return Corpus.build([" ".join(hyp) for hyp in hyps], [[" ".join(ref)] for ref in refs])


def main() -> None:
    """Print milliseconds a pair, and the ratio to BERTScore's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-m", "--metrics", nargs="+", default=[*SHARED, *CROSS, *OTHERS])
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--words", type=int, default=25)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    warnings.simplefilter("ignore", NlgaugeWarning)
    metrics = {spec: registry.metric(spec) for spec in ("bertscore", *args.metrics)}
    spent: dict[str, list[float]] = {spec: [] for spec in metrics}
    for run in range(args.runs + 1):  # the first run reads models
        for spec, metric in metrics.items():
            corpus = pairs(args.pairs if run else 3, args.words, run)
            start = time.process_time()
            metric.rows(corpus, threads=1)
            if run:
                spent[spec].append(1000 * (time.process_time() - start) / args.pairs)
    base = statistics.median(spent["bertscore"])
    print("| metric | ms a pair | to BERTScore | bar |\n|---|---:|---:|---:|")
    for spec, times in spent.items():
        own, bar = statistics.median(times), BARS.get(spec)
        verdict = f"{bar} {'met' if own <= bar * base else 'missed'}" if bar else ""
        print(f"| {spec} | {own:.1f} | {own / base:.2f} | {verdict} |")


if __name__ == "__main__":
    main()
