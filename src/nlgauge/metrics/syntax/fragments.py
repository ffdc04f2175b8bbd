"""HWCM and DSTM: precisions of head-word chains and of subtrees (Liu & Gildea, 2005)."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge.core.arithmetic import harmonic_mean, ratio
from nlgauge.core.best_reference import BestReference
from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.errors import NlgaugeWarning
from nlgauge.kernels import Floats, checked_threads, native
from nlgauge.metrics.syntax.parsed import UNIT_HELP, ForestTree, ParseMetric, TreeColumns, Unit
from nlgauge.models.cache.analysis_stores import Sentences

PAPER = "Liu & Gildea (2005), Syntactic features for evaluation of machine translation"
MOST_CHAINS, NEAREST = 400_000, 6  # of chains that skip words, in one tree; see HWCM._nearest
Counts = list[Counter[Hashable]]  # of the fragments of each size


@dataclass(frozen=True, kw_only=True)
class FragmentMetric(ParseMetric):
    """The arithmetic mean of clipped precisions of fragments of the sizes 1, 2, ..."""

    order: int = option(4, "largest fragments", low=1, high=9)
    unit: Unit = option("words", UNIT_HELP)
    lowercase: bool = option(False, "ignore case")
    zero: float = option(
        0.0, "in place of a precision of 0; the paper has 0.001 for sentences", low=0, high=1
    )

    def score(self, totals: Floats) -> Floats:
        """Return the mean of the precisions; sizes without any fragment count as 0."""
        return mean_precision(totals, self.zero)

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the precisions, and what they are made of."""
        return precisions(totals)


def mean_precision(totals: Floats, zero: float) -> Floats:
    """Return the mean precision of columns of matches, where `zero` takes the place of precisions
    of 0.
    """
    common, own = totals[..., 0::3], totals[..., 1::3]
    precisions = ratio(common, own)
    filled = np.where((precisions == 0) & (own[..., :1] > 0), zero, precisions)
    mean: Floats = filled.mean(axis=-1)
    return mean


def precisions(totals: Floats) -> dict[str, Any]:
    """Return, for `parts`, the precisions and what they are made of."""
    common, own = totals[0::3], totals[1::3]
    return {
        "precisions": ratio(common, own).tolist(),
        "counts": common.astype(int).tolist(),
        "totals": own.astype(int).tolist(),
    }


def matches(hyp: Counts, ref: Counts) -> list[float]:
    """Count, for every size, common fragments, those of the one, those of the other."""
    return [
        number
        for own, other in zip(hyp, ref, strict=True)
        for number in ((own & other).total(), own.total(), other.total())
    ]


@dataclass(frozen=True, kw_only=True)
class HWCM(FragmentMetric, BestReference):
    """Precision of chains of words, each the head of the next.

    Profiles: `paper`; `moses`, the F1 of mean precision and mean recall with the best reference;
    `asiya`, whose chains may leave out words, the share of common ones among all chains of up to
    `order` words; and `asiya-i`, the same of chains of `order` words only.
    """

    info: ClassVar[Info] = Info(
        name="hwcm",
        title="Head-word chain metric",
        family="syntax",
        cell="CF·U·word-other",
        tasks=("MT",),
        criteria=("fluency", "overall"),
        scale=1.0,
        extras=("syntax",),
        paper=PAPER,
        checked_against="Moses (mert) and Asiya 12.04 on given trees; the paper's table 7",
        revision=2,
    )

    profile: Literal["paper", "moses", "asiya", "asiya-i"] = option(
        "paper", "whose chains and formula"
    )

    def described(self, text: Sentences) -> Counts:
        """Count the chains of a text, by their length."""
        return self.count(ForestTree.build(text, self.unit, lowercase=self.lowercase))

    def count(self, tree: ForestTree) -> Counts:
        """Count the chains of a tree, from the top down."""
        if self.profile.startswith("asiya"):
            return self._skipping(tree)
        counts: Counts = [Counter() for _ in range(self.order)]
        ending: list[tuple[str, ...]] = [()] * len(tree.labels)  # the longest chain that ends there
        for node in tree.downward():
            above = ending[tree.heads[node]] if tree.heads[node] >= 0 else ()
            ending[node] = (*above, tree.labels[node])[-self.order :]
            for size in range(1, len(ending[node]) + 1):
                counts[size - 1][ending[node][-size:]] += 1
        return counts

    def _skipping(self, tree: ForestTree) -> Counts:
        """Count chains of any ancestors; Asiya 12.04 has none of more than four words."""
        longest = min(self.order, 4)
        nearest = self._nearest(tree, longest)
        counts: Counts = [Counter() for _ in range(self.order)]
        # By node and size. A chain is the chain above it and a word, which takes the least memory;
        # the longest, by far the most, are counted at once and not kept.
        ending: list[list[list[Hashable]]] = [[]] * len(tree.labels)
        for node in tree.downward():
            above: list[list[list[Hashable]]] = []
            at = tree.heads[node]
            while at >= 0 and len(above) < nearest:
                above.append(ending[at])
                at = tree.heads[at]
            label = tree.labels[node]
            ending[node] = [[label]]
            counts[0][label] += 1
            for size in range(1, longest):
                chains = ((c, label) for known in above for c in known[size - 1])
                if size < longest - 1:
                    ending[node].append(list(chains))
                    counts[size].update(ending[node][size])
                else:
                    counts[size].update(chains)
        return counts

    def _nearest(self, tree: ForestTree, longest: int) -> int:
        """Return how many ancestors a word is put into chains with: all, unless there are too
        many.
        """
        depth = [0] * len(tree.labels)
        for node in tree.downward():
            depth[node] = depth[tree.heads[node]] + 1 if tree.heads[node] >= 0 else 0
        if sum(math.comb(d, longest - 1) for d in depth) <= MOST_CHAINS:
            return len(tree.labels)
        # As many as the effort allows, so that a deeper tree is not cheaper than one just allowed.
        nearest = NEAREST
        while sum(min(d, nearest + 1) ** (longest - 1) for d in depth) <= MOST_CHAINS:
            nearest += 1
        warnings.warn(
            f"hwcm: a tree of {len(tree.labels):,} words is {max(depth)} levels deep; in chains, "
            f"words skip at most {nearest - 1} heads",
            NlgaugeWarning,
            stacklevel=2,
        )
        return nearest

    def compare(self, hyp: Counts, refs: Sequence[Counts]) -> float | Sequence[float]:
        """Compare as the paper does, which clips counts by the largest of any reference, or as the
        tools, with one reference at a time.
        """
        if self.profile == "paper":
            return matches(hyp, [reduce(or_, of_size) for of_size in zip(*refs, strict=True)])
        return super().compare(hyp, refs)

    def pair(self, hyp: Counts, ref: Counts) -> float | Sequence[float]:
        """Return the columns, for every size: common chains, those of the hypothesis, of the
        reference; of Asiya, whose corpus score is a mean, only the score.
        """
        row = matches(hyp, ref)
        if self.profile == "moses":
            return row
        return float(self._tool_score(np.asarray(row, np.float64)))

    def score(self, totals: Floats) -> Floats:
        """Return the score that the profile defines."""
        if self.profile == "paper":
            return super().score(totals)
        if self.profile == "moses":
            return self._tool_score(totals)
        return BestReference.score(self, totals)

    def _tool_score(self, counts: Floats) -> Floats:
        common, own, other = (counts[..., k::3] for k in range(3))
        if self.profile == "moses":
            p, r = ratio(common, own).mean(axis=-1), ratio(common, other).mean(axis=-1)
            return harmonic_mean(p, r)
        union = own + other - common
        if self.profile == "asiya-i":
            return ratio(common[..., -1], union[..., -1])
        return ratio(common.sum(axis=-1), union.sum(axis=-1))

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return what all of the family have; nothing of Asiya's mean."""
        return {} if self.profile.startswith("asiya") else super().parts(totals)


@dataclass(frozen=True, kw_only=True)
class DSTM(FragmentMetric):
    """Precision of subtrees of the dependency trees that are cut after 1, 2, ... levels."""

    info: ClassVar[Info] = Info(
        name="dstm",
        title="Dependency subtree metric",
        family="syntax",
        cell="CF·U·word-other",
        tasks=("MT",),
        criteria=("fluency", "overall"),
        scale=1.0,
        extras=("syntax",),
        paper=PAPER,
        checked_against="the paper's figure 2; brute force",
    )

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns, for every depth: common subtrees, those of the hypothesis, of the
        references.
        """
        trees = (
            [ForestTree.build(text, self.unit, lowercase=self.lowercase) for text in (hyp, *refs)]
            for hyp, refs in self.segments(corpus, threads=threads)
        )
        return subtree_rows(trees, self.order, threads=threads)


def subtree_rows(segments: Iterable[Sequence[ForestTree]], order: int, *, threads: int) -> Floats:
    """Count, for every depth, the common subtrees of the first tree and the others, those of the
    first, and those of the others. Counts are clipped by the largest count of any of the others.
    """
    columns = TreeColumns.build(segments)
    return native.subtree_matches(
        columns.labels,
        columns.heads,
        columns.starts,
        columns.first,
        order=order,
        threads=checked_threads(threads),
    )
