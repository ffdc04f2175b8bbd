"""Files of trained metrics: they come back as written, and what does not fit is refused by name."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file, save_file
from support.golden_files import GOLDEN

from nlgauge import Corpus, DataError, ResourceMissing
from nlgauge.core import options, registry
from nlgauge.models.files.tensor_file import read_tensors, write_tensors
from nlgauge.models.files.trained_model import read_model, write_model

HEADER: dict[str, Any] = {
    "metric": "blend",
    "options": {},
    "features": [["bleu|rev:1", None], ["ter|rev:2", "num_edits"]],
    "data": [{"name": "wmt15", "sha256": "0" * 64, "licence": "MIT", "rows": 2000}],
    "split": {"group": "source", "folds": 5},
    "figures": [{"on": "test", "name": "model", "value": 0.6, "interval": [0.57, 0.63]}],
    "encoder": "all-MiniLM-L6-v2 53aa51172d14",
}
ARRAYS = {"weights": np.array([0.25, -1 / 3]), "scale": np.ones((2, 2), np.float32)}


def written(folder: Path, **changes: Any) -> str:
    path = folder / "blend.safetensors"
    write_model(path, {**HEADER, **changes}, ARRAYS)
    return str(path)


def test_a_model_comes_back_as_written(tmp_path: Path) -> None:
    model = read_model(written(tmp_path), "blend")
    assert model.features == [("bleu|rev:1", None), ("ter|rev:2", "num_edits")]
    assert model.header["data"] == HEADER["data"]
    assert model.array("weights", 1).tolist() == ARRAYS["weights"].tolist()
    model.check_encoder("all-MiniLM-L6-v2 53aa51172d14")
    assert model.name.startswith("blend.safetensors ")


def test_the_same_model_is_the_same_file(tmp_path: Path) -> None:
    first = Path(written(tmp_path)).read_bytes()
    turned = dict(reversed(HEADER.items()))
    write_model(tmp_path / "b.safetensors", turned, dict(reversed(ARRAYS.items())))
    assert (tmp_path / "b.safetensors").read_bytes() == first


KINDS = st.sampled_from(["f8", "f4", "f2", "i8", "i4", "i1", "u1"])
SHAPES = st.lists(st.integers(0, 3), max_size=3)


@given(st.dictionaries(st.text("abc", min_size=1, max_size=3), st.tuples(KINDS, SHAPES)))
@settings(max_examples=30)
def test_files_are_those_of_the_safetensors_package(tmp_path_factory, drawn) -> None:
    folder = tmp_path_factory.mktemp("tensors")
    arrays = {n: np.full(shape, 3).astype(kind) for n, (kind, shape) in drawn.items()}
    write_tensors(folder / "ours", {"about": "é"}, arrays)
    theirs = load_file(folder / "ours")
    assert {n: (a.dtype, a.tolist()) for n, a in theirs.items()} == {
        n: (a.dtype, a.tolist()) for n, a in arrays.items()
    }
    save_file(arrays, folder / "theirs", metadata={"about": "é"})
    about, read = read_tensors(folder / "theirs")
    assert about == {"about": "é"}
    assert {n: a.tolist() for n, a in read.items()} == {n: a.tolist() for n, a in arrays.items()}


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    with pytest.raises(DataError, match="a model of blend, and ruse needs one of its own"):
        read_model(path, "ruse")
    model = read_model(path, "blend")
    with pytest.raises(ResourceMissing, match="trained with the encoder all-MiniLM"):
        model.check_encoder("bert-base 0123")
    with pytest.raises(DataError, match=r"array weights is of shape .*nlgauge train blend"):
        model.array("weights", 2)
    with pytest.raises(DataError, match="array bias is missing"):
        model.array("bias", 1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"features": [["bleu"]]}, "features are not signatures"),
        ({"data": None}, "no data"),
        ({"figures": {}}, "no figures"),
        ({"figures": [{"name": "model", "value": 1.0}]}, "lack `on`"),
    ],
)
def test_headers_are_checked_when_written(tmp_path: Path, changes, message) -> None:
    with pytest.raises(ValueError, match=message):
        written(tmp_path, **changes)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({}, "no model of a metric"),
        ({"nlgauge": "[]"}, "no JSON object"),
        ({"nlgauge": json.dumps({**HEADER, "format": 2, "versions": {}})}, "reads 1"),
        ({"nlgauge": "{"}, "no model of a metric"),
    ],
)
def test_foreign_files_are_refused(tmp_path: Path, about, message) -> None:
    path = tmp_path / "x.safetensors"
    write_tensors(path, about, ARRAYS)
    with pytest.raises(DataError, match=f"{message}.*give a file that `nlgauge train` wrote"):
        read_model(str(path), "blend")


def test_numbers_are_finite(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="weights holds a number that is not finite"):
        write_model(tmp_path / "x", HEADER, {"weights": np.array([np.nan])})
    write_model(tmp_path / "x", HEADER, {"weights": np.array([1.0])})
    content = (tmp_path / "x").read_bytes()
    (tmp_path / "x").write_bytes(content[:-8] + np.array([np.inf]).tobytes())
    with pytest.raises(DataError, match="weights holds a number that is not finite"):
        read_model(str(tmp_path / "x"), "blend")
    (tmp_path / "x").write_bytes(content[:-3])
    with pytest.raises(DataError, match="not a file of safetensors"):
        read_model(str(tmp_path / "x"), "blend")
    with pytest.raises(ResourceMissing, match=r"model=.*missing"):
        read_model(str(tmp_path / "missing"), "blend")


def test_a_model_whose_numbers_are_too_large_gives_no_score(tmp_path: Path) -> None:
    """Weights of both signs times features over tiny scales are infinity less infinity."""
    content = (GOLDEN / "models" / "nneval.safetensors").read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    names = json.loads(content[8:start])
    weights, scale = (
        slice(*(start + place for place in names[name]["data_offsets"]))
        for name in ("layer.0.weight", "scale")
    )
    damaged = bytearray(content)
    damaged[scale] = np.full(4, 1e-300).tobytes()
    damaged[weights] = np.tile(np.array([3e38, -3e38], np.float32), 144).tobytes()
    path = tmp_path / "large.safetensors"
    path.write_bytes(damaged)
    spec = f"nneval(inputs=meteor:cider:bleu-1:bleu-4,model={options.encode(str(path))})"
    corpus = Corpus.build(["a cat on a mat"], [["the cat is on the mat"]])
    with (
        np.errstate(all="ignore"),
        pytest.raises(DataError, match="score of segment 1 of system is no number"),
    ):
        registry.metric(spec).rows(corpus)
