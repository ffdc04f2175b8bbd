"""FERGUS: a realiser that orders the words of a dependency tree (Bangalore, Rambow and Whittaker,
2000), and the baseline LR that it was compared with.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy.typing as npt

from nlgauge.baselines.realisation.left_right import (
    LeftRight,
    counts_of_random_trees,
    counts_of_trees,
)
from nlgauge.baselines.realisation.lexeme_tree import LexemeTree
from nlgauge.baselines.realisation.tree_chooser import TreeModel, choose_tags
from nlgauge.baselines.realisation.tree_tables import Integers, TreeTables, count_trees
from nlgauge.baselines.realisation.unraveler import Lattice, OrderGrammar
from nlgauge.baselines.realisation.word_search import Realisation, WordSearch
from nlgauge.core.facts.choices import RealiserMethod, UnknownWords
from nlgauge.core.facts.defaults import SEED
from nlgauge.data.parses import Parse
from nlgauge.errors import DataError, NlgaugeWarning, SpecError
from nlgauge.io.texts.nbest import NBestCandidate, NBestList
from nlgauge.kernels import checked_threads
from nlgauge.models.lexicon.kneser_ney import estimate_trigrams

LEAST, WEIGHT = 0.05, 1.0  # chosen on the dev part of a treebank; see docs/guide/baselines.md
BEAM, VARIANTS = 32, 8
METHODS: tuple[RealiserMethod, ...] = ("lr", "tree-lr", "fergus")


@dataclass(frozen=True, eq=False)
class Fergus:
    """A realiser has what was counted in a treebank: supertags and orders, sides, and trigrams."""

    tables: TreeTables
    random_sides: Integers
    trigrams: dict[str, npt.NDArray[Any]] = field(repr=False)

    @classmethod
    def train(cls, parses: Sequence[Parse], *, where: str = "treebank", seed: int = SEED) -> Fergus:
        """Learn from a treebank; `seed` is that of the random trees of LR."""
        tables = count_trees(parses, where)
        sentences = [[word.lower() for word in parse.words] for parse in parses]
        return cls(
            tables,
            counts_of_random_trees(parses, tables.words, seed=seed),
            estimate_trigrams(sentences),
        )

    def realise(
        self,
        trees: Sequence[LexemeTree],
        *,
        method: RealiserMethod = "fergus",
        unknown: UnknownWords = "shape",
        least: float = LEAST,
        weight: float = WEIGHT,
        beam: int = BEAM,
        variants: int = VARIANTS,
        best: int = 1,
        threads: int | None = None,
    ) -> list[list[Realisation]]:
        """Return the best orders of each tree, from the most probable down.

        `lr` and `tree-lr` know the sides of words only, from random trees or from those of the
        treebank. `unknown` words are taken by their shape, or refused. Orders with a smaller share
        than `least` in the treebank are not allowed; `weight` is that of shares beside trigrams.
        `beam` spans are kept while a head and its daughters are put together, and `variants` of
        the result.
        """
        for name, value, low in (("beam", beam, 1), ("variants", variants, 1), ("best", best, 1)):
            if value < low:
                raise SpecError(f"{name}={value}: must be at least {low}")
        if not 0 <= least < 0.5:
            raise SpecError(f"least={least:g}: a share from 0 to less than 0.5")
        if weight < 0:
            raise SpecError(f"weight={weight:g}: must not be negative")
        unordered = []
        for number, tree in enumerate(trees, start=1):
            tree.check(f"tree {number}")
            self._check_words(tree, number, unknown)
            unordered.append(tree.unordered())
        return self._search.search(
            unordered,
            self._lattices(unordered, method, least, weight),
            beam=beam,
            variants=max(variants, best),
            best=best,
            threads=checked_threads(threads),
        )

    def unknown_words(self, trees: Sequence[LexemeTree]) -> list[str]:
        """Return the words that the treebank did not have, each time they occur."""
        known = self._model.numbers
        return [word for tree in trees for word in tree.words if word.lower() not in known]

    def _check_words(self, tree: LexemeTree, number: int, unknown: UnknownWords) -> None:
        if unknown == "shape":
            return
        for word in tree.words:
            if word.lower() not in self._model.numbers:
                raise DataError(
                    f"tree {number}: the treebank does not have the word {word!r}; train on more, "
                    "or take unknown words by their shape"
                )

    def _lattices(
        self, trees: Sequence[LexemeTree], method: RealiserMethod, least: float, weight: float
    ) -> list[Lattice]:
        if method == "fergus":
            return [
                self._grammar.unravel(
                    tree, choose_tags(self._model, tree), least=least, weight=weight
                )
                for tree in trees
            ]
        counts = self.random_sides if method == "lr" else counts_of_trees(self.tables)
        sides = LeftRight(counts, self.tables.words)
        return [sides.unravel(tree) for tree in trees]

    @cached_property
    def _model(self) -> TreeModel:
        return TreeModel(self.tables)

    @cached_property
    def _grammar(self) -> OrderGrammar:
        return OrderGrammar(self._model)

    @cached_property
    def _search(self) -> WordSearch:
        return WordSearch(self.trigrams)


def warn_of_unknown(realiser: Fergus, trees: Sequence[LexemeTree]) -> None:
    """Warn if many words of the trees are unknown to the treebank."""
    words = sum(len(tree.words) for tree in trees)
    unknown = realiser.unknown_words(trees)
    if words and len(unknown) > words / 4:
        warnings.warn(
            f"{len(unknown)} of {words} words are not in the treebank, such as {unknown[0]!r}; "
            "they are taken by their shape, and orders will be poor: train on texts like these",
            NlgaugeWarning,
            stacklevel=2,
        )


def nbest_lists(found: Sequence[Sequence[Realisation]]) -> list[NBestList]:
    """Return realisations as n-best lists, each with its score in the search as a feature."""
    return [
        NBestList(str(k), tuple(NBestCandidate(r.text, {"search": r.score}) for r in own))
        for k, own in enumerate(found)
    ]
