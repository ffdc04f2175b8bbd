"""Any checkpoint of Hugging Face's transformers, by torch; local files only."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nlgauge.errors import DataError, ResourceMissing
from nlgauge.models.encoders import INSTALL_TRANSFORMERS, Pieces, States, batches, check_layers


class TransformersEncoder:
    """A model and its tokeniser by path, or by name if a cache of transformers has it."""

    def __init__(self, name: str, *, device: str = "cpu") -> None:
        try:
            import torch
            from transformers import AutoModel, AutoTokenizer
        except ImportError:
            raise ResourceMissing(
                f"model={name}: needs torch and transformers; run: {INSTALL_TRANSFORMERS}"
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
        self.name = f"{Path(name).name} {_digest(self._model)}"

    def pieces(self, texts: Iterable[str]) -> list[Pieces]:
        """As the tokeniser of the model has them."""
        return [self._pieces(text) for text in texts]

    def _pieces(self, text: str) -> Pieces:
        start = len(text) - len(text.lstrip())
        text = text.strip().encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        encodings = self._tokenizer(
            text, truncation=True, max_length=self.limit, return_offsets_mapping=True
        ).encodings
        found = encodings[0]
        words = np.array([-1 if word is None else word for word in found.word_ids], np.int32)
        spans = np.array(found.offsets, np.int32).reshape(-1, 2)
        spans[words >= 0] += start
        special = int((words < 0).sum())
        return Pieces(
            ids=np.array(found.ids, np.int32),
            strings=tuple(found.tokens),
            words=words,
            spans=spans,
            lost=sum(len(part.ids) - special for part in found.overflowing),
        )

    def encode(
        self, pieces: Sequence[Pieces], layers: Sequence[int], *, threads: int = 1
    ) -> list[States]:
        """In batches of like lengths; padding is masked."""
        import torch

        check_layers(self, layers)
        torch.set_num_threads(max(1, threads))
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
        return states


def _limit(tokenizer: Any, config: Any) -> int:
    """The tokeniser's, where it has one, and the number of positions."""
    positions = getattr(config, "max_position_embeddings", None) or 1 << 20
    return int(min(tokenizer.model_max_length, positions))


def _digest(model: Any) -> str:
    """What tells the weights from others, whatever file they came in."""
    found = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        found.update(name.encode() + b"\0" + tensor.cpu().numpy().tobytes())
    return found.hexdigest()[:12]
