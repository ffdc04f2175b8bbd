"""YiSi-1 and -2, MoverScore, SIMILE and sentence movers, where golden files do not reach."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.similarities import precision, recall
from support.golden_files import GOLDEN

from nlgauge import Corpus, ResourceMissing, SpecError
from nlgauge.core import options, registry
from nlgauge.kernels import native
from nlgauge.models.encoders.encoder import find_encoder

WORDS = options.encode(str(GOLDEN / "models" / "words.txt"))
PLACES = options.encode(str(GOLDEN / "models" / "places.vec"))
DIRECTIONS = options.encode(str(GOLDEN / "models" / "directions.txt"))


def has_minilm() -> bool:
    try:
        return find_encoder("minilm").layers > 0
    except ResourceMissing:
        return False


neural = pytest.mark.skipif(not has_minilm(), reason="the weights are not installed")


def score(spec: str, hyp: str, *refs: str) -> float:
    """The formula's value, also of texts that guards refuse."""
    metric, corpus = registry.metric(spec), Corpus.build([hyp], [list(refs)])
    (value,) = metric.score(metric.rows(corpus, metric.fit(corpus))).tolist()
    return value


numbers = st.floats(0, 1).map(lambda x: round(x, 3))


@st.composite
def pairs(draw):
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    matrix = [[draw(numbers) for _ in range(columns)] for _ in range(rows)]
    weights = st.floats(0.1, 3)
    return matrix, [draw(weights) for _ in range(rows)], [draw(weights) for _ in range(columns)]


@given(drawn=st.lists(pairs(), min_size=1, max_size=4), order=st.integers(1, 4))
def test_ngrams_by_any_similarities(drawn, order: int) -> None:
    found = native.ngram_similarities(
        np.concatenate([np.ravel(m) for m, _, _ in drawn]),
        np.concatenate([w for _, w, _ in drawn]),
        np.array([len(w) for _, w, _ in drawn]),
        np.concatenate([w for _, _, w in drawn]),
        np.array([len(w) for _, _, w in drawn]),
        order=order,
        threads=2,
    )
    expected = [(precision(m, a, order), recall(m, b, order)) for m, a, b in drawn]
    assert found.tolist() == [pytest.approx(pair, abs=1e-12) for pair in expected]


def test_yisi_with_vectors_by_hand() -> None:
    # Cosines of a, b with a, c: 1, .6 and 0, .8.
    spec = f"yisi-1(similarity=vectors,vectors={DIRECTIONS},order=1,weights=uniform,alpha=0.5)"
    assert score(spec, "a b", "a c") == pytest.approx(0.9)
    assert score(spec, "x", "x") == 1  # unknown, but equal
    assert score(spec, "x", "y") == 0
    assert score(spec, "", "a") == 0
    assert score(spec, "a b", "x", "a c") == pytest.approx(0.9)  # the better reference


def test_yisi_2_compares_with_the_source() -> None:
    spec = f"yisi-2(similarity=vectors,vectors={DIRECTIONS},order=1,weights=uniform,alpha=0.5)"
    corpus = Corpus.build(["a b"], sources=["a c"])
    plain = registry.metric(spec, copies="count")
    assert plain.evaluate(corpus).value == pytest.approx(0.9)
    # The copied word matches nothing: b is .8 like c, and weighs half of its text.
    assert registry.metric(spec).evaluate(corpus).value == pytest.approx(0.4)
    assert registry.metric(spec).evaluate(Corpus.build(["a b"], sources=["a b"])).value == 0


def test_yisi_2_weighs_each_side_by_itself() -> None:
    # idf log2(1 + 3 / 2) of b, c and x, log2(1 + 3 / 3) of a, on both sides.
    spec = f"yisi-2(similarity=vectors,vectors={DIRECTIONS},order=1,alpha=0.5,copies=count)"
    corpus = Corpus.build(["a b", "a x"], sources=["a c", "a x"])
    metric = registry.metric(spec)
    rare = np.log2(2.5)
    expected = (1 + 0.8 * rare) / (1 + rare)
    assert metric.score(metric.rows(corpus, metric.fit(corpus)))[0] == pytest.approx(expected)


def test_the_length_penalty_of_simile() -> None:
    metric = registry.metric(f"simile(embeddings=vectors,vectors={WORDS})")
    found = metric.sentence_score("alpha " * 6, ["alpha " * 7])
    assert found.parts["length_penalty"] == pytest.approx(0.8465, abs=5e-5)
    assert found.value == pytest.approx(0.9592, abs=5e-5)


def test_a_trained_simile_needs_its_model() -> None:
    with pytest.raises(ResourceMissing, match=r"nowhere\.npz"):
        registry.metric("simile(path=nowhere.npz)").sentence_score("a", ["a"])


@pytest.mark.parametrize("units", ["sentences", "words", "both"])
def test_sentences_in_another_order_are_the_same_text(units: str) -> None:
    spec = f"sms(units={units},vectors={WORDS},stop=none)"
    one, other = "alpha beta. gamma one.", "gamma one. alpha beta."
    assert score(spec, one, other) == pytest.approx(1)
    assert score(spec, one, "alpha beta. delta two.") < 1
    assert score(spec, "", one) == 0


@pytest.mark.parametrize("options", ["order=2", "subwords=all"])
def test_moverscore_2_has_neither_ngrams_nor_all_pieces(options: str) -> None:
    with pytest.raises(SpecError, match="first pieces"):
        registry.metric(f"moverscore(version=v2,{options})")


@neural
@pytest.mark.parametrize("spec", ["moverscore", "moverscore-v2", "moverscore(weights=uniform)"])
def test_moverscore_of_one_pair(spec: str) -> None:
    same, near, far = (
        score(spec, "The cat sat on the mat.", ref)
        for ref in ("The cat sat on the mat.", "A cat was on a mat.", "Prices rose by ten percent.")
    )
    assert same == pytest.approx(1, abs=1e-6)
    assert far < near < same
    assert score(spec, "", "a") == score(spec, "...", "a") == score(spec, "a", "") == 0


@neural
def test_moverscore_of_several_references() -> None:
    refs = ["The cat sat on the mat.", "Prices rose by ten percent."]
    hyp = "A cat was on a mat."
    one, other = (score("moverscore(weights=uniform)", hyp, ref) for ref in refs)
    best, mean = (
        score(f"moverscore(weights=uniform,references={rule})", hyp, *refs)
        for rule in ("best", "mean")
    )
    assert best == max(one, other)
    assert mean == pytest.approx((one + other) / 2)


@neural
@pytest.mark.parametrize("spec", ["moverscore", "moverscore(order=2)", "yisi-1", "sms"])
def test_traces_show_every_unit_of_both_sides(spec: str) -> None:
    metric = registry.metric(spec if spec != "sms" else f"sms(vectors={WORDS},units=words)")
    trace = metric.trace("alpha beta gamma", "beta gamma delta one")
    assert trace.matrix.shape == (len(trace.hyp), len(trace.ref))
    assert trace.matches
    if trace.distance:
        assert sum(match.flow for match in trace.matches) == pytest.approx(1)
