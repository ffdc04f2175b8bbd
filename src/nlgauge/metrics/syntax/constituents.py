"""STM and TKM: subtrees of constituent trees in common (Liu & Gildea, 2005)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge.core.arithmetic import ratio
from nlgauge.core.best_reference import BestReference, grouped
from nlgauge.core.metric import Info, Mean, Metric
from nlgauge.core.options import option
from nlgauge.data.constituents import Constituent
from nlgauge.data.corpus import Corpus
from nlgauge.explain.traces import Trees
from nlgauge.kernels import Floats
from nlgauge.metrics.syntax.fragments import (
    PAPER,
    Counts,
    matches,
    mean_precision,
    precisions,
    subtree_rows,
)
from nlgauge.metrics.syntax.kernel import best_cosines, limited
from nlgauge.metrics.syntax.parsed import ForestTree
from nlgauge.metrics.syntax.tree_trace import side_by_side
from nlgauge.models.cache.analysis_stores import TreeStore, trees_of
from nlgauge.models.syntax.annotators import TREES_HELP, english_annotator, find_trees

Sentences = Sequence[Constituent]


@dataclass(frozen=True, kw_only=True)
class TreeMetric(Metric):
    """A metric that looks at constituent trees of hypotheses and references."""

    trees: str = option("en", TREES_HELP)

    def resources(self) -> dict[str, str]:
        """Name the parser, and its weights or file."""
        return {"trees": find_trees(self.trees).name}

    def english_only(self) -> tuple[str, ...]:
        """Name the parser, if it is English."""
        return english_annotator("trees", self.trees)

    def segments(
        self, corpus: Corpus, *, threads: int
    ) -> Iterator[tuple[Sentences, Sequence[Sentences]]]:
        """Parse every hypothesis and its references."""
        texts = [*corpus.hypotheses, *corpus.references.flat]
        found = trees_of(corpus, self.trees).sentences(texts, threads=threads)
        refs = grouped(corpus.references, found[len(corpus) :])
        return zip(found[: len(corpus)], refs, strict=True)

    def trace(self, hypothesis: str, reference: str) -> Trees:
        """Show both trees, and how far below each node they are the same."""
        hyp, ref = TreeStore(find_trees(self.trees)).sentences([hypothesis, reference])
        return side_by_side(hyp, ref)


def forest(sentences: Sentences) -> ForestTree:
    """Return trees down to parts of speech: words are not nodes."""
    labels: list[str] = []
    heads: list[int] = []
    for sentence in sentences:
        start = len(labels)
        for parent, node in sentence.downward():
            labels.append(node.label)
            heads.append(start + parent if parent >= 0 else -1)
    return ForestTree(tuple(labels), tuple(heads))


@dataclass(frozen=True, kw_only=True)
class STM(TreeMetric, BestReference):
    """Precision of subtrees that are cut after 1, 2, ... levels.

    Profiles: `paper`; `asiya`, whose subtrees are chains from any node down to any other, words
    among them, and which gives the share of common ones among all chains of up to `order` nodes;
    and `asiya-i`, the same of chains of `order` nodes only.
    """

    info: ClassVar[Info] = Info(
        name="stm",
        title="Subtree metric",
        family="syntax",
        cell="CF·U·word-other",
        tasks=("MT",),
        criteria=("fluency",),
        scale=1.0,
        extras=("neural",),
        paper=PAPER,
        checked_against="the paper's figure 2; brute force; Asiya 12.04 on given trees",
    )

    order: int = option(4, "deepest subtrees", low=1, high=9)
    zero: float = option(
        0.0, "in place of a precision of 0; the paper has 0.001 for sentences", low=0, high=1
    )
    profile: Literal["paper", "asiya", "asiya-i"] = option("paper", "whose subtrees and formula")
    lowercase: bool = option(False, "ignore case, where words count: in Asiya's profiles")

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns, for every depth: common subtrees, those of the hypothesis, of the
        references; for Asiya, whose corpus score is a mean, the score and 1.
        """
        if self.profile != "paper":
            return super().segment_rows(corpus, state, threads=threads)
        segments = self.segments(corpus, threads=threads)
        trees = (list(map(forest, (hyp, *refs))) for hyp, refs in segments)
        return subtree_rows(trees, self.order, threads=threads)

    def pair(self, hyp: Counts, ref: Counts) -> float:
        """Return Asiya's share of common chains."""
        counts = np.asarray(matches(hyp, ref), float)
        if self.profile == "asiya-i":
            counts = counts[-3:]
        common, own, other = (counts[k::3].sum() for k in range(3))
        return float(ratio(common, own + other - common))

    def described(self, sentences: Sentences) -> Counts:
        """Count Asiya's chains, by their length."""
        counts: Counts = [Counter() for _ in range(self.order)]
        for sentence in sentences:
            if [*sentence.words] in (["."], ["!"], ["?"]):
                continue  # Asiya 12.04 gives such lines no tree
            ending: list[tuple[str, ...]] = []  # by node, the longest chain that ends there
            for parent, node in sentence.downward():
                above = ending[parent] if parent >= 0 else ()
                ending.append((*above, self._label(node.label))[-self.order :])
                ends = [ending[-1]]
                if node.word is not None:
                    ends.append((*ending[-1], self._label(node.word))[-self.order :])
                for chain in ends:
                    for size in range(1, len(chain) + 1):
                        counts[size - 1][chain[-size:]] += 1
        return counts

    def _label(self, label: str) -> str:
        renamed = asiya_label(label)
        return renamed.lower() if self.lowercase else renamed

    def score(self, totals: Floats) -> Floats:
        """Return the mean of the precisions, where depths without any subtree count as 0; or
        Asiya's mean.
        """
        if self.profile == "paper":
            return mean_precision(totals, self.zero)
        return super().score(totals)

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the precisions, and what they are made of; nothing of Asiya's mean."""
        return precisions(totals) if self.profile == "paper" else {}


def asiya_label(label: str) -> str:
    """Return a label or word as Asiya 12.04 has it: S1 is S, too."""
    if label.startswith("SBAR"):
        return "SBAR"
    if label[:1] == "S" and "0" <= label[1:2] <= "9":
        return "S"
    return {"-LRB-": "(", "-RRB-": ")", '"': "''"}.get(label, label)


@dataclass(frozen=True, kw_only=True)
class TKM(Mean, TreeMetric):
    """Cosine of two trees in the space of all subtrees, with the best reference.

    A subtree has a node with all of its parts or none, and at least one node that has parts.
    """

    info: ClassVar[Info] = Info(
        name="tkm",
        title="Tree-kernel metric",
        family="syntax",
        cell="CF·U·word-other",
        tasks=("MT",),
        criteria=("fluency",),
        scale=1.0,
        extras=("neural",),
        paper=PAPER,
        checked_against="the paper's figure 2; enumeration of all subtrees",
        revision=2,
    )

    decay: float = option(1.0, "weight of every further level and branch", low=0.001, high=1)

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the cosine, 1."""
        trees = (
            [limited("tkm", forest(text), "nodes") for text in (hyp, *refs)]
            for hyp, refs in self.segments(corpus, threads=threads)
        )
        return best_cosines(trees, decay=self.decay, threads=threads)


@dataclass(frozen=True, kw_only=True)
class CPOverlap(TreeMetric, BestReference):
    """Words that hypothesis and best reference have in common as the same part of speech, or in the
    same kind of constituent, among all of both: Asiya's CP-Op(*) and CP-Oc(*).
    """

    info: ClassVar[Info] = Info(
        name="cp-o",
        title="Overlap by constituents",
        family="syntax",
        cell="CF·U·word-other",
        tasks=("MT",),
        criteria=("fluency", "adequacy"),
        scale=1.0,
        extras=("neural",),
        paper="Giménez & Màrquez (2007), Linguistic features for automatic evaluation of "
        "heterogenous MT systems",
        checked_against="Asiya 12.04 on given trees",
    )

    of: Literal["tags", "constituents"] = option("tags", "what words must share to be the same")
    lowercase: bool = option(False, "ignore case")

    def pair(self, hyp: Counter[tuple[str, str]], ref: Counter[tuple[str, str]]) -> float:
        """Return the share of common words."""
        return (hyp & ref).total() / max(1, (hyp | ref).total())

    def described(self, sentences: Sentences) -> Counter[tuple[str, str]]:
        """Count the words by the kinds of constituents around them."""
        found: Counter[tuple[str, str]] = Counter()
        for sentence in sentences:
            inside: list[frozenset[str]] = []  # by node: the kinds of constituents around it
            for parent, node in sentence.downward():
                around: frozenset[str] = inside[parent] if parent >= 0 else frozenset()
                inside.append(around | {asiya_label(node.label)} if node.word is None else around)
                if node.word is not None:
                    word = node.word.lower() if self.lowercase else node.word
                    kinds = around if self.of == "constituents" else {node.label}
                    found.update((kind, word) for kind in kinds)
        return found
