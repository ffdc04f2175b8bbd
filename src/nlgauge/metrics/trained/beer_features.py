"""What BEER 2.0 looks at in two texts, as a matrix with a row for each pair of them.

Pieces of characters and of words, and pairs of words, are counted in the native core. Each kind of
piece gives precision and recall (`_p`, `_r`), the smaller and the larger of these (`_min`, `_max`),
and their harmonic and geometric means (`_f`, `_g`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlgauge import kernels
from nlgauge.core.arithmetic import harmonic_mean, ratio
from nlgauge.data.corpus import Corpus, References
from nlgauge.kernels import Floats, Texts, native
from nlgauge.text.preparation import tokenizer

PIECES = (
    *(f"char{n}" for n in range(1, 7)),
    *(f"word{n}" for n in range(1, 5)),
    *("skip1", "skip2", "skip3", "skip4", "skip"),
)
MEASURES = ("p", "r", "min", "max", "f", "g")
FEATURES = (
    *(f"{piece}_{measure}" for piece in PIECES for measure in MEASURES),
    *("length_words", "length_characters"),
)
UNEQUAL = 100_000.0  # the length feature of a text without characters

_BLANKS = re.compile("[ \r\n]+")
_BEYOND = re.compile("[\U00010000-\U0010ffff]")
_UNITS = 0xF0000  # where halves of characters are put, which UTF-8 cannot hold by themselves


@dataclass(frozen=True)
class BeerText:
    """The form in which texts are compared: words with one blank between them, and no character
    outside of Java's 16 bits.
    """

    tokenizer: str = "blank"

    def __call__(self, text: str) -> str:
        """Return the text in that form; a blank in front stays, for an empty first word."""
        if self.tokenizer != "blank":
            text = tokenizer(self.tokenizer).split(text)
        text = _BLANKS.sub(" ", text).rstrip(" ")
        return text if text.isascii() else _BEYOND.sub(_halves, text)


def _halves(found: re.Match[str]) -> str:
    number = ord(found[0]) - 0x10000
    return chr(_UNITS + (number >> 10)) + chr(_UNITS + 0x400 + (number & 0x3FF))


def pair_features(hyps: Sequence[str], refs: Sequence[str], *, threads: int = 1) -> Floats:
    """Return the features of pairs of texts that `BeerText` has made: [pairs, FEATURES]."""
    corpus = Corpus(hypotheses=Texts(list(hyps)), references=References.single(Texts(list(refs))))
    counts = kernels.rows(corpus, [native.Beer()], threads=threads)[0]
    pieces = counts[:, : 3 * len(PIECES)].reshape(-1, len(PIECES), 3)
    measures = measured(pieces)
    lengths = counts[:, 3 * len(PIECES) :].reshape(-1, 2, 2)
    shorter, longer = lengths.min(axis=-1), lengths.max(axis=-1)
    unequal = np.divide(longer, shorter, out=np.full(shorter.shape, UNEQUAL + 1), where=shorter > 0)
    return np.column_stack([measures.reshape(len(counts), -1), unequal - 1])


def measured(pieces: Floats) -> Floats:
    """Return MEASURES of pieces in the hypothesis, in the reference and in both: [..., 3] ->
    [..., 6].
    """
    precision, recall = (ratio(pieces[..., 2], pieces[..., side]) for side in (0, 1))
    least, most = np.minimum(precision, recall), np.maximum(precision, recall)
    means = harmonic_mean(least, most), np.sqrt(least * most)
    return np.stack([precision, recall, least, most, *means], axis=-1)
