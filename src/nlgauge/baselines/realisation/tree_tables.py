"""Count, in a treebank, what a stochastic tree model and a grammar of orders are made of.

A supertag is what an elementary tree says of its word: the part of speech, the relation to the
mother, and the frame of arguments, each with its side. Other daughters are adjuncts, whose side and
order among their sisters the grammar knows from the treebank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.data.parses import ROOT, Parse
from nlgauge.errors import DataError

ARGUMENTS = frozenset({"nsubj", "csubj", "obj", "iobj", "xcomp", "ccomp", "expl"})
LEFT, RIGHT = 0, 1
MANY = 5  # daughters; more are not told apart
RARE = 1  # words that occur no more often are counted as words of their shape, too
ROOT_WORD, ROOT_TAG = 0, 0
Integers = npt.NDArray[np.int32]
# Columns of each table; the last is always the number of times.
TABLES = {
    "edges": ("word", "tag", "mother", "mother's tag", "side", "times"),
    "frames": ("word", "tag", "daughters", "frame", "times"),
    "sisters": ("mother's tag", "side", "class", "class of the next", "times"),
}
Slot = tuple[str, int]  # a relation and its side


@dataclass(frozen=True, eq=False)
class TreeTables:
    """These tables have what was counted; columns hold numbers of words, tags and frames."""

    words: tuple[str, ...]  # in lower case, and shapes of rare ones; the first stands for the root
    tags: tuple[tuple[str, str], ...]  # part of speech and relation; the first is the root's
    frames: tuple[tuple[Slot, ...], ...]
    edges: Integers
    framed: Integers
    sisters: Integers

    def names(self) -> dict[str, Any]:
        """Return what the numbers stand for, to be written beside the arrays."""
        return {"words": self.words, "tags": self.tags, "frames": self.frames}

    @classmethod
    def restored(cls, names: Mapping[str, Any], arrays: Mapping[str, Any]) -> TreeTables:
        """Rebuild tables from a file; numbers that stand for nothing are refused."""
        words = tuple(map(str, names["words"]))
        tags = tuple((str(pos), str(relation)) for pos, relation in names["tags"])
        frames = tuple(tuple((str(r), int(s)) for r, s in frame) for frame in names["frames"])
        tables = [np.asarray(arrays[name], np.int32) for name in TABLES]
        limits = {
            "word": len(words),
            "mother": len(words),
            "tag": len(tags),
            "mother's tag": len(tags),
            "daughters": MANY + 1,
            "frame": len(frames),
            "side": 2,
            "class": SIZES * len(tags),
            "class of the next": SIZES * len(tags),
            "times": np.iinfo(np.int32).max,
        }
        for table, (name, columns) in zip(tables, TABLES.items(), strict=True):
            if table.ndim != 2 or table.shape[1] != len(columns):
                raise ValueError(f"its table {name} has not {len(columns)} columns")
            tops = [limits[column] for column in columns]
            if table.size and ((table < 0).any() or (table.max(axis=0) >= tops).any()):
                raise ValueError(f"its table {name} has numbers that stand for nothing")
        return cls(words, tags, frames, *tables)


SIZES = 3


def sister_class(tag: int, size: int) -> int:
    """Return the class of a sister: its tag, and whether it is one word, a few, or many."""
    return SIZES * tag + (0 if size == 1 else 1 if size < 5 else 2)


def shape(word: str) -> str:
    """Return what an unknown word looks like: its kind of characters, and its ending."""
    if any(c.isdigit() for c in word):
        return "\x00digits"
    if not any(c.isalpha() for c in word):
        return "\x00signs"
    capital = "capital " if word[0].isupper() else ""
    return f"\x00{capital}{word[-3:].lower() if len(word) > 4 else 'short'}"


def tag_of(parse: Parse, i: int) -> tuple[str, str]:
    """Return part of speech and relation; marks of punctuation differ in their places by sign."""
    relation = parse.relations[i]
    pos = parse.tags[i]
    return pos, f"{relation} {parse.words[i]}" if pos == "PUNCT" else relation


def is_argument(relation: str) -> bool:
    """Return whether a relation is that of an argument, whatever its subtype."""
    return relation.split(":")[0] in ARGUMENTS


def count_trees(parses: Sequence[Parse], where: str) -> TreeTables:
    """Count words, supertags and orders of a treebank; `where` names it in messages."""
    if not parses:
        raise DataError(f"{where}: no sentences to learn from; give a treebank in CoNLL-U")
    if all(tag in ("_", "") for parse in parses for tag in parse.tags):
        raise DataError(f"{where}: no word has a part of speech (UPOS); give an annotated treebank")
    occurring = Counter(word.lower() for parse in parses for word in parse.words)
    counts: dict[str, Counter[tuple[int, ...]]] = {name: Counter() for name in TABLES}
    words, tags = _Numbers(["\x00root"]), _Numbers([("ROOT", "root")])
    frames = _Numbers([()])  # the first is that of no arguments
    for parse in parses:
        own = [tags(tag_of(parse, i)) for i in range(len(parse))]
        spelled = [
            [words(word.lower())]
            + ([words(shape(word))] if occurring[word.lower()] <= RARE else [])
            for word in parse.words
        ]
        sizes = _sizes(parse)
        daughters: list[list[int]] = [[] for _ in range(len(parse) + 1)]
        for i, head in enumerate(parse.heads):
            daughters[head].append(i)
            mother = spelled[head - 1][0] if head else ROOT_WORD
            mothers_tag = own[head - 1] if head else ROOT_TAG
            side = LEFT if i < head - 1 else RIGHT
            for word in spelled[i]:
                counts["edges"][word, own[i], mother, mothers_tag, side] += 1
        for head, below in enumerate(daughters[1:]):
            frame = frames(
                tuple(
                    sorted(
                        (parse.relations[d], LEFT if d < head else RIGHT)
                        for d in below
                        if is_argument(parse.relations[d])
                    )
                )
            )
            for word in spelled[head]:
                counts["frames"][word, own[head], min(len(below), MANY), frame] += 1
            for side, group in ((LEFT, [d for d in below if d < head]), (RIGHT, below)):
                ordered = [d for d in group if side == LEFT or d > head]
                for a, b in combinations(ordered, 2):
                    one, other = sister_class(own[a], sizes[a]), sister_class(own[b], sizes[b])
                    counts["sisters"][own[head], side, one, other] += 1
    tables = (_table(counts[name], len(columns)) for name, columns in TABLES.items())
    return TreeTables(tuple(words.known), tuple(tags.known), tuple(frames.known), *tables)


def _table(counts: Counter[tuple[int, ...]], width: int) -> Integers:
    rows = sorted((*key, times) for key, times in counts.items())
    return np.array(rows, np.int32).reshape(-1, width)


def _sizes(parse: Parse) -> list[int]:
    """Return the number of words in the subtree of each word."""
    sizes = [1] * len(parse)
    waiting = [0] * (len(parse) + 1)
    for head in parse.heads:
        waiting[head] += 1
    leaves = [i for i in range(len(parse)) if waiting[i + 1] == 0]
    for i in leaves:  # grows on the way
        head = parse.heads[i]
        if head != ROOT:
            sizes[head - 1] += sizes[i]
            waiting[head] -= 1
            if waiting[head] == 0:
                leaves.append(head - 1)
    return sizes


class _Numbers:
    """Numbers what it is given, in the order in which it comes."""

    def __init__(self, first: Iterable[Any]) -> None:
        self.known = {each: k for k, each in enumerate(first)}

    def __call__(self, each: Any) -> int:
        return self.known.setdefault(each, len(self.known))
