"""Stems, stop words, case and boundaries as options of string metrics; expectations by hand."""

from __future__ import annotations

from math import sqrt

import pytest

from nlgauge.core import registry
from nlgauge.core.metric import Metric
from nlgauge.data.corpus import Corpus
from nlgauge.errors import SpecError
from nlgauge.explain.explanation import trace_of

# Words are few enough for orders of two.
STEMMED = [
    *("bleu(max_order=2,smooth=none)", "delta-bleu(max_order=2,smooth=none)", "gleu", "ol", "gtm"),
    *("nist(max_order=2)", "wer", "mwer", "per", "mper", "cder", "ssa", "gsa", "cider", "cider-d"),
    *("invwer", "nkt", "nsr", "nktp", "nsrp", "impact"),
]
HYPS = ["the cats were running home", "dogs barked at the moon"]
REFS = [["a cat runs home"], ["the dogs have barked"]]
# The same, without words of the SMART list and by Porter's algorithm.
HYP_STEMS = ["cat run home", "dog bark moon"]
REF_STEMS = [["cat run home"], ["dog bark"]]


def corpus_of(spec: str, hyps: list[str], refs: list[list[str]]) -> Corpus:
    weights = [[1.0] for _ in refs] if spec.startswith("delta") else None
    return Corpus.build(hyps, refs, reference_weights=weights)


def with_options(spec: str, options: str) -> Metric:
    name, _, given = spec.rstrip(")").partition("(")
    return registry.metric(f"{name}({','.join(filter(None, [given, options]))})")


@pytest.mark.parametrize("spec", STEMMED)
def test_stems_and_stop_words(spec: str) -> None:
    raw, prepared = corpus_of(spec, HYPS, REFS), corpus_of(spec, HYP_STEMS, REF_STEMS)
    plain = with_options(spec, "stem=none")
    found = with_options(spec, "stem=porter,stop=smart").evaluate(raw).score
    assert found == plain.evaluate(prepared).score
    assert found != plain.evaluate(raw).score


def score(spec: str, hyp: str, ref: str) -> float:
    return registry.metric(spec).sentence_score(hyp, [ref]).score


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("rouge-1", 1.0),
        ("rouge-1(lowercase=no)", 1 / 3),
        ("rouge-l(lowercase=no)", 1 / 3),
        ("rouge-l(profile=coco)", 1 / 3),
        ("rouge-l(profile=coco,lowercase=yes)", 1.0),
        ("rouge-1(profile=rouge-score,lowercase=no,tokenizer=unicode)", 1 / 3),
        ("sim-r", 1.0),
        ("sim-r(lowercase=no)", 1 / 3),
        ("sim-rpre(variant=l,lowercase=no)", 1 / 3),
    ],
)
def test_case(spec: str, expected: float) -> None:
    assert score(spec, "The Cat sat", "the cat sat") == pytest.approx(expected)


@pytest.mark.parametrize("profile", ["rouge155", "rouge-score"])
def test_profiles_without_capitals(profile: str) -> None:
    with pytest.raises(SpecError, match=r"lowercase=no.*tokenizer=unicode"):
        registry.metric(f"rouge-1(profile={profile},lowercase=no)")


PLAIN = "max_order=2,tokenizer=none,stem=none,stop=none"


@pytest.mark.parametrize(
    ("boundaries", "expected"),
    # One of two words, and of the pairs: <s> a of <s> a, a b, b </s>.
    [("none", 0.0), ("start", sqrt(1 / 2 * 1 / 2)), ("end", 0.0), ("both", sqrt(1 / 2 * 1 / 3))],
)
def test_boundaries_of_the_n_gram_family(boundaries: str, expected: float) -> None:
    for name in ("ps", "rs"):
        spec = f"{name}({PLAIN},boundaries={boundaries})"
        assert score(spec, "a b", "a c") == pytest.approx(expected)


def test_boundaries_change_neither_lengths_nor_words() -> None:
    metric = registry.metric("ps(max_order=2,boundaries=both)")
    plain = registry.metric("ps(max_order=2)")
    corpus = Corpus.build(HYPS, REFS)
    rows, expected = metric.rows(corpus), plain.rows(corpus)
    assert rows[:, [0, 1, 2, 4, 6]].tolist() == expected[:, [0, 1, 2, 4, 6]].tolist()
    assert (rows[:, [5, 7]] == expected[:, [5, 7]] + 2).all()


@pytest.mark.parametrize(
    ("boundaries", "individual"),
    # Of 4 words: a and d 2 bits, c 1 bit; <s> a and <s> d 1 bit each, d c and c </s> none.
    [
        ("none", [5 / 4, 0]),
        ("start", [5 / 4, 2 / 4]),
        ("end", [5 / 4, 0]),
        ("both", [5 / 4, 2 / 6]),
    ],
)
def test_boundaries_of_nist(boundaries: str, individual: list[float]) -> None:
    metric = registry.metric(f"nist(max_order=2,tokenizer=none,boundaries={boundaries})")
    found = metric.evaluate(Corpus.build(["a b", "d c"], [["a c"], ["d c"]])).to_dict()
    assert found["individual"] == pytest.approx(individual)
    assert (found["hyp_len"], found["ref_len"]) == (4, 4)


def test_nltk_has_no_boundaries() -> None:
    with pytest.raises(SpecError, match="boundaries=both"):
        registry.metric("nist(profile=nltk,boundaries=both)")


def test_explanations_leave_boundaries_out() -> None:
    trace = trace_of(registry.metric("nist(boundaries=both)"), "a b", "a c")
    assert trace is not None
    assert "\U0001fffe" not in repr(trace)
