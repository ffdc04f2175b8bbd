"""ROUGE-1, 2 and L in one pass, against rouge-score and rouge-score-rs, one thread, alternating.

python benchmarks/rouge_peers.py [--corpus FOLDER] [--segments N] [--reps N]
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

os.environ["RAYON_NUM_THREADS"] = "1"  # read at the first call of rouge-score-rs

from corpora import Corpora, Corpus
from timing import Contestant, alternate

import nlgauge

TYPES = ["rouge1", "rouge2", "rougeL"]
SLOW = 50  # rouge-score gets this fraction of the segments


def contestants(corpus: Corpus, stem: bool) -> list[Contestant]:
    """Each from lists of str to the scores of all segments."""
    import rouge_score_rs.rouge_scorer
    from rouge_score import rouge_scorer

    specs = [f"{name}(stem={'yes' if stem else 'no'})" for name in TYPES]
    hyps, refs = corpus.hyp, corpus.refs[0]
    fast = rouge_score_rs.rouge_scorer.RougeScorer(TYPES, use_stemmer=stem)
    slow = rouge_scorer.RougeScorer(TYPES, use_stemmer=stem)
    part = max(1, len(hyps) // SLOW)
    pairs = list(zip(refs[:part], hyps[:part], strict=True))
    return [
        Contestant(
            "nlgauge", len(hyps), lambda: nlgauge.score(hyps, refs, metrics=specs, threads=1)
        ),
        Contestant("rouge-score-rs", len(hyps), lambda: fast.score_batch(refs, hyps)),
        Contestant("rouge-score", part, lambda: [slow.score(r, h) for r, h in pairs]),
    ]


def main() -> None:
    """Print microseconds per segment and ratios."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--corpus", type=Path, help="folder of NAME.hyp, NAME.hyp2, NAME.ref0")
    parser.add_argument("--name", default="M")
    parser.add_argument("--segments", type=int, default=50_000)
    parser.add_argument("--reps", type=int, default=5)
    given = parser.parse_args()
    corpus = Corpora(given.corpus).load(given.name, references=1).first(given.segments)
    for stem in (True, False):
        field = contestants(corpus, stem)
        seconds = alternate(field, given.reps)
        each = {c.name: 1e6 * seconds[c.name] / c.segments for c in field}
        print(f"{given.name}, {'stems' if stem else 'words'}:")
        for name, micros in each.items():
            print(f"  {name:15} {micros:8.2f} µs/segment  {micros / each['nlgauge']:6.1f} x")


if __name__ == "__main__":
    main()
