"""Ask a checkpoint of Hugging Face's transformers how probable texts are, by torch.

Models that read from left to right (GPT, Llama) get what is given before the text; those with an
encoder and a decoder (BART, T5) read it with the encoder, as in BARTScore. Padding is masked, and
comes after the text: in single precision, a text's numbers differ by less than 1e-5 in any company.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nlgauge.errors import SpecError
from nlgauge.kernels import Floats, checked_threads
from nlgauge.models.encoders.encoder import batches
from nlgauge.models.encoders.piece_reader import clean
from nlgauge.models.files.checkpoint_folder import CheckpointFolder
from nlgauge.models.files.torch_checkpoint import load_pretrained, on_device
from nlgauge.models.likelihood.token_runs import (
    LIMIT,
    RunReader,
    TokenRun,
    start_token,
    warn_of_lost,
)

TOKENS = 4096  # that are read at once, padding included


def read_checkpoint(
    folder: CheckpointFolder, device: str
) -> LeftToRightModel | EncoderDecoderModel:
    """Read the model of a folder, from these files only."""
    config, tokenizer = load_pretrained(folder, "AutoConfig", "AutoTokenizer")
    # A text must not be able to write the names of special tokens.
    if tokenizer.is_fast:
        tokenizer.backend_tokenizer.encode_special_tokens = True
    if config.is_encoder_decoder:
        (network,) = load_pretrained(folder, "AutoModelForSeq2SeqLM")
        return EncoderDecoderModel(folder.name, on_device(network, device), tokenizer, device)
    (network,) = load_pretrained(folder, "AutoModelForCausalLM")
    return LeftToRightModel(folder.name, on_device(network, device), tokenizer, device)


class LeftToRightModel:
    """This model reads what is given, and then the text."""

    one_run = True

    def __init__(self, name: str, network: Any, tokenizer: Any, device: str) -> None:
        self.name = name
        self._network, self._device = network, device
        end = tokenizer.eos_token_id
        start = start_token(tokenizer.get_vocab().get, [tokenizer.bos_token_id, end])
        if start is None:
            raise SpecError(f"model={name}: its tokeniser has no token that starts a text")

        def encode(text: str) -> list[int]:
            found: list[int] = tokenizer(clean(text), add_special_tokens=False)["input_ids"]
            return found

        positions = getattr(network.config, "max_position_embeddings", None) or LIMIT
        limit = min(LIMIT, int(positions))
        self._reader = RunReader(encode, start, start if end is None else end, limit, name)

    def log_probabilities(
        self, texts: Sequence[str], given: Sequence[str] | None = None, *, threads: int = 1
    ) -> list[Floats]:
        """Read texts of like lengths together."""
        import torch

        torch.set_num_threads(checked_threads(threads))
        runs = self._reader.runs(texts, given)
        found: list[Floats] = [np.empty(0)] * len(runs)
        for batch in batches([len(run.ids) for run in runs], TOKENS):
            for i, logs in zip(batch, self._batch([runs[i] for i in batch]), strict=True):
                found[i] = logs
        return found

    def _batch(self, runs: Sequence[TokenRun]) -> list[Floats]:
        import torch

        ids, mask = padded([run.ids.tolist() for run in runs], 0)
        ids, mask = ids.to(self._device), mask.to(self._device)
        with torch.inference_mode():
            logits = self._network(input_ids=ids, attention_mask=mask).logits[:, :-1]
            logs = chosen_logs(logits, ids[:, 1:])
        return [logs[k, run.first - 1 : len(run.ids) - 1] for k, run in enumerate(runs)]


class EncoderDecoderModel:
    """This model reads what is given with its encoder, and the text with its decoder.

    The tokens of a text are those of its tokeniser with the special ones at the ends, and the mean
    of their logarithms is BARTScore.
    """

    one_run = False

    def __init__(self, name: str, network: Any, tokenizer: Any, device: str) -> None:
        self.name = name
        self._network, self._tokenizer, self._device = network, tokenizer, device
        positions = getattr(network.config, "max_position_embeddings", None) or LIMIT
        self._limit = min(LIMIT, int(positions), int(tokenizer.model_max_length))

    def log_probabilities(
        self, texts: Sequence[str], given: Sequence[str] | None = None, *, threads: int = 1
    ) -> list[Floats]:
        """Read texts of like lengths together, each given another."""
        import torch

        if given is None:
            raise SpecError(
                f"model={self.name}: a model with an encoder says how probable a text is given "
                "another; choose likelihood-src or likelihood-ref, or a model that reads from left "
                "to right"
            )
        torch.set_num_threads(checked_threads(threads))
        own, lost = zip(*map(self._tokens, texts), strict=True) if texts else ((), ())
        other, more = zip(*map(self._tokens, given), strict=True) if texts else ((), ())
        warn_of_lost(map(sum, zip(lost, more, strict=True)), self._limit, self.name)
        found: list[Floats] = [np.empty(0)] * len(own)
        for batch in batches(
            [max(map(len, pair)) for pair in zip(own, other, strict=True)], TOKENS
        ):
            logs = self._batch([own[i] for i in batch], [other[i] for i in batch])
            for i, row in zip(batch, logs, strict=True):
                found[i] = row[: len(own[i])]
        return found

    def _tokens(self, text: str) -> tuple[list[int], int]:
        """Return the tokens of a text, and how many more it has than can be read."""
        ids: list[int] = self._tokenizer(clean(text), truncation=False, verbose=False)["input_ids"]
        ids = ids or [self._tokenizer.eos_token_id]
        lost = max(0, len(ids) - self._limit)
        # As the tokenisers cut: the special token at the end stays.
        return (ids if not lost else [*ids[: self._limit - 1], ids[-1]]), lost

    def _batch(self, own: Sequence[list[int]], other: Sequence[list[int]]) -> Floats:
        import torch

        ids, mask = padded(other, self._network.config.pad_token_id or 0)
        labels, _ = padded(own, -100)
        with torch.inference_mode():
            logits = self._network(
                input_ids=ids.to(self._device),
                attention_mask=mask.to(self._device),
                labels=labels.to(self._device),
            ).logits
            return chosen_logs(logits, labels.clamp(min=0).to(self._device))


def padded(rows: Sequence[Sequence[int]], filler: int) -> tuple[Any, Any]:
    """Return rows of tokens as one tensor, with the filler after the shorter ones, and its mask."""
    import torch

    size = max(map(len, rows))
    ids = torch.tensor([[*row, *[filler] * (size - len(row))] for row in rows])
    mask = torch.tensor([[1] * len(row) + [0] * (size - len(row)) for row in rows])
    return ids, mask


def chosen_logs(logits: Any, ids: Any) -> Floats:
    """Return the logarithms of the probabilities of tokens: [texts, tokens]."""
    import torch

    own = logits.gather(2, ids[:, :, None])[:, :, 0].double()
    found: Floats = (own - torch.logsumexp(logits.double(), 2)).cpu().numpy()
    return found
