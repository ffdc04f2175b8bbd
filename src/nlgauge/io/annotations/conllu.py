"""Read and write CoNLL-U: parsed sentences as ten columns per word, blank lines between them.

Multi-word tokens give the surface, empty nodes are left out, comments are kept only as `# text`.
Entities stand in the last column as `NE=B-TYPE` and `NE=I-TYPE`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NoReturn, TextIO

from nlgauge.data.parses import Parse, glued
from nlgauge.errors import DataError
from nlgauge.io.files import read_utf8, shown

COLUMNS = 10
_NONE = "_"


@dataclass(frozen=True)
class ConlluSentence:
    """A parse, and the text that it belongs to, without white space."""

    glued: str
    parse: Parse


def read_conllu(path: str) -> list[ConlluSentence]:
    """Read all sentences of a file."""
    content = read_utf8(path).decode("utf-8", "surrogatepass")
    return list(_sentences(content, shown(path)))


def _sentences(content: str, where: str) -> Iterator[ConlluSentence]:
    block = _Block(where)
    for number, line in enumerate(content.split("\n"), start=1):
        if line.strip():
            block.add(number, line)
        elif block.started:
            yield block.sentence()
            block = _Block(where)
    if block.started:
        yield block.sentence()


class _Block:
    """The lines that describe one sentence."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.started = False
        self.number = 0  # of the line
        self.text: str | None = None
        self.surface: list[str] = []
        self.inside = 0  # the last word of a multi-word token
        self.lines: list[int] = []
        self.rows: list[list[str]] = []

    def add(self, number: int, line: str) -> None:
        self.number = number
        if line.startswith("#"):
            key, equals, value = line[1:].partition("=")
            if equals and key.strip() == "text":
                self.text = value
            return
        self.started = True
        columns = line.split("\t")
        if len(columns) != COLUMNS:
            self.wrong(f"{len(columns)} columns, expected {COLUMNS} separated by tabs")
        id_ = columns[0]
        if "-" in id_:
            first, last = (self.whole(part, "ID") for part in id_.split("-", 1))
            before = max(len(self.rows), self.inside)
            if not before < first <= last:
                self.wrong(f"multi-word token {id_} after word {before}")
            self.surface.append(columns[1])
            self.inside = last
        elif "." not in id_:  # an empty node has a point
            if self.whole(id_, "ID") != len(self.rows) + 1:
                self.wrong(f"ID {id_}, expected {len(self.rows) + 1}")
            self.rows.append(columns)
            self.lines.append(number)
            if len(self.rows) > self.inside:
                self.surface.append(columns[1])

    def sentence(self) -> ConlluSentence:
        if not self.rows:
            self.wrong("a sentence without words")
        if self.inside > len(self.rows):
            self.wrong(f"a multi-word token goes up to word {self.inside}, but there is none")
        heads = []
        for number, row in zip(self.lines, self.rows, strict=True):
            self.number = number
            head = self.whole(row[6], "HEAD")
            if head > len(self.rows):
                self.wrong(f"HEAD {head}, but the sentence has {len(self.rows)} words")
            heads.append(head)
        self.check_tree(heads)
        words = tuple(row[1] for row in self.rows)
        parse = Parse(
            words=words,
            lemmas=tuple(row[2] if row[2] != _NONE else row[1] for row in self.rows),
            tags=tuple(row[3] for row in self.rows),
            fine_tags=tuple(row[4] for row in self.rows),
            heads=tuple(heads),
            relations=tuple(row[7] for row in self.rows),
            entities=tuple(_entities([row[9] for row in self.rows])),
        )
        return ConlluSentence(
            glued("".join(self.surface) if self.text is None else self.text), parse
        )

    def check_tree(self, heads: list[int]) -> None:
        """Refuse a sentence with a word that does not lead to a root."""
        state = [0] * (len(heads) + 1)  # 1: on the way, 2: leads to a root
        state[0] = 2
        for word in range(1, len(heads) + 1):
            path = []
            at = word
            while state[at] == 0:
                state[at] = 1
                path.append(at)
                at = heads[at - 1]
            if state[at] == 1:
                self.number = self.lines[at - 1]
                self.wrong(f"word {at} depends on itself, through its heads")
            for at in path:
                state[at] = 2

    def whole(self, text: str, column: str) -> int:
        if not (text.isascii() and text.isdecimal() and len(text) < 10):
            self.wrong(f"{column} is {text!r}, expected a whole number")
        return int(text)

    def wrong(self, what: str) -> NoReturn:
        raise DataError(f"{self.where}, line {self.number}: {what}; the format is CoNLL-U")


def _entities(misc: list[str]) -> Iterator[tuple[int, int, str]]:
    start, kind = 0, ""
    for i, cell in enumerate([*misc, ""]):
        found = next((p[3:] for p in cell.split("|") if p.startswith("NE=")), "")
        if kind and found != f"I-{kind}":
            yield start, i, kind
            kind = ""
        if not kind and found:
            start, kind = i, found[2:]


def write_conllu(file: TextIO, sentences: Iterable[Parse]) -> None:
    """Write parses so that `read_conllu` finds them by the text they came from."""
    for parse in sentences:
        named = [_NONE] * len(parse)
        for start, end, kind in parse.entities:
            named[start:end] = [f"NE=B-{kind}", *[f"NE=I-{kind}"] * (end - start - 1)]
        file.write(f"# text = {' '.join(parse.words)}\n")
        columns = (
            parse.words, parse.lemmas, parse.tags, parse.fine_tags, parse.heads, parse.relations
        )  # fmt: skip
        for i, (word, lemma, tag, fine, head, relation) in enumerate(zip(*columns, strict=True)):
            file.write(
                f"{i + 1}\t{word}\t{lemma or _NONE}\t{tag or _NONE}\t{fine or _NONE}\t_\t{head}\t"
                f"{relation or _NONE}\t_\t{named[i]}\n"
            )
        file.write("\n")
