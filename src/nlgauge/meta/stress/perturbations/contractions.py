"""A perturbation that writes English contractions out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np

from nlgauge.meta.stress.perturbations.english_lists import lines
from nlgauge.meta.stress.perturbations.morphology import is_participle
from nlgauge.meta.stress.perturbations.perturbation import Original, Perturbation
from nlgauge.meta.stress.perturbations.words import core, join, parts, replaced, split

_ENDINGS = {"n't": "not", "'re": "are", "'ve": "have", "'ll": "will", "'m": "am"}
CUT = {"ca": "can", "wo": "will", "sha": "shall"}  # before n't in tokenised text
_WITH_S = frozenset(
    "it he she that this there here what who where when how everyone everything".split()
)
_WITH_D = _WITH_S | {"i", "you", "we", "they"}


@dataclass(frozen=True, kw_only=True)
class ExpandContractions(Perturbation):
    """`don't` becomes `do not`; a possessive 's stays."""

    name: ClassVar[str] = "contractions"
    summary: ClassVar[str] = "contractions written out"
    breaking: ClassVar[bool] = False

    def change(self, given: Original, severity: float, rng: np.random.Generator) -> str | None:
        """Write out all contractions of the text."""
        pieces = split(given.text)
        result: list[str] = []
        for i, piece in enumerate(pieces):
            after = core(pieces[i + 1]) if i + 1 < len(pieces) else ""
            result.append(_expanded(piece, result[-1] if result else "", after))
            if piece.lower().replace("’", "'") == "n't" and i and core(pieces[i - 1]) in CUT:
                result[-2] = replaced(pieces[i - 1], CUT[core(pieces[i - 1])])
        return join(result)


@cache
def _whole() -> dict[str, str]:
    return dict(line.split(" ", 1) for line in lines("contractions"))


def _expanded(piece: str, before: str, after: str) -> str:
    whole = _whole()
    word = core(piece)
    if word in whole:
        return replaced(piece, whole[word])
    alone = piece.lower().replace("’", "'")
    if alone in _ENDINGS:
        return _ENDINGS[alone]
    stem, mark, letters = word.rpartition("'")
    if alone in ("'s", "'d"):
        stem, mark, letters = core(before), "'", alone[1:]
    if mark and letters == "s" and stem in _WITH_S:
        full = "has" if is_participle(after) else "is"
    elif mark and letters == "d" and stem in _WITH_D:
        full = "had" if is_participle(after) or after == "better" else "would"
    else:
        ending = next((e for e in _ENDINGS if word.endswith(e) and word != e), None)
        if ending is None:
            return piece
        stem, full = word.removesuffix(ending), _ENDINGS[ending]
    if alone in ("'s", "'d"):
        return full
    begin, old, end = parts(piece)
    return f"{begin}{old[: len(stem)]} {full}{end}"
