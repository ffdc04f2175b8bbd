"""BERTScore and BERTr: the specification's toy, brute force, options, baselines, the command."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.command_line import run
from support.minilm import needs_minilm

from nlgauge import Corpus, DataError, ResourceMissing, SpecError
from nlgauge.core import registry
from nlgauge.core.arithmetic import harmonic_mean
from nlgauge.metrics.contextual.baselines import random_pairs, read_baseline
from nlgauge.metrics.contextual.matching import greedy
from nlgauge.models.encoders.encoder import find_encoder

HYPS = ["the cat sat on the mat", "a dog barks", "", "completely different words here"]
REFS = [["a cat sat on a mat", "the dog"], ["a dog is barking"], ["something"], ["the cat sat"]]


def test_the_toy_of_the_specification() -> None:
    a, b, c = (1, 0), (0, 1), (0.6, 0.8)
    texts = [np.array(text, np.float32) for text in ((a, b), (a, c))]
    means = greedy(texts, [np.ones(2), np.ones(2)], [0], [1])
    assert means.tolist() == [pytest.approx([0.9, 0.9], abs=1e-7)]
    assert harmonic_mean(*means.T).tolist() == pytest.approx([0.9], abs=1e-7)


@given(st.integers(0, 2**32 - 1), st.lists(st.integers(1, 40), min_size=2, max_size=5))
def test_matching_equals_brute_force(seed: int, sizes: list[int]) -> None:
    rng = np.random.default_rng(seed)
    width = int(rng.integers(1, 40))
    texts = [rng.normal(size=(size, width)).astype(np.float32) for size in sizes]
    weights = [rng.integers(0, 3, size=size) + 0.5 * (np.arange(size) == 0) for size in sizes]
    pairs = [(i, j) for i in range(len(sizes)) for j in range(len(sizes))]
    found = greedy(texts, weights, *zip(*pairs, strict=True), threads=2)
    for (i, j), means in zip(pairs, found.tolist(), strict=True):
        hyp, ref = (
            t / np.linalg.norm(t.astype(float), axis=1)[:, None] for t in (texts[i], texts[j])
        )
        best = (hyp @ ref.T).max(1), (hyp @ ref.T).max(0)
        expected = [
            np.average(*x) for x in zip(best, (None, None), (weights[i], weights[j]), strict=True)
        ]
        assert means == pytest.approx(expected, abs=1e-5)


def test_f_needs_both() -> None:
    means = np.array([[0.5, 1.0], [0.0, 0.0], [-0.2, 0.3], [-0.2, -0.2]])
    assert harmonic_mean(*means.T).tolist() == [pytest.approx(2 / 3), 0, 0, 0]


def scores(spec: str, hyps=HYPS, refs=REFS) -> np.ndarray:
    metric = registry.metric(spec)
    corpus = Corpus.build(hyps, refs)
    return metric.score(metric.rows(corpus, metric.fitted(corpus)))


@needs_minilm
@pytest.mark.parametrize("spec", ["bertscore", "bertscore-p", "bertscore-r", "bertr"])
def test_the_best_reference_counts_and_empty_texts_score_0(spec: str) -> None:
    found = scores(spec)
    alone = [scores(spec, HYPS[:1], [[ref]])[0] for ref in REFS[0]]
    assert found[0] == max(alone)
    assert found[2] == 0
    assert scores(spec, ["x"], [[" \n"]])[0] == 0
    assert scores(spec, ["same text"], [["Same text "]])[0] == pytest.approx(1, abs=1e-6)


@needs_minilm
def test_swapped_texts_swap_precision_and_recall() -> None:
    refs = [ref for ref, *_ in REFS]
    precision = scores("bertscore-p", HYPS, [[ref] for ref in refs])
    recall = scores("bertscore-r", refs, [[hyp] for hyp in HYPS])
    assert precision == pytest.approx(recall, abs=1e-6)


@needs_minilm
def test_idf_takes_weight_from_what_is_in_every_reference() -> None:
    refs = [["the a"], ["the b"], ["the c"]]
    found = registry.metric("bertscore(idf=yes,measure=recall)")
    with_it = scores("bertscore(idf=yes,measure=recall)", ["the x", "a", "the"], refs)
    metric_state = found.fit(Corpus.build(["x"] * 3, refs))
    ids = {p: i for t in _pieces("the a b zebra") for p, i in zip(t.strings, t.ids, strict=True)}
    weights = metric_state.weights(np.array([ids["the"], ids["a"], ids["zebra"]], np.int32))
    assert weights.tolist() == pytest.approx([0, np.log(4 / 2), np.log(4)])
    assert np.isfinite(with_it).all()
    # All weights of the only reference are 0, which bert-score makes NaN: they are taken as equal.
    one = ["a cat sat"], [["the cat"]]
    weighed = scores("bertscore(idf=yes,measure=recall)", *one)
    assert weighed == pytest.approx(scores("bertscore-r", *one))


def _pieces(text: str):
    from nlgauge.models.encoders.encoder import find_encoder

    return find_encoder("minilm").pieces([text])


@needs_minilm
def test_a_baseline_rescales_each_measure(tmp_path: Path) -> None:
    path = tmp_path / "baseline.csv"
    path.write_text("LAYER,P,R,F\n0,0.1,0.1,0.1\n3,0.5,0.25,0.4\n")
    metric = registry.metric("bertscore", layer=3, baseline=str(path))
    corpus = Corpus.build(HYPS, REFS)
    plain = registry.metric("bertscore(layer=3)").evaluate(corpus).parts
    found = metric.evaluate(corpus).parts
    for name, b in (("precision", 0.5), ("recall", 0.25), ("f", 0.4)):
        assert found[name] == pytest.approx((plain[name] - b) / (1 - b))
    signature = metric.signature()
    assert "with.baseline:" in signature
    path.write_text(path.read_text() + "4,0,0,0\n")
    assert metric.signature() != signature


def test_baseline_files_that_cannot_be_used(tmp_path: Path) -> None:
    path = tmp_path / "b.csv"
    for text, message in (
        ("layer\n", "the first line is not LAYER,P,R,F"),
        ("LAYER,P,R,F\n0,0.1,0.2\n", "line 2: expected a layer and three numbers"),
        ("LAYER,P,R,F\n0,0.1,0.2,1\n", "line 2: expected a layer and three numbers"),
        ("LAYER,P,R,F\n0,0.1,0.2,0.3\n", "no line for layer 5"),
    ):
        path.write_text(text)
        with pytest.raises(DataError, match=message):
            read_baseline(str(path), 5)
    with pytest.raises(ResourceMissing, match="check the path"):
        read_baseline(str(tmp_path / "none"), 5)


def test_random_pairs_are_of_different_texts() -> None:
    corpus = random_pairs(["a", "b", "a", " ", "c"], 200, seed=1)
    pairs = {(h, *r) for h, r in zip(corpus.hypotheses, corpus.references, strict=True)}
    assert pairs == {(x, y) for x in "abc" for y in "abc" if x != y}
    with pytest.raises(DataError, match="1 different texts"):
        random_pairs(["a", "a"], 5, seed=1)


@needs_minilm
def test_the_command_writes_a_baseline(capsys, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts = ["the cat sat", "a dog barks loudly", "prices fell by two percent", "we like tea"]
    Path("texts.txt").write_text("\n".join(texts) + "\n")
    run(capsys, "rescale", "texts.txt", "--pairs", "30", "-o", "b.csv", "--threads", "1")
    lines = Path("b.csv").read_text().splitlines()
    assert lines[0] == "LAYER,P,R,F"
    assert [line.split(",")[0] for line in lines[1:]] == list("0123456")
    corpus = random_pairs(texts, 30, 12345)
    parts = registry.metric("bertscore(layer=4)").evaluate(corpus).parts
    expected = [parts[name] for name in ("precision", "recall", "f")]
    assert read_baseline("b.csv", 4).tolist() == pytest.approx(expected, abs=1e-6)


@needs_minilm
def test_signatures_name_weights_and_layer() -> None:
    signature = registry.metric("bertscore").signature()
    assert "|with.layer:" in signature
    assert "|with.model:all-MiniLM-L6-v2 53aa51172d14|" in signature
    assert registry.metric(signature) == registry.metric("bertscore")
    with pytest.raises(SpecError, match="layer 7: all-MiniLM-L6-v2 53aa51172d14 has layers 0 to 6"):
        registry.metric("bertscore(layer=7)").sentence_score("a", ["a"])


@needs_minilm
def test_a_trace_shows_the_cosines() -> None:
    trace = registry.metric("bertscore").trace("a cat", "the cat sat")
    assert trace.hyp == ("[CLS]", "a", "cat", "[SEP]")
    assert trace.matrix.shape == (4, 5)
    assert trace.hyp_weights.tolist() == [0, 1, 1, 0]
    recall = scores("bertscore-r", ["a cat"], [["the cat sat"]])[0]
    assert trace.matrix.max(axis=0)[1:-1].mean() == pytest.approx(recall, abs=1e-6)


def test_matches_of_layers_are_parts() -> None:
    """The spread of the best cosines by NumPy, against the reference with the best F."""
    metric = registry.metric("bertscore(matches=2:6)")
    hyp, refs = "the cat sat on the mat", ["a cat was sitting on a mat", "the dog ran"]
    parts = metric.sentence_score(hyp, refs).parts
    plain = registry.metric("bertscore").sentence_score(hyp, refs)
    assert metric.sentence_score(hyp, refs).value == plain.value
    encoder = find_encoder("minilm")
    for layer in (2, 6):
        one, *others = encoder.encode(encoder.pieces([hyp, *refs]), [layer])
        found = []
        for other in others:
            a, b = (x[0].astype(float) for x in (one, other))
            a /= np.linalg.norm(a, axis=1, keepdims=True)
            b /= np.linalg.norm(b, axis=1, keepdims=True)
            best = [(a @ b.T).max(axis=1)[1:-1], (a @ b.T).max(axis=0)[1:-1]]  # no special pieces
            p, r = (side.mean() for side in best)
            found.append((2 * p * r / (p + r), best))
        f, best = max(found, key=lambda pair: pair[0])
        assert parts[f"layer_{layer}_f"] == pytest.approx(f, abs=1e-5)
        for name, side in zip(("precision", "recall"), best, strict=True):
            quartiles = np.percentile(side, [0, 25, 50, 75])
            told = ("least", "quartile", "median", "upper_quartile", "deviation")
            for what, value in zip(told, [*quartiles, side.std()], strict=True):
                assert parts[f"layer_{layer}_{name}_{what}"] == pytest.approx(value, abs=1e-5)


def test_layers_of_matches_are_checked() -> None:
    with pytest.raises(SpecError, match="layer"):
        registry.metric("bertscore(matches=99)").sentence_score("a", ["a"])
    empty = registry.metric("bertscore(matches=6)").sentence_score("", ["a cat"])
    assert empty.parts["layer_6_precision_median"] == 0
