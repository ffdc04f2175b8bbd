"""Run any checkpoint of Hugging Face's transformers, by torch, from local files only."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nlgauge.errors import DataError, ResourceMissing
from nlgauge.kernels import checked_threads
from nlgauge.models.encoders.encoder import (
    INSTALL_TRANSFORMERS,
    Pieces,
    States,
    batches,
    check_layers,
    weights_digest,
)
from nlgauge.models.encoders.piece_reader import as_pieces, clean
from nlgauge.models.files.artefacts import check_finite


class TransformersEncoder:
    """This encoder is a checkpoint by path, or by name if a cache of transformers has it."""

    def __init__(self, name: str, shown: str | None = None, *, device: str = "cpu") -> None:
        try:
            import torch
            from transformers import AutoModel, AutoTokenizer
        except ImportError:
            raise ResourceMissing(
                f"model={shown or name}: needs torch and transformers", remedy=INSTALL_TRANSFORMERS
            ) from None
        try:
            self._tokenizer: Any = AutoTokenizer.from_pretrained(name, local_files_only=True)
            model: Any = AutoModel.from_pretrained(name, local_files_only=True)
        except (OSError, ValueError) as error:
            reason = str(error).splitlines()[0]
            raise ResourceMissing(
                f"model={name}: no checkpoint of transformers is there ({reason}); give the folder "
                "of one, as nothing is downloaded"
            ) from None
        if not self._tokenizer.is_fast:
            raise DataError(f"model={name}: its tokeniser has no fast form (tokenizer.json)")
        # Of models with two halves, the one that reads.
        self._model = getattr(model, "encoder", model) if hasattr(model, "decoder") else model
        try:
            self._model = self._model.to(device, torch.float32).eval()
        except (RuntimeError, AssertionError) as error:
            raise DataError(f"device={device}: {error}") from None
        self._device = device
        config = model.config
        self.layers = int(getattr(config, "num_hidden_layers", None) or config.n_layers)
        self.width = int(getattr(config, "hidden_size", None) or config.d_model)
        self.limit = _limit(self._tokenizer, config)
        self._special = int(self._tokenizer.num_special_tokens_to_add())
        unknown = self._tokenizer.unk_token_id
        self._unknown = -1 if unknown is None else int(unknown)
        # The hash of a file that the native core could run is the same for both.
        weights = Path(name) / "model.safetensors"
        digest = weights_digest(weights) if weights.is_file() else _digest(self._model)
        self.name = f"{shown or Path(name).name} {digest}"

    def pieces(self, texts: Iterable[str]) -> list[Pieces]:
        """Return the pieces of each text, as the model's tokeniser has them."""
        return [self._pieces(text) for text in texts]

    def _pieces(self, text: str) -> Pieces:
        read = self._tokenizer(clean(text.strip()), truncation=True, max_length=self.limit)
        return as_pieces(read.encodings[0], text, self._special, self._unknown)

    def encode(
        self, pieces: Sequence[Pieces], layers: Sequence[int], *, threads: int = 1
    ) -> list[States]:
        """Encode texts in batches of like lengths; padding is masked."""
        import torch

        check_layers(self, layers)
        torch.set_num_threads(checked_threads(threads))
        states: list[States] = [np.empty(0, np.float32)] * len(pieces)
        for batch in batches([len(text) for text in pieces]):
            size = len(pieces[batch[0]])
            ids = torch.full((len(batch), size), self._tokenizer.pad_token_id or 0)
            mask = torch.zeros_like(ids)
            for row, i in enumerate(batch):
                ids[row, : len(pieces[i])] = torch.from_numpy(pieces[i].ids.astype(np.int64))
                mask[row, : len(pieces[i])] = 1
            with torch.inference_mode():
                hidden = self._model(
                    input_ids=ids.to(self._device),
                    attention_mask=mask.to(self._device),
                    output_hidden_states=True,
                ).hidden_states
            chosen = torch.stack([hidden[layer] for layer in layers], 1).cpu().numpy()
            for row, i in enumerate(batch):
                states[i] = np.ascontiguousarray(chosen[row, :, : len(pieces[i])])
                check_finite({"a vector": states[i]}, self.name)
        return states


def _limit(tokenizer: Any, config: Any) -> int:
    """Return the limit of the tokeniser, where it has one, or the number of positions."""
    positions = getattr(config, "max_position_embeddings", None) or 1 << 20
    if "roberta" in config.model_type:  # its positions start after that of padding
        positions -= config.pad_token_id + 1
    return int(min(tokenizer.model_max_length, positions))


def _digest(model: Any) -> str:
    """Return what tells the weights from others, whatever file they came in."""
    found = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        found.update(name.encode() + b"\0" + tensor.cpu().numpy().tobytes())
    return found.hexdigest()[:12]
