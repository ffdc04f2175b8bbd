"""BERT models (Devlin et al., 2019) without torch: the encoder that `minilm` names."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nlgauge.errors import DataError, ResourceMissing
from nlgauge.models.encoders import INSTALL_NEURAL, Pieces, States, check_layers
from nlgauge.models.piece_reader import PieceReader

Weights = Mapping[str, States]  # by the names that checkpoints have, without a leading "bert."


@dataclass(frozen=True)
class Shape:
    """What a configuration says that the weights do not."""

    heads: int
    epsilon: float = 1e-12


class Bert:
    """A BERT model from arrays, which need not be those of a file."""

    def __init__(self, weights: Weights, reader: PieceReader, shape: Shape, name: str) -> None:
        self.weights, self.shape, self.name = dict(weights), shape, name
        self.layers = 0
        while f"encoder.layer.{self.layers}.output.dense.weight" in weights:
            self.layers += 1
        self.width: int = weights["embeddings.word_embeddings.weight"].shape[1]
        self.limit = reader.limit
        self.reader = reader

    @classmethod
    def read(cls, folder: Path, name: str | None = None) -> Bert:
        """A folder with config.json, tokenizer.json and model.safetensors."""
        config = json.loads((folder / "config.json").read_bytes())
        path = folder / "model.safetensors"
        hashed = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
        shape = Shape(config["num_attention_heads"], config.get("layer_norm_eps", 1e-12))
        reader = PieceReader(folder / "tokenizer.json", limit_of(folder, config))
        return cls(read_weights(path), reader, shape, f"{name or folder.name} {hashed}")

    def pieces(self, texts: Iterable[str]) -> list[Pieces]:
        """As the tokeniser of the model has them."""
        return self.reader.pieces(texts)

    def encode(
        self, pieces: Sequence[Pieces], layers: Sequence[int], *, threads: int = 1
    ) -> list[States]:
        """Layers above the highest that is asked for are not computed."""
        check_layers(self, layers)
        return [self._forward(text.ids, layers) for text in pieces]

    def _forward(self, ids: Any, layers: Sequence[int]) -> States:
        from scipy.special import erf

        def linear(x: Any, name: str) -> Any:
            return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

        def norm(x: Any, name: str) -> Any:
            x = x - x.mean(-1, keepdims=True)
            x /= np.sqrt((x * x).mean(-1, keepdims=True) + self.shape.epsilon)
            return x * w[f"{name}.weight"] + w[f"{name}.bias"]

        w, n = self.weights, len(ids)
        x = w["embeddings.word_embeddings.weight"][ids]
        x = x + w["embeddings.token_type_embeddings.weight"][0]
        x = norm(x + w["embeddings.position_embeddings.weight"][:n], "embeddings.LayerNorm")
        states = [x]
        size = self.width // self.shape.heads
        for k in range(max(layers, default=0)):
            at = f"encoder.layer.{k}"
            q, key, v = (
                linear(x, f"{at}.attention.self.{part}").reshape(n, -1, size).transpose(1, 0, 2)
                for part in ("query", "key", "value")
            )
            scores = q @ key.transpose(0, 2, 1) / np.sqrt(np.float32(size))
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            scores /= scores.sum(-1, keepdims=True)
            mixed = (scores @ v).transpose(1, 0, 2).reshape(n, -1)
            x = norm(
                x + linear(mixed, f"{at}.attention.output.dense"),
                f"{at}.attention.output.LayerNorm",
            )
            inner = linear(x, f"{at}.intermediate.dense")
            inner = inner * 0.5 * (1 + erf(inner / np.sqrt(np.float32(2))))
            x = norm(x + linear(inner, f"{at}.output.dense"), f"{at}.output.LayerNorm")
            states.append(x)
        return np.stack([states[layer] for layer in layers])


def limit_of(folder: Path, config: Mapping[str, Any]) -> int:
    """The most pieces of a text: what the tokeniser's settings say, and there are positions for."""
    limit = int(config["max_position_embeddings"])
    settings = folder / "tokenizer_config.json"
    if settings.is_file():
        limit = min(limit, int(json.loads(settings.read_bytes()).get("model_max_length", limit)))
    return limit


def read_weights(path: Path) -> Weights:
    """All arrays of a file, in single precision."""
    try:
        from safetensors.numpy import load_file
    except ImportError:
        raise ResourceMissing(f"{path.name}: cannot be read; run: {INSTALL_NEURAL}") from None
    try:
        found = load_file(path)
    except Exception as error:  # whatever the library raises
        raise DataError(f"{path}: not a file of safetensors ({error})") from None
    return {
        name.removeprefix("bert."): array.astype(np.float32)
        for name, array in found.items()
        if array.dtype.kind == "f"
    }
