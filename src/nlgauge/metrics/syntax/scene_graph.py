"""Scene graphs as SPICE keeps, merges and matches them (Anderson et al., 2016).

A tuple is (object,), (object, attribute) or (subject, relation, object), of lemmas in lower case.
The official tool takes relations as (subject, object, relation), and prints them in this order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property

from nlgauge.core.arithmetic import harmonic_mean
from nlgauge.models.lexicon.wordnet import wordnet

Fact = tuple[str, ...]
Senses = Mapping[str, Set[int]]

# The categories, and the words that make an attribute one of the last three.
CATEGORIES = ("object", "attribute", "relation", "count", "colour", "size")
_WORDS = {
    "count": frozenset("one two three four five six seven eight nine ten".split()),
    "colour": frozenset(
        "beige black blue brown cream dark gray green grey light maroon orange pink purple red "
        "violet white yellow".split()
    ),
    # Words for the extent of a body or thing; the tool's own list is longer.
    "size": frozenset(
        "big broad bulky enormous fat giant gigantic great heavy huge immense large little "
        "massive mini miniature narrow oversized petite short skinny slender slim small "
        "tall thick thin tiny vast wide".split()
    ),
}


@dataclass(eq=False)
class Concept:
    """Words that stand for the same, and all their synsets."""

    words: set[str]
    synsets: set[int]

    def similar(self, other: Concept) -> bool:
        """Return whether they share a word or a synset."""
        return not (self.words.isdisjoint(other.words) and self.synsets.isdisjoint(other.synsets))

    def same(self, other: Concept) -> bool:
        """Return whether they are the same words; then they have the same synsets."""
        return self.words == other.words

    def merge(self, other: Concept) -> None:
        """Take in another's words and synsets."""
        self.words |= other.words
        self.synsets |= other.synsets

    def __str__(self) -> str:
        return "/".join(sorted(self.words))


Place = tuple[int, ...]  # (object,), (object, which attribute), (subject, object, which relation)


@dataclass(eq=False)
class SceneGraph:
    """Objects with their attributes, and relations; what is similar is merged as it is added.

    The tool merges with the most similar object, and with the first similar attribute or relation
    of a hash table, whose order changes from run to run; here it is the first that was added.
    """

    senses: Senses
    merging: bool = True
    objects: list[Concept] = field(default_factory=list)
    attributes: list[list[Concept]] = field(default_factory=list)  # of each object
    relations: dict[tuple[int, int], list[Concept]] = field(default_factory=dict)
    _of_word: dict[str, int] = field(default_factory=dict)

    @classmethod
    def build(cls, facts: Iterable[Fact], senses: Senses, *, merging: bool = True) -> SceneGraph:
        """Build the graph of some tuples, in their order."""
        graph = cls(senses, merging)
        for fact in facts:
            source = graph._object(fact[0])
            if len(fact) == 2:
                graph._add(graph.attributes[source], fact[1])
            elif len(fact) == 3:
                ends = source, graph._object(fact[2])
                graph._add(graph.relations.setdefault(ends, []), fact[1].removeprefix("be "))
        return graph

    def _concept(self, word: str) -> Concept:
        return Concept({word}, set(self.senses.get(word, ())))

    def _object(self, word: str) -> int:
        if word in self._of_word:
            return self._of_word[word]
        concept = self._concept(word)
        found, best = len(self.objects), 0.0
        if self.merging and concept.synsets:
            for k, other in enumerate(self.objects):
                common = len(concept.synsets & other.synsets)
                if common and (share := common / len(concept.synsets | other.synsets)) > best:
                    found, best = k, share
        if found == len(self.objects):
            self.objects.append(concept)
            self.attributes.append([])
        else:
            self.objects[found].merge(concept)
        self._of_word[word] = found
        return found

    def _add(self, concepts: list[Concept], word: str) -> None:
        new = self._concept(word)
        if any(new.same(old) for old in concepts):
            return
        similar = next(filter(new.similar, concepts), None) if self.merging else None
        if similar is None:
            concepts.append(new)
        else:
            similar.merge(new)

    def facts(self, category: str | None = None) -> list[Place]:
        """Return where the tuples of a category stand, or all: objects, attributes, relations."""
        found: list[Place] = []
        if category in (None, "object"):
            found += ((k,) for k in range(len(self.objects)))
        if category not in ("object", "relation"):
            words = _WORDS.get(category or "")
            found += (
                (k, n)
                for k, concepts in enumerate(self.attributes)
                for n, concept in enumerate(concepts)
                # The tool looks at the merged name, so grey/gray is no colour.
                if words is None or str(concept) in words
            )
        if category in (None, "relation"):
            found += ((*ends, n) for ends, c in self.relations.items() for n in range(len(c)))
        return found

    def concepts(self, place: Place) -> tuple[Concept, ...]:
        """Return a tuple: (object,), (object, attribute) or (subject, relation, object)."""
        if len(place) == 1:
            return (self.objects[place[0]],)
        if len(place) == 2:
            return self.objects[place[0]], self.attributes[place[0]][place[1]]
        source, target, n = place
        return self.objects[source], self.relations[source, target][n], self.objects[target]


def senses_of(facts: Iterable[Fact]) -> Senses:
    """Return the synsets of all words of some tuples, as the tool's METEOR looks them up."""
    words = sorted({word for fact in facts for word in fact})
    # "be " in front of a relation is dropped before its synsets are looked up.
    words += sorted({word[3:] for word in words if word.startswith("be ")}.difference(words))
    starts, numbers = wordnet().sets(words, "meteor")
    bounds = starts.tolist()
    synsets = numbers.tolist()
    return {w: frozenset(synsets[a:b]) for w, a, b in zip(words, bounds, bounds[1:], strict=False)}


@dataclass(frozen=True)
class GraphCounts:
    """Tuples of one category: of the candidate, of the references, and of the former in the latter.

    Several tuples may match the same one of the references, so recall can be more than 1.
    """

    candidate: int
    references: int
    matched: int

    @property
    def precision(self) -> float:
        """Return the share of the candidate's tuples; 0 if it or the references have none."""
        return self.matched / self.candidate if self.candidate and self.references else 0.0

    @property
    def recall(self) -> float:
        """Return matched tuples over those of the references; 0 if there are none."""
        return self.matched / self.references if self.references else 0.0

    @property
    def f1(self) -> float:
        """Return the harmonic mean of precision and recall."""
        return float(harmonic_mean(self.precision, self.recall))


@dataclass(frozen=True)
class GraphComparison:
    """The graphs of a candidate and of all its references, and what matches."""

    candidate: SceneGraph
    references: SceneGraph
    synonyms: bool = True

    @cached_property
    def _partners(self) -> list[list[int]]:
        """Return the objects of the references that each object of the candidate matches."""
        theirs = list(enumerate(self.references.objects))
        return [[k for k, c in theirs if self._match(ours, c)] for ours in self.candidate.objects]

    def _match(self, ours: Concept, theirs: Concept) -> bool:
        return ours.similar(theirs) if self.synonyms else ours.same(theirs)

    def partners(self, place: Place) -> list[Place]:
        """Return the tuples of the references that a tuple of the candidate matches."""
        near = self._partners[place[0]]
        if len(place) == 1:
            return [(k,) for k in near]
        concept = self.candidate.concepts(place)[1]
        if len(place) == 2:
            attributes = self.references.attributes
            return [
                (k, n) for k in near for n, c in enumerate(attributes[k]) if self._match(concept, c)
            ]
        relations = self.references.relations
        return [
            (k, t, n)
            for k in near
            for t in self._partners[place[1]]
            for n, c in enumerate(relations.get((k, t), ()))
            if self._match(concept, c)
        ]

    def counts(self, category: str | None = None) -> GraphCounts:
        """Count the tuples of one category, or of all; tuples match only those of their
        category.
        """
        ours = self.candidate.facts(category)
        theirs = set(self.references.facts(category))
        matched = sum(not theirs.isdisjoint(self.partners(place)) for place in ours)
        return GraphCounts(len(ours), len(theirs), matched)


def compare(
    candidate: Sequence[Fact],
    references: Sequence[Sequence[Fact]],
    *,
    synonyms: bool = True,
    senses: Senses | None = None,
) -> GraphComparison:
    """Compare given tuples as SPICE does: those of a candidate, and of each of its references."""
    union = [fact for facts in references for fact in facts]
    known = senses_of([*candidate, *union]) if senses is None else senses
    graphs = [SceneGraph.build(facts, known, merging=synonyms) for facts in (candidate, union)]
    return GraphComparison(graphs[0], graphs[1], synonyms)
