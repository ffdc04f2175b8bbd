"""Small networks on vectors: against plain versions, and what does not fit is refused."""

from itertools import pairwise

import numpy as np
import pytest
from oracles.esim import esim, random_esim

from nlgauge.models.cache.embeddings import EncodedSentences
from nlgauge.models.networks.esim_network import ESIMNetwork
from nlgauge.models.networks.packed_layers import packed_arrays, unpacked_arrays
from nlgauge.models.networks.pair_sense import KINDS, PairSense, sense_features
from nlgauge.models.networks.sentence_regressor import SentenceRegressor, pair_features
from nlgauge.models.predictors.common_sense import CommonSense
from nlgauge.models.predictors.predictor import Scaler


def layers(rng, *sizes: int) -> dict:
    found = {}
    for k, (inputs, outputs) in enumerate(pairwise(sizes)):
        found[f"layer.{k}.weight"] = rng.normal(size=(outputs, inputs)).astype(np.float32) / 4
        found[f"layer.{k}.bias"] = rng.normal(size=outputs).astype(np.float32)
    return found


def test_packed_arrays_are_within_half_a_step() -> None:
    rng = np.random.default_rng(1)
    arrays = {"a.weight": rng.normal(size=(5, 7)).astype(np.float32), "a.bias": np.ones(5)}
    packed = packed_arrays(arrays)
    assert packed["a.weight.numbers"].dtype == np.int8
    found = unpacked_arrays(packed)
    step = np.abs(arrays["a.weight"]).max(axis=1, keepdims=True) / 127
    assert (np.abs(found["a.weight"] - arrays["a.weight"]) <= step / 2 + 1e-6).all()
    assert (found["a.bias"] == 1).all()
    del packed["a.weight.scales"]
    with pytest.raises(ValueError, match="scale"):
        unpacked_arrays(packed)


def test_features_of_two_sentences() -> None:
    found = pair_features(np.array([[0.6, 0.8, 0, 0]]), np.array([[0, 1.0, 0, 0]]))
    expected = [1.2, 1.6, 0, 0, 0, 2, 0, 0, 1.2, 0.4, 0, 0, 0, 3.2, 0, 0]
    assert found[0].tolist() == pytest.approx(expected, abs=1e-6)


def test_layers_equal_a_plain_version() -> None:
    rng = np.random.default_rng(2)
    arrays = layers(rng, 20, 7, 33, 1)
    hyps, refs = rng.normal(size=(9, 5)), rng.normal(size=(9, 5))
    network = SentenceRegressor(arrays, 5)
    found = network.predict(hyps, refs, threads=2)
    rows = pair_features(hyps, refs).astype(np.float64)
    for k in range(3):
        rows = np.maximum(rows, 0) if k else rows
        rows = rows @ arrays[f"layer.{k}.weight"].T + arrays[f"layer.{k}.bias"]
    assert found == pytest.approx(rows[:, 0], abs=1e-4)
    assert network.predict(hyps[3:4], refs[3:4])[0] == found[3]


@pytest.mark.parametrize("sizes", [(20, 7, 2), (19, 7, 1), (20,)])
def test_layers_that_do_not_fit_are_refused(sizes: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"layer|outputs"):
        SentenceRegressor(layers(np.random.default_rng(1), *sizes), 5)


def test_esim_equals_a_plain_version(monkeypatch) -> None:
    rng = np.random.default_rng(3)
    arrays = random_esim(rng, 6, 5)
    network = ESIMNetwork(arrays, 6)
    texts = [rng.normal(size=(n, 6)).astype(np.float32) for n in (3, 1, 8, 2)]
    left, right = [0, 2, 3, 1, 2], [1, 3, 3, 2, 0]
    found = network.predict(network.read(texts, threads=2), left, right, threads=2)
    expected = [esim(arrays, texts[i], texts[j]) for i, j in zip(left, right, strict=True)]
    assert found == pytest.approx(expected, abs=1e-4)
    monkeypatch.setattr("nlgauge.models.networks.esim_network.PIECES", 4)
    again = network.predict(network.read(texts), left, right)
    assert again.tolist() == found.tolist()


def test_esim_that_does_not_fit_is_refused() -> None:
    arrays = random_esim(np.random.default_rng(1), 6, 5)
    for name in arrays:
        broken = {**arrays, name: arrays[name][:-1]}
        with pytest.raises((ValueError, KeyError)):
            ESIMNetwork(broken, 6)
    with pytest.raises(ValueError, match="do not fit"):
        ESIMNetwork(arrays, 7)


def test_common_sense_keeps_to_its_limits() -> None:
    weights = np.zeros((len(KINDS), 8))
    biases = np.array([0.0, 0, 0, 0, 0, 0])
    weights[1, 0], weights[2, 1] = 100, 100  # a copy by the first feature, shuffled by the second
    biases[0] = 50
    sense = PairSense(CommonSense(Scaler(np.zeros(4), np.ones(4)), weights, biases), -1.0, 2.0)
    sense = PairSense.from_arrays(sense.arrays())
    told = [[0.0, 0], [1, 0], [0, 1], [1, 0], [0, 1], [-10, -10]]  # the last is an exact copy
    features = np.array([[*both, 0, 0] for both in told])
    found = sense.corrected(np.array([0.5, 0.5, 0.5, 3.0, -2.0, 0.5]), features)
    assert found == pytest.approx([0.5, 2.0, -1.0, 3.0, -2.0, 2.0])


def test_features_of_common_sense() -> None:
    means = np.array([[[3.0, 4.0], [3.0, 4.0], [4.0, -3.0]]])
    found = sense_features(EncodedSentences(means, np.array([3, 3, 1])), [0, 0], [1, 2])
    ratio = np.log(2)
    assert found[0] == pytest.approx([np.log(0.002), 0, 0])
    assert found[1] == pytest.approx([np.log(1.002), ratio, ratio])
