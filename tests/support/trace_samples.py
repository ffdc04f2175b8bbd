"""Traces of every kind, made by hand: short, long, empty, of wide letters and from the right."""

from __future__ import annotations

import numpy as np

from nlgauge.explain import builders
from nlgauge.explain.traces import (
    FramePair,
    Frames,
    FrameSpans,
    Node,
    RolePair,
    RoleSpan,
    TokenSimilarities,
    Trace,
    Trees,
)

ARABIC = "جلست القطة على السجادة", "القطة كانت جالسة على السجادة"
CHINESE = "猫 坐 在 垫子 上", "那 只 猫 正 坐 在 垫子 上"


def similarities(
    hyp: str, ref: str, *, low: float = 0.2, weights: bool = False, flow: bool = False
) -> TokenSimilarities:
    """Equal words are 1, others a number by chance."""
    rng = np.random.default_rng(len(hyp))
    words = tuple(hyp.split()), tuple(ref.split())
    matrix = np.array(
        [[1.0 if a == b else rng.uniform(low, 0.8) for b in words[1]] for a in words[0]]
    ).reshape(len(words[0]), len(words[1]))
    masses = [rng.uniform(0.5, 4, len(side)) for side in words]
    plan = np.zeros_like(matrix)
    if flow and matrix.size:  # the corner rule: some plan, not the best
        left, right = (side / side.sum() for side in masses)
        i = j = 0
        while i < len(left) and j < len(right):
            plan[i, j] = moved = min(left[i], right[j])
            left[i] -= moved
            right[j] -= moved
            i, j = (i + 1, j) if left[i] <= right[j] else (i, j + 1)
    return TokenSimilarities(
        hyp=words[0],
        ref=words[1],
        matrix=1 - matrix if flow else matrix,
        matches=builders.transport(plan) if flow else builders.greedy(matrix),
        hyp_weights=masses[0] if weights else None,
        ref_weights=masses[1] if weights else None,
        measure="distance" if flow else "cosine",
        distance=flow,
    )


def tree(text: str) -> Node:
    """From brackets; `NP^3` is a node of which three levels match. Words have no brackets."""
    stack: list[tuple[str, list[Node]]] = [("", [])]
    for token in text.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            stack.append(("(", []))
        elif token == ")":
            label, children = stack.pop()
            name, _, levels = label.partition("^")
            stack[-1][1].append(Node(name, tuple(children), int(levels or 0)))
        elif stack[-1][0] == "(":
            stack[-1] = (token, stack[-1][1])
        else:
            stack[-1][1].append(Node(token, word=True))
    return stack[0][1][0]


def long_tree(words: list[str], branching: int = 3) -> Node:
    """All words, in constituents of so many."""
    nodes = [Node("NN", (Node(word, word=True),), k % 2) for k, word in enumerate(words)]
    while len(nodes) > 1:
        groups = [nodes[k : k + branching] for k in range(0, len(nodes), branching)]
        nodes = [Node("NP", tuple(group), len(group) - 1) for group in groups]
    return nodes[0]


def deep_tree(levels: int) -> Node:
    """Each node has a word and all that follows."""
    node = Node("X", (Node("end", word=True),))
    for k in range(levels):
        node = Node("VP", (Node("V", (Node(f"w{k}", word=True),), 1), node), k % 4)
    return node


def frames(hyp: str, ref: str) -> Frames:
    """A predicate in the middle, a role before and two after it; a frame of one side alone."""
    words = tuple(hyp.split()), tuple(ref.split())
    made = []
    for side in words:
        n, v = len(side), len(side) // 3
        first = (
            RoleSpan("ARG0", 0, v),
            RoleSpan("ARG1", v + 1, n - 2),
            RoleSpan("ARGM-TMP", n - 2, n),
        )
        made.append(FrameSpans(RoleSpan("V", v, v + 1), first, 0.8))
    alone = FrameSpans(RoleSpan("V", len(words[1]) - 1, len(words[1])), (RoleSpan("ARG1", 0, 2),))
    pair = FramePair(0, 0, 0.71, (RolePair(0, 0, 0.93), RolePair(1, 1, 0.38)))
    return Frames(words[0], words[1], (made[0],), (made[1], alone), (pair,), "a note")


def samples() -> dict[str, Trace]:
    """By what is special about them."""
    short = "the cat sat on the mat today", "a cat was sitting on the mat"
    rng = np.random.default_rng(5)
    letters = np.array(list("abcdefghijklmnoprstuvwy"))
    many = [
        " ".join("".join(rng.choice(letters, rng.integers(1, 11))) for _ in range(60))
        for _ in range(2)
    ]
    gaps = similarities("a b c", "a b c d")
    holes = np.where(np.eye(3, 4) > 0, np.nan, gaps.matrix)
    first = tree(
        "(S^2 (NP^1 (PRP^1 he)) (VP^1 (VBD^1 sat) (PP^3 (IN^1 on) (NP^2 (DT^1 the) (NN^1 mat)))))"
    )
    second = tree(
        "(S^2 (NP (DT^1 the) (NN^1 cat)) (VP^1 (VBD^1 was) (VP (VBG sitting) (PP^3 (IN^1 on) "
        "(NP^2 (DT^1 the) (NN^1 mat))))))"
    )
    return {
        "short": similarities(*short),
        "negative": similarities(*short, low=-0.6),
        "weights": similarities(*short, weights=True),
        "transport": similarities(*short, weights=True, flow=True),
        "long": similarities(many[0], many[1], weights=True, low=-0.3),
        "wide": similarities(*CHINESE, weights=True),
        "from the right": similarities(*ARABIC),
        "one": similarities("word", "word"),
        "no hypothesis": similarities("", "a <b>"),
        "no reference": similarities("x & y", ""),
        "nothing": similarities("", ""),
        "not compared": TokenSimilarities(
            hyp=gaps.hyp, ref=gaps.ref, matrix=holes, matches=builders.greedy(holes)
        ),
        "undefined": TokenSimilarities(hyp=("a",), ref=("</svg>",), matrix=np.full((1, 1), np.nan)),
        "trees": Trees(first, second),
        "long trees": Trees(long_tree(many[0].split()), long_tree(many[1].split(), 2)),
        "deep trees": Trees(deep_tree(40), deep_tree(12)),
        "arabic trees": Trees(long_tree(ARABIC[0].split()), long_tree(ARABIC[1].split())),
        "no tree": Trees(None, first),
        "one node": Trees(Node("<S>"), Node("<S>")),
        "sentences": Trees(Node("", (first, second)), second),
        "frames": frames(*short),
        "long frames": frames(many[0], many[1]),
        "wide frames": frames(*CHINESE),
        "arabic frames": frames(*ARABIC),
        "no frames": Frames(("a", "</b>"), (), (), ()),
    }
