"""Time Word Mover's Distance against gensim's and POT's, one thread each, taking turns.

python benchmarks/wmd_peers.py HYP REF [VECTORS]     # one text a line; VECTORS: glove

gensim and POT are given words, nlgauge texts. POT's time is that of `ot.emd2` on cost matrices made
by NumPy beforehand, and `with costs` includes making them; `bare` is its solver without any checks.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import ot
from gensim.models import KeyedVectors
from ot.lp.emd_wrap import emd_c
from timing import Contestant, alternate

from nlgauge import score
from nlgauge.core import registry
from nlgauge.models.vectors.word_vectors import find_vectors

BARS = {"gensim": 20, "POT": 4}
SEGMENTS, FEW, REPS = 2_000, 200, 5

Problem = tuple[np.ndarray, np.ndarray, np.ndarray]


def problem(hyp: list[str], ref: list[str], rows: dict[str, np.ndarray]) -> Problem:
    """Masses and distances of one pair."""
    (a, p), (b, q) = (np.unique(words, return_counts=True) for words in (hyp, ref))
    x, y = (np.stack([rows[word] for word in words]) for words in (a, b))
    squares = (x * x).sum(axis=1)[:, None] + (y * y).sum(axis=1)[None] - 2 * x @ y.T
    return p / p.sum(), q / q.sum(), np.sqrt(np.maximum(squares, 0))


def main() -> None:
    """Print the ratios."""
    hyps, refs = (
        Path(name).read_text("utf-8").lower().split("\n")[:SEGMENTS] for name in sys.argv[1:3]
    )
    name = sys.argv[3] if len(sys.argv) > 3 else "glove"
    vectors = find_vectors(name)
    known = {w for text in hyps + refs for w in text.split()}
    known = {w for w, row in zip(known, vectors.rows(list(known)), strict=True) if row >= 0}
    words = [
        [[w for w in text.split() if w in known] for text in side[:FEW]] for side in (hyps, refs)
    ]
    pairs = [(h, r) for h, r in zip(*words, strict=True) if h and r]
    rows = dict(zip(known, vectors.matrix[vectors.rows(list(known))].astype(float), strict=True))
    peer = KeyedVectors(vectors.matrix.shape[1])
    peer.add_vectors(list(rows), np.array(list(rows.values()), np.float32))
    problems = [problem(h, r, rows) for h, r in pairs]
    metric = registry.metric("wmd", vectors=name, tokenizer="none")

    def ours() -> list[float]:
        table = score(hyps, refs, metrics=[metric], threads=1)
        return [float(x) for x in metric.score(next(iter(table.rows.values()))[0])]

    contestants = [
        Contestant("nlgauge", len(hyps), ours),
        Contestant(
            "gensim", len(pairs), lambda: [peer.wmdistance(h, r, norm=False) for h, r in pairs]
        ),
        Contestant("POT", len(pairs), lambda: [ot.emd2(*given) for given in problems]),
        Contestant(
            "POT with costs",
            len(pairs),
            lambda: [ot.emd2(*problem(h, r, rows)) for h, r in pairs],
        ),
        Contestant("POT bare", len(pairs), lambda: [emd_c(*p, 100_000, 1)[1] for p in problems]),
    ]
    seconds = alternate(contestants, REPS)
    per = {c.name: seconds[c.name] / c.segments * 1e6 for c in contestants}
    sizes = [np.size(costs) ** 0.5 for _, _, costs in problems]
    print(
        f"{len(hyps)} pairs of {np.mean(sizes):.0f} words: nlgauge {per['nlgauge']:.1f} µs a pair"
    )
    for name in list(per)[1:]:
        bar = f" (bar {BARS[name]}x)" if name in BARS else ""
        print(f"  {name} {per[name]:.0f} µs: {per[name] / per['nlgauge']:.1f}x{bar}")
    values = dict(zip(zip(hyps, refs, strict=True), ours(), strict=True))
    exact = [peer.wmdistance(h, r, norm=False) for h, r in pairs]
    found = [
        values[pair]
        for pair, h, r in zip(zip(hyps, refs, strict=True), *words, strict=False)
        if h and r
    ]
    print(f"  largest difference to gensim: {np.abs(np.subtract(found, exact)).max():.1e}")


if __name__ == "__main__":
    main()
