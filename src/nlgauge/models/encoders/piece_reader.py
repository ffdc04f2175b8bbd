"""Cut texts into pieces, by the `tokenizer.json` of a model."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from nlgauge.errors import DataError, ResourceMissing
from nlgauge.models.encoders.encoder import INSTALL_NEURAL, Pieces


class PieceReader:
    """A piece reader reads texts up to a limit of pieces, and counts what is beyond."""

    def __init__(self, path: Path, limit: int) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError:
            raise ResourceMissing(
                f"{path.parent.name}: its tokeniser needs a package", remedy=INSTALL_NEURAL
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
    """Return text that can be encoded as UTF-8."""
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
