"""Run a Llama model in NumPy, one text at a time, in single precision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nlgauge.kernels import Floats
from nlgauge.models.likelihood.token_runs import TokenRun

Singles = npt.NDArray[np.float32]
# Tokens whose probabilities, or what they take from others, are computed at once: a number for each
# word of the model, or each token before. NumPy hears Ctrl-C between two steps only.
BLOCK = 64
_NAMES = (
    *("attn_norm", "attn_q", "attn_k", "attn_v", "attn_output"),
    *("ffn_norm", "ffn_gate", "ffn_up", "ffn_down"),
)


@dataclass(frozen=True)
class LlamaShape:
    """This is the shape of a Llama model, as its file has it."""

    layers: int
    width: int
    inner: int
    heads: int
    key_heads: int  # each is shared by several heads
    head: int  # numbers of a head
    epsilon: float
    base: float  # of the wavelengths of positions

    def check(self, weights: Mapping[str, Singles]) -> None:
        """Refuse weights that are not those of such a model, or more than these."""
        inside, keys = self.heads * self.head, self.key_heads * self.head
        if self.heads % self.key_heads or self.head % 2:
            raise ValueError(f"{self.heads} heads of {self.head} numbers, {self.key_heads} of keys")
        words = len(weights["token_embd.weight"])
        sizes = ((self.width,), (inside, self.width), (keys, self.width), (keys, self.width))
        more = ((self.width, inside), (self.width,), *[(self.inner, self.width)] * 2)
        each = dict(zip(_NAMES, (*sizes, *more, (self.width, self.inner)), strict=True))
        shapes: dict[str, tuple[int, ...]] = {
            f"blk.{k}.{name}.weight": size
            for k in range(self.layers)
            for name, size in each.items()
        }
        shapes["token_embd.weight"] = shapes["output.weight"] = (words, self.width)
        shapes["output_norm.weight"] = (self.width,)
        for name in shapes.keys() | weights.keys():
            if name == "output.weight" and name not in weights:
                continue  # words are read and written by the same numbers
            found = weights[name].shape if name in weights else "missing"
            if found != shapes.get(name):
                raise ValueError(f"{name} is {found}, and not {shapes.get(name, 'of a Llama')}")


class LlamaNetwork:
    """A Llama network reads tokens from left to right."""

    def __init__(self, shape: LlamaShape, weights: Mapping[str, Singles]) -> None:
        shape.check(weights)
        self.shape = shape
        self._weights = weights
        self._words = weights["token_embd.weight"]
        self._output = weights.get("output.weight", self._words)

    def log_probabilities(self, run: TokenRun) -> Floats:
        """Return the logarithms of the probabilities of a run's tokens from its first on."""
        hidden = self._hidden(run.ids)[run.first - 1 : -1]
        wanted = run.ids[run.first :]
        found = np.empty(len(wanted))
        for at in range(0, len(wanted), BLOCK):
            part = wanted[at : at + BLOCK]
            logits = hidden[at : at + BLOCK] @ self._output.T
            logits -= logits.max(axis=1, keepdims=True)
            sums = np.exp(logits).sum(axis=1, dtype=np.float64)
            found[at : at + BLOCK] = logits[np.arange(len(part)), part] - np.log(sums)
        return found

    def _hidden(self, ids: npt.NDArray[np.int64]) -> Singles:
        """Return what the last layer says at each token: [tokens, width]."""
        shape, size = self.shape, len(ids)
        powers = shape.base ** (-np.arange(0, shape.head, 2) / shape.head)
        angles = np.arange(size)[:, None, None] * powers
        turns = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
        state = self._words[ids]
        for k in range(shape.layers):
            own = {name: self._weights[f"blk.{k}.{name}.weight"] for name in _NAMES}
            state = state + self._attended(self._normed(state, own["attn_norm"]), own, turns)
            hidden = self._normed(state, own["ffn_norm"])
            gate = hidden @ own["ffn_gate"].T
            # The exponential of a large number is infinite here, and the gate then 0, as it is.
            with np.errstate(over="ignore"):
                gate /= np.float32(1) + np.exp(-gate)
            gated = gate * (hidden @ own["ffn_up"].T)
            state = np.add(state, gated @ own["ffn_down"].T, dtype=np.float32)
        return self._normed(state, self._weights["output_norm.weight"])

    def _attended(
        self, hidden: Singles, own: Mapping[str, Singles], turns: tuple[Singles, Singles]
    ) -> Singles:
        """Return what each token takes from those up to it."""
        shape, size = self.shape, len(hidden)
        queries, keys, values = (
            (hidden @ own[name].T).reshape(size, -1, shape.head)
            for name in ("attn_q", "attn_k", "attn_v")
        )
        # [heads of keys, heads that share one, tokens, numbers]
        asked = (
            _turned(queries, *turns)
            .transpose(1, 0, 2)
            .reshape(shape.key_heads, -1, size, shape.head)
        )
        keys = _turned(keys, *turns).transpose(1, 2, 0)[:, None]
        values = values.transpose(1, 0, 2)[:, None]
        later = np.triu(np.full((BLOCK, BLOCK), -np.inf, np.float32), 1)
        taken = np.empty_like(asked)
        for at in range(0, size, BLOCK):
            end = min(at + BLOCK, size)
            weights = asked[:, :, at:end] @ keys[..., :end]
            weights /= np.float32(shape.head**0.5)
            weights[..., at:] += later[: end - at, : end - at]
            weights = np.exp(weights - weights.max(axis=-1, keepdims=True))
            weights /= weights.sum(axis=-1, keepdims=True)
            taken[:, :, at:end] = weights @ values[:, :, :end]
        by_head = taken.reshape(shape.heads, size, shape.head)
        mixed: Singles = by_head.transpose(1, 0, 2).reshape(size, -1) @ own["attn_output"].T
        return mixed

    def _normed(self, state: Singles, weight: Singles) -> Singles:
        squares = np.square(state).mean(axis=-1, keepdims=True)
        normed: Singles = state / np.sqrt(squares + np.float32(self.shape.epsilon)) * weight
        return normed


def _turned(states: Singles, cosines: Singles, sines: Singles) -> Singles:
    """Turn pairs of neighbouring numbers by the angle of their position."""
    found = np.empty_like(states)
    one, other = states[..., 0::2], states[..., 1::2]
    found[..., 0::2] = one * cosines - other * sines
    found[..., 1::2] = one * sines + other * cosines
    return found
