"""Say which orders a supertagged tree allows, and how usual each is: the Unraveler of FERGUS."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log

import numpy as np

from nlgauge.baselines.realisation.lexeme_tree import LexemeTree, downward_nodes
from nlgauge.baselines.realisation.smoothed import Smoothed
from nlgauge.baselines.realisation.tree_chooser import Supertagged, TreeModel
from nlgauge.baselines.realisation.tree_tables import (
    LEFT,
    RIGHT,
    ROOT_TAG,
    ROOT_WORD,
    SIZES,
    TreeTables,
    sister_class,
)
from nlgauge.kernels import Floats

FORBIDDEN = -1e4  # the weight of an order that is taken only if there is no other


@dataclass(frozen=True, eq=False)
class Lattice:
    """A lattice has the weights of sides and orders, as the native search takes them."""

    sides: Floats  # [words, 2]: left and right of the head
    sisters: list[tuple[int, int]]
    orders: list[tuple[float, float, float, float]]  # left: as given, reversed; right: the same


class OrderGrammar:
    """A grammar of orders knows the sides of daughters, and in which order sisters stand."""

    def __init__(self, model: TreeModel) -> None:
        self._model = model
        self._sides, self._pairs = Smoothed(2), Smoothed(2)
        self._known: dict[tuple[int, int, int, int], float] = {}
        tables: TreeTables = model.tables
        for word, tag, mother, mothers_tag, side, times in tables.edges.tolist():
            contexts = self._side_contexts(word, tag, mother, mothers_tag)
            self._sides.add(side, contexts, times)
        for mothers_tag, side, one, other, times in tables.sisters.tolist():
            contexts, swapped = self._pair_contexts(mothers_tag, side, one, other)
            self._pairs.add(int(swapped), contexts, times)

    def unravel(
        self, tree: LexemeTree, supertagged: Supertagged, *, least: float, weight: float
    ) -> Lattice:
        """Return the lattice of the orders that the treebank allows for the tree.

        What has a smaller share than `least` there is not allowed; of what is, the logarithm of
        the share has the weight `weight`. With 0, all that is allowed is alike, as in the paper.
        """

        def weighed(share: float) -> float:
            return FORBIDDEN if share < least else weight * log(max(share, 1e-12))

        model, tags = self._model, supertagged.tags
        daughters = tree.daughters()
        sizes = _sizes(tree, daughters)
        words = [model.number(word) for word in tree.words]
        sides = np.zeros((len(tags), 2))
        sisters: list[tuple[int, int]] = []
        orders: list[tuple[float, float, float, float]] = []
        for mother, below in enumerate(daughters):
            top = mother == len(tags)
            mothers_tag = ROOT_TAG if top else tags[mother]
            above = ROOT_WORD if top else words[mother]
            for d in below if not top else ():
                given = supertagged.sides[d]
                if given is None:
                    contexts = self._side_contexts(words[d], tags[d], above, mothers_tag)
                    share = self._sides(LEFT, contexts)
                    sides[d] = weighed(share), weighed(1 - share)
                else:
                    sides[d, LEFT if given == RIGHT else RIGHT] = FORBIDDEN
            classes = {d: sister_class(tags[d], sizes[d]) for d in below}
            for a, b in combinations(below, 2):
                shares = [
                    self._before(mothers_tag, side, classes[a], classes[b]) for side in (0, 1)
                ]
                sisters.append((a, b))
                orders.append(
                    (
                        weighed(shares[0]),
                        weighed(1 - shares[0]),
                        weighed(shares[1]),
                        weighed(1 - shares[1]),
                    )
                )
        return Lattice(sides, sisters, orders)

    def _before(self, mothers_tag: int, side: int, one: int, other: int) -> float:
        """Return the share in which the first of two sisters stands before the other."""
        key = mothers_tag, side, one, other
        if key not in self._known:
            contexts, swapped = self._pair_contexts(mothers_tag, side, one, other)
            self._known[key] = self._pairs(int(swapped), contexts) if one != other else 0.5
        return self._known[key]

    def _side_contexts(
        self, word: int | None, tag: int, mother: int | None, mothers_tag: int
    ) -> Sequence[object]:
        part = self._model.parts[mothers_tag]
        relation = self._model.relations[tag]
        return (
            (),
            (relation, part),
            (tag, part),
            (tag, part, self._model.relations[mothers_tag]),
            (tag, word, part, 0),
            (tag, word, mother, 0, 0),
        )

    def _pair_contexts(
        self, mothers_tag: int, side: int, one: int, other: int
    ) -> tuple[Sequence[object], bool]:
        """Return contexts that do not depend on the order of the two, and whether it changed."""
        swapped = one > other
        a, b = (other, one) if swapped else (one, other)
        tags = a // SIZES, b // SIZES
        relations = tuple(self._model.relations[tag] for tag in tags)
        part = self._model.parts[mothers_tag]
        return ((side, *relations, 0), (side, *tags), (side, a, b, part)), swapped


def _sizes(tree: LexemeTree, daughters: Sequence[Sequence[int]]) -> list[int]:
    sizes = [1] * len(tree.words)
    for node in reversed(downward_nodes(daughters)[1:]):
        sizes[node] += sum(sizes[d] for d in daughters[node])
    return sizes
