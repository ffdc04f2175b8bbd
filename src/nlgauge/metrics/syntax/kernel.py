"""DTKM: the tree kernel on dependency trees (Liu & Gildea, 2005; Collins & Duffy, 2001)."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nlgauge.data import Corpus
from nlgauge.errors import NlgaugeWarning
from nlgauge.kernels import Floats, native
from nlgauge.metric import Info, Mean
from nlgauge.metrics.syntax.fragments import PAPER
from nlgauge.metrics.syntax.parsed import UNIT_HELP, Parsed, Tree, Unit
from nlgauge.options import option

MOST_NODES = 4096  # of a text; time and memory are quadratic at worst


@dataclass(frozen=True, kw_only=True)
class DTKM(Mean, Parsed):
    """Cosine of two trees in the space of all subtrees, with the best reference.

    A subtree has a node with all of its dependents or none, and at least one relation: texts of
    single words have no subtree and score 0.
    """

    info: ClassVar[Info] = Info(
        name="dtkm",
        title="Dependency tree-kernel metric",
        family="syntax",
        cell="CF·U·word-other",
        tasks=("MT",),
        criteria=("fluency", "overall"),
        scale=1.0,
        extras=("syntax",),
        paper=PAPER,
        checked_against="the paper's figure 2; enumeration of all subtrees",
    )

    unit: Unit = option("words", UNIT_HELP)
    decay: float = option(1.0, "weight of every further level and branch", low=0.001, high=1)
    lowercase: bool = option(False, "ignore case")

    def rows(self, corpus: Corpus, state: Any = None, *, threads: int = 1) -> Floats:  # noqa: ARG002
        """Columns: the cosine, 1."""
        labels: list[int] = []
        heads: list[int] = []
        starts = [0]
        left: list[int] = []
        right: list[int] = []
        numbers: dict[str, int] = {}
        first = []  # of each segment's pairs
        for hyp, refs in self.pairs(corpus, threads=threads):
            own = len(starts) - 1
            first.append(len(left))
            for text in (hyp, *refs):
                tree = self._limited(Tree.build(text, self.unit, lowercase=self.lowercase))
                labels += (numbers.setdefault(label, len(numbers)) for label in tree.labels)
                heads += tree.heads
                starts.append(len(heads))
            left += [own] * len(refs)
            right += range(own + 1, own + 1 + len(refs))
        cosines = native.tree_cosines(
            np.asarray(labels, np.int32),
            np.asarray(heads, np.int32),
            np.asarray(starts, np.int64),
            np.asarray(left, np.int64),
            np.asarray(right, np.int64),
            decay=self.decay,
            threads=max(1, threads),
        )
        best = np.maximum.reduceat(cosines, first)
        return np.stack([best, np.ones(len(best))], axis=-1)

    def _limited(self, tree: Tree) -> Tree:
        if len(tree.labels) <= MOST_NODES:
            return tree
        warnings.warn(
            f"dtkm: of a text of {len(tree.labels):,} words, the first {MOST_NODES:,} count",
            NlgaugeWarning,
            stacklevel=2,
        )
        heads = (head if head < MOST_NODES else -1 for head in tree.heads[:MOST_NODES])
        return Tree(tree.labels[:MOST_NODES], tuple(heads))
