"""DEP-F: the F-score of dependency relations (Riezler & Maxwell, 2005)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from nlgauge.core.arithmetic import ratio
from nlgauge.core.best_reference import BestReference
from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.explain import builders
from nlgauge.explain.traces import Trace
from nlgauge.kernels import Floats
from nlgauge.metrics.syntax.parsed import ForestTree, ParseMetric, words_of
from nlgauge.models.cache.analysis_stores import ParseStore, Sentences
from nlgauge.models.syntax.parsers import find_parser

Relation = tuple[str, str | None, str]  # type, head, dependent


@dataclass(frozen=True, kw_only=True)
class DepF(ParseMetric, BestReference):
    """F1 of relations (type, head, dependent) that hypothesis and best reference have in common."""

    info: ClassVar[Info] = Info(
        name="dep-f",
        title="Dependency F-score",
        family="syntax",
        cell="CF·U·word-other",
        tasks=("MT",),
        criteria=("adequacy",),
        scale=1.0,
        extras=("syntax",),
        paper="Riezler & Maxwell (2005), On some pitfalls in automatic evaluation and "
        "significance testing for MT",
        checked_against="hand calculation",
    )

    unit: Literal["words", "lemmas"] = option("words", "what heads and dependents are compared by")
    types: bool = option(True, "relations of different types differ")
    root: bool = option(False, "that a word is the root is a relation, too")
    lowercase: bool = option(False, "ignore case")

    def described(self, sentences: Sentences) -> Counter[Relation]:
        """Count how often each relation occurs."""
        return Counter(relation for _, relation in self._each(sentences))

    def _each(self, sentences: Sentences) -> Iterator[tuple[int, Relation]]:
        """Yield the places of dependents, and their relations."""
        tree = ForestTree.build(sentences, self.unit, lowercase=self.lowercase)
        types = ForestTree.build(sentences, "relations").labels
        for node, head in enumerate(tree.heads):
            if head >= 0 or self.root:
                above = tree.labels[head] if head >= 0 else None
                yield node, (types[node] if self.types else "", above, tree.labels[node])

    def pair(self, hyp: Counter[Relation], ref: Counter[Relation]) -> tuple[float, ...]:
        """Return the columns: common relations, those of the hypothesis, of the reference."""
        return (hyp & ref).total(), hyp.total(), ref.total()

    def trace(self, hypothesis: str, reference: str) -> Trace:
        """Show the words whose relation to their head is in both texts."""
        hyp, ref = ParseStore(find_parser(self.parser)).parses([hypothesis, reference])
        places: dict[Any, list[int]] = {}
        for place, relation in self._each(ref):
            places.setdefault(relation, []).append(place)
        pairs = [(i, places[r].pop(0)) for i, r in self._each(hyp) if places.get(r)]
        note = "words that depend on the same word in both"
        return builders.linked(words_of(hyp), words_of(ref), pairs, note)

    def score(self, totals: Floats) -> Floats:
        """Return F1; 0 if there are no relations."""
        return ratio(2 * totals[..., 0], totals[..., 1] + totals[..., 2])

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return precision, recall and counts."""
        common, own, other = totals
        return {
            "precision": float(ratio(common, own)),
            "recall": float(ratio(common, other)),
            "matches": int(common),
            "hyp_relations": int(own),
            "ref_relations": int(other),
        }
