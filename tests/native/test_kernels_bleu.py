"""BLEU's sufficient statistics and scores, against sacreBLEU and against plain Python."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.ngrams import bleu_row
from support import peer
from support.strategies import related, segments, words

import nlgauge
from nlgauge import BLEU, Corpus, DeltaBLEU

# The texts are odd on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::nlgauge.errors.TextWarning")

# Where the kernel changes its way: words of 64-bit masks, four of them, more than 32 references.
LENGTHS = {"short": (0, 20), "one mask": (60, 68), "some masks": (100, 256), "long": (250, 400)}


def rows(metric: BLEU, hyps: list[str], refs: list[list[str]], **columns) -> list[list[float]]:
    return metric.rows(Corpus.build(hyps, refs, **columns)).tolist()


def assert_same_rows(order: int, hyps: list[str], refs: list[list[str]]) -> None:
    metric = BLEU(tokenizer="none", max_order=order)
    expected = peer.statistics(peer.bleu(max_ngram_order=order), hyps, refs)
    assert rows(metric, hyps, refs) == expected


@pytest.mark.parametrize("order", range(1, 10))
@given(drawn=segments(words("abc"), max_refs=4))
@settings(max_examples=25)
def test_statistics_of_every_order(order: int, drawn) -> None:
    hyps, refs = map(list, zip(*drawn, strict=True))
    assert_same_rows(order, hyps, refs)


@pytest.mark.parametrize("vocabulary", ["a", "ab", "abcdefgh"])
@pytest.mark.parametrize("size", LENGTHS.values(), ids=LENGTHS)
@given(data=st.data())
@settings(max_examples=12)
def test_statistics_of_every_length(size, vocabulary: str, data) -> None:
    low, high = size
    hyp, refs = data.draw(related(vocabulary, min_size=low, max_size=high, refs=2))
    assert_same_rows(data.draw(st.sampled_from([1, 4, 9])), [hyp, hyp], [refs, refs[:1]])


@pytest.mark.parametrize("count", [2, 31, 32, 33, 70])
@given(data=st.data())
@settings(max_examples=8)
def test_statistics_with_many_references(count: int, data) -> None:
    hyp, refs = data.draw(related("abcd", min_size=1, max_size=40, refs=count))
    assert_same_rows(4, [hyp], [refs])


@given(
    drawn=segments(words("abcd", min_size=1), min_size=1),
    smooth=st.sampled_from(["none", "floor", "add-k", "exp"]),
    value=st.none() | st.floats(0.01, 3),
    effective=st.booleans(),
    order=st.integers(1, 9),
)
@settings(max_examples=80)
def test_scores_with_every_smoothing(drawn, smooth, value, effective, order) -> None:
    hyps, refs = map(list, zip(*drawn, strict=True))
    theirs = peer.bleu(
        smooth_method=smooth,
        smooth_value=value,
        effective_order=effective,
        max_ngram_order=order,
    )
    expected = peer.score(theirs, hyps, refs)
    found = BLEU(
        tokenizer="none",
        smooth=smooth,
        smooth_value=value,
        effective_order=effective,
        max_order=order,
    ).evaluate(Corpus.build(hyps, refs))
    assert found.score == pytest.approx(expected.score, abs=1e-9)
    assert found.parts["precisions"] == pytest.approx(expected.precisions, abs=1e-9)
    assert found.parts["brevity_penalty"] == pytest.approx(expected.bp, abs=1e-12)
    assert found.parts["ratio"] == pytest.approx(expected.ratio, abs=1e-12)
    assert found.parts["counts"] == pytest.approx(expected.counts, abs=1e-12)
    assert found.parts["totals"] == pytest.approx(expected.totals, abs=1e-12)
    assert (found.parts["hyp_len"], found.parts["ref_len"]) == (expected.sys_len, expected.ref_len)


RULES = ("closest", "shortest", "average", "avg_nearest", "best")


@pytest.mark.parametrize("rule", RULES)
@given(drawn=segments(words("abc", max_size=9), max_refs=5))
@settings(max_examples=40)
def test_reference_length_rules(rule: str, drawn) -> None:
    hyps, refs = map(list, zip(*drawn, strict=True))
    found = rows(BLEU(tokenizer="none", ref_length=rule), hyps, refs)
    for row, hyp, of_hyp in zip(found, hyps, refs, strict=True):
        expected = bleu_row(hyp.split(), [r.split() for r in of_hyp], rule=rule)
        assert row == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [("closest", 4), ("shortest", 2), ("average", 5), ("avg_nearest", 6), ("best", 8)],
)
def test_reference_length_by_hand(rule: str, expected: float) -> None:
    refs = [
        "x y",  # distance 5, relative 5/2
        "a b x y",  # distance 3, relative 3/4
        "a b c x y z",  # distance 3, relative 3/6
        "a b c d e x y z",  # distance 3, relative 3/8
    ]
    assert rows(BLEU(tokenizer="none", ref_length=rule), ["a b c d e"], [refs])[0][1] == expected


@pytest.mark.parametrize("boundaries", ["start", "end", "both"])
@given(drawn=segments(words("ab", max_size=8)), order=st.integers(1, 9))
@settings(max_examples=40)
def test_boundary_words(boundaries: str, order: int, drawn) -> None:
    hyps, refs = map(list, zip(*drawn, strict=True))
    found = rows(BLEU(tokenizer="none", boundaries=boundaries, max_order=order), hyps, refs)
    for row, hyp, of_hyp in zip(found, hyps, refs, strict=True):
        split = [r.split() for r in of_hyp]
        assert row == bleu_row(hyp.split(), split, order=order, boundaries=boundaries)


def test_a_boundary_is_no_word_of_the_text() -> None:
    # The text's own "<s>" must not match the artificial one.
    found = rows(BLEU(tokenizer="none", boundaries="start", max_order=2), ["<s> a"], [["a b"]])
    assert found == [[2, 2, 1, 0, 2, 2]]


@pytest.mark.parametrize("mean", ["geometric", "arithmetic"])
@given(
    hyp=words("abc", min_size=4, max_size=12),
    ref=words("abc", min_size=1, max_size=12),
    weights=st.lists(st.floats(0.1, 5), min_size=4, max_size=4),
)
@settings(max_examples=40)
def test_means_and_weights(mean: str, hyp: str, ref: str, weights: list[float]) -> None:
    row = bleu_row(hyp.split(), [ref.split()])
    precisions = [m / n for m, n in zip(row[2:6], row[6:], strict=True)]
    share = [w / sum(weights) for w in weights]
    if mean == "arithmetic":
        expected = sum(w * p for w, p in zip(share, precisions, strict=True))
    else:
        expected = math.prod(p**w for w, p in zip(share, precisions, strict=True))
    expected *= math.exp(min(0, 1 - row[1] / row[0]))
    metric = BLEU(tokenizer="none", smooth="none", mean=mean, weights=tuple(weights))
    assert metric.sentence_score(hyp, [ref]).value == pytest.approx(expected, abs=1e-12)


weighted_references = st.lists(
    st.tuples(words("abc", max_size=8), st.integers(-10, 10)), min_size=1, max_size=4
)


@given(hyp=words("abc", max_size=8), drawn=weighted_references, order=st.integers(1, 5))
@settings(max_examples=40)
def test_weighted_matches(hyp: str, drawn, order: int) -> None:
    refs, weights = [r for r, _ in drawn], [w / 10 for _, w in drawn]
    metric = DeltaBLEU(tokenizer="none", max_order=order)
    found = rows(metric, [hyp], [refs], reference_weights=[weights])[0]
    expected = bleu_row(hyp.split(), [r.split() for r in refs], order=order, weights=weights)
    assert found == pytest.approx(expected, abs=1e-12)


@given(drawn=segments(words("abc"), max_refs=4))
@settings(max_examples=40)
def test_equal_weights_of_one_give_bleu(drawn) -> None:
    hyps, refs = map(list, zip(*drawn, strict=True))
    ones = [[1.0] * len(r) for r in refs]
    expected = peer.score(peer.bleu(smooth_method="none"), hyps, refs)
    found = rows(DeltaBLEU(tokenizer="none"), hyps, refs, reference_weights=ones)
    assert found == peer.statistics(peer.bleu(), hyps, refs)
    table = nlgauge.score(
        hyps, refs, metrics=["delta-bleu(tokenizer=none)"], reference_weights=ones
    )
    assert next(iter(table)).score == pytest.approx(expected.score, abs=1e-9)
