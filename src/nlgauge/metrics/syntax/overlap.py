"""Overlap of words by level, tag or relation in dependency trees: Asiya's DP-Ol, DP-Oc, DP-Or."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from nlgauge.core.best_reference import BestReference
from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.metrics.syntax.parsed import ForestTree, ParseMetric
from nlgauge.models.cache.analysis_stores import Sentences

Words = dict[str, Counter[str]]  # by tag, or by relation


@dataclass(frozen=True, kw_only=True)
class DPOverlap(ParseMetric, BestReference):
    """Words that hypothesis and best reference have in common among all of both: below the same
    level of the tree, with the same tag, or in parts of the same relation to their head.

    The score is the mean over what either tree has: Asiya's DP-Ol(*), DP-Oc(*) and DP-Or(*); or,
    with `only`, that of one level, tag or relation, and 0 where no tree has it.
    """

    info: ClassVar[Info] = Info(
        name="dp-o",
        title="Overlap by dependencies",
        family="syntax",
        cell="CF·U·word-other",
        tasks=("MT",),
        criteria=("fluency", "adequacy"),
        scale=1.0,
        extras=("syntax",),
        paper="Giménez & Màrquez (2007), Linguistic features for automatic evaluation of "
        "heterogenous MT systems",
        checked_against="Asiya 12.04 on given trees (DP-Ol); its definition",
    )

    of: Literal["levels", "tags", "relations"] = option(
        "levels", "what words must share to be the same; tags are the language's own"
    )
    only: str | None = option(None, "one level (1 is the root's), tag or relation; none: the mean")
    lowercase: bool = option(True, "ignore case of words; that of tags and relations is ignored")

    def pair(self, hyp: Sentences, ref: Sentences) -> float:
        """Return the share of common words."""
        if self.of == "levels":
            shares = self._levels(hyp, ref)
        else:
            own, other = self._words(hyp), self._words(ref)
            none: Counter[str] = Counter()
            shares = {
                label: _overlap(own.get(label, none), other.get(label, none))
                for label in own.keys() | other.keys()
            }
        if self.only is not None:
            return shares.get(self.only.lower(), 0.0)
        return sum(shares.values()) / len(shares) if shares else 0.0

    def _words(self, sentences: Sentences) -> Words:
        """Return the words with each tag; or in the parts of each relation, once for every such
        part.
        """
        tree = self._tree(sentences)
        found: Words = {}
        if self.of == "tags":
            tags = ForestTree.build(sentences, "fine_tags", lowercase=True).labels
            for tag, word in zip(tags, tree.labels, strict=True):
                found.setdefault(tag, Counter())[word] += 1
            return found
        relations = ForestTree.build(sentences, "relations", lowercase=True).labels
        around: dict[int, Counter[str]] = {-1: Counter()}  # by node: its and its heads' relations
        for node in tree.downward():
            around[node] = around[tree.heads[node]] + Counter([relations[node]])
            for relation, parts in around[node].items():
                found.setdefault(relation, Counter())[tree.labels[node]] += parts
        return found

    def _levels(self, hyp: Sentences, ref: Sentences) -> Mapping[str, float]:
        """Return the overlap of the words on a level or below it, found from the deepest level
        up.
        """
        sides = [self._by_level(text) for text in (hyp, ref)]
        counts: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        shares = {}
        common = 0
        for level in range(max(map(len, sides)), 0, -1):
            for own, other, words in zip(counts, counts[::-1], sides, strict=True):
                for word in words[level - 1] if level <= len(words) else ():
                    own[word] += 1
                    common += own[word] <= other[word]
            shares[str(level)] = common / (counts[0].total() + counts[1].total() - common)
        return shares

    def _by_level(self, sentences: Sentences) -> list[list[str]]:
        tree = self._tree(sentences)
        level = [0] * len(tree.labels)
        found: list[list[str]] = []
        for node in tree.downward():
            level[node] = level[tree.heads[node]] + 1 if tree.heads[node] >= 0 else 0
            if level[node] == len(found):
                found.append([])
            found[level[node]].append(tree.labels[node])
        return found

    def _tree(self, sentences: Sentences) -> ForestTree:
        return ForestTree.build(sentences, "words", lowercase=self.lowercase)


def _overlap(own: Counter[str], other: Counter[str]) -> float:
    return (own & other).total() / max(1, (own | other).total())
