"""Draws texts for fuzzing: repeated words, odd characters, long, empty and related ones.

Texts are made in families: one text and changed forms of it. A pool of families serves many
batches; a segment takes its hypothesis and references from the texts of a family, or of another.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random

import numpy as np
from support.strategies import PIECES, SURROGATES

FAMILIES = 5000  # in a pool
FORMS = 4  # texts of a family
BATCHES = 25  # that a pool serves
STRANGERS = 0.2  # share of references from another family
VOCABULARY = (
    *"abcdefgh",
    "the",
    "house",
    "houses",
    "running",
    "ran",
    "Zürich",
    "東京",
    "U.S.",
    "1,000",
)
ODD = (*PIECES, *SURROGATES)


class Texts:
    """A source of texts and of changed forms of them."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def draw(self) -> str:
        """Return a text."""
        rng, kind = self.rng, self.rng.random()
        if kind < 0.05:
            return rng.choice(("", " ", "\n", ".", "\x00", "a"))
        if kind < 0.22:
            return "".join(rng.choices(ODD, k=rng.randint(1, 25)))
        if kind < 0.25:  # code points of all planes, assigned or not
            return "".join(map(chr, rng.choices(range(0x110000), k=rng.randint(1, 25))))
        if kind < 0.35:
            return " ".join(rng.choices(VOCABULARY[: rng.randint(1, 3)], k=rng.randint(1, 60)))
        if kind < 0.37:
            return " ".join(rng.choices(VOCABULARY, k=rng.randint(60, 200)))
        return " ".join(rng.choices(VOCABULARY, k=rng.randint(1, 20)))

    def changed(self, text: str) -> str:
        """Return the text with some words changed, left out or moved, or another one."""
        rng, words = self.rng, text.split(" ")
        if rng.random() < 0.1:
            return self.draw()
        for _ in range(rng.randint(0, 4)):
            at = rng.randrange(len(words) + 1)
            words[at : at + rng.randint(0, 2)] = rng.choices(VOCABULARY, k=rng.randint(0, 2))
        if rng.random() < 0.3:
            at = rng.randrange(len(words) + 1)
            words = [*words[at:], *words[:at]]
        return " ".join(words)

    def family(self) -> list[str]:
        """Return a text and changed forms of it."""
        first = self.draw()
        return [first, *(self.changed(first) for _ in range(FORMS - 1))]


@lru_cache(maxsize=1)
def _pool(seed: int, number: int) -> list[str]:
    """Return the texts of all families, one family after the other."""
    texts = Texts(Random(f"pool {number} of {seed}"))
    return [text for _ in range(FAMILIES) for text in texts.family()]


def segments(seed: int, batch: int, name: str, size: int) -> tuple[list[str], list[list[str]]]:
    """Return hypotheses and references, which follow from the arguments alone."""
    pool = _pool(seed, batch // BATCHES)
    entropy = Random(f"segments {batch} of {name} by {seed}").getrandbits(128)
    rng = np.random.default_rng(entropy)
    families = rng.integers(FAMILIES, size=(size, 4))
    families[:, 1:] = np.where(rng.random((size, 3)) < STRANGERS, families[:, 1:], families[:, :1])
    chosen = (families * FORMS + rng.integers(FORMS, size=(size, 4))).tolist()
    counts = rng.choice((1, 1, 2, 3), size=size).tolist()
    hyps = [pool[of[0]] for of in chosen]
    refs = [[pool[k] for k in of[1 : 1 + count]] for of, count in zip(chosen, counts, strict=True)]
    return hyps, refs
