"""The tree model of FERGUS: counts by hand, and the best supertags against all there are."""

from __future__ import annotations

from itertools import permutations, product
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlgauge.baselines import LexemeTree
from nlgauge.baselines.realisation.smoothed import Smoothed
from nlgauge.baselines.realisation.tree_chooser import TreeModel, choose_tags
from nlgauge.baselines.realisation.tree_tables import LEFT, ROOT_TAG, ROOT_WORD, count_trees
from nlgauge.baselines.realisation.unraveler import FORBIDDEN, OrderGrammar
from nlgauge.data.parses import Parse


def parse(*rows: str) -> Parse:
    """A sentence from rows of word, part of speech, head and relation."""
    words, tags, heads, relations = zip(*(row.split() for row in rows), strict=True)
    return Parse(words, words, tags, tags, tuple(map(int, heads)), relations)


BANK = [
    parse("the DET 2 det", "cat NOUN 3 nsubj", "sleeps VERB 0 root"),
    parse("dogs NOUN 2 nsubj", "chase VERB 0 root", "the DET 4 det", "cat NOUN 2 obj"),
    parse("old ADJ 2 amod", "dogs NOUN 3 nsubj", "sleep VERB 0 root", "here ADV 3 advmod"),
    parse("here ADV 3 advmod", "she PRON 3 nsubj", "chased VERB 0 root", "dogs NOUN 3 obj"),
]


def test_smoothed_counts_by_hand() -> None:
    counts = Smoothed(4)
    counts.add(1, ("a", "ab"), 3)
    counts.add(2, ("a", "ac"), 1)
    # 1/4 at last; (3 + 2/4) / (4 + 2) in context a; (3 + 2 · 3.5/6) / (3 + 2) in ab.
    assert counts(1, ("a", "ab")) == pytest.approx((3 + 2 * 3.5 / 6) / 5)
    assert counts(1, ("a", "ad")) == pytest.approx(3.5 / 6)
    assert counts(1, ("x", "y")) == 0.25
    assert sum(counts(k, ("a", "ab")) for k in range(4)) == pytest.approx(1)


def test_tables_by_hand() -> None:
    tables = count_trees(BANK, "bank")
    word = tables.words.index
    tag = tables.tags.index
    edges = {tuple(row[:5]): row[5] for row in tables.edges.tolist()}
    key = (word("the"), tag(("DET", "det")), word("cat"), tag(("NOUN", "nsubj")), LEFT)
    assert edges[key] == 1
    root = (word("sleeps"), tag(("VERB", "root")), ROOT_WORD, ROOT_TAG, 1)
    assert edges[root] == 1
    frames = {tuple(row[:4]): row[4] for row in tables.framed.tolist()}
    both = tables.frames.index((("nsubj", 0), ("obj", 1)))
    assert frames[word("chase"), tag(("VERB", "root")), 2, both] == 1
    # `sleeps` occurs once, so that its shape is counted, too.
    assert frames[word("\x00eps"), tag(("VERB", "root")), 1, tables.frames.index((("nsubj", 0),))]


def all_choices(model: TreeModel, tree: LexemeTree) -> float:
    """The best sum over all tags of all nodes, and all daughters in all slots of all frames."""
    words = [model.number(word) for word in tree.words]
    daughters = tree.daughters()
    top = len(words)
    best = -inf
    for tags in product(*(model.candidates_of(word) for word in words)):
        total = 0.0
        for node, below in enumerate(daughters):
            mother = ROOT_WORD if node == top else words[node]
            tag = ROOT_TAG if node == top else tags[node]
            number = -1 if mother is None else mother
            for d in below:
                own = -1 if words[d] is None else words[d]
                total += model.edge(own, tags[d], number, tag)
            kinds = sorted(model.kinds[tags[d]] for d in below if model.kinds[tags[d]])
            fitting = [
                score
                for relations, score, _ in model.framings(number, tag, len(below))
                if sorted(relations) == kinds
            ]
            total += max(fitting, default=-20.0)
        best = max(best, total)
    return best


def chosen_score(model: TreeModel, tree: LexemeTree) -> float:
    """What the same sum is for the supertags that were chosen."""
    found = choose_tags(model, tree)
    words = [model.number(word) for word in tree.words]
    total = 0.0
    for node, below in enumerate(tree.daughters()):
        top = node == len(words)
        mother, tag = (ROOT_WORD, ROOT_TAG) if top else (words[node], found.tags[node])
        number = -1 if mother is None else mother
        total += sum(
            model.edge(-1 if words[d] is None else words[d], found.tags[d], number, tag)
            for d in below
        )
        kinds = sorted(model.kinds[found.tags[d]] for d in below if model.kinds[found.tags[d]])
        framings = model.framings(number, tag, len(below))
        total += max((s for r, s, _ in framings if sorted(r) == kinds), default=-20.0)
    return total


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_best_supertags_are_the_best_of_all(data: st.DataObject) -> None:
    model = TreeModel(count_trees(BANK, "bank"))
    size = data.draw(st.integers(1, 4))
    vocabulary = ["the", "cat", "dogs", "chase", "here", "sleeps", "she", "zzz"]
    words = tuple(data.draw(st.sampled_from(vocabulary)) for _ in range(size))
    heads = (0, *(data.draw(st.integers(1, i)) for i in range(1, size)))
    tree = LexemeTree(words, heads)
    assert chosen_score(model, tree) == pytest.approx(all_choices(model, tree), abs=1e-9)


def test_arguments_have_the_sides_of_their_frame() -> None:
    model = TreeModel(count_trees(BANK, "bank"))
    tree = LexemeTree(("chase", "she", "cat", "the"), (0, 1, 1, 3))
    found = choose_tags(model, tree)
    relations = [model.relations[tag] for tag in found.tags]
    assert relations == ["root", "nsubj", "obj", "det"]
    assert found.sides == (None, 0, 1, None)
    lattice = OrderGrammar(model).unravel(tree, found, least=0.05, weight=1.0)
    assert lattice.sides[1].tolist() == [0, FORBIDDEN]
    assert lattice.sides[2].tolist() == [FORBIDDEN, 0]
    assert lattice.sides[3, 0] > lattice.sides[3, 1]  # determiners stand before nouns


def test_orders_of_sisters_are_those_of_the_treebank() -> None:
    rows = ("a X 4 one", "b X 4 two", "c X 4 three", "d Y 0 root")
    model = TreeModel(count_trees([parse(*rows)] * 20, "bank"))
    tree = LexemeTree(("d", "c", "b", "a"), (0, 1, 1, 1))
    lattice = OrderGrammar(model).unravel(tree, choose_tags(model, tree), least=0.1, weight=1.0)
    for (one, other), weights in zip(lattice.sisters, lattice.orders, strict=True):
        before = tree.words[one] < tree.words[other]
        assert (weights[0] if before else weights[1]) > -0.1
        assert (weights[1] if before else weights[0]) == FORBIDDEN
        assert weights[2] == weights[3]  # never seen on the right
    assert len(lattice.sisters) == len(list(permutations("abc", 2))) / 2
