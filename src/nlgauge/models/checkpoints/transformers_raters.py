"""Run checkpoints of transformers that rate a text: MetricX (mT5) and BLEURT (an encoder)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nlgauge.core.file_cache import FileCache
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats
from nlgauge.models.checkpoints.rater import Sample, rated_in_batches
from nlgauge.models.encoders.piece_reader import clean
from nlgauge.models.files.checkpoint_folder import CheckpointFolder
from nlgauge.models.files.torch_checkpoint import load_pretrained, on_device
from nlgauge.models.likelihood.token_runs import warn_of_lost
from nlgauge.models.likelihood.transformers_model import padded

LONGEST = 25.0  # the worst rating of MetricX, on the scale of MQM
# What stands before each text, in this order, by version of MetricX.
LAYOUTS = {"23": ("mt", "ref", "src"), "24": ("src", "mt", "ref")}
LABELS = {"mt": "candidate: ", "ref": "reference: ", "src": "source: "}


class MetricX:
    """MetricX is mT5 whose decoder says one token; the logit of a token is the rating."""

    def __init__(
        self, network: Any, tokenizer: Any, name: str, *, version: str, device: str
    ) -> None:
        self._network, self._tokenizer, self._name = network, tokenizer, name
        self._version, self._device = version, device
        self._limit = 1024 if version == "23" else 1536

    def ratings(self, samples: Sequence[Sample], token: int, *, threads: int = 1) -> Floats:
        """Return how bad each sample is, from 0 to 25."""
        import torch

        if not 0 <= token < self._network.config.vocab_size:
            raise SpecError(f"token={token}: {self._name} has {self._network.config.vocab_size}")
        lost: list[int] = []

        def rate(batch: list[Sample]) -> Any:
            rows = []
            for sample in batch:
                parts = (role for role in LAYOUTS[self._version] if role in sample)
                text = " ".join(LABELS[role] + clean(sample[role]) for role in parts)
                ids = self._tokenizer(text, verbose=False)["input_ids"]
                # The authors cut first, and then leave out the token at the end.
                lost.append(max(0, len(ids) - self._limit))
                rows.append(ids[: min(len(ids), self._limit) - 1])
            ids, mask = padded(rows, self._network.config.pad_token_id or 0)
            start = torch.zeros((len(batch), 1), dtype=torch.long, device=self._device)
            logits = self._network(
                input_ids=ids.to(self._device),
                attention_mask=mask.to(self._device),
                decoder_input_ids=start,
            ).logits
            return logits[:, 0, token].clamp(0, LONGEST)

        found = rated_in_batches(samples, rate, threads)
        warn_of_lost(lost, self._limit, self._name)
        return found


class PairClassifier:
    """This encoder reads a reference and a text, and has one number to say of them."""

    def __init__(self, network: Any, tokenizer: Any, name: str, *, device: str) -> None:
        if network.config.num_labels != 1:
            raise SpecError(f"model={name}: it has {network.config.num_labels} labels, and not one")
        self._network, self._tokenizer, self._name = network, tokenizer, name
        self._device = device
        self._limit = min(512, int(tokenizer.model_max_length))

    def rate(self, samples: Sequence[Sample], *, threads: int = 1) -> Floats:
        """Return what the network says of references and texts."""
        lost: list[int] = []

        def rate(batch: list[Sample]) -> Any:
            texts = [[clean(sample[role]) for sample in batch] for role in ("ref", "mt")]
            sizes = self._tokenizer(*texts, verbose=False)["input_ids"]
            lost.extend(max(0, len(ids) - self._limit) for ids in sizes)
            inputs = self._tokenizer(
                *texts, padding=True, truncation=True, max_length=self._limit, return_tensors="pt"
            )
            return self._network(**inputs.to(self._device)).logits[:, 0]

        found = rated_in_batches(samples, rate, threads)
        warn_of_lost(lost, self._limit, self._name)
        return found


def find_metricx(folder: CheckpointFolder, version: str, device: str) -> MetricX:
    """Return the MetricX of a folder; `version` says what it reads."""
    return _metricx.get([folder.path], str(folder.path), version, device)


def find_classifier(folder: CheckpointFolder, device: str) -> PairClassifier:
    """Return the encoder of a folder that says one number of two texts."""
    return _classifiers.get([folder.path], str(folder.path), device)


def _read_metricx(path: str, version: str, device: str) -> MetricX:
    folder = CheckpointFolder.at(Path(path))
    network, tokenizer = load_pretrained(folder, "MT5ForConditionalGeneration", "AutoTokenizer")
    network = on_device(network, device)
    return MetricX(network, tokenizer, folder.name, version=version, device=device)


def _read_classifier(path: str, device: str) -> PairClassifier:
    folder = CheckpointFolder.at(Path(path))
    names = ("AutoModelForSequenceClassification", "AutoTokenizer")
    network, tokenizer = load_pretrained(folder, *names)
    return PairClassifier(on_device(network, device), tokenizer, folder.name, device=device)


_metricx: FileCache[[str, str, str], MetricX] = FileCache(_read_metricx, most=2)
_classifiers: FileCache[[str, str], PairClassifier] = FileCache(_read_classifier, most=2)
