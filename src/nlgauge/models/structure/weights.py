"""Read the file of the structure models: what training changed in the encoder, as whole numbers
with a scale for each row, and the heads. The encoder itself comes with the package that `minilm`
names.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.errors import ResourceMissing
from nlgauge.kernels import native
from nlgauge.models.encoders.bert import native_bert, read_settings, read_weights, shape_of
from nlgauge.models.encoders.changes import TYPES, tuned
from nlgauge.models.encoders.encoder import INSTALL_NEURAL
from nlgauge.models.files.artefacts import check_finite, header_of, reading
from nlgauge.models.files.shipped import shipped_file
from nlgauge.models.files.tensor_file import read_tensors

Floats = npt.NDArray[np.float32]
FILE = "structure-en.safetensors"
REMEDY = "install nlgauge again, or export the model again"


@dataclass(frozen=True, eq=False)
class StructureWeights:
    """These weights are one file, beside the folder of the encoder that it was made for."""

    base: Path
    name: str  # as it stands in signatures
    tags: list[str]
    labels: list[str]
    roles: list[str]
    reach: int  # words from a predicate after which distances are all alike
    arrays: dict[str, npt.NDArray[Any]]

    @classmethod
    def read(cls, base: Path, path: Path | None = None) -> StructureWeights:
        """Read the weights, and refuse another encoder than the one they were made for."""
        path = path or shipped_file(FILE)
        info, arrays = _read(path)
        given = hashlib.sha256((base / "model.safetensors").read_bytes()).hexdigest()
        if given != info["base"]:
            raise ResourceMissing(
                f"{base}: not the encoder that {path.name} was made for ({info['base'][:12]})",
                remedy=f"{INSTALL_NEURAL} --again",
            )
        own = hashlib.sha256(path.read_bytes()).hexdigest()
        name = f"structure-en {own[:12]} all-MiniLM-L6-v2 {given[:12]}"
        parts = {part: info[part] for part in ("tags", "labels", "roles", "reach")}
        return cls(base, name, arrays=arrays, **parts)

    def encoder(self) -> tuple[native.Bert, int, int]:
        """Return the tuned encoder, the number of its layers, and the most pieces that it takes."""
        config = read_settings(self.base / "config.json")
        weights = tuned(read_weights(self.base / "model.safetensors"), self.arrays)
        layers = int(config["num_hidden_layers"])
        bert = native_bert(weights, layers, shape_of(config))
        # The native encoder has the first segment in its positions.
        bert.set_kinds(as_float(self.arrays[TYPES] - weights[TYPES][0]))
        return bert, layers, int(config["max_position_embeddings"])

    def table(self, name: str) -> Floats:
        """Return a matrix of one vector a row."""
        return as_float(self.arrays[f"{name}.weight"])

    def projection(self, *names: str) -> native.Projection:
        """Return linear layers that see the same rows as one, padded for the native core."""
        weight = np.concatenate([self.table(name) for name in names])
        bias = np.concatenate([self._bias(name) for name in names])
        more = -len(weight) % 16
        return native.Projection(np.pad(weight, ((0, more), (0, 0))), np.pad(bias, (0, more)))

    def span_scores(self, name: str) -> native.SpanScores:
        """Return the last layer of a head that scores spans."""
        return native.SpanScores(self.table(name), self._bias(name))

    def _bias(self, name: str) -> Floats:
        found = self.arrays.get(f"{name}.bias")
        return np.zeros(len(self.table(name)), np.float32) if found is None else as_float(found)


def as_float(array: Any) -> Floats:
    """Return an array in single precision, as the native core takes it."""
    return np.ascontiguousarray(array, np.float32)


def _read(path: Path) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Return what the file says about itself, and its arrays."""
    about, arrays = read_tensors(path)
    check_finite(arrays, path)
    with reading(path, "not a structure model", REMEDY):
        info = header_of(about["structure"])
        for part in ("tags", "labels", "roles"):
            if not all(isinstance(name, str) for name in [*info[part]]):
                raise ValueError(f"its {part} are no names")
        if type(info["reach"]) is not int or not isinstance(info["base"], str):
            raise ValueError("reach and base are missing")
        return info, arrays
