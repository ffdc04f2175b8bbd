"""Time METEOR and RIBES against NLTK's, one thread each, taking turns.

python benchmarks/alignment_peers.py DIR      # with M.hyp and M.ref0; segments=20000 nltk=1000

NLTK is given words, nlgauge texts. NLTK's METEOR is asked for its exact and stem stages only.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from nltk.translate import meteor_score, ribes_score
from timing import Contestant, alternate

import nlgauge

BARS = {"meteor": 50, "meteor-nltk": 50, "ribes": 100}


def nltk_meteor(hyps: list[list[str]], refs: list[list[str]]) -> float:
    """The mean of NLTK's score without its WordNet stage."""
    total = 0.0
    for hyp, ref in zip(hyps, refs, strict=True):
        left_hyp, left_ref = meteor_score._generate_enums(hyp, ref)
        exact, left_hyp, left_ref = meteor_score._match_enums(left_hyp, left_ref)
        stems, _, _ = meteor_score._enum_stem_match(left_hyp, left_ref)
        links = sorted(exact + stems)
        if links:
            precision, recall = len(links) / len(hyp), len(links) / len(ref)
            mean = precision * recall / (0.9 * precision + 0.1 * recall)
            chunks = meteor_score._count_chunks(links)
            total += mean * (1 - 0.5 * (chunks / len(links)) ** 3)
    return total / len(hyps)


def nltk_ribes(hyps: list[list[str]], refs: list[list[str]]) -> float:
    """NLTK's mean."""
    return float(ribes_score.corpus_ribes([[ref] for ref in refs], hyps))


PEERS: dict[str, Callable[[list[list[str]], list[list[str]]], float]] = {
    "meteor": nltk_meteor,
    "meteor-nltk": nltk_meteor,
    "ribes": nltk_ribes,
}


def main() -> None:
    """Print the ratios."""
    folder = Path(sys.argv[1])
    segments, few, reps = 20_000, 1_000, 5
    hyps, refs = (
        (folder / f"M.{kind}").read_text("utf-8").split("\n")[:segments] for kind in ("hyp", "ref0")
    )
    words = [[text.split() for text in side[:few]] for side in (hyps, refs)]
    for metric, peer in PEERS.items():
        ours = Contestant(
            "nlgauge", segments, lambda m=metric: nlgauge.score(hyps, refs, metrics=[m], threads=1)
        )
        theirs = Contestant("NLTK", few, lambda p=peer: p(*words))
        seconds = alternate([ours, theirs], reps)
        per = {c.name: seconds[c.name] / c.segments * 1e6 for c in (ours, theirs)}
        print(
            f"{metric}: nlgauge {per['nlgauge']:.2f} µs, NLTK {per['NLTK']:.0f} µs a segment: "
            f"{per['NLTK'] / per['nlgauge']:.0f}x (bar {BARS[metric]}x)"
        )


if __name__ == "__main__":
    main()
