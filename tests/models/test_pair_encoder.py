"""Networks that read two texts at once: their pieces, their files, and what torch says they say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles.bert import bert as oracle
from support.golden_files import GOLDEN
from support.minilm import needs_minilm

from nlgauge import DataError, ResourceMissing
from nlgauge.errors import NlgaugeWarning
from nlgauge.metrics.trained.cross_encoders import RatingNetwork
from nlgauge.models.encoders import changes as kept
from nlgauge.models.encoders.encoder import find_encoder
from nlgauge.models.encoders.inference import Inference, find_inference, probabilities
from nlgauge.models.encoders.pair_encoder import PairEncoder
from nlgauge.models.encoders.pair_pieces import pair_pieces
from nlgauge.models.files.trained_model import read_model, write_model

pytestmark = needs_minilm


def test_changes_in_4_bits_are_those_with_the_least_error() -> None:
    # Multiples of 1/4 up to 7/4 are kept as they are; 0.1 more is rounded away.
    exact = np.arange(-7, 8).repeat(5)[:64].astype(np.float32)[None] / 4
    numbers, scales = kept.packed(exact, bits=4)
    assert numbers.shape == (1, 32) and numbers.dtype == np.uint8
    assert scales.tolist() == [[0.25]]
    assert kept.unpacked(numbers, scales).tolist() == exact.tolist()
    numbers, scales = kept.packed(np.random.default_rng(1).normal(size=(3, 128)), bits=4)
    assert scales.shape == (3, 2)


def test_changes_in_8_bits_are_within_half_a_step() -> None:
    change = np.random.default_rng(2).normal(size=(4, 10)).astype(np.float32)
    found = kept.unpacked(*kept.packed(change, bits=8))
    steps = np.abs(change).max(axis=1) / 127
    assert (np.abs(found - change) <= steps[:, None] * 0.5001).all()


def test_pieces_of_pairs() -> None:
    minilm = find_encoder("minilm")
    cls, dog, sep = minilm.pieces(["dog"])[0].ids.tolist()
    cat = minilm.pieces(["cat"])[0].ids.tolist()[1]
    first, empty = pair_pieces(minilm, [("Dog dog", "cat"), ("", "")])
    assert first.ids.tolist() == [cls, dog, dog, sep, cat, sep]
    assert first.kinds.tolist() == [0, 0, 0, 0, 1, 1]
    assert (first.first, first.second, first.lost) == (2, 1, 0)
    assert empty.ids.tolist() == [cls, sep, sep] and empty.kinds.tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("sizes", "left"),
    [
        ((900, 300), (382, 127)),
        ((300, 900), (127, 382)),
        ((600, 0), (509, 0)),
        ((1, 999), (1, 508)),
    ],
)
def test_both_texts_of_a_long_pair_are_cut_in_proportion(sizes, left) -> None:
    minilm = find_encoder("minilm")
    assert minilm.limit == 512
    (found,) = pair_pieces(minilm, [tuple("dog " * n for n in sizes)])
    assert (found.first, found.second) == left
    assert found.lost == sum(sizes) - sum(left)


def model_file(folder: Path, arrays: dict[str, Any] | None = None, **header: Any) -> str:
    """A network of MiniLM with changes of one bias and a head of one number."""
    minilm: Any = find_encoder("minilm")
    own = {k: v for k, v in minilm.weights.items() if k.startswith("encoder.") and v.ndim == 1}
    query = "encoder.layer.0.attention.self.query.weight"
    numbers, scales = kept.packed(np.full((384, 384), 0.01, np.float32), bits=4)
    rng = np.random.default_rng(3)
    found = {
        **own,
        kept.TYPES: minilm.weights[kept.TYPES] + 0.01 * np.array([[1], [2]], np.float32),
        f"{query}{kept.CHANGED}": numbers,
        f"{query}{kept.SCALES}": scales,
        "head.rating.weight": rng.normal(size=(1, 5 * 384)).astype(np.float32),
        "head.rating.bias": np.array([0.5], np.float32),
        **(arrays or {}),
    }
    about = {"metric": "bert-mte", "options": {}, "features": [], "data": [], "split": {}}
    path = folder / "network.safetensors"
    full = {**about, "figures": [], "encoder": minilm.name, **header}
    write_model(path, full, {name: array for name, array in found.items() if array is not None})
    return str(path)


def test_a_network_is_the_encoder_with_its_changes(tmp_path: Path) -> None:
    minilm: Any = find_encoder("minilm")
    network = PairEncoder(read_model(model_file(tmp_path), "bert-mte"))
    pairs = [("a dog runs", "the dog is running"), ("", "a cat"), ("no", "")]
    pieces = network.pieces(pairs)
    weights = dict(minilm.weights)
    query = "encoder.layer.0.attention.self.query.weight"
    weights[query] = weights[query] + np.float32(np.float16(0.01 / 7)) * 7
    model = read_model(network.path, "bert-mte")
    for k, pair in enumerate(pieces):
        kinds = model.arrays[kept.TYPES][pair.kinds]
        # The oracle knows one kind; the others come with the positions.
        own = dict(weights)
        own["embeddings.position_embeddings.weight"] = (
            weights["embeddings.position_embeddings.weight"][: len(pair)] + kinds
        )
        own[kept.TYPES] = np.zeros((2, 384))
        states = oracle(own, pair.ids.tolist(), 12, 1e-12)[-1]
        left, right = states[1 : 1 + pair.first], states[pair.first + 2 : -1]
        means = [x.mean(axis=0) if len(x) else np.zeros(384) for x in (left, right)]
        seen = [states[0], *means, abs(means[0] - means[1]), means[0] * means[1]]
        wanted = float((np.concatenate(seen) * model.arrays["head.rating.weight"][0]).sum()) + 0.5
        assert network.predict([pair], "rating")[0, 0] == pytest.approx(wanted, abs=2e-4), k
    together = network.predict(pieces, "rating", threads=2)
    assert together.tolist() == [network.predict([p], "rating")[0].tolist() for p in pieces]


def test_long_pairs_are_told(tmp_path: Path) -> None:
    network = PairEncoder(read_model(model_file(tmp_path), "bert-mte"))
    with pytest.warns(NlgaugeWarning, match="1 of 1 pairs of texts are longer than the 512 pieces"):
        network.pieces([("dog " * 600, "cat " * 10)])


def test_another_encoder_is_refused_by_name(tmp_path: Path) -> None:
    path = model_file(tmp_path, encoder="bert-base 0123456789ab")
    with pytest.raises(ResourceMissing, match="trained with the encoder bert-base 0123456789ab"):
        PairEncoder(read_model(path, "bert-mte"))


@pytest.mark.parametrize(
    "arrays",
    [
        {"head.rating.weight": np.zeros((1, 7), np.float32)},
        {"head.rating.bias": np.zeros((2, 2), np.float32)},
        {"head.rating.weight": None},
        {kept.TYPES: None},
        {kept.TYPES: np.zeros((3, 384), np.float32)},
        {f"encoder.layer.0.attention.self.query.weight{kept.SCALES}": None},
        {f"encoder.layer.0.attention.self.query.weight{kept.CHANGED}": np.zeros((3, 2), np.uint8)},
        {f"encoder.layer.9.attention.self.query.weight{kept.CHANGED}": np.zeros((3, 2), np.uint8)},
        {"encoder.layer.0.output.dense.bias": np.zeros(3, np.float32)},
    ],
)
def test_arrays_that_do_not_fit_are_refused(tmp_path: Path, arrays) -> None:
    path = model_file(tmp_path, arrays)
    with pytest.raises(DataError, match=r"network\.safetensors: .*train it again"):
        PairEncoder(read_model(path, "bert-mte"))


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = Path(model_file(tmp_path))
    data = path.read_bytes()
    for damaged in (data[: len(data) // 2], data[:100], b"", data[:9] + b"\0" + data[10:]):
        path.write_bytes(damaged)
        with pytest.raises(DataError):
            read_model(str(path), "bert-mte")


def test_a_copy_gets_more_than_the_best_rating(tmp_path: Path) -> None:
    """Hand calculation: 2 deviations of 0.5 above a mean of 3, unless the network says more."""
    scale = {"best": np.array([2.0]), "ratings": np.array([3.0, 0.5])}
    dull = {"head.rating.weight": np.zeros((1, 1920), np.float32)}
    network = RatingNetwork.read(model_file(tmp_path, {**scale, **dull}), "bert-mte")
    pairs = [("A dog.", "a DOG ."), ("A dog.", "A cat."), ("", ""), ("dog dog", "dog")]
    assert network.ratings(pairs).tolist() == [4.0, 3.25, 3.25, 3.25]
    high = {"head.rating.bias": np.array([7.0], np.float32)}
    network = RatingNetwork.read(model_file(tmp_path, {**scale, **dull, **high}), "bert-mte")
    assert network.ratings(pairs[:1]).tolist() == [6.5]


def test_what_is_cut_off_is_no_copy() -> None:
    (cut,) = pair_pieces(find_encoder("minilm"), [("dog " * 400, "dog " * 400 + "cat")])
    assert not cut.is_copy


@pytest.mark.parametrize(
    "arrays", [{"best": np.zeros(2)}, {"ratings": np.zeros(3)}, {"ratings": np.zeros((1, 2))}]
)
def test_a_scale_that_does_not_fit_is_refused(tmp_path: Path, arrays) -> None:
    with pytest.raises(DataError, match=r"network\.safetensors: its array \w+ "):
        RatingNetwork.read(model_file(tmp_path, arrays), "bert-mte")


def test_torch_says_the_same_of_the_model_that_ships() -> None:
    golden = json.loads((GOLDEN / "models" / "inference.json").read_text(encoding="utf-8"))
    logits, similarity = find_inference().predict([tuple(pair) for pair in golden["pairs"]])
    np.testing.assert_allclose(logits, golden["logits"], atol=2e-4)
    np.testing.assert_allclose(similarity, golden["similarity"], atol=2e-4)
    assert probabilities(logits).sum(axis=1) == pytest.approx(1.0)


def test_a_model_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="a model of bert-mte, and inference needs one of its own"):
        Inference(model_file(tmp_path))
