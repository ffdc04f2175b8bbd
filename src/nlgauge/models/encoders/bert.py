"""Run BERT models (Devlin et al., 2019) without torch, such as the one that `minilm` names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from nlgauge.errors import DataError
from nlgauge.kernels import checked_threads, native
from nlgauge.models.encoders.encoder import Pieces, States, check_layers, weights_digest
from nlgauge.models.encoders.piece_reader import PieceReader, find_piece_reader
from nlgauge.models.files.artefacts import check_finite, header_of, reading
from nlgauge.models.files.tensor_file import read_tensors

_MOST_PIECES = 1 << 20
_FETCH = "fetch the model again"
Weights = Mapping[str, States]  # by the names that checkpoints have, without a leading "bert."


@dataclass(frozen=True)
class Shape:
    """A shape is what a configuration says that the weights do not."""

    heads: int
    epsilon: float = 1e-12


class Bert:
    """A BERT model is made from arrays, which need not be those of a file."""

    def __init__(self, weights: Weights, reader: PieceReader, shape: Shape, name: str) -> None:
        self.weights, self.shape, self.name = dict(weights), shape, name
        self.layers = 0
        while f"encoder.layer.{self.layers}.output.dense.weight" in weights:
            self.layers += 1
        table = weights.get("embeddings.word_embeddings.weight")
        if table is None:
            raise DataError(f"{name}: its weights are not those of a BERT model")
        self.width: int = table.shape[1]
        self.limit = reader.limit
        self.reader = reader

    @classmethod
    def read(cls, folder: Path, name: str) -> Bert:
        """Read a folder with config.json, tokenizer.json and model.safetensors."""
        config, path = read_settings(folder / "config.json"), folder / "model.safetensors"
        weights = read_weights(path)
        with reading(folder / "config.json", "does not describe a BERT model", _FETCH):
            shape = shape_of(config)
            limit = limit_of(folder, config)
        reader = find_piece_reader(folder / "tokenizer.json", limit)
        found = cls(weights, reader, shape, f"{name} {weights_digest(path)}")
        if found.layers != config.get("num_hidden_layers"):
            raise DataError(f"{path}: has {found.layers} layers, not what config.json says")
        return found

    def pieces(self, texts: Iterable[str]) -> list[Pieces]:
        """Return the pieces of each text, as the model's tokeniser has them."""
        return self.reader.pieces(texts)

    def encode(
        self, pieces: Sequence[Pieces], layers: Sequence[int], *, threads: int = 1
    ) -> list[States]:
        """Encode texts, without computing layers above the highest that is asked for."""
        check_layers(self, layers)
        starts = np.cumsum([0, *map(len, pieces)], dtype=np.int64)
        ids = np.concatenate([np.empty(0, np.int32), *(text.ids for text in pieces)])
        threads = checked_threads(threads)
        with reading(self.name, "its tokeniser and its weights do not fit each other", _FETCH):
            states = self._native.encode(ids, starts, list(layers), threads=threads)
        check_finite({"a vector": states}, self.name)
        return [states[:, i:j] for i, j in pairwise(starts)]

    @cached_property
    def _native(self) -> native.Bert:
        with reading(self.name, "its weights are not those of a BERT model", _FETCH):
            return native_bert(self.weights, self.layers, self.shape)


def native_bert(weights: Weights, layers: int, shape: Shape) -> native.Bert:
    """Return the weights as the native core has them."""

    def pair(name: str) -> tuple[States, States]:
        return array(f"{name}.weight"), array(f"{name}.bias")

    def array(name: str) -> States:
        return np.ascontiguousarray(weights[name], np.float32)

    # All pieces are of the first segment.
    positions = array("embeddings.position_embeddings.weight")
    positions = positions + array("embeddings.token_type_embeddings.weight")[0]
    words = array("embeddings.word_embeddings.weight")
    norm = pair("embeddings.LayerNorm")
    bert = native.Bert(words, positions, *norm, heads=shape.heads, epsilon=shape.epsilon)
    for k in range(layers):
        at = f"encoder.layer.{k}"
        projections = [pair(f"{at}.attention.self.{part}") for part in ("query", "key", "value")]
        bert.add_layer(
            *(np.concatenate(parts) for parts in zip(*projections, strict=True)),
            *pair(f"{at}.attention.output.dense"),
            *pair(f"{at}.attention.output.LayerNorm"),
            *pair(f"{at}.intermediate.dense"),
            *pair(f"{at}.output.dense"),
            *pair(f"{at}.output.LayerNorm"),
        )
    return bert


def limit_of(folder: Path, config: Mapping[str, Any]) -> int:
    """Return the most pieces of a text that the tokeniser's settings and the positions allow."""
    limit = int(config["max_position_embeddings"])
    settings = folder / "tokenizer_config.json"
    if settings.is_file():
        limit = min(limit, int(read_settings(settings).get("model_max_length", limit)))
    if not 2 < limit <= _MOST_PIECES:
        raise ValueError(f"a limit of {limit} pieces")
    return limit


def shape_of(config: Mapping[str, Any]) -> Shape:
    """Return what the native core has to know beside the weights."""
    heads, epsilon = config["num_attention_heads"], config.get("layer_norm_eps", 1e-12)
    if type(heads) is not int or heads < 1 or not 0 < float(epsilon) < 1:
        raise ValueError(f"{heads} heads, layer_norm_eps {epsilon}")
    return Shape(heads, float(epsilon))


def read_settings(path: Path) -> dict[str, Any]:
    """Read a JSON file that stands beside the weights."""
    with reading(path, "not the settings of a model", _FETCH):
        return header_of(path.read_bytes())


def read_weights(path: Path) -> Weights:
    """Read all numbers of a file of safetensors, in single precision."""
    _, arrays = read_tensors(path)
    check_finite(arrays, path)
    return {
        _named(name): array.astype(np.float32, copy=False)
        for name, array in arrays.items()
        if array.dtype.kind == "f"
    }


def _named(name: str) -> str:
    """Return the name that newer checkpoints give an array."""
    name = name.removeprefix("bert.")
    return name.replace("Norm.gamma", "Norm.weight").replace("Norm.beta", "Norm.bias")
