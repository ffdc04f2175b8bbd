"""The one file format of trained metrics and baselines: arrays as safetensors, and a header that
tells where they come from. A file that does not fit the metric is refused by name.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy.typing as npt

from nlgauge.core.file_cache import FileCache
from nlgauge.core.resources import read_resource
from nlgauge.errors import DataError, ResourceMissing
from nlgauge.models.files.artefacts import check_finite, header_of, reading
from nlgauge.models.files.tensor_file import read_tensors, write_tensors
from nlgauge.version import __version__

HEADER = "nlgauge"  # where the header stands among what safetensors say about themselves
FORMAT = 1
# What every header has: for which metric, fitted to what, and how well that went.
FIELDS: dict[str, type] = {
    "format": int,
    "metric": str,  # its name in the registry
    "options": dict,  # of the metric that was trained
    "features": list,  # signatures and parts of the metrics that the model looks at
    "data": list,  # files it was fitted to: name, sha256, licence, rows
    "split": dict,  # how what was held out was chosen
    # What was measured: on what, name, value, maybe measure and interval; beside the control.
    "figures": list,
    "versions": dict,
}
# Models that are no metrics have a command of their own.
COMMANDS = {
    "language-model": "nlgauge train lm TEXT -o FILE",
    "fergus": "nlgauge baseline fergus TREES --train TREEBANK --save FILE",
    "fb": "nlgauge baseline fb DOCUMENTS --train MARKED --save FILE",
    "rerank": "nlgauge baseline rerank LISTS --train LISTS --train-references REF --save FILE",
}


def training_command(metric: str) -> str:
    """Return the command that makes the model of a metric or baseline."""
    return COMMANDS.get(metric, f"nlgauge train {metric} ... -o FILE")


@dataclass(frozen=True, eq=False)
class TrainedModel:
    """A trained model has arrays, and a header about them."""

    path: str
    name: str  # the file and the hash of its contents, for signatures
    header: Mapping[str, Any]
    arrays: Mapping[str, npt.NDArray[Any]]

    @property
    def features(self) -> list[tuple[str, str | None]]:
        """Return signatures of the metrics that the model looks at, each with a part or None."""
        return [(signature, part) for signature, part in self.header["features"]]

    def array(self, name: str, dimensions: int) -> npt.NDArray[Any]:
        """Return an array of so many dimensions, or refuse the file."""
        found = self.arrays.get(name)
        if found is None or found.ndim != dimensions:
            shape = "missing" if found is None else f"of shape {found.shape}"
            raise self.unfit(f"its array {name} is {shape}")
        return found

    def check_encoder(self, name: str) -> None:
        """Refuse another encoder than the one that the model was trained with."""
        needed = self.header.get("encoder")
        if needed != name:
            raise ResourceMissing(
                f"{self.path}: trained with the encoder {needed}, and this one is {name}; give the "
                f"encoder it was trained with, or train it again: nlgauge train {self.metric} ..."
            )

    @property
    def metric(self) -> str:
        """Return the name of the metric that the model is for."""
        return str(self.header["metric"])

    def unfit(self, problem: str) -> DataError:
        """Return the error about a file that is no usable model of its metric."""
        return DataError(f"{self.path}: {problem}; train it again: {training_command(self.metric)}")


def write_model(
    path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]
) -> None:
    """Write a model whose header has all of FIELDS but the format and the version."""
    versions = {"nlgauge": __version__, **header.get("versions", {})}
    full = {**header, "format": FORMAT, "versions": versions}
    _check_header(full)
    check_finite(arrays, path)
    text = json.dumps(full, ensure_ascii=False, allow_nan=False, sort_keys=True)
    write_tensors(path, {HEADER: text}, arrays)


def read_model(path: str, metric: str, *, option: str = "model") -> TrainedModel:
    """Read the model of a metric; `option` is how messages call what the file was given as."""
    found = read_any_model(path, option=option)
    if found.metric != metric:
        raise DataError(
            f"{path}: a model of {found.metric}, and {metric} needs one of its own; "
            f"train it: {training_command(metric)}"
        )
    return found


def read_any_model(path: str, *, option: str = "model") -> TrainedModel:
    """Read a model, whatever metric it is for."""
    found: TrainedModel = _MODELS.get([path], option, path)
    return found


def _read(option: str, path: str) -> TrainedModel:
    content = read_resource(option, path)
    remedy = "give a file that `nlgauge train` wrote, or `nlgauge baseline`"
    about, arrays = read_tensors(Path(path))
    with reading(path, "no model of a metric", remedy):
        header = header_of(about[HEADER])
        _check_header(header)
    check_finite(arrays, path)
    name = f"{Path(path).name} {hashlib.sha256(content).hexdigest()[:12]}"
    return TrainedModel(path, name, header, arrays)


_MODELS: FileCache[[str, str], TrainedModel] = FileCache(_read, most=16)


def _check_header(header: Mapping[str, Any]) -> None:
    for name, kind in FIELDS.items():
        if type(header.get(name)) is not kind:
            raise ValueError(f"its header has no {name}")
    if header["format"] != FORMAT:
        raise ValueError(f"its format is {header['format']}, and this nlgauge reads {FORMAT}")
    if not all(map(_is_figure, header["figures"])):
        raise ValueError("its figures lack `on`, `name` or `value`")
    if not all(map(_is_feature, header["features"])):
        raise ValueError("its features are not signatures and parts of metrics")


def _is_figure(entry: Any) -> bool:
    return isinstance(entry, dict) and entry.keys() >= {"on", "name", "value"}


def _is_feature(entry: Any) -> bool:
    return (
        isinstance(entry, Sequence)
        and not isinstance(entry, str)
        and len(entry) == 2
        and isinstance(entry[0], str)
        and isinstance(entry[1], str | None)
    )
