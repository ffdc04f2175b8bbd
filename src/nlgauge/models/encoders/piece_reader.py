"""Cut texts into pieces, by the `tokenizer.json` of a model."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from nlgauge.errors import DataError, ResourceMissing
from nlgauge.models.encoders.encoder import Pieces
from nlgauge.models.encoders.word_pieces import WordPieces
from nlgauge.models.files.artefacts import header_of, reading

_INSTALL = "pip install tokenizers"
_HALVES = re.compile("[\ud800-\udfff]")  # of characters, which no encoding has


class PieceReader(Protocol):
    """A piece reader reads texts up to a limit of pieces, and counts what is beyond."""

    @property
    def limit(self) -> int:
        """Return the most pieces of a text, special ones included."""

    def pieces(self, texts: Iterable[str]) -> list[Pieces]:
        """Return the pieces of each text."""


def read_word_pieces(path: Path) -> WordPieces | None:
    """Return the word pieces that a `tokenizer.json` describes; None if it is of another kind."""
    with reading(path, "not a tokeniser", "fetch the model again"):
        return WordPieces.described(header_of(path.read_bytes()))


def find_piece_reader(path: Path, limit: int) -> PieceReader:
    """Return the reader of a `tokenizer.json`: our own for word pieces, the library for others."""
    found = read_word_pieces(path)
    return LibraryReader(path, limit) if found is None else WordPieceReader(found, limit)


class WordPieceReader:
    """This reader cuts texts into word pieces without the help of another package."""

    def __init__(self, word_pieces: WordPieces, limit: int) -> None:
        self.limit = limit
        self._word_pieces = word_pieces
        names = {number: name for name, number in word_pieces.vocabulary.items()}
        self._ends = [names[word_pieces.start], names[word_pieces.end]]

    def pieces(self, texts: Iterable[str]) -> list[Pieces]:
        """Return the pieces of each text, white space at its ends aside."""
        return [self._pieces(text) for text in texts]

    def _pieces(self, text: str) -> Pieces:
        ids, strings, words, spans = [self._word_pieces.start], [self._ends[0]], [-1], [0, 0]
        before = len(text) - len(text.lstrip())
        for number, (cut, places) in enumerate(self._word_pieces.words(text.strip())):
            ids += cut.ids
            strings += cut.strings
            words += [number] * len(cut.ids)
            start = 0
            for end in cut.ends:
                spans += (before + places[start], before + places[end - 1] + 1)
                start = end
        last = self.limit - 1
        lost = max(0, len(ids) - last)
        return Pieces(
            ids=np.array([*ids[:last], self._word_pieces.end], np.int32),
            strings=(*strings[:last], self._ends[1]),
            words=np.array([*words[:last], -1], np.int32),
            spans=np.array([*spans[: 2 * last], 0, 0], np.int32).reshape(-1, 2),
            lost=lost,
            unknown_id=self._word_pieces.unknown_id,
        )


class LibraryReader:
    """This reader has any tokeniser of Hugging Face's library `tokenizers`."""

    def __init__(self, path: Path, limit: int) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError:
            raise ResourceMissing(
                f"{path.parent.name}: its tokeniser needs a package", remedy=_INSTALL
            ) from None
        self.limit = limit
        try:
            self._tokenizer: Any = Tokenizer.from_file(str(path))
        except Exception as error:  # the library has no class of its own
            raise DataError(f"{path}: not a tokeniser ({error})") from None
        # Files may ask for padding or for another limit, which are the trainer's.
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._special: int = self._tokenizer.num_special_tokens_to_add(is_pair=False)
        self._tokenizer.enable_truncation(limit)
        self._unknown = _unknown_id(self._tokenizer)

    def pieces(self, texts: Iterable[str]) -> list[Pieces]:
        """Read texts one by one: the library's own threads are not those that were asked for."""
        return [self._pieces(text) for text in texts]

    def _pieces(self, text: str) -> Pieces:
        found = self._tokenizer.encode(clean(text.strip()))
        return as_pieces(found, text, self._special, self._unknown)


def _unknown_id(tokenizer: Any) -> int:
    """Return the id of the piece for unknown text; -1 if there is none, as where bytes are pieces.

    Models of the Unigram kind do not tell its name, which is the same for all of them.
    """
    found = tokenizer.token_to_id(getattr(tokenizer.model, "unk_token", None) or "<unk>")
    return -1 if found is None else int(found)


def as_pieces(found: Any, text: str, special: int, unknown: int) -> Pieces:
    """Return what the library found in a text without white space at its ends; every part of a text
    that is too long has so many special pieces.
    """
    words = np.array([-1 if word is None else word for word in found.word_ids], np.int32)
    spans = np.array(found.offsets, np.int32).reshape(-1, 2)
    spans[words >= 0] += len(text) - len(text.lstrip())
    return Pieces(
        ids=np.array(found.ids, np.int32),
        strings=tuple(found.tokens),
        words=words,
        spans=spans,
        lost=sum(len(part.ids) - special for part in found.overflowing),
        unknown_id=unknown,
    )


def clean(text: str) -> str:
    """Return text that can be encoded as UTF-8, of the same length."""
    return text if text.isascii() else _HALVES.sub("\N{REPLACEMENT CHARACTER}", text)
