"""Arcs between the words of a text: labels of Universal Dependencies and those of spaCy's English
pipelines give the same, with prepositions folded into them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal

from nlgauge.data.parses import ROOT, Parse

Kind = Literal[
    "subject",
    "passive",  # the subject of a passive
    "object",
    "oblique",  # with a preposition, of verbs and nouns
    "agent",
    "adjective",
    "number",
    "compound",
    "owner",
    "clause",  # a participle that modifies a noun
    "relative",
    "predicate",  # after "be"
    "particle",
    "complement",  # a verb with the subject of the verb above it
    "quantity",
]

_KINDS: dict[str, Kind] = {
    "nsubj": "subject",
    "nsubjpass": "passive",
    "nsubj:pass": "passive",
    "dobj": "object",
    "obj": "object",
    "iobj": "object",
    "dative": "object",
    "amod": "adjective",
    "nummod": "number",
    "compound": "compound",
    "nn": "compound",
    "poss": "owner",
    "nmod:poss": "owner",
    "acl": "clause",
    "relcl": "relative",
    "acl:relcl": "relative",
    "acomp": "predicate",
    "attr": "predicate",
    "oprd": "predicate",
    "prt": "particle",
    "compound:prt": "particle",
    "xcomp": "complement",
    "advcl": "complement",
}
_PREPOSITION = ("prep", "agent", "dative")  # spaCy's labels of prepositions, their nouns below them
_OBLIQUE = ("obl", "nmod")  # of Universal Dependencies, with the preposition as `case` below

# Nouns that make one preposition with the words around them: "in front of".
_PLACES = frozenset("front top back middle center centre side edge bottom inside outside".split())
_BEFORE_TO = frozenset("next close near adjacent prior due".split())


@dataclass(frozen=True)
class Arc:
    """`dependent` is to `head` what `kind` says; places in the sentence from 0."""

    head: int
    kind: Kind
    dependent: int
    marker: str = ""  # the preposition


@dataclass
class ArcSentence:
    """Lemmas in lower case, parts of speech, and arcs between words."""

    lemmas: list[str]
    tags: list[str]
    fine_tags: list[str]
    heads: list[int]  # of the tree that was parsed; -1: the root
    labels: list[str]
    children: list[list[int]]
    arcs: list[Arc] = field(default_factory=list)
    hidden: set[int] = field(default_factory=set)  # nouns that are no objects

    @classmethod
    def read(cls, sentences: Sequence[Parse]) -> ArcSentence:
        """Read several sentences as one with several roots, so that pronouns look back."""
        starts = list(accumulate(map(len, sentences), initial=0))
        heads = [
            start + head - 1 if head != ROOT else -1
            for start, parse in zip(starts, sentences, strict=False)
            for head in parse.heads
        ]
        children: list[list[int]] = [[] for _ in heads]
        for i, head in enumerate(heads):
            if head >= 0:
                children[head].append(i)
        sentence = cls(
            lemmas=[
                x for parse in sentences for x in map(_lemma, parse.words, parse.lemmas, parse.tags)
            ],
            tags=[tag for parse in sentences for tag in parse.tags],
            fine_tags=[tag for parse in sentences for tag in parse.fine_tags],
            heads=heads,
            labels=[label.lower() for parse in sentences for label in parse.relations],
            children=children,
        )
        found = list(sentence._basic())
        places = sentence.hidden
        sentence.arcs = [a for a in found if a.head not in places and a.dependent not in places]
        return sentence

    def is_noun(self, i: int) -> bool:
        """Return whether a word is a common or proper noun."""
        tag = self.tags[i]
        return tag in ("NOUN", "PROPN") or (tag in ("", "_") and self.fine_tags[i][:2] == "NN")

    def is_verb(self, i: int) -> bool:
        """Return whether a word is a verb or an auxiliary."""
        tag = self.tags[i]
        return tag in ("VERB", "AUX") or (tag in ("", "_") and self.fine_tags[i][:2] == "VB")

    def is_plural(self, i: int) -> bool:
        """Return whether a word is a plural, by the tags of English."""
        return self.fine_tags[i] in ("NNS", "NNPS")

    def from_top(self) -> list[int]:
        """Return all words, breadth first."""
        queue = [i for i, head in enumerate(self.heads) if head < 0]
        for i in queue:
            queue += self.children[i]
        return queue

    def below(self, i: int, *labels: str) -> list[int]:
        """Return the children with one of the labels."""
        return [k for k in self.children[i] if self.labels[k] in labels]

    def of(self, head: int, *kinds: Kind) -> list[Arc]:
        """Return the arcs of a word to its dependents."""
        return [arc for arc in self.arcs if arc.head == head and arc.kind in kinds]

    def _basic(self) -> Iterator[Arc]:
        """Yield the arcs of the tree, each noun with its preposition."""
        for i, (head, label) in enumerate(zip(self.heads, self.labels, strict=True)):
            if head < 0:
                continue
            if self.lemmas[i] in _BEFORE_TO and self.below(i, "prep"):
                # "next to" as an adverb or adjective and its preposition
                for prep in self.below(i, "prep"):
                    yield from self._folded(head, prep, f"{self.lemmas[i]} {self.lemmas[prep]}")
            elif label in _PREPOSITION and self.below(i, "pobj", "prep"):
                if not (self.lemmas[head] in _BEFORE_TO and label == "prep"):
                    yield from self._folded(head, i, self.lemmas[i])
            elif label == "nummod" and not self.is_noun(head) and self.heads[head] >= 0:
                yield Arc(self.heads[head], "number", i)  # "two furry dogs", joined to furry
            elif label in _KINDS:
                yield Arc(head, _KINDS[label], i)
            elif label.partition(":")[0] in _OBLIQUE:
                yield self._cased(head, i, label)

    def _folded(self, head: int, first: int, words: str) -> Iterator[Arc]:
        """Return arcs from the head of a preposition to the nouns below it, with spaCy's labels."""
        kind: Kind = "agent" if self.labels[first] == "agent" else "oblique"
        queue = [(first, words)]
        for prep, marker in queue:
            # "out of", "from behind"
            queue += ((k, f"{marker} {self.lemmas[k]}") for k in self.below(prep, "prep"))
            for noun in self.below(prep, "pobj"):
                further = [k for k in self.below(noun, "prep") if self.lemmas[k] == "of"]
                if further and self.lemmas[noun] in _PLACES:
                    self.hidden.add(noun)
                    queue += ((k, f"{marker} {self.lemmas[noun]} of") for k in further)
                else:
                    yield Arc(head, kind, noun, marker)

    def _cased(self, head: int, noun: int, label: str) -> Arc:
        """Return the arc of an oblique of Universal Dependencies."""
        words = self.case(noun)
        if not words and label == "nmod":
            return Arc(head, "compound", noun)
        if label == "obl:agent" or (words == "by" and self.below(head, "nsubj:pass")):
            return Arc(head, "agent", noun, words)
        if words == "of" and self.lemmas[head] in _PLACES and self.case(head):
            self.hidden.add(head)
            marker = f"{self.case(head)} {self.lemmas[head]} of"
            return Arc(self.heads[head], "oblique", noun, marker)
        return Arc(head, "oblique", noun, words)

    def case(self, noun: int) -> str:
        """Return the preposition of a noun, of one word or several."""
        cases = self.below(noun, "case")
        fixed = [k for case in cases for k in self.below(case, "fixed", "mwe")]
        return " ".join(self.lemmas[k] for k in sorted(cases + fixed))


# "rid" for "rides": a verb of one syllable doubles its consonant in "ridding", and has no e in
# "rids", so that the e belongs to it.
_CLIPPED = re.compile(r"([^aeiou]*[aeiou][^aeiouwxy])(?:ing|ed|(?<![sz])es)")


def _lemma(word: str, lemma: str, tag: str) -> str:
    """Return a lemma in lower case; lemmatisers by rules lose an e of verbs."""
    lower = (lemma if lemma.strip("_ ") else word).strip().lower()
    if tag == "VERB" and (match := _CLIPPED.fullmatch(word.lower())) and match[1] == lower:
        return f"{lower}e"
    return lower
