"""DTKM: the tree kernel on dependency trees (Liu & Gildea, 2005; Collins & Duffy, 2001)."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nlgauge.core.best_reference import ReferencePairs
from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.errors import NlgaugeWarning
from nlgauge.kernels import Floats, checked_threads, native
from nlgauge.metrics.syntax.fragments import PAPER
from nlgauge.metrics.syntax.parsed import UNIT_HELP, ForestTree, ParseMetric, TreeColumns, Unit

MOST_NODES = 3072  # of a text; time and memory are quadratic at worst


@dataclass(frozen=True, kw_only=True)
class DTKM(Mean, ParseMetric):
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
        revision=2,
    )

    unit: Unit = option("words", UNIT_HELP)
    decay: float = option(1.0, "weight of every further level and branch", low=0.001, high=1)
    lowercase: bool = option(False, "ignore case")

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the cosine, 1."""
        trees = (
            [
                limited(
                    "dtkm", ForestTree.build(text, self.unit, lowercase=self.lowercase), "words"
                )
                for text in (hyp, *refs)
            ]
            for hyp, refs in self.segments(corpus, threads=threads)
        )
        return best_cosines(trees, decay=self.decay, threads=threads)


def best_cosines(segments: Iterable[Sequence[ForestTree]], *, decay: float, threads: int) -> Floats:
    """Compute the columns: the cosine of the first tree with the nearest of the others, 1."""
    columns = TreeColumns.build(segments)
    left, right = columns.pairs()
    cosines = native.tree_cosines(
        columns.labels,
        columns.heads,
        columns.starts,
        left,
        right,
        decay=decay,
        threads=checked_threads(threads),
    )
    best = ReferencePairs.counted(np.diff(columns.first) - 1).best(cosines)
    return np.stack([best, np.ones(len(best))], axis=-1)


def limited(metric: str, tree: ForestTree, what: str) -> ForestTree:
    """Return the tree without what is beyond the largest size."""
    if len(tree.labels) <= MOST_NODES:
        return tree
    warnings.warn(
        f"{metric}: of a text of {len(tree.labels):,} {what}, the first {MOST_NODES:,} count",
        NlgaugeWarning,
        stacklevel=2,
    )
    heads = (head if head < MOST_NODES else -1 for head in tree.heads[:MOST_NODES])
    return ForestTree(tree.labels[:MOST_NODES], tuple(heads))
