"""What Hypothesis draws: texts from nasty alphabets, word sequences with many repeats, corpora."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import strategies as st

ASCII = (
    *"aBz019.,-'\"&<>;:!?()[]{}/\\|_^~#$%*+=@`",
    *" \t\n\r\v\f",
    *(
        "1.5",
        "3,000",
        "..",
        ",.",
        "-\n",
        "\n-",
        "9-",
        "&quot;",
        "&amp;",
        "&lt;",
        "&gt;",
        "<skipped>",
    ),
    *("&amp;lt;", "<skip<skipped>ped>", "a.b", "U.S.", "'s ", "n't"),
)
SPACES = (
    *("\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\xa0", "\u1680", "\u2002", "\u2028", "\u2029"),
    *("\u202f", "\u205f", "\u3000"),
)
NO_SPACES = ("\u200b", "\ufeff", "\u2060", "\x00", "\x01", "\x1b", "\x7f", "\x84")
CASED = (
    *("İ", "I", "ı", "i\u0307", "ß", "ẞ", "K", "Å", "ǅ", "Σ", "ς", "σ", "ΑΣ", "Ⱥ", "Ⅷ", "Ⓐ"),
    *("\U00010400", "Ω", "Ჰ"),
)
MARKS = ("e\u0301", "\u0301", "\u0345", "\u00ad", "’", "\u20e3", "\u0e34", "\u094d")
SYMBOLS = (
    "€",
    "©",
    "½",
    "²",
    "٣",
    "१",
    "–",
    "—",
    "“",
    "”",
    "…",
    "¿",
    "。",
    "、",
    "！",
    "．",
    "・",
    "々",
)
ASIAN = ("中", "文字", "あ", "カナ", "한국", "\U00020000", "\u2a00", "\u2f85", "㈱", "ﾊ", "㐀")
RIGHT_TO_LEFT = ("שלום", "مرحبا", "؟", "\u200f", "\u202e", "،")
EMOJI = ("😀", "👩‍💻", "🇨🇭", "❤️", "👍🏽")
SURROGATES = ("\ud800", "\udc00", "\udfff")

PIECES = (
    *ASCII,
    *SPACES,
    *NO_SPACES,
    *CASED,
    *MARKS,
    *SYMBOLS,
    *ASIAN,
    *RIGHT_TO_LEFT,
    *EMOJI,
)


def texts(pieces: tuple[str, ...] = PIECES, *, max_size: int = 30) -> st.SearchStrategy[str]:
    """Nasty pieces in any order; half of the texts from ASCII alone, where the rules interact."""
    ascii_only = tuple(piece for piece in pieces if piece.isascii())
    return (
        st.lists(st.sampled_from(pieces), max_size=max_size)
        | st.lists(st.sampled_from(ascii_only), max_size=max_size)
    ).map("".join)


def odd_texts() -> st.SearchStrategy[str]:
    """Everything a str can hold, lone surrogates too."""
    return texts((*PIECES, *SURROGATES)) | st.text(st.characters(), max_size=20)


def words(
    vocabulary: Sequence[str] = "abc", *, min_size: int = 0, max_size: int = 30
) -> st.SearchStrategy[str]:
    """Words from a tiny vocabulary, so that most n-grams repeat."""
    return st.lists(st.sampled_from(vocabulary), min_size=min_size, max_size=max_size).map(" ".join)


def related(
    vocabulary: str, *, min_size: int, max_size: int, refs: int = 1
) -> st.SearchStrategy[tuple[str, list[str]]]:
    """A hypothesis and references that are its blocks in another order with some words changed."""

    @st.composite
    def draw(draw: st.DrawFn) -> tuple[str, list[str]]:
        rng = random.Random(draw(st.integers(0, 2**32)))
        length = draw(st.integers(min_size, max_size))
        hyp = [rng.choice(vocabulary) for _ in range(length)]
        return " ".join(hyp), [" ".join(_rearranged(hyp, vocabulary, rng)) for _ in range(refs)]

    return draw()


def _rearranged(hyp: list[str], vocabulary: str, rng: random.Random) -> list[str]:
    step = rng.randint(1, 12)
    blocks = [hyp[i : i + step] for i in range(0, len(hyp), step)]
    for _ in range(rng.randint(0, 4)):
        i, j = rng.randrange(len(blocks) + 1), rng.randrange(len(blocks) + 1)
        blocks[i:i], blocks[j:j] = blocks[j : j + 1], blocks[i : i + 1]
    noise = rng.choice((0.0, 0.1, 0.4))
    return [
        w if rng.random() >= noise else rng.choice(vocabulary) for block in blocks for w in block
    ]


def segments(
    text: st.SearchStrategy[str], *, min_size: int = 1, max_size: int = 6, max_refs: int = 3
) -> st.SearchStrategy[list[tuple[str, list[str]]]]:
    """Hypotheses with ragged references."""
    one = st.tuples(text, st.lists(text, min_size=1, max_size=max_refs))
    return st.lists(one, min_size=min_size, max_size=max_size)
