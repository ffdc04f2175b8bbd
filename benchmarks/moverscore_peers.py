"""Time MoverScore's transport against the published program's, one thread each, taking turns.

python benchmarks/moverscore_peers.py HYPOTHESES REFERENCES      # pairs=400; needs pyemd and minilm

Both get the vectors and masses of the same pieces of words, and build their own matrices of
distances: the published step has one of all pieces of both texts, in single precision as torch,
and pyemd's solver for it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from pyemd import emd
from timing import Contestant, alternate

from nlgauge import Corpus
from nlgauge.metrics.contextual.moverscore import Grams, MoverScore
from nlgauge.models.embeddings import embeddings_of

BAR = 20


def published(hyps: Sequence[Grams], refs: Sequence[Grams]) -> list[float]:
    """As moverscore.py of emnlp19-moverscore (0459a3b) does it, from unit vectors on."""
    scores = []
    for hyp, ref in zip(hyps, refs, strict=True):
        raw = np.concatenate([ref.vectors, hyp.vectors]).astype(np.float32)
        raw /= np.linalg.norm(raw, axis=-1)[:, None] + np.float32(1e-6)
        squares = (raw**2).sum(axis=1)
        distances = np.clip(squares[:, None] + squares - 2 * raw @ raw.T, 0, None)
        left, right = np.zeros(len(raw)), np.zeros(len(raw))
        left[: len(ref.masses)], right[len(ref.masses) :] = ref.masses, hyp.masses
        scores.append(1 - emd(left, right, distances.astype(np.float64)))
    return scores


def main() -> None:
    """Print the ratio, and how far the scores differ."""
    pairs = 400
    hyps, refs = (Path(p).read_text("utf-8").split("\n")[:pairs] for p in sys.argv[1:3])
    metric = MoverScore()
    corpus = Corpus.build(hyps, refs)
    store = embeddings_of(corpus, metric.model)
    grams = [
        [metric._grams(x, rarity) for x in store.encoded(side, metric._layers(store.encoder))]
        for side, rarity in zip((hyps, refs), metric.fit(corpus), strict=True)
    ]
    both = [(hyp, ref) for hyp, ref in zip(*grams, strict=True) if hyp.names and ref.names]
    left, right = [hyp for hyp, _ in both], [ref for _, ref in both]
    ours = Contestant("nlgauge", len(both), lambda: metric._scores(left, right, 1))
    theirs = Contestant("published", len(both), lambda: published(left, right))
    seconds = alternate([ours, theirs], 5)
    per = {c.name: seconds[c.name] / c.segments * 1e6 for c in (ours, theirs)}
    apart = np.abs(metric._scores(left, right, 1) - published(left, right)).max()
    print(
        f"moverscore: nlgauge {per['nlgauge']:.0f} µs, published {per['published']:.0f} µs a pair: "
        f"{per['published'] / per['nlgauge']:.0f}x (bar {BAR}x); scores differ by {apart:.1e}"
    )


if __name__ == "__main__":
    main()
