"""What do metrics of dialogue cost beside encoding? At most 1.3 times that is the bar.

    python benchmarks/speed/dialogue_cost.py [--turns 10000] [-m maude roberta-eval]

Dialogues are made of random words. Encoding the distinct utterances, and scoring with a metric,
each start from nothing, and take turns; times are of the processor.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from nlgauge import Corpus
from nlgauge.core import registry
from nlgauge.models.cache.embeddings import Embeddings
from nlgauge.models.encoders.encoder import find_encoder

TURNS = 5  # of a segment
WORDS = "the a dog cat sea tea likes goes to old new bread of we they see house train why".split()


def corpus_of(turns: int, seed: int = 1) -> Corpus:
    """Return segments with so many turns of context together, of which a third are said again."""
    rng = np.random.default_rng(seed)
    said = [" ".join(rng.choice(WORDS, rng.integers(4, 16))) for _ in range(2 * turns // 3)]
    segments = turns // TURNS
    contexts = [[said[k] for k in rng.integers(len(said), size=TURNS)] for _ in range(segments)]
    return Corpus.build(
        [said[k] for k in rng.integers(len(said), size=segments)], contexts=contexts
    )


def main() -> None:
    """Print times and ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=10_000)
    parser.add_argument("-m", "--metrics", nargs="+", default=["reply-cosine", "maude", "cmade"])
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    encoder = find_encoder("minilm")
    for name in arguments.metrics:
        metric = registry.metric(name)
        ratios = []
        for seed in range(arguments.rounds):
            corpus = corpus_of(arguments.turns, seed)
            turns = corpus.turns
            assert turns is not None
            distinct = list(dict.fromkeys([*turns.flat, *corpus.hypotheses]))
            began = time.process_time()
            Embeddings(encoder).sentences(distinct, [encoder.layers])
            encoded = time.process_time() - began
            began = time.process_time()
            metric.rows(corpus)
            ratios.append((time.process_time() - began) / encoded)
        listing = ", ".join(f"{ratio:.2f}" for ratio in ratios)
        print(f"{name}: {np.median(ratios):.2f} times encoding ({listing})", flush=True)


if __name__ == "__main__":
    main()
