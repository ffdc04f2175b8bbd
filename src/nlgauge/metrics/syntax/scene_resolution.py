"""Steps that bring the arcs of a text closer to what it says: coordinated words share their heads
and subjects, "a lot of dogs" is about dogs, and pronouns are replaced by what they stand for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nlgauge.data.parses import Parse
from nlgauge.metrics.syntax.scene_arcs import Arc, ArcSentence, Kind

# What says how many, not what: "a lot of", "dozens of", "two of".
_QUANTITIES = frozenset(
    "lot assortment number couple bunch handful slew dozen series variety multitude array ton "
    "range plethora heap sort kind type bit pair trio plenty many several load ten hundred "
    "thousand million billion some all both neither one two three four five six seven eight nine "
    "group".split()
)
_SINGULAR = frozenset("he him his she her hers it its himself herself itself".split())
_PLURAL = frozenset("they them their theirs themselves".split())
_RELATIVE = frozenset("who whom that which".split())


def resolved(sentences: Sequence[Parse]) -> ArcSentence:
    """Return the sentences of a text, after all steps."""
    text = ArcSentence.read(sentences)
    _existence(text)
    _copulas(text)
    _coordination(text)
    _quantities(text)
    _relative_clauses(text)
    _pronouns(text)
    _shared_subjects(text)
    return text


def _existence(text: ArcSentence) -> None:
    """Make the dog the subject of "there is a dog", whatever the parser calls it."""
    verbs = {text.heads[i] for i, label in enumerate(text.labels) if label == "expl"}
    verbs -= {arc.head for arc in text.arcs if arc.kind == "subject"}
    text.arcs = [
        replace(a, kind="subject") if a.kind == "predicate" and a.head in verbs else a
        for a in text.arcs
    ]


def _copulas(text: ArcSentence) -> None:
    """Turn predicates into arcs from what they are said of."""
    found: list[Arc] = []
    for arc in text.arcs:
        if arc.kind == "predicate":
            subjects = text.of(arc.head, "subject", "passive")
            found += (Arc(s.dependent, "predicate", arc.dependent) for s in subjects)
        else:
            found.append(arc)
            if arc.kind == "subject" and text.below(arc.head, "cop"):
                # Universal Dependencies: the predicate is the head of its subject; "in the house"
                # is a place.
                marker = text.case(arc.head)
                kind: Kind = "oblique" if marker else "predicate"
                found.append(Arc(arc.dependent, kind, arc.head, marker))
    text.arcs = found


def _coordination(text: ArcSentence) -> None:
    """Let words joined by "and" stand where the first of them stands."""
    for i, (head, label) in enumerate(zip(text.heads, text.labels, strict=True)):
        if label != "conj" or head < 0:
            continue
        first = head
        if text.is_verb(i) and not text.is_verb(head) and text.heads[head] >= 0:
            first = text.heads[head]  # "eats pizza and drinks beer", joined to the pizza
        alike = text.is_noun(i) == text.is_noun(first)
        text.arcs += [
            replace(arc, dependent=i)
            for arc in text.arcs
            if arc.dependent == first
            and (alike or arc.kind in ("adjective", "predicate", "compound"))
        ]
        if text.is_verb(i) and not text.of(i, "subject", "passive"):
            text.arcs += [replace(arc, head=i) for arc in text.of(first, "subject", "passive")]


def _quantities(text: ArcSentence) -> None:
    """Let what a quantity is of take its place, without its own adjectives and numbers."""
    for i, lemma in enumerate(text.lemmas):
        if lemma not in _QUANTITIES:
            continue
        of = [arc for arc in text.of(i, "oblique") if arc.marker == "of"]
        if not of:
            continue
        text.hidden.add(i)
        kept = [arc for arc in text.arcs if i not in (arc.head, arc.dependent)]
        for arc in text.arcs:
            if arc.dependent == i:
                kept += (replace(arc, dependent=o.dependent) for o in of)
            elif arc.head == i and arc not in of and arc.kind not in ("adjective", "number"):
                kept += (replace(arc, head=o.dependent) for o in of)
        text.arcs = [*kept, *(Arc(o.dependent, "quantity", i) for o in of)]


def _relative_clauses(text: ArcSentence) -> None:
    """Let the noun of a relative clause take the place of its pronoun, or the place left empty."""
    for arc in [arc for arc in text.arcs if arc.kind == "relative"]:
        noun, verb = arc.head, arc.dependent
        pronouns = {a.dependent for a in text.of(verb, "subject", "passive", "object", "oblique")}
        pronouns = {i for i in pronouns if text.lemmas[i] in _RELATIVE}
        for pronoun in pronouns:
            _substitute(text, pronoun, noun)
        if not pronouns and text.of(verb, "subject") and not text.of(verb, "object"):
            text.arcs.append(Arc(verb, "object", noun))


def _pronouns(text: ArcSentence) -> None:
    """Replace a pronoun by the first noun from the top of the trees, if it stands before and
    agrees.
    """
    for i, lemma in enumerate(text.lemmas):
        if lemma in _SINGULAR or lemma in _PLURAL:
            nouns = (k for k in text.from_top() if text.is_noun(k) and k not in text.hidden)
            agreeing = (k for k in nouns if lemma in _PLURAL or not text.is_plural(k))
            noun = next(agreeing, None)
            if noun is not None and noun < i:
                _substitute(text, i, noun)


def _substitute(text: ArcSentence, old: int, new: int) -> None:
    text.arcs = [
        replace(
            arc,
            head=new if arc.head == old else arc.head,
            dependent=new if arc.dependent == old else arc.dependent,
        )
        for arc in text.arcs
    ]


def _shared_subjects(text: ArcSentence) -> None:
    """Give verbs without a subject of their own the noun they modify, or the subject of the verb or
    predicate above.
    """
    for arc in text.arcs[:]:
        above, verb = arc.head, arc.dependent
        if arc.kind not in ("clause", "complement") or not text.is_verb(verb):
            continue
        if text.of(verb, "subject", "passive"):
            continue
        nouns = [above]
        if arc.kind == "complement":
            nouns = [a.dependent for a in text.of(above, "subject", "passive")]
            nouns += (a.head for a in text.arcs if (a.kind, a.dependent) == ("predicate", above))
        text.arcs += (Arc(verb, "subject", noun) for noun in dict.fromkeys(nouns))
