"""Read the sentences that the structure models are trained and tested on."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import dataclass
from pathlib import Path

from nlgauge.data.constituents import Constituent
from nlgauge.models.syntax.spans import Span, spans_of


@dataclass(frozen=True)
class Frame:
    """A frame is a predicate and its arguments, the verb's own span (V) among them."""

    index: int
    arguments: dict[Span, str]


@dataclass(frozen=True)
class Sentence:
    """A sentence has words with parts of speech, constituents and frames."""

    words: list[str]
    tags: list[str]
    spans: dict[Span, str]
    frames: list[Frame]
    tree: Constituent


def read_sentences(path: str | Path) -> list[Sentence]:
    """Read one JSON object per line: `tokens`, `pos`, `tree`, `predicates`."""
    opened = gzip.open if str(path).endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as file:
        return [_sentence(json.loads(line)) for line in file]


def _sentence(row: dict) -> Sentence:
    tree = _tree(row["tree"], row["tokens"])
    frames = [
        Frame(p["index"], {(start, end + 1): role for role, start, end in p["args"]})
        for p in row["predicates"]
    ]
    tags = [leaf.label for leaf in tree.leaves()]
    return Sentence(row["tokens"], tags, spans_of(tree), frames, tree)


def _tree(text: str, words: list[str]) -> Constituent:
    """Read a tree; words may be brackets themselves, and the sentence says where a word ends.

    A constituent opens with "(label(", a word is "(tag word)".
    """
    open_: list[tuple[str, list[Constituent]]] = [("", [])]
    at = used = 0
    while at < len(text):
        if text[at] == "(":
            label = re.compile(r"[^\s()]+").match(text, at + 1)
            if label is None:
                raise ValueError(f"no label at {at}: {text}")
            at = label.end()
            if text[at] == "(":
                open_.append((label[0], []))
                continue
            word = words[used]
            used += 1
            if not text.startswith(f" {word})", at):
                raise ValueError(f"not {word!r} at {at}: {text}")
            open_[-1][1].append(Constituent(label[0], word=word))
            at += len(word) + 2
        elif text[at] == ")":
            name, children = open_.pop()
            open_[-1][1].append(Constituent(name, tuple(children)))
            at += 1
        else:
            at += 1
    (_, trees), *rest = open_
    if rest or len(trees) != 1 or used != len(words):
        raise ValueError(f"not a tree of {len(words)} words: {text}")
    return trees[0]
