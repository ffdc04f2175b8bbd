"""Read semantic roles in columns (CoNLL-2005, -2009, -2012), in ASSERT's brackets, and as JSON
lines, and write the latter.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NoReturn, TextIO

from nlgauge.data.frames import Frame, FrameSentence, Role, short
from nlgauge.errors import DataError
from nlgauge.io.annotations.role_columns import conll05, conll09, conll12
from nlgauge.io.files import read_utf8, shown
from nlgauge.io.json_text import parse_json


def read_roles(path: str) -> list[FrameSentence]:
    """Read all sentences of a file, by what its name ends in."""
    bare = path.removesuffix(".gz")
    reader = next(read for ending, read in READERS.items() if bare.endswith(ending))
    return list(reader(path))


def _lines(path: str) -> list[str]:
    return read_utf8(path).decode("utf-8", "surrogatepass").split("\n")


def _columns(
    read: Callable[[str, list[str]], Iterator[FrameSentence]],
) -> Callable[[str], Iterator[FrameSentence]]:
    return lambda path: read(shown(path), _lines(path))


def _conll(path: str) -> Iterator[FrameSentence]:
    """Read columns of the year that they look like."""
    lines = _lines(path)
    first = next((line for line in lines if line.strip()), "")
    documents = any(line.startswith("#begin document") for line in lines)
    columns = first.split()
    if documents:
        read = conll12
    else:
        read = conll09 if columns and columns[0] == "1" and len(columns) >= 14 else conll05
    return read(shown(path), lines)


def _props(path: str) -> Iterator[FrameSentence]:
    """Read CoNLL-2005's predicates and roles alone; the words stand in a file beside them."""
    gz = ".gz" if path.endswith(".gz") else ""
    beside = path.removesuffix(".gz").removesuffix(".props") + ".words"
    beside += gz if Path(beside + gz).exists() else ""
    if not Path(beside).exists():
        raise DataError(f"{path}: has no words; put them beside it as {Path(beside).name}")
    words, props = _lines(beside), _lines(path)
    if len(words) != len(props):
        raise DataError(f"{path}: {len(props)} lines, but {beside} has {len(words)}")
    return conll05(shown(path), [f"{w.strip()} {p}" for w, p in zip(words, props, strict=True)])


_FRAME = re.compile(r"\[([^\s\]]+)((?:\s[^\[\]]*)?)\]|(\S+)")


def _assert(path: str) -> Iterator[FrameSentence]:
    """Read lines like `0: [A0 she] [TARGET said] [A1 so]`: the sentence's number from 0, then a
    frame. Sentences without any stand in the text beside it, of the same name but for .txt.
    """
    where = shown(path)
    sentences: dict[int, FrameSentence] = {}
    beside = Path(path.removesuffix(".gz").removesuffix(".assert") + ".txt")
    if beside.exists():
        texts = _lines(str(beside))
        sentences = {
            i: FrameSentence(tuple(t.split()), ()) for i, t in enumerate(texts) if t.strip()
        }
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        which, colon, rest = line.partition(":")
        if not colon or not which.strip().isdecimal() or len(which.strip()) > 9:
            _wrong(where, number, "starts with no sentence number and colon")
        words, frame = _bracketed(where, number, rest)
        known = sentences.get(int(which), FrameSentence(words, ()))
        if known.words != words:
            _wrong(where, number, f"its words are not those of sentence {which.strip()}")
        frames = (*known.frames, *([] if frame is None else [frame]))
        sentences[int(which)] = FrameSentence(words, frames)
    for i in sorted(sentences):
        yield sentences[i]


def _bracketed(where: str, number: int, text: str) -> tuple[tuple[str, ...], Frame | None]:
    words: list[str] = []
    roles: list[Role] = []
    predicate = None
    for label, inner, word in _FRAME.findall(text):
        if word:
            words.append(word)
            continue
        start = len(words)
        words += inner.split()
        if start == len(words):
            _wrong(where, number, f"[{label}] has no words")
        if label in ("TARGET", "V"):
            predicate = start
        else:
            roles.append(Role(short(label), start, len(words)))
    if roles and predicate is None:
        _wrong(where, number, "has roles but no [TARGET ...]")
    frame = None if predicate is None else Frame(predicate, tuple(roles))
    return tuple(words), frame


def _wrong(where: str, number: int, what: str) -> NoReturn:
    raise DataError(f"{where}, line {number}: {what}; expected 0: [A0 she] [TARGET said] [A1 so]")


def _jsonl(path: str) -> Iterator[FrameSentence]:
    """Read the lines that `write_roles` writes."""
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        try:
            record = parse_json(line, f"{shown(path)}, line {number}")
            words = tuple(map(str, record["words"]))
            frames = tuple(
                Frame(
                    int(frame["predicate"]),
                    tuple(Role(short(str(r)), int(i), int(j)) for r, i, j in frame["roles"]),
                    str(frame.get("sense", "")),
                )
                for frame in record["frames"]
            )
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            raise DataError(
                f"{shown(path)}, line {number}: {error!r}; expected "
                '{"words": ["she", "said", "so"], "frames": [{"predicate": 1, "roles": '
                '[["A0", 0, 1], ["A1", 2, 3]]}]}'
            ) from None
        for frame in frames:
            spans = [(role.start, role.end) for role in frame.roles]
            for start, end in [*spans, (frame.predicate, frame.predicate + 1)]:
                if not 0 <= start < end <= len(words):
                    raise DataError(
                        f"{shown(path)}, line {number}: words {start} to {end} of {len(words)}; "
                        "they are counted from 0, and the end is the first that does not belong"
                    )
        yield FrameSentence(words, frames)


def write_roles(file: TextIO, sentences: Iterable[FrameSentence]) -> None:
    """Write one sentence per line, so that `read_roles` gives them back."""
    for sentence in sentences:
        frames = [
            {
                "predicate": frame.predicate,
                "sense": frame.sense,
                "roles": [[role.label, role.start, role.end] for role in frame.roles],
            }
            for frame in sentence.frames
        ]
        record = {"words": sentence.words, "frames": frames}
        file.write(json.dumps(record, ensure_ascii=False) + "\n")


READERS: dict[str, Callable[[str], Iterator[FrameSentence]]] = {
    ".jsonl": _jsonl,
    ".assert": _assert,
    ".props": _props,
    **dict.fromkeys((".conll05", ".conll2005"), _columns(conll05)),
    **dict.fromkeys((".conll09", ".conll2009"), _columns(conll09)),
    **dict.fromkeys((".conll12", ".conll2012", "_conll"), _columns(conll12)),
    ".conll": _conll,
}
