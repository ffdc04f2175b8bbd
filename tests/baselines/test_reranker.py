"""The reranker: its objective against SciPy's, its zeros by the subgradient, lists and files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from nlgauge import DataError, SpecError
from nlgauge.baselines import FeatureSettings, Reranker, load_reranker, save_reranker
from nlgauge.baselines.reranking.candidate_features import agreement, feature_matrix, feature_names
from nlgauge.baselines.reranking.log_linear import ChoiceData, fit_log_linear
from nlgauge.baselines.reranking.reranker import compared_choices, oracle_choices
from nlgauge.io.texts.nbest import NBestCandidate, NBestList, read_nbest, write_nbest


def problem(seed: int, lists: int, width: int) -> ChoiceData:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 6, lists)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    features = rng.normal(size=(starts[-1], width)) * (rng.random((starts[-1], width)) < 0.6)
    gold = starts[:-1] + np.array([rng.integers(size) for size in sizes])
    return ChoiceData(csr_matrix(features), starts.astype(np.int64), gold.astype(np.int64))


def plain_loss(data: ChoiceData, weights: np.ndarray) -> float:
    """The formula of the paper, list by list."""
    scores = data.features.toarray() @ weights
    total = 0.0
    for j, right in enumerate(data.gold):
        own = scores[data.starts[j] : data.starts[j + 1]]
        total -= np.log(np.exp(scores[right]) / np.exp(own).sum())
    return total


seeds = st.integers(0, 2**32 - 1)


@settings(max_examples=30, deadline=None)
@given(seeds, st.integers(1, 12), st.integers(1, 8))
def test_loss_and_gradient(seed: int, lists: int, width: int) -> None:
    data = problem(seed, lists, width)
    weights = np.random.default_rng(seed + 1).normal(size=width)
    value, gradient = data.loss(weights)
    assert value == pytest.approx(plain_loss(data, weights))
    step = 1e-6
    for k in range(width):
        moved = weights.copy()
        moved[k] += step
        assert (data.loss(moved)[0] - value) / step == pytest.approx(gradient[k], abs=1e-3)


@settings(max_examples=25, deadline=None)
@given(seeds, st.integers(3, 25), st.integers(1, 8), st.sampled_from([0.1, 0.5, 1.0, 3.0]))
def test_objective_is_that_of_scipy(seed: int, lists: int, width: int, penalty: float) -> None:
    data = problem(seed, lists, width)
    fit = fit_log_linear(data, penalty=penalty, per_step=2)

    def objective(parts: np.ndarray) -> float:
        return plain_loss(data, parts[:width] - parts[width:]) + penalty * parts.sum()

    # Another method, all features at once, without gradients of ours.
    plain = minimize(
        objective,
        np.full(2 * width, 0.01),
        method="SLSQP",
        bounds=[(0, None)] * (2 * width),
        options={"maxiter": 2000, "ftol": 1e-13},
    )
    scale = max(1.0, abs(plain.fun))
    assert fit.objective <= plain.fun + 1e-6 * scale  # never worse, and
    assert fit.objective >= plain.fun - 1e-6 * scale  # no better than the minimum


@settings(max_examples=40, deadline=None)
@given(seeds, st.integers(3, 40), st.integers(1, 20), st.sampled_from([0.05, 0.5, 2.0]))
def test_zeros_satisfy_the_subgradient(seed: int, lists: int, width: int, penalty: float) -> None:
    data = problem(seed, lists, width)
    fit = fit_log_linear(data, penalty=penalty, per_step=3)
    _, gradient = data.loss(fit.weights)
    zero = fit.weights == 0
    assert (np.abs(gradient[zero]) <= penalty + 1e-4).all()
    np.testing.assert_allclose(gradient[~zero], -penalty * np.sign(fit.weights[~zero]), atol=1e-4)


def test_a_high_penalty_selects_nothing() -> None:
    data = problem(1, 20, 6)
    most = np.abs(data.loss(np.zeros(6))[1]).max()
    fit = fit_log_linear(data, penalty=float(most) * 1.001)
    assert not fit.weights.any()
    assert fit.tried == 0
    assert fit_log_linear(data, penalty=float(most) * 0.9, per_step=1).weights.any()
    with pytest.raises(SpecError, match="penalty=0"):
        fit_log_linear(data, penalty=0)


def nbest(*texts: str, **features: list[float]) -> NBestList:
    candidates = tuple(
        NBestCandidate(text, {name: values[k] for name, values in features.items()})
        for k, text in enumerate(texts)
    )
    return NBestList("x", candidates)


def many() -> tuple[list[NBestList], list[list[str]]]:
    """Lists where `good` tells the right candidate, and `noise` nothing."""
    rng = np.random.default_rng(5)
    lists, references = [], []
    for k in range(40):
        right = f"the ferry {k} left the harbour late"
        wrong = [f"a boat {k} goes", f"harbour the {k} late left", f"late {k}"]
        place = int(rng.integers(4))
        texts = [*wrong[:place], right, *wrong[place:]]
        good = [float(t == right) + rng.normal(0, 0.1) for t in texts]
        lists.append(nbest(*texts, good=good, noise=rng.normal(size=4).tolist()))
        references.append([right])
    return lists, references


def test_reranking_chooses_what_the_oracle_likes() -> None:
    lists, references = many()
    model = Reranker.train(lists[:30], references[:30])
    assert model.names[int(np.argmax(np.abs(model.weights)))] == "given good"
    right = oracle_choices(lists, references, "sentbleu")
    assert (model.choices(lists[30:]) == right[30:]).mean() > 0.9
    # An error rate as the oracle: the lowest is the best.
    assert (oracle_choices(lists, references, "ter") == right).all()
    suite = compared_choices(lists[30:], references[30:], model)
    assert list(suite.systems) == ["baseline", "reranked", "oracle"]


def test_features() -> None:
    lists = [nbest("a b c", "a b d", score=[1.0, 2.0]), nbest("b c", "a b", score=[0.0, 1.0])]
    names = feature_names(lists, FeatureSettings((1, 2), 1))
    # `b` is in all candidates of both lists as often, and tells nothing.
    assert names == ["given score", *(f"n-gram {g}" for g in ("a", "a b", "b c", "b d", "c", "d"))]
    assert "n-gram d" not in feature_names(lists, FeatureSettings((1,), 2))
    matrix = feature_matrix(lists, names, FeatureSettings((1, 2), 1)).toarray()
    assert matrix[0].tolist() == [1, 1, 1, 1, 0, 1, 0]
    assert matrix[2].tolist() == [0, 0, 0, 1, 0, 1, 0]
    scores = agreement([nbest("x y", "x y", "p q")], "wer")
    assert scores.tolist() == [0.0, 0.0, -1.0]  # negated errors against the nearest other


def test_moses_lists(tmp_path: Path) -> None:
    path = tmp_path / "a.nbest"
    path.write_text(
        "0 ||| the house ||| LM0= -1.5 TM0= -2 -3 UNK=4 ||| -9\n"
        "0 ||| a house ||| LM0= -1 TM0= 0 0 ||| -10\n"
        "1 ||| it ||| d: 1 ||| -1\n1 ||| that ||| d: 2 ||| -2\n"
    )
    first, second = read_nbest([str(path)])
    assert first.candidates[0].text == "the house"
    assert first.candidates[0].features == {
        "LM0": -1.5, "TM0.1": -2, "TM0.2": -3, "UNK": 4, "score": -9,
    }  # fmt: skip
    assert second.candidates[1].features == {"d": 2, "score": -2}
    with path.open("w") as file:
        write_nbest(file, [first, second])
    assert read_nbest([str(path)]) == [first, second]


def test_json_lists(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    rows = [{"id": 7, "candidates": ["a", {"text": "b", "features": {"x": 1}}]}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (found,) = read_nbest([str(path)])
    assert found == NBestList("7", (NBestCandidate("a", {}), NBestCandidate("b", {"x": 1.0})))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.nbest", "0 ||| x ||| f= 1\n1 ||| y ||| f= 1\n", "line 1: list '0' has 1 candidate"),
        ("a.nbest", "no bars\n", "line 1: expected `number"),
        ("a.nbest", "0 ||| x ||| f= a\n", "line 1: 'a' is no finite number"),
        ("a.nbest", "", "a.nbest: is empty"),
        ("a.nbest", "0 ||| x\n0 ||| y\n1 ||| x\n1 ||| y\n0 ||| z\n0 ||| q\n", "line 5: a second"),
        ("a.jsonl", '{"candidates": []}\n', "line 1: no candidates"),
        ("a.jsonl", '{"candidates": [1, "x"]}\n', "a candidate is a text"),
        ("a.jsonl", '{"candidates": [{"text": "x", "features": {"a": "b"}}]}\n', "features must"),
    ],
)
def test_lists_that_are_refused(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        read_nbest([str(path)])


def test_what_cannot_be_learnt_is_refused() -> None:
    lists, references = many()
    with pytest.raises(DataError, match="40 n-best lists and references of 39 segments"):
        Reranker.train(lists, references[1:])
    with pytest.raises(DataError, match="candidates have no features"):
        Reranker.train([nbest("a", "b")], [["a"]])
    with pytest.raises(SpecError, match="orders are 1 and more"):
        FeatureSettings((0,))


def test_files(tmp_path: Path) -> None:
    lists, references = many()
    model = Reranker.train(lists, references, settings=FeatureSettings((2,), 2, ("chrf",)))
    path = str(tmp_path / "rerank.safetensors")
    save_reranker(path, model)
    again = load_reranker(path)
    assert again.names == model.names
    assert (again.choices(lists) == model.choices(lists)).all()
    save_reranker(path, Reranker(**{**vars(model), "scales": -model.scales}))
    with pytest.raises(DataError, match=r"do not fit its features.*nlgauge baseline rerank"):
        load_reranker(path)
