"""A perturbation that puts other numbers into a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nlgauge.meta.stress.perturbations.perturbation import Original, WordByWord
from nlgauge.meta.stress.perturbations.words import core, parts, replaced

# A word is replaced by another of its line. `one` and `second` are seldom numbers.
_LISTS = (
    "two three four five six seven eight nine ten eleven twelve",
    "thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    "twenty thirty forty fifty sixty seventy eighty ninety",
    "hundred thousand million billion trillion",
    "hundreds thousands millions billions",
    "third fourth fifth sixth seventh eighth ninth tenth",
    "half quarter",
    "twice thrice",
    "monthly yearly weekly daily",
)
_WORDS = {word: line.split() for line in _LISTS for word in line.split()}


@dataclass(frozen=True, kw_only=True)
class ChangeNumbers(WordByWord):
    """Digits become other digits (the first is never 0), number words others of their kind."""

    name: ClassVar[str] = "numbers"
    summary: ClassVar[str] = "other numbers"

    def replacements(
        self,
        pieces: list[str],
        given: Original,
        rng: np.random.Generator,
    ) -> dict[int, str]:
        """Return numerals of the same length: `1,250` may become `7,013`."""
        found = {}
        for i, piece in enumerate(pieces):
            if any(c in "0123456789" for c in piece):
                found[i] = _other_digits(piece, rng)
            elif kind := _WORDS.get(core(piece)):
                others = [word for word in kind if word != core(piece)]
                found[i] = replaced(piece, others[rng.integers(len(others))])
        return {i: piece for i, piece in found.items() if parts(piece).core}


def _other_digits(piece: str, rng: np.random.Generator) -> str:
    result = ""
    for c in piece:
        if c not in "0123456789":
            result += c
            continue
        inside = bool(result) and result[-1].isdigit()
        low = 0 if inside or c == "0" else 1
        digit = int(rng.integers(low, 9))
        result += str(digit + (digit >= int(c)))
    return result
