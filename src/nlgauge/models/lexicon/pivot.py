"""Learn from text what METEOR Universal and METEOR++ need: function words, paraphrases by pivoting
a phrase table (Denkowski and Lavie, 2014; Bannard and Callison-Burch, 2005), and copy words.
"""

from __future__ import annotations

import gzip
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from nlgauge.errors import DataError
from nlgauge.io.write import atomic_binary

PUNCTUATION = frozenset("~`!@#$%^&*()-_=+[{]}\\|;:'\",<.>/?")


@dataclass(frozen=True)
class PhrasePair:
    """A phrase pair is a phrase and what may stand for it."""

    phrase: str
    other: str
    probability: float


def function_words(texts: Iterable[str], *, least: float = 1e-3) -> list[str]:
    """Return words above a relative frequency, frequent ones first; texts are tokenised."""
    counts = Counter(word for text in texts for word in text.split())
    total = counts.total()
    return [w for w, n in sorted(counts.items(), key=lambda x: (-x[1], x[0])) if n / total > least]


def read_phrase_table(path: str) -> Iterator[tuple[str, str, float, float]]:
    """Yield foreign phrase, phrase, P(foreign | phrase), P(phrase | foreign) of Moses' format."""
    with _opened(path) as file:
        for number, line in enumerate(_lines(path, file), 1):
            fields = line.split("|||")
            try:
                numbers = [float(x) for x in fields[2].split()]
                yield _words(fields[0]), _words(fields[1]), numbers[0], numbers[2]
            except (IndexError, ValueError):
                raise DataError(
                    f"{path}, line {number}: expected foreign ||| phrase ||| four probabilities"
                ) from None


def paraphrases(
    table: Iterable[tuple[str, str, float, float]],
    *,
    common: Iterable[str] = (),
    foreign_common: Iterable[str] = (),
    least_step: float = 1e-3,
    least: float = 1e-2,
) -> list[PhrasePair]:
    """Return P(other | phrase) = Σ P(foreign | phrase) · P(other | foreign), sorted by phrase.

    As the authors' program does it: pairs below `least_step` are left out, as are phrases of
    punctuation or of common words alone, sums below `least`, and phrases that contain each other.
    """
    ours, theirs = frozenset(common), frozenset(foreign_common)
    pivots: dict[str, list[tuple[str, float, float]]] = defaultdict(list)
    for foreign, phrase, down, up in table:
        if _says(phrase, ours) and _says(foreign, theirs):
            pivots[foreign].append((phrase, down, up))
    sums: dict[tuple[str, str], float] = defaultdict(float)
    for phrases in pivots.values():
        for phrase, down, _ in phrases:
            for other, _, up in phrases:
                if phrase != other and min(down, up, down * up) >= least_step:
                    sums[phrase, other] += down * up
    return [
        PhrasePair(phrase, other, p)
        for (phrase, other), p in sorted(sums.items())
        if p >= least and not _contains(phrase, other) and not _contains(other, phrase)
    ]


def write_paraphrases(path: str, found: Iterable[PhrasePair]) -> int:
    """Write a compressed table in METEOR's format, and return how many entries it has."""
    rows = [f"{p.probability!r}\n{p.phrase}\n{p.other}\n" for p in found]
    with atomic_binary(path) as stream:
        stream.write(gzip.compress("".join(rows).encode("utf-8"), mtime=0))
    return len(rows)


def copy_words(
    pairs: Iterable[tuple[str, str]], *, least: float = 0.9, occurrences: int = 5
) -> list[str]:
    """Return words that paraphrases of tokenised texts keep, in at least this share of cases."""
    seen: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    for one, other in pairs:
        a, b = set(one.split()), set(other.split())
        seen.update(a | b)
        kept.update(a & b)
    return sorted(w for w, n in seen.items() if n >= occurrences and kept[w] / n >= least)


def _lines(path: str, file: TextIO) -> Iterator[str]:
    try:
        yield from file
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise DataError(f"{path}: cannot be read ({error}); make it again, in UTF-8") from None


def _opened(path: str) -> TextIO:
    try:
        if Path(path).suffix == ".gz":
            return gzip.open(path, "rt", encoding="utf-8")
        return Path(path).open(encoding="utf-8")
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from None


def _words(field: str) -> str:
    return " ".join(field.split())


def _says(phrase: str, common: frozenset[str]) -> bool:
    words = phrase.split()
    return not all(w in PUNCTUATION for w in words) and not all(w in common for w in words)


def _contains(phrase: str, part: str) -> bool:
    return f" {part} " in f" {phrase} "
