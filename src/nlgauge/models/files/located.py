"""Find sentences that were analysed elsewhere, by their text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Generic, TypeVar

from nlgauge.data.parses import glued
from nlgauge.data.paths import is_folder
from nlgauge.errors import DataError, ResourceMissing

T = TypeVar("T")


class SentenceFinder(Generic[T]):
    """A finder finds what belongs to a text, white space aside; a text may be several sentences
    that follow each other.
    """

    def __init__(self, sentences: Iterable[tuple[str, T]]) -> None:
        self._sentences = list(sentences)  # each with its text without white space
        self._starts: dict[str, list[int]] = {}
        for i, (key, _) in enumerate(self._sentences):
            self._starts.setdefault(key, []).append(i)
        self._lengths = sorted({len(key) for key in self._starts if key}, reverse=True)

    def of(self, texts: Iterable[str], complaint: Callable[[str], str]) -> list[list[T]]:
        """Return the sentences of each text; of one that is not there, the complaint is raised."""
        found = []
        for text in texts:
            sentences = self.find(text)
            if sentences is None:
                raise DataError(complaint(repr(text[:80])))
            found.append(sentences)
        return found

    def find(self, text: str) -> list[T] | None:
        """Return the sentences of a text, or None if it is not there."""
        key = glued(text)
        if not key:
            return []
        for length in self._lengths:
            for start in self._starts.get(key[:length], ()) if length <= len(key) else ():
                found, at = [], 0
                for own, sentence in islice(self._sentences, start, None):
                    if not key.startswith(own, at):
                        break
                    found.append(sentence)
                    at += len(own)
                    if at == len(key):
                        return found
        return None


def parse_command(what: str, ending: str) -> str:
    """Return the command that makes such a file; `what` is one of its choices of that name."""
    return f"nlgauge parse REF -i HYP --what {what} -o FILE{ending}"


def paths_of(option: str, path: str, what: str, endings: tuple[str, ...]) -> list[str]:
    """Return a file, or those of a folder that have one of the endings; `what` they hold."""
    folder = Path(path)
    if not is_folder(folder):
        return [path]
    paths = sorted(str(p) for p in folder.iterdir() if p.name.endswith(endings))
    if not paths:
        raise ResourceMissing(
            f"{option}={path}: the folder has no {' or '.join(endings)}; put a file there",
            remedy=parse_command(what, endings[0]),
        )
    return paths
