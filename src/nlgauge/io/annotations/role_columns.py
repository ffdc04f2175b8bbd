"""Read semantic roles in the columns of the shared tasks of CoNLL: a word per line, blank lines
between sentences, and a column for each predicate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NoReturn

from nlgauge.data.frames import Frame, FrameSentence, Role, short
from nlgauge.errors import DataError

_SPAN = re.compile(r"((?:\([^\s()*]+)*)\*(\)*)")  # (A0*, *, (V*), *))
Row = tuple[int, list[str]]  # the line's number, and its columns


def _sentences(lines: Sequence[str], *, comments: bool) -> Iterator[list[Row]]:
    rows: list[Row] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            if rows:
                yield rows
            rows = []
        elif not (comments and line.startswith("#")):
            rows.append((number, line.split()))
    if rows:
        yield rows


def conll05(where: str, lines: Sequence[str]) -> Iterator[FrameSentence]:
    """Read a sentence in the columns of 2005: the word first; the predicates' lemmas (or -) in the
    last column before those of roles.
    """
    sentences = list(_sentences(lines, comments=False))
    for rows in sentences:
        _check_width(where, rows)
    column = _predicate_column(where, sentences)
    for rows in sentences:
        words = tuple(cells[0] for _, cells in rows)
        senses = {i: c[column] for i, (_, c) in enumerate(rows) if c[column] != "-"}
        spans = [_spans(where, rows, k) for k in range(column + 1, len(rows[0][1]))]
        yield FrameSentence(words, _frames(senses, spans))


def _predicate_column(where: str, sentences: list[list[Row]]) -> int:
    """Return the last column that fits: with as many predicates as there are columns after it."""
    narrowest = min((len(rows[0][1]) for rows in sentences), default=0)
    for column in range(narrowest - 1, 0, -1):
        if all(
            sum(cells[column] != "-" for _, cells in rows) == len(rows[0][1]) - column - 1
            for rows in sentences
        ):
            return column
    number = sentences[0][0][0] if sentences else 1
    raise DataError(
        f"{where}, line {number}: no column has as many predicates as there are columns after it; "
        "in CoNLL-2005, words come first, then maybe others, then predicates, - for none, and for "
        "each predicate a column such as (A0*, *, *)"
    )


def conll12(where: str, lines: Sequence[str]) -> Iterator[FrameSentence]:
    """Read a sentence in OntoNotes' columns: the word fourth, lemma and frame set seventh and
    eighth, roles from the twelfth to the last but one.
    """
    for rows in _sentences(lines, comments=True):
        _check_width(where, rows)
        number, cells = rows[0]
        if len(cells) < 12:
            _wrong(where, number, f"{len(cells)} columns, CoNLL-2012 has at least 12")
        words = tuple(cells[3] for _, cells in rows)
        # Verbs without a frame set have no column.
        senses = {
            i: f"{c[6]}.{c[7]}" for i, (_, c) in enumerate(rows) if c[6] != "-" and c[7] != "-"
        }
        spans = [_spans(where, rows, k) for k in range(11, len(cells) - 1)]
        if len(senses) != len(spans):
            _wrong(where, number, f"{len(senses)} predicates, but {len(spans)} columns of roles")
        yield FrameSentence(words, _frames(senses, spans))


def _frames(senses: dict[int, str], spans: Sequence[list[Role]]) -> tuple[Frame, ...]:
    """Return the frames: the k-th predicate has the k-th column, and V is the predicate itself."""
    return tuple(
        Frame(place, tuple(role for role in roles if role.label not in ("V", "C-V")), sense)
        for (place, sense), roles in zip(sorted(senses.items()), spans, strict=True)
    )


def _spans(where: str, rows: list[Row], column: int) -> list[Role]:
    """Return the spans that a column marks with `(A0*`, `*`, `*)`."""
    found: list[Role] = []
    open_: list[tuple[str, int]] = []
    for i, (number, cells) in enumerate(rows):
        match = _SPAN.fullmatch(cells[column])
        if match is None:
            _wrong(where, number, f"{cells[column]!r} is not of the form (A0*, * or *)")
        open_ += ((short(label), i) for label in match.group(1).split("(")[1:])
        for _ in match.group(2):
            if not open_:
                _wrong(where, number, f"{cells[column]!r} closes no role")
            label, start = open_.pop()
            found.append(Role(label, start, i + 1))
    if open_:
        _wrong(where, rows[open_[-1][1]][0], f"role {open_[-1][0]} is not closed")
    return sorted(found, key=lambda role: (role.start, role.end))


def conll09(where: str, lines: Sequence[str]) -> Iterator[FrameSentence]:
    """Read a sentence in the columns of 2009: fourteen of dependencies, then one per predicate that
    names the head words of its roles. A role's words are those below the head, but the branch of
    the predicate.
    """
    for rows in _sentences(lines, comments=True):
        _check_width(where, rows)
        number, cells = rows[0]
        if len(cells) < 14:
            _wrong(where, number, f"{len(cells)} columns, CoNLL-2009 has at least 14")
        words = tuple(cells[1] for _, cells in rows)
        heads = _heads(where, rows)
        senses = {i: c[13] for i, (_, c) in enumerate(rows) if c[13] != "_"}
        if len(senses) != len(cells) - 14:
            found = f"{len(senses)} predicates, but {len(cells) - 14} columns of roles"
            _wrong(where, number, found)
        frames = []
        for column, (predicate, sense) in enumerate(sorted(senses.items()), start=14):
            roles = tuple(
                Role(short(c[column]), *_below(heads, i, predicate))
                for i, (_, c) in enumerate(rows)
                if c[column] != "_" and i != predicate
            )
            frames.append(Frame(predicate, roles, sense))
        yield FrameSentence(words, tuple(frames))


def _heads(where: str, rows: list[Row]) -> list[int]:
    """Return the heads from 0, -1 for a root; predicted ones where there are no others."""
    heads = []
    for number, cells in rows:
        head = cells[8] if cells[8] != "_" else cells[9]
        whole = head.isascii() and head.isdecimal() and len(head) < 10
        if not whole or int(head) > len(rows):
            _wrong(where, number, f"HEAD is {head!r}, expected 0 to {len(rows)}")
        heads.append(int(head) - 1)
    for i in range(len(heads)):
        at, steps = i, 0
        while at >= 0:
            at, steps = heads[at], steps + 1
            if steps > len(heads):
                _wrong(where, rows[i][0], f"word {i + 1} depends on itself, through its heads")
    return heads


def _below(heads: Sequence[int], top: int, predicate: int) -> tuple[int, int]:
    """Return the words around `top` that depend on it, not through the predicate."""

    def belongs(word: int) -> bool:
        while word not in (top, predicate, -1):
            word = heads[word]
        return word == top

    start = end = top
    while start > 0 and belongs(start - 1):
        start -= 1
    while end + 1 < len(heads) and belongs(end + 1):
        end += 1
    return start, end + 1


def _check_width(where: str, rows: list[Row]) -> None:
    width = len(rows[0][1])
    for number, cells in rows:
        if len(cells) != width:
            _wrong(where, number, f"{len(cells)} columns, but the sentence began with {width}")


def _wrong(where: str, number: int, what: str) -> NoReturn:
    raise DataError(f"{where}, line {number}: {what}; check the format")
