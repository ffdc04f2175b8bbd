"""A rule-based scene-graph parser over dependencies, after Schuster et al. (2015) and SPICE's
changes to it: plural nouns are one object, numbers are attributes, and every noun is an object.

The steps: `scene_arcs` (labels become arcs), `scene_resolution` (coordination, quantities,
relatives, pronouns), this module (tuples), `scene_graph` (merging and matching).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from nlgauge.data.parses import Parse
from nlgauge.errors import NlgaugeWarning
from nlgauge.metrics.syntax.scene_arcs import ArcSentence
from nlgauge.metrics.syntax.scene_graph import Fact
from nlgauge.metrics.syntax.scene_resolution import resolved

_NUMBERS = {
    str(i): word
    for i, word in enumerate("one two three four five six seven eight nine ten".split(), start=1)
}
_MOST = 10_000  # tuples of a text: long lists on both sides of a verb multiply
_ATTRIBUTES = ("adjective", "number", "compound", "predicate", "quantity")


def facts_of(sentences: Sequence[Parse]) -> list[Fact]:
    """Return the tuples that the sentences of a text say, each once, in a fixed order."""
    text = resolved(sentences)
    found = list(islice(chain(_objects(text), _attributes(text), _relations(text)), _MOST + 1))
    if len(found) > _MOST:
        start = " ".join(text.lemmas[:5])
        warnings.warn(
            f"scene graphs: {start!r}... says more than {_MOST:,} things; the rest is left out",
            NlgaugeWarning,
            stacklevel=2,
        )
    return list(dict.fromkeys(fact for fact in found[:_MOST] if all(fact)))


def _predicate(text: ArcSentence, verb: int) -> str:
    """Return a verb with its particles; nothing for "be"."""
    particles = [text.lemmas[a.dependent] for a in text.of(verb, "particle")]
    lemma = text.lemmas[verb]
    return " ".join([*([] if lemma == "be" else [lemma]), *particles])


def _relations(text: ArcSentence) -> Iterator[Fact]:
    lemmas = text.lemmas
    for arc in text.arcs:
        thing = lemmas[arc.dependent]
        if arc.kind == "oblique" and text.is_noun(arc.head) and text.is_noun(arc.dependent):
            yield lemmas[arc.head], arc.marker, thing
        elif arc.kind == "owner" and text.is_noun(arc.dependent):
            yield thing, "have", lemmas[arc.head]
        elif arc.kind in ("subject", "passive") and text.is_noun(arc.dependent):
            yield from _of_verb(text, arc.head, arc.dependent)


def _of_verb(text: ArcSentence, verb: int, subject: int) -> Iterator[Fact]:
    """Yield what a verb says of one of its subjects: a relation to its object, or else an
    attribute; and what else is around, as in "girl standing on a court": (girl, stand), (girl, on,
    court).
    """
    lemmas = text.lemmas
    predicate = _predicate(text, verb) if text.is_verb(verb) else ""
    transitive = False
    for arc in text.of(verb, "object", "oblique", "agent"):
        if not text.is_noun(arc.dependent) or arc.dependent == subject:
            continue
        ends = lemmas[subject], lemmas[arc.dependent]
        if arc.kind == "oblique":
            if not text.is_noun(verb):
                yield ends[0], arc.marker, ends[1]
        else:
            transitive = True
            source, target = reversed(ends) if arc.kind == "agent" else ends
            yield source, predicate, target
    if predicate and not transitive:
        yield lemmas[subject], predicate


def _attributes(text: ArcSentence) -> Iterator[Fact]:
    for arc in text.arcs:
        if arc.kind in _ATTRIBUTES and text.is_noun(arc.head):
            word = text.lemmas[arc.dependent]
            yield text.lemmas[arc.head], _NUMBERS.get(word, word)


def _objects(text: ArcSentence) -> Iterator[Fact]:
    modifiers = {a.dependent for a in text.arcs if a.kind == "compound"}
    for i, lemma in enumerate(text.lemmas):
        if text.is_noun(i) and i not in modifiers and i not in text.hidden:
            yield (lemma,)
