"""Binary files that are damaged or made to harm: errors of ours, and never a number like NaN."""

from __future__ import annotations

import gc
import json
import struct
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles.bert import random_weights
from safetensors.numpy import save
from support.artefact_files import TENSORS, Letters, small_wordnet, tensors, vectors, wordnet_file

from nlgauge import Corpus, DataError
from nlgauge.core import registry
from nlgauge.kernels import native
from nlgauge.metrics.trained.linear import KIND
from nlgauge.models.encoders.bert import Bert, Shape, read_weights
from nlgauge.models.encoders.paraphrase_encoder import find_paraphrase_encoder
from nlgauge.models.files.tensor_file import read_tensors
from nlgauge.models.lexicon.wordnet import read_wordnet, wordnet
from nlgauge.models.structure.weights import StructureWeights
from nlgauge.models.vectors.vector_files import read_vectors, write_vectors


def test_a_width_that_overflows_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(b"4 4611686018427387904\n" + b"the \0\0\0\0" * 8)
    with pytest.raises(DataError, match="too short for its 4 words"):
        read_vectors(str(path))


@pytest.mark.parametrize("name", ["text.txt", "binary.bin", "list.npy"])
def test_words_that_are_no_text_are_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name == "text.txt":
        path.write_bytes(b"the 1 2\nc\xfft 3 4\n")
    elif name == "binary.bin":
        path.write_bytes(b"2 1\nthe \0\0\0\0\nc\xfft \0\0\0\0\n")
    else:
        np.save(path, np.zeros((2, 2)))
        path.with_suffix(".words").write_bytes(b"the\nc\xfft\n")
    with pytest.raises(DataError, match=r"word 2: b'c\\xfft' is not valid UTF-8"):
        read_vectors(str(path))


def converted(path: Path, change: Callable[[dict[str, Any], dict[str, np.ndarray]], None]) -> str:
    """A file in our format whose header or arrays were edited by someone who knows it."""
    write_vectors(str(path), vectors())
    data = path.read_bytes()
    end = data.index(b"\n", data.index(b"\n") + 1) + 1
    header = json.loads(data[data.index(b"\n") + 1 : end])
    arrays = {
        name: np.frombuffer(data, kind, int(np.prod(shape)), end + at).reshape(shape).copy()
        for name, (kind, shape, at) in header["arrays"].items()
    }
    change(header, arrays)
    body = bytearray(header["size"]) if isinstance(header.get("size"), int) else bytearray()
    for name, array in arrays.items():
        at = header["arrays"].get(name, [0, 0, 0])[2]
        if isinstance(at, int) and 0 <= at <= len(body):
            body[at : at + array.nbytes] = array.tobytes()
    path.write_bytes(b"nlgauge vectors 1\n" + json.dumps(header).encode() + b"\n" + bytes(body))
    return str(path)


def set_array(name: str, at: Any, value: Any) -> Callable[..., None]:
    def change(_: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        arrays[name][at] = value

    return change


def set_header(*keys: str, value: Any) -> Callable[..., None]:
    def change(header: dict[str, Any], _: dict[str, np.ndarray]) -> None:
        *outer, last = keys
        for key in outer:
            header = header[key]
        if value is None:
            del header[last]
        else:
            header[last] = value

    return change


DEEP: Any = []
for _ in range(900):
    DEEP = [DEEP]

NLV = {
    "a full table": (set_array("table", slice(None), 1), "is damaged"),
    "entries beyond the words": (set_array("table", slice(0, 3), 99), "words that are not there"),
    "unsorted starts": (set_array("starts", 2, 1), "not in order"),
    "starts beyond the bytes": (set_array("starts", -1, 10**9), "not in order"),
    "an inner start beyond the bytes": (set_array("starts", 3, 10**9), "not in order"),
    "words that are no text": (set_array("words", 1, 0xFF), "not valid UTF-8"),
    "another shape": (set_header("arrays", "matrix", value=["<f4", [18], 0]), "header"),
    "fewer rows": (set_header("arrays", "matrix", value=["<f4", [2, 3], 0]), "2 vectors for 6"),
    "a negative shape": (set_header("arrays", "matrix", value=["<f4", [-6, -3], 0]), "header"),
    "a huge shape": (set_header("arrays", "matrix", value=["<f4", [2**62, 4], 0]), "header"),
    "another type": (set_header("arrays", "matrix", value=["O", [6, 3], 0]), "header"),
    "a negative place": (set_header("arrays", "table", value=["<u4", [16], -64]), "header"),
    "no table": (set_header("arrays", "table", value=None), "header"),
    "no name": (set_header("name", value=None), "header"),
    "another size": (set_header("size", value="x"), "header|cut"),
    "a deep header": (set_header("deep", value=DEEP), "header|deep"),
}


@pytest.mark.parametrize(("change", "message"), NLV.values(), ids=NLV)
def test_a_converted_file_is_not_trusted(change: Any, message: str, tmp_path: Path) -> None:
    path = converted(tmp_path / "v.nlv", change)
    if "deep" in message:  # deeper than json.dumps writes
        text = Path(path).read_bytes().replace(b"[" * 900, b"[" * 90_000)
        Path(path).write_bytes(text.replace(b"]" * 900, b"]" * 90_000))
    with pytest.raises(DataError, match=message):
        read_vectors(path)


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_numbers_of_a_converted_file_must_be_finite(value: float, tmp_path: Path) -> None:
    path = converted(tmp_path / "v.nlv", set_array("matrix", (1, 2), value))
    corpus = Corpus.build(["the cat"], ["the mat"])
    for spec in ("wmd", "greedy", "emb-avg"):
        metric = registry.metric(f"{spec}(vectors={path})")
        with pytest.raises(DataError, match="not finite; make it again"):
            metric.rows(corpus)
    with pytest.raises(DataError, match="not finite"):
        _ = read_vectors(path).mean
    fine = registry.metric(f"emb-avg(vectors={path})").rows(Corpus.build(["the"], ["mat"]))
    assert np.isfinite(fine).all()


def offsets(name: str, *places: Any) -> Callable[[dict[str, Any]], None]:
    return lambda header: header[name].__setitem__("data_offsets", list(places))


SAFETENSORS = {
    "length 2^64-1": b"\xff" * 8 + tensors()[8:],
    "length beyond the file": struct.pack("<Q", 10**6) + tensors()[8:],
    "shorter than its length": tensors()[:5],
    "a cut header": tensors()[:40],
    "a header that is no object": struct.pack("<Q", 2) + b"[]",
    "a deep header": struct.pack("<Q", 200_000) + b"[" * 200_000,
    "negative places": tensors(offsets("a", -24, 0)),
    "overlaps": tensors(offsets("a", 8, 32)),
    "a hole": tensors(body=bytes(80)),
    "a cut body": tensors(body=bytes(10)),
    "places that are no numbers": tensors(offsets("a", "x", 3)),
    "another shape": tensors(lambda h: h["a"].__setitem__("shape", [2, 4])),
    "a negative shape": tensors(lambda h: h["a"].__setitem__("shape", [-2, -3])),
    "no type": tensors(lambda h: h["a"].pop("dtype")),
    "an entry that is no object": tensors(lambda h: h.__setitem__("a", 5)),
    "texts that are none": tensors(lambda h: h.__setitem__("__metadata__", {"a": 3})),
    "empty": b"",
}


@pytest.mark.parametrize("data", SAFETENSORS.values(), ids=SAFETENSORS)
def test_safetensors_are_not_trusted(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(data)
    with pytest.raises(DataError, match=r"model\.safetensors: .*fetch the model again"):
        read_tensors(path)


def test_whole_safetensors_are_read(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(tensors())
    _, found = read_tensors(path)
    assert {name: array.tolist() for name, array in found.items()} == {
        name: array.tolist() for name, array in TENSORS.items()
    }


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_weights_must_be_finite(value: float, tmp_path: Path) -> None:
    table = np.ones((4, 16), np.float32)
    table[2, 3] = value
    path = tmp_path / "model.safetensors"
    path.write_bytes(save({"embeddings.word_embeddings.weight": table}))
    with pytest.raises(DataError, match=r"word_embeddings\.weight holds a number that is not fin"):
        read_weights(path)


def test_vectors_of_an_encoder_must_be_finite() -> None:
    weights = random_weights(
        np.random.default_rng(1), words=31, positions=40, width=64, inner=64, layers=1
    )
    name = "encoder.layer.0.output.LayerNorm.weight"
    huge = Bert({**weights, name: weights[name] * np.float32(3e38)}, Letters(), Shape(2), "huge")
    with pytest.raises(DataError, match=r"huge: .*not finite"):
        huge.encode(huge.pieces(["abc"]), [1])


CONFIGS = {
    "no JSON": b"{",
    "too deep": b"[" * 200_000,
    "no object": b"[]",
    "no heads": b'{"max_position_embeddings": 40}',
    "heads of text": b'{"max_position_embeddings": 40, "num_attention_heads": "2"}',
    "no positions": b'{"num_attention_heads": 2}',
    "a negative limit": b'{"max_position_embeddings": -4, "num_attention_heads": 2}',
    "no number": b'{"max_position_embeddings": 40, "num_attention_heads": 2, '
    b'"layer_norm_eps": 1e999}',
}


@pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS)
def test_an_encoders_settings_are_not_trusted(config: bytes, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_bytes(config)
    (tmp_path / "tokenizer.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(
        save({"embeddings.word_embeddings.weight": np.ones((4, 16), np.float32)})
    )
    with pytest.raises(DataError, match=r"config\.json: "):
        Bert.read(tmp_path, "broken")


def test_a_structure_model_is_not_trusted(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"")
    path = tmp_path / "structure.safetensors"
    for about in ({}, {"structure": "["}, {"structure": "{}"}, {"structure": '{"tags": [1]}'}):
        path.write_bytes(save(TENSORS, metadata=about))
        with pytest.raises(DataError, match="not a structure model"):
            StructureWeights.read(tmp_path, path)
    path.write_bytes(
        save({"tag.weight": np.full(3, np.nan, np.float32)}, metadata={"structure": "{}"})
    )
    with pytest.raises(DataError, match=r"tag\.weight holds a number that is not finite"):
        StructureWeights.read(tmp_path, path)


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity", "1" + "0" * 400, "true"])
@pytest.mark.parametrize("place", ["intercept", "divisor", "coefficient"])
def test_a_linear_model_has_finite_numbers(number: str, place: str, tmp_path: Path) -> None:
    values = {"intercept": "0", "divisor": "1", "coefficient": "1", place: number}
    path = tmp_path / "model.json"
    path.write_text(
        f'{{"kind": "{KIND}", "intercept": {values["intercept"]}, "divisor": {values["divisor"]},'
        f' "terms": [{{"metric": "bleu", "part": null, "coefficient": {values["coefficient"]}}}]}}'
    )
    reasons = r"(finite numbers|no JSON number|larger than any)"
    with pytest.raises(DataError, match=rf"model\.json: .*{reasons}"):
        registry.metric(f"regression(path={path})").rows(Corpus.build(["a"], ["a"]))


def test_a_trained_encoder_is_not_trusted(tmp_path: Path) -> None:
    path = tmp_path / "sim.npz"
    parts = {
        "version": np.array(1),
        "names": np.frombuffer(b"w the\nw cat", np.uint8),
        "table": np.ones((2, 4), np.float32),
        "record": np.frombuffer(b"{}", np.uint8),
    }
    broken: list[dict[str, Any]] = [
        {**parts, "table": np.full((2, 4), np.nan)},
        {**parts, "table": np.array([["a"] * 4] * 2)},
        {**parts, "table": np.ones((3, 4), np.float32)},
        {**parts, "record": np.frombuffer(b"[" * 200_000, np.uint8)},
        {**parts, "version": np.array([1, 2])},
        {**parts, "names": np.frombuffer(b"\xff\xfe", np.uint8)},
        {name: part for name, part in parts.items() if name != "table"},
    ]
    for changed in broken:
        np.savez(path, **changed)
        with pytest.raises(DataError, match=r"sim\.npz"):
            find_paraphrase_encoder(str(path))
    whole = path.read_bytes()
    for data in (whole[:200], whole[:-40], b"PK" + bytes(100), b"PK"):
        path.write_bytes(data)
        with pytest.raises(DataError, match="train it again"):
            find_paraphrase_encoder(str(path))


def test_the_small_wordnet_is_read(tmp_path: Path) -> None:
    path = tmp_path / "wordnet.bin"
    path.write_bytes(wordnet_file(small_wordnet()))
    found = read_wordnet(path)
    assert found.morphy("kine", "n") == ["cat"]
    assert found.hypernyms(0) == [2]
    assert found.antonyms("cat") == {"dog"}


WORDNETS = {
    "lemma_starts": [0, 6, 3, 11],
    "sense_starts": [0, 1, 2, 9],
    "senses": [0, 1, 7],
    "part_starts": [0, 3, 3, 3, 2**31],
    "synset_offsets": [5],
    "hypernym_starts": [0, 1, 1],
    "hypernyms": [3],
    "antonyms": [0, 0, 9, 1],
    "lemma_bytes": [0xFF] * 11,
    "spelled_starts": [0, 9],
    "spelled_senses": [1, 2],
}


@pytest.mark.parametrize(("name", "values"), WORDNETS.items(), ids=WORDNETS)
def test_a_wordnet_is_not_trusted(name: str, values: list[int], tmp_path: Path) -> None:
    arrays = small_wordnet()
    path = tmp_path / "wordnet.bin"
    path.write_bytes(wordnet_file({**arrays, name: np.array(values, arrays[name].dtype)}))
    with pytest.raises(DataError, match="not a wordnet of this nlgauge"):
        read_wordnet(path)


def test_broken_arrays_of_numpy(tmp_path: Path) -> None:
    path = tmp_path / "v.npy"
    path.with_suffix(".words").write_text("a\nb\n")
    np.save(path, np.ones((2, 2)))
    whole = path.read_bytes()
    headers = [whole[:30], whole[:100], whole[:-4], whole.replace(b"(2, 2)", b"(2, 9)")]
    pickled = tmp_path / "pickled.npy"
    np.save(pickled, np.array([{}, {}], object), allow_pickle=True)
    for data in [*headers, pickled.read_bytes(), whole.replace(b"'descr'", b"('descr'")]:
        path.write_bytes(data)
        with pytest.raises(DataError, match=r"v\.npy"):
            read_vectors(str(path))


def test_broken_archives_of_numpy(tmp_path: Path) -> None:
    path = tmp_path / "v.npz"
    np.savez(path, words=np.array(["a", "b"]), vectors=np.ones((2, 2)))
    whole = path.read_bytes()
    for data in (
        whole[:60],
        whole[:-30],
        b"PK\3\4" + bytes(60),
        whole.replace(b"vectors", b"\0" * 7),
    ):
        path.write_bytes(data)
        with pytest.raises(DataError, match=r"v\.npz"):
            read_vectors(str(path))
    for words in (np.array([["a", "b"]]), np.array([1, 2])):
        np.savez(path, words=words, vectors=np.ones((2, 2)))
        with pytest.raises(DataError, match="array of str"):
            read_vectors(str(path))


def test_no_file_stays_open(small_encoder: Any) -> None:
    from nlgauge.models.cache.embeddings import Embeddings

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        store = Embeddings(small_encoder)
        store.encoded(["abc"], [1])
        del store
        gc.collect()
    assert [w for w in seen if issubclass(w.category, ResourceWarning)] == []


@pytest.fixture
def small_encoder() -> Bert:
    weights = random_weights(
        np.random.default_rng(1), words=31, positions=40, width=64, inner=64, layers=1
    )
    return Bert(weights, Letters(), Shape(heads=2), "small")


def test_training_loads_weights_only() -> None:
    folder = Path(__file__).parents[2] / "weights"
    lines = [line for file in folder.glob("*.py") for line in file.read_text().splitlines()]
    loads = [line for line in lines if "torch.load(" in line]
    assert loads and all("weights_only=True" in line for line in loads)


def test_the_wordnet_that_comes_along_is_whole() -> None:
    assert len(wordnet().lexicon) == 147306
    assert native.Lexicon is type(wordnet().lexicon)
