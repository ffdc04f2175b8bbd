"""What metrics on parses have in common: where the parses come from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from nlgauge.core.best_reference import grouped
from nlgauge.core.metric import Metric
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.data.parses import ROOT, Parse
from nlgauge.models.cache.analysis_stores import Sentences, store_of
from nlgauge.models.syntax.annotators import english_annotator
from nlgauge.models.syntax.parsers import HELP, find_parser

Unit = Literal["words", "lemmas", "tags", "fine_tags", "relations"]
UNIT_HELP = "what nodes are compared by; tags are universal, fine_tags the language's own"


@dataclass(frozen=True, kw_only=True)
class ParseMetric(Metric):
    """A metric that looks at parses of hypotheses and references."""

    parser: str = option("en", HELP)

    def resources(self) -> dict[str, str]:
        """Name the parser, and its weights or file."""
        return {"parser": find_parser(self.parser).name}

    def english_only(self) -> tuple[str, ...]:
        """Name the parser, if it is English."""
        return english_annotator("parser", self.parser)

    def segments(
        self, corpus: Corpus, *, threads: int
    ) -> Iterator[tuple[Sentences, Sequence[Sentences]]]:
        """Parse every hypothesis and its references."""
        texts = [*corpus.hypotheses, *corpus.references.flat]
        found = store_of(corpus, self.parser).parses(texts, processes=threads)
        refs = grouped(corpus.references, found[len(corpus) :])
        return zip(found[: len(corpus)], refs, strict=True)


@dataclass(frozen=True)
class ForestTree:
    """The sentences of a text as one forest; nodes are numbered from 0."""

    labels: tuple[str, ...]
    heads: tuple[int, ...]  # -1: a root

    @classmethod
    def build(cls, sentences: Sentences, unit: Unit, *, lowercase: bool = False) -> ForestTree:
        """Build a forest whose nodes carry the words, or what else is asked for."""
        labels: list[str] = []
        heads: list[int] = []
        for parse in sentences:
            start = len(heads)
            heads += (-1 if head == ROOT else start + head - 1 for head in parse.heads)
            labels += getattr(parse, unit)
        return cls(tuple(_folded(labels, lowercase)), tuple(heads))

    def children(self) -> list[list[int]]:
        """Return the children of each node, in their order."""
        found: list[list[int]] = [[] for _ in self.heads]
        for node, head in enumerate(self.heads):
            if head >= 0:
                found[head].append(node)
        return found

    def downward(self) -> list[int]:
        """Return all nodes, heads before their dependents."""
        children = self.children()
        nodes = [node for node, head in enumerate(self.heads) if head < 0]
        for node in nodes:  # grows on the way
            nodes += children[node]
        return nodes


Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class TreeColumns:
    """Trees as the native core takes them: all nodes one after the other."""

    labels: npt.NDArray[np.int32]  # numbers, alike in all trees
    heads: npt.NDArray[np.int32]
    starts: Integers  # tree t has the nodes [starts[t], starts[t + 1])
    first: Integers  # segment s has the trees [first[s], first[s + 1]), its hypothesis first

    @classmethod
    def build(cls, segments: Iterable[Sequence[ForestTree]]) -> TreeColumns:
        """Build the columns from the trees of each segment."""
        numbers: dict[str, int] = {}
        labels: list[int] = []
        heads: list[int] = []
        starts, first = [0], [0]
        for trees in segments:
            for tree in trees:
                labels += (numbers.setdefault(label, len(numbers)) for label in tree.labels)
                heads += tree.heads
                starts.append(len(heads))
            first.append(len(starts) - 1)
        return cls(
            np.asarray(labels, np.int32),
            np.asarray(heads, np.int32),
            np.asarray(starts, np.int64),
            np.asarray(first, np.int64),
        )

    def pairs(self) -> tuple[Integers, Integers]:
        """Return every hypothesis with each of its references."""
        counts = np.diff(self.first) - 1
        left = np.repeat(self.first[:-1], counts)
        hyps = np.zeros(self.first[-1], bool)
        hyps[self.first[:-1]] = True
        return left, np.flatnonzero(~hyps)


def words_of(sentences: Sequence[Parse]) -> list[str]:
    """Return all words of a text."""
    return [word for parse in sentences for word in parse.words]


def _folded(labels: list[str], lowercase: bool) -> list[str]:
    return [label.lower() for label in labels] if lowercase else labels
