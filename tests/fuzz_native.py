"""Odd texts through every kernel, for a while, from a seed; meant for a build with sanitizers.

    python tests/fuzz_native.py --seconds 60 --seed 1

Every metric that needs nothing but texts scores them on one thread and on two: rows must be the
same, and scores finite. A sanitizer ends the process by itself.
"""

from __future__ import annotations

import argparse
import random
import time
import warnings

import numpy as np

from nlgauge import Corpus, Metric, NlgaugeError
from nlgauge.core import registry

ALPHABETS = (
    "ab ",
    "abcdefgh  ",
    "the cat sat on mat . , ! ? ' -".split(),
    "aÀßΣςİıſéあ東京กิ🙂\u0301\u200b\xa0\u3000 ",
    "\t\n\r\x0b\x1c\x85\u2028 ab",
    "0123456789.,-%$ ",
    ["\ud800", "\U0010ffff", "\0", "x" * 70, " ", "don't", "DOTMULTI", "&quot;", "<s>"],
)


def a_text(rng: random.Random) -> str:
    """Mostly short, now and then long, from one of the alphabets."""
    alphabet = rng.choice(ALPHABETS)
    size = rng.choice((0, 1, 3, 10, 30, 70, rng.randrange(400)))
    joint = " " if rng.random() < 0.5 else ""
    return joint.join(rng.choice(alphabet) for _ in range(size))


def a_corpus(rng: random.Random) -> Corpus:
    """A few segments; references are often close to the hypothesis."""
    hyps = [a_text(rng) for _ in range(rng.randrange(1, 12))]
    refs = []
    for hyp in hyps:
        words = hyp.split(" ")
        rng.shuffle(words)
        kinds = (lambda: a_text(rng), lambda w=words: " ".join(w), lambda h=hyp: h + "x")
        refs.append([rng.choice(kinds)() for _ in range(rng.randrange(1, 4))])
    return Corpus.build(hyps, refs, sources=[a_text(rng) for _ in hyps])


def metrics() -> list[tuple[str, Metric]]:
    """All that can score a corpus of texts without a file or a model."""
    probe = Corpus.build(["a b"], ["a c"], sources=["a d"])
    found = []
    for name in registry.names():
        try:
            metric = registry.metric(name)
            metric.check_inputs(probe)
            if {"neural", "syntax", "vectors", "transformers"} & {*metric.info.extras}:
                continue
        except NlgaugeError:
            continue
        found.append((name, metric))
    return found


def main() -> None:
    """Score until the time is up."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    rng = random.Random(arguments.seed)
    chosen, end, segments = metrics(), time.monotonic() + arguments.seconds, 0
    while time.monotonic() < end:
        corpus = a_corpus(rng)
        for name, metric in chosen:
            state = metric.fitted(corpus)
            rows = metric.rows(corpus, state)
            again = metric.rows(corpus, state, threads=2)
            scores = metric.score(rows)
            texts = [*corpus.hypotheses]
            assert np.array_equal(rows, again, equal_nan=True), (name, arguments.seed, texts)
            assert not np.isinf(scores).any(), (name, arguments.seed, texts)
            segments += len(corpus)
    print(f"{len(chosen)} metrics, {segments} segments: no fault")


if __name__ == "__main__":
    main()
