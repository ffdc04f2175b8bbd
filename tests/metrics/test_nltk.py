"""NLTK's BLEU, NIST and RIBES by profile, side by side with NLTK itself."""

import warnings

import nltk
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nltk.translate import bleu_score, nist_score, ribes_score
from support.strategies import words

from nlgauge import Corpus
from nlgauge.core import registry
from nlgauge.core.metric import Metric
from nlgauge.errors import SpecError

# The texts are odd on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::nlgauge.errors.TextWarning")

assert nltk.__version__ == "3.10.4"

METHODS = {
    "method0": "none",
    "method1": "floor",
    "method2": "add-k",
    "method3": "exp",
    "method4": "method4",
    "method5": "method5",
    "method7": "method7",
}
texts = words("abcd", max_size=12)
corpora = st.lists(
    st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=4
)


def corpus_of(drawn: list) -> tuple[Corpus, list, list]:
    hyps, refs = zip(*drawn, strict=True)
    split = [[ref.split() for ref in several] for several in refs]
    return Corpus.build(list(hyps), list(refs)), [hyp.split() for hyp in hyps], split


def segments(metric: Metric, corpus: Corpus) -> list[float]:
    return metric.score(metric.rows(corpus, metric.fit(corpus))).tolist()


@pytest.mark.parametrize("name", METHODS)
@given(drawn=corpora)
@settings(max_examples=60)
def test_bleu(name: str, drawn: list) -> None:
    corpus, hyps, refs = corpus_of(drawn)
    method = getattr(bleu_score.SmoothingFunction(), name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = bleu_score.corpus_bleu(refs, hyps, smoothing_function=method)
        each = [
            bleu_score.sentence_bleu(r, h, smoothing_function=method)
            for r, h in zip(refs, hyps, strict=True)
        ]
    metric = registry.metric(f"nltk-bleu(smooth={METHODS[name]})")
    assert segments(metric, corpus) == pytest.approx(each, abs=1e-12)
    assert metric.evaluate(corpus).value == pytest.approx(whole, abs=1e-12)


@given(hyp=words("abc", max_size=12), ref=words("abc", max_size=12))
@example(hyp="a b c", ref="a b c")
def test_bleu_with_a_prior(hyp: str, ref: str) -> None:
    """NLTK's method 6 refuses texts without a common trigram; in corpora it divides by the last
    sentence's n-grams, which is not offered.
    """
    method = bleu_score.SmoothingFunction().method6
    try:
        expected = bleu_score.sentence_bleu([ref.split()], hyp.split(), smoothing_function=method)
    except AssertionError:
        return
    found = registry.metric("nltk-bleu(smooth=method6)").sentence_score(hyp, [ref])
    assert found.value == pytest.approx(expected, abs=1e-12)


def test_which_segment_is_last_matters_to_the_tool_only() -> None:
    corpus = Corpus.build(["a b c d e f", "a b x y"], [["a b c d e f"], ["a b c d"]])
    metric = registry.metric("nltk-bleu(smooth=method5)")
    rows, turned = metric.rows(corpus), metric.rows(corpus.take([1, 0]))
    assert metric.score(rows.sum(axis=0)) != metric.score(turned.sum(axis=0))
    plain, plain_turned = metric.separable(rows), metric.separable(turned)
    assert metric.score(plain.sum(axis=0)) == metric.score(plain_turned.sum(axis=0))


def test_a_small_constant_would_overrate_orders_without_a_match() -> None:
    with pytest.raises(SpecError, match=r"smooth_value=1.0: must be at least 2.0 for method4"):
        registry.metric("bleu(smooth=method4,smooth_value=1)")


long_enough = words("abcd", min_size=5, max_size=12)


@given(
    drawn=st.lists(
        st.tuples(long_enough, st.lists(long_enough, min_size=1, max_size=3)),
        min_size=1,
        max_size=4,
    ),
    order=st.integers(1, 5),
)
@settings(max_examples=60)
def test_nist(drawn: list, order: int) -> None:
    corpus, hyps, refs = corpus_of(drawn)
    metric = registry.metric(f"nltk-nist(max_order={order})")
    each = [nist_score.sentence_nist(r, h, order) for r, h in zip(refs, hyps, strict=True)]
    assert segments(metric, corpus) == pytest.approx(each, abs=1e-10)
    whole = nist_score.corpus_nist(refs, hyps, order)
    assert metric.evaluate(corpus).value == pytest.approx(whole, abs=1e-10)


@given(drawn=corpora)
@settings(max_examples=150)
def test_ribes(drawn: list) -> None:
    corpus, hyps, refs = corpus_of(drawn)
    metric = registry.metric("nltk-ribes")
    each = [ribes_score.sentence_ribes(r, h) for r, h in zip(refs, hyps, strict=True)]
    assert segments(metric, corpus) == pytest.approx(each, abs=1e-12)
    assert metric.evaluate(corpus).value == pytest.approx(
        ribes_score.corpus_ribes(refs, hyps), abs=1e-12
    )


@given(words("abcde", min_size=260, max_size=300), words("abcde", min_size=260, max_size=300))
@settings(max_examples=5)
def test_ribes_of_long_texts(hyp: str, ref: str) -> None:
    found = registry.metric("nltk-ribes").sentence_score(hyp, [ref]).value
    expected = ribes_score.sentence_ribes([ref.split()], hyp.split())
    assert found == pytest.approx(expected, abs=1e-12)
