"""Put the tokens of texts after those of what is given, as models read them from left to right."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nlgauge.errors import NlgaugeWarning

LIMIT = 2048  # tokens of a run, whatever the model could read
DOCUMENT = "<|endoftext|>"  # what most models learnt to stand between documents
Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class TokenRun:
    """A token run is what a model reads; the tokens from `first` on are those of the text."""

    ids: Ids
    first: int


@dataclass(frozen=True, eq=False)
class RunReader:
    """A run reader makes token runs of texts: a start, what is given, the text.

    A text without tokens is taken for its end, as nothing else would get a probability.
    """

    encode: Callable[[str], list[int]]
    start: int
    end: int
    limit: int
    name: str  # of the model, for messages

    def runs(self, texts: Sequence[str], given: Sequence[str] | None) -> list[TokenRun]:
        """Return the run of each text. Of what is too long, the end of the text is left out, or
        the start of what is given; a warning tells.
        """
        runs, lost = [], []
        for text, before in zip(texts, given or [""] * len(texts), strict=True):
            own, other = self.encode(text) or [self.end], self.encode(before)
            kept = own[: self.limit - 1]
            room = self.limit - 1 - len(kept)
            lost.append(len(own) - len(kept) + max(0, len(other) - room))
            other = other[max(0, len(other) - room) :]
            runs.append(TokenRun(np.array([self.start, *other, *kept], np.int64), 1 + len(other)))
        warn_of_lost(lost, self.limit, self.name)
        return runs


def warn_of_lost(lost: Iterable[int], limit: int, name: str) -> None:
    """Tell if tokens were left out."""
    cut = [count for count in lost if count]
    if cut:
        warnings.warn(
            f"{len(cut)} texts, with what is given, are longer than the {limit} pieces that {name} "
            f"reads; {sum(cut):,} pieces at their ends are left out",
            NlgaugeWarning,
            stacklevel=3,
        )


def start_token(known: Callable[[str], int | None], usual: Iterable[int | None]) -> int | None:
    """Return the token that stands before a text: that between documents, or the first usual one
    that there is.
    """
    found = known(DOCUMENT)
    return found if found is not None else next((k for k in usual if k is not None), None)
