"""Tell from the pieces of texts whether an encoder was trained on their language.

An encoder with probabilities of pieces knows a language if it has pieces for all its letters, and
long ones for its words. Limits were found on two sentences in each of 65 languages and on the
sources of published translation tests (docs/explanation/understanding.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from nlgauge.core.understanding.coverage import LanguageDoubt
from nlgauge.kernels import Floats
from nlgauge.models.encoders.encoder import Encoder, Pieces, States
from nlgauge.text import scripts

REFUSED, WARNED = 0.05, 0.01  # shares of pieces with letters that are unknown
FEWEST = 2  # unknown pieces that say anything at all
FEWEST_LETTERS = 20  # of texts whose costs are looked at
# By script: texts of a language that the encoder does not know cost more than that, as negative
# logarithms of the probability of their pieces by letter, and have fewer letters to a piece.
COSTLY = {"Latin": (3.2, 3.1), "Cyrillic": (4.2, 2.7), "Arabic": (5.2, 2.1)}


@runtime_checkable
class PieceModel(Encoder, Protocol):
    """A piece model is an encoder that knows how probable its pieces are, and its languages."""

    @property
    def languages(self) -> frozenset[str]:
        """Return the codes of the languages that it was trained on."""

    @property
    def scripts_alone(self) -> frozenset[str]:
        """Return the scripts that only languages it knows are written in."""

    def rarity(self, pieces: Pieces) -> Floats:
        """Return the negative logarithm of the probability of each piece."""

    def sentences(self, texts: Iterable[str], *, threads: int = 1) -> States:
        """Return the encoder's own vectors of whole texts, of length 1: [texts, width]."""


@dataclass(frozen=True)
class PieceEvidence:
    """Evidence is what the pieces of texts say about their language."""

    script: str  # of most letters
    letters: int
    pieces: int  # with letters
    unknown: int
    cost: float  # of all these pieces

    @property
    def share(self) -> float:
        """Return the share of pieces that are unknown."""
        return self.unknown / max(1, self.pieces)

    @property
    def costly(self) -> bool:
        """Return whether texts look like those of a language that the encoder does not know."""
        limits = COSTLY.get(self.script)
        if limits is None or self.letters < FEWEST_LETTERS:
            return False
        most, least = limits
        return self.cost > most * self.letters and self.letters < least * self.pieces


def piece_evidence(encoder: PieceModel, texts: Sequence[str]) -> PieceEvidence:
    """Look at the pieces of texts that have letters."""
    letters = pieces = unknown = 0
    cost = 0.0
    for text, found in zip(texts, encoder.pieces(texts), strict=True):
        counts = np.array([sum(c.isalpha() for c in text[i:j]) for i, j in found.spans.tolist()])
        some = counts > 0
        letters += int(counts.sum())
        pieces += int(some.sum())
        unknown += int((found.unknown & some).sum())
        cost += float(encoder.rarity(found)[some & ~found.unknown].sum())
    by_script: Counter[str] = scripts.letters_by_script(texts)
    script = by_script.most_common(1)[0][0] if by_script else ""
    return PieceEvidence(script, letters, pieces, unknown, cost)


def language_doubt(
    encoder: PieceModel, texts: Sequence[str], language: str | None
) -> LanguageDoubt | None:
    """Say why an encoder should not judge texts, if it should not. A language that somebody has
    named is believed, so that unknown pieces of one that the encoder knows are no reason to refuse.
    """
    if language is not None and language not in encoder.languages:
        known = " ".join(sorted(encoder.languages))
        return LanguageDoubt(f"was not trained on {language}, but on {known}", refused=True)
    found = piece_evidence(encoder, texts)
    if found.unknown >= FEWEST and found.share > WARNED:
        told = f"has no piece for {found.share:.0%} of the parts of words"
        certain = language is None and found.script not in encoder.scripts_alone
        return LanguageDoubt(told, refused=certain and found.share > REFUSED)
    if language is None and found.costly:
        return LanguageDoubt(
            f"has only short and rare pieces for the words ({found.letters / found.pieces:.1f} "
            f"letters each, in {found.script} script), as for languages that it was not trained on",
            refused=False,
        )
    return None
