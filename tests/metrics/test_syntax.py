"""Metrics on trees: brute force, worked examples, and what holds of any parse."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import trees as oracle
from support.golden_files import GOLDEN

from nlgauge import Corpus, NlgaugeWarning, score
from nlgauge.core import options, registry
from nlgauge.explain.explanation import explain
from nlgauge.kernels import native
from nlgauge.metrics.syntax.fragments import HWCM, subtree_rows
from nlgauge.metrics.syntax.parsed import ForestTree

SENTENCES = f"parser={options.encode(str(GOLDEN / 'corpora' / 'sentences.conllu'))}"


@st.composite
def forests(draw, most: int = 9, labels: str = "ab") -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Any heads but circles: nodes hang on nodes that come before them in a random order."""
    size = draw(st.integers(1, most))
    order = draw(st.permutations(range(size)))
    heads = [-1] * size
    for k, node in enumerate(order):
        heads[node] = order[parent] if (parent := draw(st.integers(-1, k - 1))) >= 0 else -1
    words = draw(st.lists(st.sampled_from(labels), min_size=size, max_size=size))
    return tuple(words), tuple(heads)


def cosine(a, b, *, decay: float = 1.0) -> float:
    numbers = {label: i for i, label in enumerate(sorted({*a[0], *b[0]}))}
    return native.tree_cosines(
        np.array([numbers[label] for label in (*a[0], *b[0])], np.int32),
        np.array([*a[1], *b[1]], np.int32),
        np.array([0, len(a[0]), len(a[0]) + len(b[0])], np.int64),
        np.array([0], np.int64),
        np.array([1], np.int64),
        decay=decay,
        threads=1,
    )[0]


@given(forests(), forests())
@settings(max_examples=300)
def test_the_kernel_counts_all_subtrees(a, b) -> None:
    assert cosine(a, b) == pytest.approx(oracle.tree_cosine(a, b), abs=1e-12)
    assert cosine(a, b) == pytest.approx(cosine(b, a), abs=1e-15)
    assert cosine(a, a) == (1.0 if any(head >= 0 for head in a[1]) else 0.0)


def binary(depth: int) -> tuple[tuple[str, ...], tuple[int, ...]]:
    size = 2**depth - 1
    return ("a",) * size, tuple((i - 1) // 2 if i else -1 for i in range(size))


def common_of_binary(one: int, other: int) -> int:
    """Common subtrees of full binary trees, in whole numbers of any size."""
    rooted = [0, 0]  # by levels: subtrees at the root
    for _ in range(max(one, other)):
        rooted.append((1 + rooted[-1]) ** 2)
    return sum(
        2 ** (one - h) * 2 ** (other - k) * rooted[min(h, k)]
        for h in range(1, one + 1)
        for k in range(1, other + 1)
    )


def test_more_subtrees_than_a_double_can_count() -> None:
    own, other = common_of_binary(11, 11), common_of_binary(12, 12)
    assert other > 10**360
    squared = Fraction(common_of_binary(11, 12) ** 2, own * other)
    assert cosine(binary(12), binary(12)) == 1.0
    assert cosine(binary(11), binary(12)) == pytest.approx(math.sqrt(squared), rel=1e-9, abs=0)


def words(chain, steps: int) -> tuple[str, ...]:
    """The words of a chain, which is the chain above and a word."""
    return (*words(chain[0], steps - 1), chain[1]) if steps else (chain,)


@given(forests(labels="abc"), st.integers(1, 5))
def test_chains(tree, order: int) -> None:
    direct = HWCM(parser="chain", order=order).count(ForestTree(*tree))
    assert direct == [oracle.chains(*tree, n, skip=False) for n in range(1, order + 1)]
    skipping = HWCM(parser="chain", order=order, profile="asiya").count(ForestTree(*tree))
    expected = [oracle.chains(*tree, n, skip=True) for n in range(1, min(order, 4) + 1)]
    found = [{words(c, n): k for c, k in cs.items()} for n, cs in enumerate(skipping[:4])]
    assert found == expected
    assert not any(skipping[4:])


@given(forests(labels="abc"), forests(labels="abc"))
def test_subtrees(a, b) -> None:
    (row,) = subtree_rows([[ForestTree(*a), ForestTree(*b)]], 4, threads=1)
    for n in range(1, 5):
        one, other = oracle.levelled(*a, n), oracle.levelled(*b, n)
        expected = (one & other).total(), one.total(), other.total()
        assert tuple(row[3 * n - 3 : 3 * n]) == expected


@given(st.lists(forests(labels="ab", most=5), min_size=2, max_size=4))
def test_subtrees_are_clipped_by_the_reference_that_has_most(trees) -> None:
    rows = subtree_rows([[ForestTree(*tree) for tree in trees]] * 3, 3, threads=2)
    for n in range(1, 4):
        own, *others = (oracle.levelled(*tree, n) for tree in trees)
        most = Counter()
        for other in others:
            most |= other
        for row in rows:
            assert tuple(row[3 * n - 3 : 3 * n]) == (
                (own & most).total(),
                own.total(),
                most.total(),
            )


def test_head_chains_of_the_paper() -> None:
    tree = ForestTree(("I", "have", "a", "red", "pen"), (1, -1, 4, 4, 1))
    one, two, three = HWCM(parser="chain", order=3).count(tree)
    assert one.total() == 5
    assert set(two) == {("have", "I"), ("have", "pen"), ("pen", "a"), ("pen", "red")}
    assert set(three) == {("have", "pen", "a"), ("have", "pen", "red")}


def test_chains_of_a_chain_are_ngrams() -> None:
    hyp, ref = "the cat sat on the mat", "the cat lay on the red mat"
    table = score([hyp], [ref], metrics=["hwcm(parser=chain)", "bleu(mean=arithmetic)"])
    hwcm, bleu = (table["system", name] for name in ("hwcm(parser=chain)", "bleu(mean=arithmetic)"))
    assert hwcm.parts["counts"] == bleu.parts["counts"]
    assert hwcm.parts["totals"] == bleu.parts["totals"]


def test_precisions_of_zero() -> None:
    corpus = Corpus.build(["a b", "x y", ""], ["a c", "a b", "a"])
    metric = registry.metric("hwcm(parser=chain,order=3,zero=0.001)")
    found = metric.score(metric.rows(corpus)).tolist()
    assert found == pytest.approx([(0.5 + 0.002) / 3, 0.001, 0.0])


def test_counts_are_clipped_by_any_reference_together() -> None:
    corpus = Corpus.build(["a b"], [["a x", "y b"]])
    metric = registry.metric("hwcm(parser=chain,order=1)")
    assert metric.evaluate(corpus).value == 1.0
    assert registry.metric("hwcm(parser=chain,order=1,profile=moses)").evaluate(corpus).value == 0.5


def test_moses_divides_by_all_orders() -> None:
    # P = R = (1 + 1 + 0 + 0) / 4 for two words that are the same.
    found = registry.metric("hwcm-moses", parser="chain").sentence_score("a b", ["a b"])
    assert found.value == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("hyp", "ref", "errors"),
    [
        ("b a", "a b", 2),  # one treelet: b is before a
        ("a", "a b c", 3),  # b is missing in both treelets that have it, c in one
        ("", "a b", 2),
        ("x y", "a b", 2),  # words that are no reference's have no place
    ],
)
def test_errors_inside_treelets(hyp: str, ref: str, errors: int) -> None:
    found = registry.metric("sta(parser=chain)").sentence_score(hyp, [ref])
    assert found.value == pytest.approx(1 - errors / len(ref.split()))


def test_repeated_words_are_told_apart_by_the_alignment() -> None:
    metric = registry.metric("sta(parser=chain)")
    assert metric.sentence_score("a b a c", ["a b a c"]).value == 1.0
    # The first `a` is gone: of the treelets a-b, b-a, a-c only the first lacks a word.
    assert metric.sentence_score("b a c", ["a b a c"]).value == pytest.approx(1 - 1 / 4)


def test_the_best_reference_counts() -> None:
    for name in ("sta", "gta", "ua", "qla", "dep-f", "dtkm", "sim-gram"):
        metric = registry.metric(f"{name}(parser=chain)")
        one = metric.sentence_score("a b c", ["a b c"]).value
        assert metric.sentence_score("a b c", ["x", "a b c", "c b a"]).value == one, name
        assert one == pytest.approx(1, abs=1e-12), name


def test_a_perfect_sentence_is_fully_understood() -> None:
    text = "there was no cost estimate for the second phase"
    for name in ("ua", "qla"):
        assert registry.metric(f"{name}({SENTENCES})").sentence_score(text, [text]).value == (
            pytest.approx(1.0)
        )


def test_types_and_lemmas_of_relations() -> None:
    pair = Corpus.build(["I have a red pen"], ["I have the red pens"])
    # Common: nsubj(have, I); by lemmas nothing more, as the file has none.
    assert registry.metric(f"dep-f({SENTENCES})").evaluate(pair).value == 1 / 4
    assert registry.metric(f"dep-f({SENTENCES},types=no,root=yes)").evaluate(pair).value == 2 / 5


def test_sim_gram_by_hand() -> None:
    metric = registry.metric(f"sim-gram({SENTENCES})")
    found = metric.sentence_score("pens", ["I have a pen"]).value
    assert found == pytest.approx(1 / (1 + math.sqrt(3 / 16 + 9 / 16)))


def test_very_long_texts_are_cut_for_the_kernel() -> None:
    text = " ".join(f"w{i}" for i in range(5000))
    with pytest.warns(NlgaugeWarning, match="of a text of 5,000 words, the first 3,072 count"):
        found = registry.metric("dtkm(parser=chain)").sentence_score(text, [text])
    assert found.value == 1.0


def test_common_relations_can_be_drawn() -> None:
    (found,) = explain("I have a pen", ["I have a red pen"], [f"dep-f({SENTENCES})"])
    assert [(link.hyp, link.ref) for link in found.trace.links] == [(0, 0), (2, 2), (3, 4)]


def test_chains_of_a_very_deep_tree() -> None:
    text = " ".join(f"w{i}" for i in range(300))
    with pytest.warns(NlgaugeWarning, match="300 words is 299 levels deep"):
        found = registry.metric("hwcm-asiya", parser="chain").sentence_score(text, [text])
    assert found.value == 1.0
