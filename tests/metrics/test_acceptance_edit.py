"""Worked examples of the edit rates and EED, and the rules for several references."""

import pytest

from nlgauge import Corpus
from nlgauge.core import registry

# Isozaki et al. (2010) and Bangalore et al. (2000).
R0 = "he was interested in world history because he read the book"
H0 = "he read the book because he was interested in world history"
R7 = "there was no cost estimate for the second phase"
H7 = "there was estimate for phase the second no cost"


@pytest.mark.parametrize(
    ("spec", "hyp", "ref", "expected"),
    [
        ("wer", H0, R0, 10 / 11),
        ("per", H0, R0, 0.0),
        ("mper(order=2)", H0, R0, 1 / 10),
        ("ter", H0, R0, 2 / 11),
        ("ter(profile=tercom)", H0, R0, 2 / 11),
        ("cder", H0, R0, 4 / 11),
        ("invwer", H0, R0, 2 / 11),
        ("ssa", H7, R7, 1 - 5 / 9),
        ("gsa", H7, R7, 1 - 4 / 9),
        ("ter", H7, R7, 2 / 9),
        ("per", H7, R7, 0.0),
        ("invwer", H7, R7, 2 / 9),
        ("eed", "this is the prediction", "this is the reference", 0.3835),
        ("eed", "here is an other sample", "here is another one", 0.2321),
    ],
)
def test_scores(spec: str, hyp: str, ref: str, expected: float) -> None:
    found = registry.metric(spec).sentence_score(hyp, [ref]).value
    assert found == pytest.approx(expected, abs=5e-5)


def test_kinds_of_errors() -> None:
    simple = registry.metric("ssa").sentence_score(H7, [R7]).parts
    assert simple == {
        "substitutions": 1,
        "insertions": 2,
        "deletions": 2,
        "moves": 0,
        "ref_len": 9,
    }
    moved = registry.metric("gsa").sentence_score(H7, [R7]).parts
    assert (moved["moves"], moved["insertions"], moved["deletions"]) == (1, 1, 1)


# Distances 2, 2 and 3 to references of 4, 2 and 7 words; |h| is 4.
REFS = ["a b x y", "a b", "a b c d e f g"]


@pytest.mark.parametrize(
    ("rule", "errors", "length"),
    [
        ("best", 3, 7),  # 3/7 < 2/4 < 2/2
        ("closest", 2, 4),
        ("shortest", 2, 2),
        ("average", 2, 13 / 3),
        ("avg_nearest", 2, 3),
    ],
)
def test_reference_lengths(rule: str, errors: int, length: float) -> None:
    parts = registry.metric(f"wer(ref_length={rule})").sentence_score("a b c d", REFS).parts
    assert (parts["errors"], parts["ref_len"]) == (errors, pytest.approx(length))


def test_mwer_takes_the_nearest_and_of_those_the_longest() -> None:
    parts = registry.metric("mwer").sentence_score("a b c d", REFS).parts
    assert (parts["errors"], parts["ref_len"]) == (2, 4)


def test_white_space_of_the_tools() -> None:
    text = "ten\u2009thousand\teuros"
    for tokenizer, words in (("none", 3), ("ascii", 2), ("jiwer", 1)):
        parts = registry.metric(f"wer(tokenizer={tokenizer})").sentence_score(text, ["x"]).parts
        assert parts["hyp_len"] == words


@pytest.mark.parametrize(("spec", "expected"), [("wer(tokenizer=jiwer)", 2.0), ("wer", 1.0)])
def test_words_against_nothing(spec: str, expected: float) -> None:
    """jiwer 4.0.0 says 2 of "a b" against "", and 2.0 of the corpus below."""
    metric = registry.metric(spec)
    assert metric.sentence_score("a b", [""]).value == expected
    assert metric.sentence_score("", [""]).value == 0.0
    assert metric.evaluate(Corpus.build(["a b", "b"], ["", "b"])).value == 2.0
