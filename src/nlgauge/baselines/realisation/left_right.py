"""Order trees by the side of the mother alone: the baseline LR of Bangalore et al. (2000).

All that is learnt is how often a word stands before and after another one that is its mother. In
the paper the mothers are those of a random tree for each sentence; they may be the treebank's, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from nlgauge.baselines.realisation.lexeme_tree import LexemeTree
from nlgauge.baselines.realisation.smoothed import Smoothed
from nlgauge.baselines.realisation.tree_tables import LEFT, RIGHT, Integers, TreeTables
from nlgauge.baselines.realisation.unraveler import FORBIDDEN, Lattice
from nlgauge.data.parses import Parse


class LeftRight:
    """This model knows on which side of its mother a word is more often."""

    def __init__(self, counts: Integers, words: Sequence[str]) -> None:
        self._numbers = {word: k for k, word in enumerate(words)}
        self._sides = Smoothed(2)
        for word, mother, side, times in counts.tolist():
            self._sides.add(side, ((), (word,), (word, mother)), times)

    def unravel(self, tree: LexemeTree) -> Lattice:
        """Return the lattice of all orders in which each daughter is on its more usual side."""
        words = [self._numbers.get(word.lower(), -1) for word in tree.words]
        sides = np.zeros((len(words), 2))
        for d, head in enumerate(tree.heads):
            if head:
                contexts = ((), (words[d],), (words[d], words[head - 1]))
                left = self._sides(LEFT, contexts) >= 0.5
                sides[d, RIGHT if left else LEFT] = FORBIDDEN
        return Lattice(sides, [], [])


def counts_of_random_trees(parses: Sequence[Parse], words: Sequence[str], *, seed: int) -> Integers:
    """Count sides in one random tree for each sentence: rows of word, mother, side, times.

    Words of a sentence come in random order, and each depends on one of those before it.
    """
    numbers = {word: k for k, word in enumerate(words)}
    rng = np.random.default_rng(seed)
    counts: Counter[tuple[int, int, int]] = Counter()
    for parse in parses:
        order = rng.permutation(len(parse)).tolist()
        mothers = (rng.random(len(parse)) * np.arange(len(parse))).astype(int).tolist()
        own = [numbers[word.lower()] for word in parse.words]
        for k in range(1, len(parse)):
            word, mother = order[k], order[mothers[k]]
            counts[own[word], own[mother], LEFT if word < mother else RIGHT] += 1
    return np.array(sorted((*key, n) for key, n in counts.items()), np.int32).reshape(-1, 4)


def counts_of_trees(tables: TreeTables) -> Integers:
    """Return the same counts from the trees of the treebank."""
    edges = tables.edges
    kept = edges[(edges[:, 2] != 0)]
    return np.ascontiguousarray(kept[:, [0, 2, 4, 5]])
