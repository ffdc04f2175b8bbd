"""Forms of English verbs and nouns: rules, and a table of irregular verbs."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal, NamedTuple

from nlgauge.meta.stress.perturbations.english_lists import lines, words

_DOUBLED = re.compile(r"[^aeiou]*[aeiou][bdgmnprt]|.*(?:mit|fer|cur|pel|trol)")
_SIBILANT = re.compile(r".*(?:s|x|z|ch|sh|o)")
_LACKS_E = re.compile(r".*(?:[cvzu]|[^aeioul]l|[^n]g|[aeiou]s|at|ir|ur|rs|ns|[^aeiou]at|[^o]d[gl])")
_PLURALS = {"man": "men", "woman": "women", "child": "children", "person": "people"}
_MANY = frozenset({*_PLURALS.values(), "police", "they", "them", "we", "us", "these", "those"})

Form = Literal["base", "third", "past", "participle", "gerund"]


class Verb(NamedTuple):
    """A verb is given by its forms, from base to gerund."""

    base: str
    third: str
    past: str
    participle: str
    gerund: str


@cache
def _irregular() -> dict[str, tuple[str, str]]:
    table = (line.split() for line in lines("irregular_verbs"))
    return {base: (past, participle) for base, past, participle in table}


@cache
def verb(base: str) -> Verb:
    """Return all forms of a verb."""
    vowel_y = base[-2:-1] in "aeiou"
    if base.endswith("y") and not vowel_y:
        third, past, gerund = f"{base[:-1]}ies", f"{base[:-1]}ied", f"{base}ing"
    elif base.endswith("e"):
        third, past = f"{base}s", f"{base}d"
        gerund = f"{base}ing" if base.endswith("ee") or base == "be" else f"{base[:-1]}ing"
    else:
        stem = base + base[-1] if _DOUBLED.fullmatch(base) else base
        third = f"{base}es" if _SIBILANT.fullmatch(base) else f"{base}s"
        past, gerund = f"{stem}ed", f"{stem}ing"
    third = {"have": "has", "be": "is"}.get(base, third)
    past, participle = _irregular().get(base, (past, past))
    return Verb(base, third, past, participle, {"lie": "lying"}.get(base, gerund))


def plural(noun: str) -> str:
    """Return the plural of a noun."""
    if noun in _PLURALS:
        return _PLURALS[noun]
    if noun.endswith(("fe", "lf")):
        return f"{noun.removesuffix('e')[:-1]}ves"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if _SIBILANT.fullmatch(noun) else f"{noun}s"


def is_plural(noun: str) -> bool:
    """Return whether a word looks like a plural."""
    return noun in _MANY or (noun.endswith("s") and not noun.endswith(("ss", "us", "is")))


@cache
def _known() -> dict[str, tuple[str, Form]]:
    """Return base and form of each form of the listed verbs; the past is preferred to an equal
    participle.
    """
    table: dict[str, tuple[str, Form]] = {}
    for base in sorted({*_irregular(), *words("transitive_verbs")} - {"be", "do"}):
        for form in ("past", "third", "participle", "base", "gerund"):
            table.setdefault(getattr(verb(base), form), (base, form))
    return table


def finite(word: str) -> tuple[str, Form] | None:
    """Return base and form of a word that is likely to be a verb: a listed one, or one in -ed."""
    if word in _known():
        return _known()[word]
    if len(word) > 4 and word.endswith("ed") and not word.endswith("eed"):
        return base_of_past(word), "past"
    return None


def is_participle(word: str) -> bool:
    """Return whether a word may follow `have` or `be`."""
    return word.endswith("ed") or word in {participle for _, participle in _irregular().values()}


def base_of_participle(word: str) -> str | None:
    """Return the base of a participle: `taken` -> `take`."""
    for base, (_, participle) in _irregular().items():
        if participle == word:
            return base
    found = finite(word)
    return found[0] if found is not None and found[1] == "past" else None


def base_of_past(word: str) -> str:
    """Return the base of a regular past by its spelling: `stopped`, `tried`, `moved`, `walked`."""
    stem = word[:-2]
    if stem.endswith("i"):
        return f"{stem[:-1]}y"
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "lsfz":
        return stem[:-1]
    return f"{stem}e" if _LACKS_E.fullmatch(stem) else stem
