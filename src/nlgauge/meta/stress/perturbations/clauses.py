"""Who does what to whom, in simple English clauses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from nlgauge.meta.stress.perturbations.english_lists import words
from nlgauge.meta.stress.perturbations.morphology import base_of_participle, finite, is_plural, verb
from nlgauge.meta.stress.perturbations.words import capital, core, parts, sentence_starts

Tense = Literal["past", "present", "modal", "perfect"]

_DETERMINERS = frozenset(
    "a an the this that these those my your his her its our their some every each".split()
)
_OBJECTS = {"i": "me", "he": "him", "she": "her", "we": "us", "they": "them"}
_SUBJECTS = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they"}
_PRONOUNS = frozenset({*_OBJECTS, *_SUBJECTS, "it", "you"})
_GO_ON = frozenset(
    "in on at for from during after before with without near under over since until into through "
    "against yesterday today tomorrow last this next every again twice".split()
)
_TO_BE: dict[str, Tense] = {"was": "past", "were": "past", "is": "present", "are": "present"}
_MODALS = frozenset("will would can could should may might must shall".split())
_HAVE = frozenset({"has", "have", "had"})
_NO_PASSIVE = frozenset("be have let get say think mean come go become".split())
_OPENERS = frozenset("that because when while if but although".split())
MOST_WORDS = 6  # of a subject or object


@dataclass(frozen=True)
class Clause:
    """A clause names places in a list of pieces: subject from `start` to `verb`, object from
    `object` to `end`; in the passive the object is whom `by` names.
    """

    start: int
    verb: int
    object: int
    end: int
    base: str  # of the verb
    tense: Tense
    passive: bool = False


class Grammar(Protocol):
    """A grammar finds clauses. The built-in patterns are one; a parser can be another."""

    def clauses(self, pieces: Sequence[str]) -> list[Clause]:
        """Return clauses with a subject, a transitive verb and an object, from left to right."""


@dataclass(frozen=True)
class Patterns:
    """The patterns find subject, past or present verb and object next to each other; see
    `docs/guide/robustness.md`.
    """

    def clauses(self, pieces: Sequence[str]) -> list[Clause]:
        """Return clauses at the start of a sentence, after a comma or after words such as
        `that`.
        """
        starts = set(sentence_starts(pieces))
        found: list[Clause] = []
        for i, piece in enumerate(pieces):
            before = pieces[i - 1] if i else ""
            if i not in starts and not before.endswith(",") and core(before) not in _OPENERS:
                continue
            clause = None if found and i < found[-1].end else _clause(pieces, i)
            if clause is not None and core(piece):
                found.append(clause)
        return found


def _clause(pieces: Sequence[str], start: int) -> Clause | None:
    for at in range(start + 1, min(start + 1 + MOST_WORDS, len(pieces) - 1)):
        if not _is_phrase(pieces[start:at], subject=True):
            continue
        clause = _passive(pieces, start, at) or _active(pieces, start, at)
        if clause is not None:
            return clause
    return None


def _active(pieces: Sequence[str], start: int, at: int) -> Clause | None:
    if pieces[at][:1].isupper():
        return None
    verb_at, base = at, None
    tense: Tense = "present"
    auxiliary, word = core(pieces[at]), core(pieces[at + 1])
    found = finite(word if auxiliary in _MODALS else auxiliary)
    if auxiliary in _MODALS:
        verb_at, tense = at + 1, "modal"
        base = found[0] if found is not None and word == found[0] else None
    elif auxiliary in _HAVE:
        verb_at, tense, base = at + 1, "perfect", base_of_participle(word)
    elif found is not None:
        many = core(pieces[start]) in ("i", "you", "we", "they") or is_plural(core(pieces[at - 1]))
        if found[1] in ("past", "third") or (found[1] == "base" and many):
            base, tense = found[0], ("past" if found[1] == "past" else "present")
    if base is None or base in _NO_PASSIVE or any(parts(p).after for p in pieces[at : verb_at + 1]):
        return None
    end = _object_end(pieces, verb_at + 1, known=base in words("transitive_verbs"))
    return None if end is None else Clause(start, at, verb_at + 1, end, base, tense)


def _passive(pieces: Sequence[str], start: int, at: int) -> Clause | None:
    if core(pieces[at]) not in _TO_BE or at + 3 >= len(pieces) or core(pieces[at + 2]) != "by":
        return None
    base, end = base_of_participle(core(pieces[at + 1])), _object_end(pieces, at + 3, known=True)
    if base is None or end is None:
        return None
    return Clause(start, at, at + 3, end, base, _TO_BE[core(pieces[at])], passive=True)


def _object_end(pieces: Sequence[str], at: int, *, known: bool) -> int | None:
    """Return where the object that begins at `at` ends, if nothing follows that may belong to
    it.
    """
    for end in range(min(at + MOST_WORDS, len(pieces)), at, -1):
        phrase = pieces[at:end]
        first, after = core(phrase[0]), parts(phrase[-1]).after
        named = first in _DETERMINERS | _PRONOUNS or phrase[0][:1].isupper()
        whole = after[0] in ".!?;:" if after else end == len(pieces) or _goes_on(pieces[end])
        if whole and (named or (known and is_plural(first))) and _is_phrase(phrase, subject=False):
            return end
    return None


def _goes_on(piece: str) -> bool:
    return core(piece) in _GO_ON or (not core(piece) and piece[0] in ".!?;:")


def _is_phrase(phrase: Sequence[str], *, subject: bool) -> bool:
    """Return whether the pieces can be one noun phrase: a pronoun, names, or a determiner and
    words.
    """
    cores = [core(piece) for piece in phrase]
    if not all(cores) or any(parts(p).after for p in phrase[: None if subject else -1]):
        return False
    if any(parts(piece).before for piece in phrase) or any("'" in w[:-2] + w[-1:] for w in cores):
        return False  # a quotation, or a contraction; a possessive's is none
    if cores[0] in _PRONOUNS:
        return len(phrase) == 1 and cores[0] in ({*_OBJECTS, "it", "you"} if subject else _PRONOUNS)
    start = 1 if cores[0] in _DETERMINERS else 0
    if len(phrase) == start:
        return False
    names = all(piece[:1].isupper() for piece in phrase)
    if start == 0 and not names and len(phrase) > (1 if not subject else 2):
        return False
    rest = cores[start:]
    return not any(w in words("function_words") or w in _GO_ON or w.endswith("ly") for w in rest)


def swapped(pieces: Sequence[str], clause: Clause) -> list[str]:
    """Return the pieces with subject and object in each other's place."""
    subject, object = _phrases(pieces, clause)
    first, second = _as_subject(object), _as_object(subject)
    middle = list(pieces[clause.verb : clause.object])
    return _rewritten(pieces, clause, [*first, *middle, *second])


def other_voice(pieces: Sequence[str], clause: Clause) -> list[str]:
    """Return the passive of an active clause, and the other way round."""
    subject, object = _phrases(pieces, clause)
    first, second = _as_subject(object), _as_object(subject)
    forms = verb(clause.base)
    many = is_plural(core(object[-1])) or core(object[0]) == "you"
    if clause.passive:
        present = forms.base if many or core(object[0]) in ("me", "i") else forms.third
        middle = [forms.past if clause.tense == "past" else present]
    else:
        auxiliary = pieces[clause.verb]
        be = {
            "past": ["were" if many else "was"],
            "present": ["are" if many else "is"],
            "modal": [auxiliary, "be"],
            "perfect": [auxiliary if auxiliary == "had" else "have" if many else "has", "been"],
        }[clause.tense]
        if core(object[0]) == "me":
            be = {"is": ["am"], "has": ["have", "been"]}.get(be[0], be)
        middle = [*be, forms.participle, "by"]
    return _rewritten(pieces, clause, [*first, *middle, *second])


def _phrases(pieces: Sequence[str], clause: Clause) -> tuple[list[str], list[str]]:
    subject = list(pieces[clause.start : clause.verb])
    object = list(pieces[clause.object : clause.end])
    object[-1] = object[-1].removesuffix(parts(object[-1]).after)
    return subject, object


def _as_subject(phrase: list[str]) -> list[str]:
    return [_SUBJECTS.get(core(phrase[0]), phrase[0])] if len(phrase) == 1 else phrase


def _as_object(phrase: list[str]) -> list[str]:
    """Return the words in lower case, if the first has its capital from the start of the
    sentence.
    """
    first = core(phrase[0])
    if len(phrase) == 1:
        return [_OBJECTS.get(first, first if first in _PRONOUNS else phrase[0])]
    return [first if first in words("function_words") else phrase[0], *phrase[1:]]


def _rewritten(pieces: Sequence[str], clause: Clause, new: list[str]) -> list[str]:
    if pieces[clause.start][:1].isupper() and clause.start in sentence_starts(pieces):
        new[0] = capital(new[0])
    new[-1] += parts(pieces[clause.end - 1]).after
    return [*pieces[: clause.start], *new, *pieces[clause.end :]]
