"""Run a checkpoint of COMET with the package of its authors, unbabel-comet.

A folder is as it was published: `hparams.yaml` and `checkpoints/model.ckpt`. It names the encoder
it was built on; the settings and the tokeniser of that must be in a cache of transformers, or in a
folder that is given. Its own Lightning trainer is left out, and with it the cache of sentence
vectors, which may take one batch for another.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from nlgauge.core.file_cache import FileCache
from nlgauge.errors import DataError, ResourceMissing, fetch
from nlgauge.kernels import Floats
from nlgauge.models.checkpoints.rater import Sample, rated_in_batches
from nlgauge.models.encoders.piece_reader import clean
from nlgauge.models.files.checkpoint_folder import CheckpointFolder, offline
from nlgauge.models.files.torch_checkpoint import on_device

SETTINGS, WEIGHTS = "hparams.yaml", "checkpoints/model.ckpt"
INSTALL = fetch("comet")


class CometModel:
    """A COMET model is a network of the package, with its kind and the device it is on."""

    def __init__(self, network: Any, kind: str, device: str) -> None:
        self.kind = kind  # how the package calls its class
        self._network, self._device = network, device

    @property
    def reads_references(self) -> bool:
        """Return whether the network looks at references where it is given some."""
        segments = self._network.hparams.get("input_segments", ["ref"])
        return self.kind != "referenceless_regression_metric" and "ref" in segments

    def rate(self, samples: Sequence[Sample], *, threads: int = 1) -> Floats:
        """Return the score of each sample, as the package's `predict` has it."""

        def rate(batch: list[Sample]) -> Any:
            texts = [{role: clean(text) for role, text in sample.items()} for sample in batch]
            inputs = self._network.prepare_sample(texts, stage="predict")
            return self._network.predict_step(_moved(inputs, self._device))["scores"]

        return rated_in_batches(samples, rate, threads)


def check_comet(folder: CheckpointFolder) -> None:
    """Refuse to start without the package, or with a folder that is no checkpoint of COMET."""
    for name in (SETTINGS, WEIGHTS):
        if not (folder.path / name).is_file():
            raise ResourceMissing(
                f"model={folder.path}: there is no {name}; give the folder of a checkpoint of COMET"
            )
    if not all(map(find_spec, ("comet", "torch"))):
        raise ResourceMissing(f"model={folder.path}: needs unbabel-comet", remedy=INSTALL)


def find_comet(folder: CheckpointFolder, encoder: str | None, device: str) -> CometModel:
    """Return the model of a folder; nothing is downloaded."""
    check_comet(folder)
    return _models.get([folder.path], str(folder.path), encoder, device)


def _read(path: str, encoder: str | None, device: str) -> CometModel:
    import yaml
    from comet.models import str2model

    kind = _kind(yaml.safe_load, Path(path) / SETTINGS, str2model)
    options: dict[str, Any] = {} if encoder is None else {"pretrained_model": encoder}
    weights = Path(path) / WEIGHTS
    try:
        with offline():
            network = str2model[kind].load_from_checkpoint(
                str(weights),
                map_location="cpu",
                weights_only=True,  # a pickle could run any code
                strict=False,  # older files have numbers of positions beside
                load_pretrained_weights=False,
                local_files_only=True,
                **options,
            )
        missing = sorted(set(network.state_dict()) - _names(weights))
        if missing:
            raise ValueError(f"it lacks {', '.join(missing[:3])}")
    except Exception as error:  # whatever a file that nobody checked leads to
        lines = (str(error) or type(error).__name__).splitlines()
        raise DataError(
            f"{weights}: COMET cannot read it ({' '.join(lines[:2]):.300}); give the folder as it "
            "was published, and encoder=FOLDER if the encoder that it names is in no cache"
        ) from None
    return CometModel(on_device(network, device), kind, device)


def _kind(load: Any, path: Path, known: Any) -> str:
    try:
        kind = load(path.read_text(encoding="utf-8"))["class_identifier"]
    except Exception as error:
        raise DataError(f"{path}: it does not say what it is ({error})") from None
    if kind not in known:
        raise DataError(f"{path}: class_identifier {kind!r} is not one of {', '.join(known)}")
    return str(kind)


def _names(path: Path) -> set[str]:
    """Return the names of the weights in a file, whose numbers stay on disk."""
    import torch

    found = torch.load(path, map_location="cpu", weights_only=True, mmap=True)
    return set(found["state_dict"])


def _moved(inputs: Any, device: str) -> Any:
    """Return what the network reads, with its tensors on a device."""
    if isinstance(inputs, dict):
        return {name: _moved(value, device) for name, value in inputs.items()}
    if isinstance(inputs, (tuple, list)):
        return type(inputs)(_moved(value, device) for value in inputs)
    return inputs.to(device) if hasattr(inputs, "to") else inputs


_models: FileCache[[str, str | None, str], CometModel] = FileCache(_read, most=2)
