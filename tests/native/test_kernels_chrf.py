"""chrF's sufficient statistics and scores, against sacreBLEU."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import peer
from support.strategies import segments, texts

from nlgauge import ChrF, Corpus

# The texts are odd on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::nlgauge.errors.TextWarning")


def assert_same(hyps: list[str], refs: list[list[str]], **options) -> None:
    theirs = peer.chrf(**options)
    expected = peer.statistics(theirs, hyps, refs)
    metric = ChrF(**options)
    corpus = Corpus.build(hyps, refs)
    assert metric.rows(corpus).tolist() == expected
    assert metric.evaluate(corpus).score == pytest.approx(
        theirs._aggregate_and_compute(expected).score, abs=1e-9
    )


@pytest.mark.parametrize("char_order", range(1, 11))
@given(drawn=segments(st.text("ab ", max_size=40)))
@settings(max_examples=25)
def test_every_character_order(char_order: int, drawn) -> None:
    hyps, refs = map(list, zip(*drawn, strict=True))
    assert_same(hyps, refs, char_order=char_order)


@pytest.mark.parametrize("word_order", range(4))
@given(drawn=segments(texts(max_size=20)), char_order=st.sampled_from([1, 6, 9]))
@settings(max_examples=30)
def test_every_word_order_on_nasty_texts(word_order: int, char_order: int, drawn) -> None:
    hyps, refs = map(list, zip(*drawn, strict=True))
    assert_same(hyps, refs, char_order=char_order, word_order=word_order)


@given(
    drawn=segments(texts(max_size=15), max_refs=5),
    options=st.fixed_dictionaries(
        {
            "word_order": st.integers(0, 2),
            "beta": st.integers(0, 3),
            "lowercase": st.booleans(),
            "whitespace": st.booleans(),
            "eps_smoothing": st.booleans(),
        }
    ),
)
@settings(max_examples=50)
def test_every_option(drawn, options) -> None:
    hyps, refs = map(list, zip(*drawn, strict=True))
    assert_same(hyps, refs, **options)


# Around the widths at which the kernel changes its way: 64-bit masks, three of them, sixteen.
@pytest.mark.parametrize("size", [63, 64, 65, 128, 129, 192, 193, 256, 1023, 1024, 1025, 1500])
@given(seed=st.integers(0, 2**32), alphabet=st.sampled_from(["a", "ab", "abcdefghij", "aé中😀"]))
@settings(max_examples=4)
def test_every_length(size: int, seed: int, alphabet: str) -> None:
    rng = random.Random(seed)
    hyp = "".join(rng.choices(alphabet, k=rng.randint(size // 2, size + 10)))
    ref = "".join(rng.choices(alphabet, k=size))
    assert_same([hyp, ref], [[ref, ref[1:]], [hyp]])
    assert_same([hyp, ref + hyp], [[ref], [hyp + ref]], char_order=8)


@pytest.mark.parametrize(
    "text", ["(hi)", "((", "!", "a!", "!a", "é!", "!é", "¡a", "a?!", "...", "b."]
)
def test_punctuation_of_words(text: str) -> None:
    assert_same([f"{text} x", "hi"], [[f"x {text}", "( hi )"], ["(hi"]], char_order=1, word_order=2)


def test_the_first_of_equal_references_is_taken() -> None:
    # Both references have no n-gram in common with the text: lengths of the first.
    found = ChrF(char_order=1).rows(Corpus.build(["ab"], [["xyz", "vw"]]))
    assert found.tolist() == [[2, 3, 0]]


def test_by_hand() -> None:
    # h = abc, r = abd: 2 of 3 characters, 1 of 2 bigrams on both sides; P = R = F.
    score = ChrF(char_order=2).sentence_score("abc", ["abd"])
    assert score.value == pytest.approx((2 / 3 + 1 / 2) / 2, abs=1e-15)
    assert score.parts == {"hyp_ngrams": [3, 2], "ref_ngrams": [3, 2], "matches": [2, 1]}
