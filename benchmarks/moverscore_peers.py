"""Time MoverScore's transport against the published program's, one thread each, taking turns.

python benchmarks/moverscore_peers.py HYPOTHESES REFERENCES      # 300 pairs

Needs torch, pyemd and minilm. Both start from the same vectors and idf of pieces of words, make
n-grams and matrices of distances of their own, and solve: the published program with torch, one
matrix of all pieces of both texts, and pyemd.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import torch
from pyemd import emd
from timing import Contestant, alternate

from nlgauge import Corpus
from nlgauge.kernels import Floats
from nlgauge.metrics.contextual.moverscore import MoverScore, _pooled
from nlgauge.models.cache.embeddings import embeddings_of

BAR = 20
Text = tuple[list[str], np.ndarray, Floats]  # pieces, their vectors and weights


def grams(vectors: torch.Tensor, weights: torch.Tensor) -> tuple[torch.Tensor, list[float]]:
    """The n-grams of one text, n = 1, one by one as moverscore.py has them (0459a3b)."""
    found, masses = [], []
    for place in range(len(weights)):
        window = [place]
        masses.append(weights[window].sum().item())
        share = (weights[window] / (weights[window].sum(0) + 1e-5)).unsqueeze(-1)
        found.append((share * vectors[window]).sum(0))
    return torch.stack(found, 0), masses


def published(hyps: list[Text], refs: list[Text]) -> list[float]:
    """What moverscore.py does for each pair once texts are encoded."""
    scores = []
    for (_, hyp, hyp_idf), (_, ref, ref_idf) in zip(hyps, refs, strict=True):
        one, left = grams(torch.from_numpy(ref), torch.from_numpy(ref_idf.astype(np.float32)))
        other, right = grams(torch.from_numpy(hyp), torch.from_numpy(hyp_idf.astype(np.float32)))
        raw = torch.cat([one, other], 0)
        raw.div_(torch.norm(raw, dim=-1).unsqueeze(-1) + 1e-6)
        squares = (raw**2).sum(1)
        distances = squares.view(-1, 1) + squares.view(1, -1) - 2.0 * torch.mm(raw, raw.T)
        distances = torch.clamp(distances, 0.0, np.inf)
        first, second = np.zeros(len(raw)), np.zeros(len(raw))
        first[: len(left)], second[len(left) :] = left, right
        first, second = first / (first.sum() + 1e-5), second / (second.sum() + 1e-5)
        scores.append(1 - emd(first, second, distances.double().numpy()))
    return scores


def main() -> None:
    """Print the ratio, and how far the scores differ."""
    torch.set_num_threads(1)
    hyps, refs = (Path(p).read_text("utf-8").split("\n")[:300] for p in sys.argv[1:3])
    metric = MoverScore()
    corpus = Corpus.build(hyps, refs)
    store = embeddings_of(corpus, metric.model)
    sides: list[list[Text]] = []
    for texts, rarity in zip((hyps, refs), metric.fit(corpus), strict=True):
        sides.append([])
        for text in store.encoded(texts, metric._layers(store.encoder)):
            kept = metric._kept(text.pieces)
            names = [text.pieces.strings[i] for i in kept]
            weights = metric._weighted(text.pieces, kept, rarity)
            sides[-1].append((names, _pooled(text.states[:, kept]), weights))

    def nlgauge() -> Floats:
        return metric._scores(*([metric._moved(*text) for text in side] for side in sides), 1)

    ours = Contestant("nlgauge", len(hyps), nlgauge)
    theirs = Contestant("published", len(hyps), lambda: published(*sides))
    seconds = alternate([ours, theirs], 5)
    per = {c.name: seconds[c.name] / c.segments * 1e6 for c in (ours, theirs)}
    apart = np.abs(nlgauge() - published(*sides)).max()
    print(
        f"moverscore: nlgauge {per['nlgauge']:.0f} µs, published {per['published']:.0f} µs a pair: "
        f"{per['published'] / per['nlgauge']:.0f}x (bar {BAR}x); scores differ by {apart:.1e}"
    )


if __name__ == "__main__":
    main()
