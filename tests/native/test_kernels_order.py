"""Word order lists, rank agreement, RIBES and IMPACT against plain oracles."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracles import impact, order
from support.strategies import related, segments, words

from nlgauge import Corpus
from nlgauge.core import registry
from nlgauge.kernels import native

# The texts are odd on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::nlgauge.errors.TextWarning")

# Isozaki et al. (2010) and Banerjee and Lavie (2005).
R0 = "he was interested in world history because he read the book".split()
H0 = "he read the book because he was interested in world history".split()
R2, H2 = "the boy read the book".split(), "the book was read by the boy".split()
R4, H4 = "John read a book that Bob bought".split(), "Bob read the book John bought".split()


@pytest.mark.parametrize(
    ("hyp", "ref", "expected"),
    [
        (H0, R0, [8, 9, 10, 11, 7, 1, 2, 3, 4, 5, 6]),
        (["Bob", "hit", "John", "yesterday"], ["John", "hit", "Bob", "yesterday"], [3, 2, 1, 4]),
        (H2, R2, [4, 5, 3, 1, 2]),
        (H4, R4, [6, 2, 4, 1, 7]),
        # "b" is told by what follows before what precedes, in RIBES the other way round.
        (["a", "b", "c", "b"], ["a", "b", "b", "c"], [1, 3, 4]),
    ],
)
def test_lists_of_the_paper(hyp: list[str], ref: list[str], expected: list[int]) -> None:
    assert [j + 1 for _, j in native.word_order(hyp, ref, "one")] == expected


def test_ribes_looks_left_first() -> None:
    hyp, ref = ["a", "b", "c", "b"], ["a", "b", "b", "c"]
    assert native.word_order(hyp, ref, "ribes") == [(0, 0), (1, 1), (2, 3)]


# Up to 64 and 256 words are positions in bit masks, more go through a suffix array.
@pytest.mark.parametrize("vocabulary", ["ab", "abcdef", "abcdefghijklmnopqrstuvwxyz"])
@pytest.mark.parametrize("sizes", [(1, 20), (60, 70), (250, 262)], ids=str)
@given(data=st.data())
@settings(max_examples=5)
def test_lists(vocabulary: str, sizes: tuple[int, int], data) -> None:
    text, refs = data.draw(related(vocabulary, min_size=sizes[0], max_size=sizes[1]))
    hyp, ref = text.split(), refs[0].split()
    assume(hyp and ref)
    assert native.word_order(hyp, ref, "one") == order.nkt_list(hyp, ref)
    assert native.word_order(hyp, ref, "ribes") == order.ribes_list(hyp, ref)


@given(drawn=segments(words("abcdefg", max_size=12), max_refs=1))
@settings(max_examples=200)
def test_agreement(drawn) -> None:
    measures = {"kendall": order.kendall, "spearman": order.spearman, "hamming": order.hamming}
    corpus = Corpus.build([h for h, _ in drawn], [r for _, r in drawn])
    for name, oracle in measures.items():
        metric = registry.metric(f"nkt(measure={name})")
        expected = [
            oracle([j for _, j in order.nkt_list(h.split(), r[0].split())]) for h, r in drawn
        ]
        assert metric.score(metric.rows(corpus)).tolist() == pytest.approx(expected, abs=1e-12)


@given(drawn=segments(words("abcdefg", min_size=1, max_size=14), max_refs=3))
@settings(max_examples=200)
def test_ribes(drawn) -> None:
    metric = registry.metric("ribes")
    rows = metric.rows(Corpus.build([h for h, _ in drawn], [r for _, r in drawn]))
    expected = [max(order.ribes(h.split(), r.split()) for r in refs) for h, refs in drawn]
    assert metric.score(rows).tolist() == pytest.approx(expected, abs=1e-12)


@given(hyp=words("abcdefgh", max_size=9), ref=words("abcdefgh", min_size=1, max_size=9))
@settings(max_examples=200)
def test_impact(hyp: str, ref: str) -> None:
    expected, several = impact.score(hyp.split(), ref.split())
    assume(not several)  # equally good routes may leave different words over
    assert registry.metric("impact").sentence_score(hyp, [ref]).value == pytest.approx(expected)


@pytest.mark.parametrize(
    ("spec", "hyps", "refs", "expected"),
    [
        ("ribes", ["a b", ""], [["a b"], ["a"]], 0.5),
        ("ribes", ["a b", "x"], [["a b"], [""]], 1.0),  # RIBES.py -z leaves the second out
        ("ribes(skip_empty=no)", ["a b", "x"], [["a b"], [""]], 0.5),
        ("ribes", ["a b"], [["", "a b"]], 1.0),
        ("ribes", ["x"], [[""]], 0.0),
        ("nkt", ["", "a b"], [["a b"], [""]], 0.0),
        ("kendall-distance", ["", "a b", "", "a b"], [["a b"], [""], [""], ["a b"]], 0.5),
        ("impact", ["", "a b", "", "a b"], [["a b"], [""], [""], ["a b"]], 0.25),
    ],
)
def test_empty_texts(spec: str, hyps, refs, expected: float) -> None:
    assert registry.metric(spec).evaluate(Corpus.build(hyps, refs)).value == expected


def test_the_best_reference_by_the_whole_score() -> None:
    # Against the first reference NKT is 1 and P is 2/4, against the second 5/6 and 1.
    scores = [
        registry.metric(spec).sentence_score("a b c d", ["a b x", "a b d c"]).value
        for spec in ("nkt", "nktp(precision=1)")
    ]
    assert scores == pytest.approx([1.0, 5 / 6], abs=1e-15)


@pytest.mark.parametrize("spec", ["nkt", "ribes", "impact"])
@pytest.mark.parametrize(
    "text", ["a " * 2000, "a b " * 1000, " ".join(map(str, range(2000)))], ids=["one", "two", "all"]
)
def test_long_texts(spec: str, text: str) -> None:
    distinct = len(set(text.split()))
    value = registry.metric(spec).sentence_score(text, [text]).value
    # One word over and over has no order; of two in turns only the whole text is unique.
    expected = {"nkt": distinct == 2000, "ribes": distinct > 2, "impact": True}[spec]
    assert (value == pytest.approx(1.0)) == expected
