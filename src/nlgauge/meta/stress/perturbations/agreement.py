"""A perturbation of grammar: verbs that do not agree with their subjects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nlgauge.meta.stress.perturbations.morphology import finite
from nlgauge.meta.stress.perturbations.perturbation import Original, WordByWord
from nlgauge.meta.stress.perturbations.words import core, parts, replaced

_OTHER_NUMBER = {"is": "are", "was": "were", "has": "have", "does": "do"}
_OTHER_NUMBER |= {many: one for one, many in _OTHER_NUMBER.items()}
_OTHER_NUMBER |= {f"{verb}n't": f"{other}n't" for verb, other in _OTHER_NUMBER.items()}
_OTHER_NUMBER |= {"am": "are"}
# Behind these, `have` and `do` are no finite verbs.
_BASE_FOLLOWS = frozenset(
    "to not will would shall should can could may might must do does did don't doesn't didn't "
    "won't can't cannot let".split()
)
_NO_SUBJECT = frozenset("a an the my your his her its our their of in on at by for and".split())


@dataclass(frozen=True, kw_only=True)
class Disagree(WordByWord):
    """Verbs stand in the singular where the plural belongs, and the reverse."""

    name: ClassVar[str] = "agreement"
    summary: ClassVar[str] = "verbs that disagree with their subjects"

    def replacements(
        self,
        pieces: list[str],
        given: Original,
        rng: np.random.Generator,
    ) -> dict[int, str]:
        """Return other forms of `be`, `have` and `do`; if there are none, of verbs in -s."""
        words = [core(piece) for piece in pieces]
        small = {
            i: replaced(piece, _OTHER_NUMBER[words[i]])
            for i, piece in enumerate(pieces)
            if words[i] in _OTHER_NUMBER and (not i or words[i - 1] not in _BASE_FOLLOWS)
        }
        if small:
            return small
        found = {}
        for i, piece in enumerate(pieces[1:], 1):
            verb = finite(words[i])
            if verb is None or verb[1] != "third" or words[i - 1] in _NO_SUBJECT:
                continue
            if not piece[:1].isupper() and not parts(pieces[i - 1]).after:
                found[i] = replaced(piece, verb[0])
        return found
