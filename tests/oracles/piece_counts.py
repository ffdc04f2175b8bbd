"""BEER's counts by plain dictionaries of pieces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator


def words_of(text: str) -> list[str]:
    """Words between runs of blanks; a blank in front, or no text at all, makes an empty word."""
    words = [word for word in text.split(" ") if word]
    return ["", *words] if text[:1] in ("", " ") else words


def pieces(text: str) -> Iterator[Counter[object]]:
    words = words_of(text)
    units = " ".join(words).encode("utf-16-le")
    chars = [units[i : i + 2] for i in range(0, len(units), 2)]
    for n in range(1, 7):
        yield Counter(tuple(chars[i : i + n - 1]) for i in range(len(chars) - n + 1))
    for n in range(1, 5):
        inner = Counter(("in", *words[i : i + n]) for i in range(len(words) - n + 1))
        yield inner + Counter([("start", *words[:n]), ("end", *words[-n:])])
    for gap in (1, 2, 3, 4, len(words)):
        yield Counter(
            (words[i], words[j])
            for i in range(len(words))
            for j in range(i + 1, min(i + gap + 2, len(words)))
        )


def counts(hyp: str, ref: str) -> list[float]:
    """Pieces of h, of r, and matches; words of both, characters of both."""
    row: list[float] = []
    for ours, theirs in zip(pieces(hyp), pieces(ref), strict=True):
        row += [ours.total(), theirs.total(), (ours & theirs).total()]
    both = [words_of(text) for text in (hyp, ref)]
    row += [len(words) for words in both]
    row += [len(" ".join(words).encode("utf-16-le")) // 2 for words in both]
    return row
