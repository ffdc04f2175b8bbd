"""Word and character distances against their definitions, on random and on nasty texts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import edits
from support.strategies import odd_texts, related, words

from nlgauge import Corpus
from nlgauge.core import registry

# The texts are odd on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::nlgauge.errors.TextWarning")

EDIT_METRICS = ("wer", "mwer", "per", "mper", "cder", "invwer", "iter", "ssa", "gsa")
ALL = (*EDIT_METRICS, "ter(profile=tercom)", "character", "eed", "eed(profile=official)")


def rows(spec: str, hyp: str, refs: list[str]) -> np.ndarray:
    metric = registry.metric(spec)
    return metric.rows(Corpus.build([hyp], [refs]))[0]


pairs = st.sampled_from(["a", "ab", "abcdefgh"]).flatmap(
    lambda v: st.tuples(words(v, max_size=20), words(v, max_size=20))
)
long_pairs = st.sampled_from([(60, 70), (120, 140), (250, 330)]).flatmap(
    lambda size: related("abcdefghij", min_size=size[0], max_size=size[1])
)


@given(pairs)
def test_short_texts(pair: tuple[str, str]) -> None:
    check_distances(*pair)


@given(long_pairs)
@settings(max_examples=5)
def test_long_texts(pair: tuple[str, list[str]]) -> None:
    check_distances(pair[0], pair[1][0])


@given(words("abc", max_size=5), words("abcd", min_size=250, max_size=300))
@settings(max_examples=10)
def test_lengths_far_apart(few: str, many: str) -> None:
    check_distances(few, many)
    check_distances(many, few)


def check_distances(hyp_text: str, ref_text: str) -> None:
    hyp, ref = hyp_text.split(), ref_text.split()
    assert rows("wer", hyp_text, [ref_text])[0] == edits.levenshtein(hyp, ref)
    assert rows("cder", hyp_text, [ref_text])[0] == edits.cover_distance(hyp, ref)
    for order in (1, 2, 4):
        found = rows(f"mper(order={order})", hyp_text, [ref_text])
        assert tuple(found[:2]) == edits.bag_distance(hyp, ref, order)
    found = rows("ssa", hyp_text, [ref_text])
    assert (found[0], found[:3].sum()) == edits.string_errors(hyp, ref)
    moves = rows("gsa", hyp_text, [ref_text])
    assert moves[:3].sum() + 2 * moves[3] == found[:3].sum()


@given(words("abcd", max_size=6), words("abcd", max_size=6))
@settings(max_examples=150)
def test_inversions(hyp: str, ref: str) -> None:
    assert rows("invwer", hyp, [ref])[0] == edits.inversion_distance(hyp.split(), ref.split())


@given(related("abcdefgh", min_size=20, max_size=60))
@settings(max_examples=20)
def test_cut_texts_lie_between_inversions_and_wer(pair: tuple[str, list[str]]) -> None:
    hyp, (ref,) = pair
    exact = rows("invwer(max_length=64)", hyp, [ref])[0]
    cut = rows("invwer(max_length=8)", hyp, [ref])[0]
    assert exact <= cut <= rows("wer", hyp, [ref])[0]


characters = st.text("ab .é漢🍕", min_size=1, max_size=40).filter(str.strip)


@given(characters, characters)
def test_eed(hyp: str, ref: str) -> None:
    found = rows("eed(preprocess=none)", hyp, [ref])[0]
    assert found == pytest.approx(float(edits.eed(hyp, ref)), abs=1e-12)


# Words that fill one group of rows, several, or none, and texts shorter than a group.
long_words = st.lists(st.text("abc", min_size=1, max_size=50), max_size=4).map(" ".join)


@given(characters | long_words, characters | long_words)
def test_eed_of_the_tools(hyp: str, ref: str) -> None:
    python = rows("eed(profile=python,preprocess=none)", hyp, [ref])[0]
    assert python == edits.eed_of_tool(hyp, ref, np.float64, cpp=False)
    official = rows("eed(profile=official,preprocess=none)", hyp, [ref])[0]
    assert official == edits.eed_of_tool(hyp, ref, np.float32, cpp=True)


short_words = st.lists(
    st.sampled_from(["a", "b", "bb", "ccc", "é", "漢字"]), min_size=1, max_size=9
)


@given(short_words, short_words)
def test_character(hyp: list[str], ref: list[str]) -> None:
    found = rows("character(clip=no)", " ".join(hyp), [" ".join(ref)])[0]
    assert found == pytest.approx(edits.character(hyp, ref), abs=1e-12)


@pytest.mark.parametrize("spec", ALL)
@given(hyp=odd_texts(), refs=st.lists(odd_texts(), min_size=1, max_size=3))
@settings(max_examples=40)
def test_odd_texts_get_a_number(spec: str, hyp: str, refs: list[str]) -> None:
    score = registry.metric(spec).evaluate(Corpus.build([hyp], [refs]))
    assert np.isfinite(score.value)


@pytest.mark.parametrize("spec", ALL)
def test_empty_texts(spec: str) -> None:
    metric = registry.metric(spec)
    accuracy = metric.info.higher_is_better
    if spec == "eed(profile=official)":  # the tool compares the blanks around them
        return
    assert metric.sentence_score("", [""]).value == 0
    assert metric.sentence_score("", ["a b"]).value == (0 if accuracy else 1)
    assert metric.sentence_score("a b", [""]).value == (0 if accuracy else 1)


@pytest.mark.parametrize("spec", ALL)
@pytest.mark.parametrize(
    ("hyp", "ref"),
    [
        ("a " * 2000, "a " * 1999),
        ("a b " * 500, "b a " * 499),
        ("x" * 5000, "xy" * 2400),
        ("a", "a b c " * 1000),
    ],
    ids=["equal words", "two words", "no blanks", "lengths"],
)
def test_bounded_effort(spec: str, hyp: str, ref: str) -> None:
    assert np.isfinite(registry.metric(spec).sentence_score(hyp, [ref]).value)


@pytest.mark.parametrize("spec", ALL)
def test_a_thousand_references(spec: str) -> None:
    refs = [f"a b c {k}" for k in range(1000)]
    metric = registry.metric(spec)
    best = 1.0 if metric.info.higher_is_better else 0.0
    if spec == "eed":  # the place before the first character is never visited
        best = 0.3 / (len(" a b c 999 ") + 0.3)
    assert metric.sentence_score("a b c 999", refs).value == pytest.approx(best, abs=1e-12)
