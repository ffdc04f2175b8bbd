"""Porter's stemmer in the dialects that tools use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from nlgauge.errors import SpecError
from nlgauge.kernels import native

# The paper's algorithm; Porter's own programs; NLTK's default; ROUGE-1.5.5's Perl.
Dialect = Literal["porter", "martin-porter", "nltk-porter", "rouge155-porter"]


def stem(words: Iterable[str], dialect: Dialect = "porter") -> list[str]:
    """The stems of words, in lower case."""
    if dialect not in get_args(Dialect):
        raise SpecError(f"stemmer {dialect}: there are {', '.join(get_args(Dialect))}")
    return native.stem([word.lower() for word in words], dialect)
