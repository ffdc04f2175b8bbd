"""NIST, CIDEr, GLEU, overlap, YiSi-0 and AEv, against plain Python and at their edges."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from oracles import ngrams as plain
from oracles import weighted
from support.strategies import odd_texts, related, segments, words

from nlgauge import Corpus
from nlgauge.core import registry
from nlgauge.core.metric import totals
from nlgauge.errors import NlgaugeWarning, ResourceMissing, SpecError

# The texts are odd on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::nlgauge.errors.TextWarning")

WORDS = "tokenizer=none,lowercase=no"
# Where the kernels change their way: one mask of 64 bits, four of them, none.
LENGTHS = {"short": (0, 20), "one mask": (60, 68), "some masks": (100, 256), "long": (250, 330)}
MINE = ("nist", "ps", "rs", "aev", "cider", "cider-d", "gleu", "ol", "yisi-0")


def split(drawn):
    return [(hyp.split(), [ref.split() for ref in refs]) for hyp, refs in drawn]


def corpus_of(drawn) -> Corpus:
    return Corpus.build([hyp for hyp, _ in drawn], [refs for _, refs in drawn])


def scores(spec: str, corpus: Corpus) -> list[float]:
    metric = registry.metric(spec)
    return metric.score(metric.rows(corpus, metric.fit(corpus))).tolist()


@given(drawn=segments(words("abc"), max_refs=4), order=st.integers(1, 9))
@settings(max_examples=60)
def test_nist(drawn, order: int) -> None:
    found = registry.metric(f"nist({WORDS},max_order={order})").evaluate(corpus_of(drawn)).value
    assert found == pytest.approx(weighted.nist(split(drawn), order), abs=1e-9)


@pytest.mark.parametrize("size", LENGTHS.values(), ids=LENGTHS)
@given(data=st.data())
@settings(max_examples=8, suppress_health_check=list(HealthCheck))
def test_every_length(size, data) -> None:
    drawn = [data.draw(related("abcd", min_size=size[0], max_size=size[1], refs=2))]
    drawn += data.draw(segments(words("abcd"), max_size=2))
    corpus, texts = corpus_of(drawn), split(drawn)
    found = registry.metric(f"nist({WORDS})").evaluate(corpus).value
    assert found == pytest.approx(weighted.nist(texts, 5), abs=1e-9)
    expected = [weighted.gleu(hyp, refs, 2, 3) for hyp, refs in texts]
    assert scores("gleu(tokenizer=none,min_order=2,max_order=3)", corpus) == pytest.approx(expected)
    assert scores(f"cider-d({WORDS})", corpus) == pytest.approx(weighted.cider(texts, 4, 6.0))


@given(drawn=segments(words("abc"), min_size=2, max_refs=4), order=st.integers(1, 5))
@settings(max_examples=60)
def test_cider(drawn, order: int) -> None:
    corpus, texts = corpus_of(drawn), split(drawn)
    options = f"{WORDS},max_order={order}"
    plain_cider = weighted.cider(texts, order, None)
    assert scores(f"cider({options},stem=none)", corpus) == pytest.approx(plain_cider, abs=1e-9)
    clipped = weighted.cider(texts, order, 2.5)
    assert scores(f"cider-d({options},sigma=2.5)", corpus) == pytest.approx(clipped, abs=1e-9)


@given(drawn=segments(words("abcd"), max_refs=4), least=st.integers(1, 4), more=st.integers(0, 4))
@settings(max_examples=60)
def test_gleu_and_overlap(drawn, least: int, more: int) -> None:
    corpus, texts = corpus_of(drawn), split(drawn)
    spec = f"gleu(tokenizer=none,min_order={least},max_order={least + more})"
    expected = [weighted.gleu(hyp, refs, least, least + more) for hyp, refs in texts]
    assert scores(spec, corpus) == pytest.approx(expected)
    expected = [weighted.overlap(hyp, refs) for hyp, refs in texts]
    assert scores("ol(tokenizer=none)", corpus) == pytest.approx(expected)


# Words of a few letters from a small alphabet share parts of many lengths.
LETTERS = st.text("abé", min_size=1, max_size=6)
PARTLY_EQUAL = st.lists(LETTERS, max_size=6).map(" ".join)


@given(drawn=segments(PARTLY_EQUAL), order=st.integers(1, 4), alpha=st.floats(0, 1))
@settings(max_examples=60)
def test_yisi(drawn, order: int, alpha: float) -> None:
    found = scores(f"yisi-0(tokenizer=none,order={order},alpha={alpha!r})", corpus_of(drawn))
    assert found == pytest.approx(weighted.yisi(split(drawn), order, alpha), abs=1e-9)


@given(a=st.text("ab", min_size=250, max_size=300), b=st.text("ab", min_size=250, max_size=300))
@settings(max_examples=10, suppress_health_check=list(HealthCheck))
def test_yisi_of_long_words(a: str, b: str) -> None:
    expected = 2 * weighted.common_substring(a, b) / (len(a) + len(b))
    assert scores("yisi-0(tokenizer=none)", Corpus.build([a], [[b]])) == pytest.approx([expected])


@given(drawn=related("abcdefgh", min_size=4, max_size=30), alpha=st.floats(0, 1))
def test_aev_ends_at_bleu_and_recall(drawn, alpha: float) -> None:
    hyp, refs = drawn
    bare = "tokenizer=none,stem=none,stop=none,max_order=2"
    row = plain.bleu_row(hyp.split(), [refs[0].split()], order=2)
    assume(row[3] > 0)
    precision = plain.penalty(row[0], row[1]) * (row[2] / row[4] * row[3] / row[5]) ** 0.5
    recall = (row[2] / row[1] * row[3] / (row[1] - 1)) ** 0.5
    if row[0] > 2 * row[1]:
        recall *= np.exp(1 - row[0] / (2 * row[1]))
    expected = precision * recall / (alpha * recall + (1 - alpha) * precision)
    found = scores(f"aev({bare},alpha={alpha!r})", Corpus.build([hyp], [refs]))
    assert found == pytest.approx([expected])


def test_bigrams_after_zero_weigh_like_words_in_mteval() -> None:
    # Six words, 0 x twice: after 0, x tells log2(6 / 2) to mteval, and in fact nothing.
    corpus = Corpus.build(["0 x"], [["0 x", "0 x y z"]])
    parts = registry.metric("mteval-nist(max_order=2)").evaluate(corpus).parts
    assert parts["individual"][1] / parts["brevity_penalty"] == pytest.approx(np.log2(6 / 2))
    parts = registry.metric("nist(max_order=2)").evaluate(corpus).parts
    assert parts["individual"][1] == 0


@pytest.mark.parametrize(("hyp", "expected"), [(6, 0.5), (9, 1.0), (12, 1.0), (0, 0.0)])
def test_penalty_of_nist(hyp: int, expected: float) -> None:
    # Half at two thirds of the length of the references.
    metric = registry.metric("nist(max_order=1)")
    assert metric.score(np.array([hyp, 9.0, 1.0, 1.0])) == pytest.approx(expected)


def test_document_frequencies_of_a_file(tmp_path) -> None:
    path = tmp_path / "df.json"
    refs = [["a cat sat", "the cat"], ["a dog ran", "a dog"], ["no cat"]]
    hyps = ["a cat ran", "a dog sat", "cat"]
    df: dict[str, int] = {}
    for segment in refs:
        grams = {g for r in segment for n in (1, 2) for g in plain.ngrams(r.split(), n)}
        for gram in map(" ".join, grams):
            df[gram] = df.get(gram, 0) + 1
    path.write_text(json.dumps({"documents": 3, "df": df}))
    corpus = Corpus.build(hyps, refs)
    spec = f"cider-d({WORDS},max_order=2"
    assert scores(f"{spec},df={path})", corpus) == pytest.approx(scores(f"{spec})", corpus))
    signature = registry.metric(f"{spec},df={path})").signature()
    assert "|with.df:" in signature
    assert registry.metric(signature) == registry.metric(f"{spec},df={path})")
    path.write_text('{"documents": 0, "df": {}}')
    with pytest.raises(SpecError, match="not a frequency file"):
        scores(f"{spec},df={path})", corpus)
    with pytest.raises(ResourceMissing, match="missing"):
        scores(f"{spec},df={tmp_path}/missing.json)", corpus)


def test_one_segment_has_no_document_frequencies() -> None:
    with pytest.warns(NlgaugeWarning, match="only one segment"):
        assert registry.metric("cider").sentence_score("a cat", ["a cat"]).value == 0


@given(drawn=segments(words("abc"), min_size=2), seed=st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_order_of_segments_does_not_matter(drawn, seed) -> None:
    shuffled = seed.sample(drawn, len(drawn))
    for name in MINE:
        metric = registry.metric(name)
        both = [metric.evaluate(corpus_of(d), threads=2).value for d in (drawn, shuffled)]
        assert both[0] == both[1], name


@given(hyp=odd_texts(), refs=st.lists(odd_texts(), min_size=1, max_size=3))
def test_odd_texts(hyp: str, refs: list[str]) -> None:
    corpus = Corpus.build([hyp, "a b", ""], [refs, ["a b"], ["b"]])
    for name in MINE:
        metric = registry.metric(name)
        rows = metric.rows(corpus, metric.fit(corpus))
        found = metric.score(rows)
        assert np.isfinite(rows).all(), name
        assert (found >= 0).all(), name
        assert found[2] == 0, name
        assert np.isfinite(metric.score(totals(rows))), name


@pytest.mark.parametrize("name", MINE)
def test_pathological_texts_finish(name: str) -> None:
    text = "ab" * 10_000
    corpus = Corpus.build(
        ["a " * 2_000, text, "x " + "é" * 50_000, "a b c"],
        [["a " * 1_990], [text[1:] + "c"], ["é" * 50_001], ["a b d"] * 1_000],
    )
    found = scores(name, corpus)
    assert np.isfinite(found).all()
