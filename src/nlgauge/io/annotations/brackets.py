"""Read and write bracketed trees as in the Penn Treebank: `(S (NP (PRP I)) (VP (VBP am)))`.

Trees may take several lines, and may have an outer bracket without a label. Traces (`-NONE-`) are
left out, and functions such as -SBJ are cut off labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TextIO

from nlgauge.data.constituents import Constituent
from nlgauge.errors import DataError
from nlgauge.io.files import line_at, read_utf8, shown

_TOKEN = re.compile(r"\(|\)|[^()\s]+")
# How the treebank writes what would be read as a bracket, and quotation marks.
_INSIDE = {
    **{"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"},
    **{"\\/": "/", "\\*": "*"},
}
_QUOTES = {"``": '"', "''": '"'}


def read_trees(path: str) -> list[Constituent]:
    """Read all trees of a file."""
    content = read_utf8(path).decode("utf-8", "surrogatepass")
    where = shown(path)
    trees: list[Constituent] = []
    open_: list[_Open] = []
    for match in _TOKEN.finditer(content):
        token = match.group()
        if token == "(":
            open_.append(_Open(match.start()))
        elif not open_:
            what = "closes no bracket" if token == ")" else "stands outside of brackets"
            raise _wrong(where, content, match.start(), f"{token!r} {what}")
        elif token != ")":
            if open_[-1].children or len(open_[-1].names) == 2:
                raise _wrong(where, content, match.start(), f"{token!r} is one word too many")
            open_[-1].names.append(token)
        else:
            closed = open_.pop()
            node = closed.node()
            if node is None:
                if not closed.empty:
                    message = "a bracket has neither word nor constituents"
                    raise _wrong(where, content, closed.start, message)
                if open_:
                    open_[-1].empty = True
            elif open_:
                open_[-1].children.append(node)
            else:
                trees.append(node)
    if open_:
        raise _wrong(where, content, open_[-1].start, "a bracket is not closed")
    return trees


class _Open:
    """A bracket that is not closed yet."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.names: list[str] = []  # label and word
        self.children: list[Constituent] = []
        self.empty = False  # had nothing but traces

    def node(self) -> Constituent | None:
        if len(self.names) == 2 and not self.children:
            if self.names[0] == "-NONE-":
                self.empty = True
                return None
            return Constituent(self.names[0], word=_plain(self.names[1]))
        if not self.children:
            return None
        if not self.names and len(self.children) == 1:
            return self.children[0]
        return Constituent(_bare(self.names[0]) if self.names else "TOP", tuple(self.children))


def _bare(label: str) -> str:
    """Return a label without functions and numbers; -LRB- and the like start with the sign."""
    return label if label.startswith("-") else re.split(r"[-=|]", label)[0] or label


def _plain(word: str) -> str:
    return _QUOTES.get(word) or _replaced(word, _INSIDE)


def _replaced(text: str, table: Mapping[str, str]) -> str:
    for written, meant in table.items():
        text = text.replace(written, meant)
    return text


def unescaped(text: str) -> str:
    """Return a text with brackets and quotation marks in place of how treebanks write them."""
    return _replaced(text, {**_INSIDE, **_QUOTES})


def write_trees(file: TextIO, trees: Iterable[Constituent]) -> None:
    """Write one tree per line, so that `read_trees` gives them back."""
    for tree in trees:
        above: list[int] = []  # the open brackets
        for place, (parent, node) in enumerate(tree.downward()):
            while above and above[-1] != parent:
                above.pop()
                file.write(")")
            file.write(f"{' ' if above else ''}({_escaped(node.label)}")
            above.append(place)
            if node.word is not None:
                file.write(f" {_escaped(node.word)}")
        file.write(")" * len(above) + "\n")


def _escaped(text: str) -> str:
    return "".join(text.split()).replace("(", "-LRB-").replace(")", "-RRB-")


def _wrong(where: str, content: str, offset: int, what: str) -> DataError:
    return DataError(
        f"{where}, line {line_at(content, offset)}: {what}; expected trees such as "
        "(S (NP (PRP I)) (VP (VBP am)))"
    )
