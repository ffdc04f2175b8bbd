"""Find the best order of a lattice by trigrams: the Linear Precedence Chooser of FERGUS."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.baselines.realisation.lexeme_tree import LexemeTree
from nlgauge.baselines.realisation.unraveler import Lattice
from nlgauge.kernels import native
from nlgauge.models.lexicon.ngram_model import END, START, UNKNOWN, NGramModel


@dataclass(frozen=True)
class Realisation:
    """A realisation is one order of a tree's words, and its score in the search."""

    words: tuple[str, ...]
    score: float

    @property
    def text(self) -> str:
        """Return the words, divided by blanks."""
        return " ".join(self.words)


class WordSearch:
    """This search has trigrams, and puts the words of trees in their best order."""

    def __init__(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        NGramModel(arrays)  # refuses arrays that do not fit each other
        words = bytes(np.asarray(arrays["words"], np.uint8)).decode().split("\n")
        self._numbers = {word: k for k, word in enumerate(words, UNKNOWN + 1)}
        floats = {
            name: np.ascontiguousarray(arrays[name], np.float64)
            for name in ("1.logs", "1.left", "2.logs", "2.left", "3.logs")
        }
        keys = [np.ascontiguousarray(arrays[f"{n}.keys"], np.int64) for n in (2, 3)]
        self._trigrams = native.Trigrams(
            floats["1.logs"], floats["1.left"],
            keys[0], floats["2.logs"], floats["2.left"],
            keys[1], floats["3.logs"],
        )  # fmt: skip

    def search(
        self,
        trees: Sequence[LexemeTree],
        lattices: Sequence[Lattice],
        *,
        beam: int,
        variants: int,
        best: int,
        threads: int,
    ) -> list[list[Realisation]]:
        """Return the best orders of each tree, as many as there are up to `best`."""
        numbers = [
            self._numbers.get(word.lower(), UNKNOWN) for tree in trees for word in tree.words
        ]
        heads = [head - 1 for tree in trees for head in tree.heads]
        sisters = [pair for lattice in lattices for pair in lattice.sisters]
        orders = [weights for lattice in lattices for weights in lattice.orders]
        owners, scores, nodes = self._trigrams.orders(
            np.array(numbers, np.uint32),
            np.array(heads, np.int32),
            np.concatenate([np.zeros((0, 2)), *(lattice.sides for lattice in lattices)]),
            np.cumsum([0, *(len(tree.words) for tree in trees)]),
            np.array(sisters, np.int32).reshape(-1, 2),
            np.array(orders, np.float64).reshape(-1, 4),
            np.cumsum([0, *(len(lattice.sisters) for lattice in lattices)]),
            start=START,
            end=END,
            beam=beam,
            variants=variants,
            best=best,
            threads=threads,
        )
        found: list[list[Realisation]] = [[] for _ in trees]
        at = 0
        for owner, score in zip(owners.tolist(), scores.tolist(), strict=True):
            words = trees[owner].words
            order = nodes[at : at + len(words)].tolist()
            at += len(words)
            found[owner].append(Realisation(tuple(words[node] for node in order), score))
        return found
