"""Read and write lexical translation tables: lines of `word word probability`, as Moses does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nlgauge.core.file_cache import FileCache
from nlgauge.core.resources import digest
from nlgauge.errors import DataError
from nlgauge.io.files import read_utf8
from nlgauge.io.write import atomic_write
from nlgauge.kernels import Floats

NULL = "NULL"  # what words without a counterpart are translated from


@dataclass(frozen=True, eq=False)
class TranslationTable:
    """A table has the probabilities of the second word of each line, given the first."""

    name: str
    by_given: dict[str, dict[str, float]]

    @cached_property
    def given(self) -> frozenset[str]:
        """Return the first words of all lines."""
        return frozenset(self.by_given)

    @cached_property
    def words(self) -> frozenset[str]:
        """Return the second words of all lines."""
        return frozenset(word for known in self.by_given.values() for word in known)

    def matrix(self, given: Sequence[str], words: Sequence[str]) -> Floats:
        """Return the probability of each word (a row), given each of the others (a column); 0 where
        there is none.
        """
        found = np.zeros((len(words), len(given)))
        for j, other in enumerate(given):
            known = self.by_given.get(other)
            if known:
                found[:, j] = [known.get(word, 0.0) for word in words]
        return found


def find_table(option: str, path: str) -> TranslationTable:
    """Return the table in a file; `option` is how messages call what the file was given as."""
    return _tables.get([path], option, path)


def _read(option: str, path: str) -> TranslationTable:
    name = digest(option, path)
    found: dict[str, dict[str, float]] = {}
    text = read_utf8(path).decode("utf-8", "surrogatepass")
    for number, line in enumerate(text.split("\n"), start=1):
        cells = line.split()
        if not cells:
            continue
        probability = _probability(cells[-1])
        if len(cells) != 3 or probability is None:
            raise DataError(
                f"{path}, line {number}: {line[:60]!r}; expected two words and a probability from "
                "0 to 1, such as: Haus house 0.8"
            )
        found.setdefault(cells[0], {})[cells[1]] = probability
    return TranslationTable(f"file {name}", found)


_tables = FileCache(_read, most=4)


def write_table(path: str, entries: Iterable[tuple[str, str, float]]) -> int:
    """Write a table that `find_table` reads; return the number of its lines."""
    lines = [f"{given} {word} {probability:.6g}\n" for given, word, probability in entries]
    with atomic_write(path) as file:
        file.writelines(lines)
    return len(lines)


def _probability(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value <= 1 else None
