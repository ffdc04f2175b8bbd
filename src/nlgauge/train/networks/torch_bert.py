"""Run BERT by torch as the native core does, so that its weights can be trained.

Weights are a dictionary of tensors by the names that checkpoints have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from nlgauge.models.encoders.bert import Bert, Shape

Tensor = Any  # a torch.Tensor; torch brings no types where it is not installed
Tensors = dict[str, Tensor]
_EMBEDDINGS = "embeddings."
TYPES = "embeddings.token_type_embeddings.weight"


@dataclass(frozen=True)
class Dropout:
    """Dropout is the share of numbers that are set to 0 in training, 0 when scoring."""

    hidden: float = 0.0
    active: bool = False

    def __call__(self, states: Tensor) -> Tensor:
        """Return states of which a share is 0, and the rest larger by as much."""
        if not self.active or not self.hidden:
            return states
        return functional.dropout(states, self.hidden)


def tensors_of(bert: Bert) -> Tensors:
    """Return the weights of a BERT model as tensors of their own."""
    return {
        name: torch.from_numpy(np.array(array, np.float32))
        for name, array in bert.weights.items()
        if name.startswith((_EMBEDDINGS, "encoder."))
    }


def is_tuned(name: str) -> bool:
    """Return whether training may change an array: all of the layers, of embeddings the kinds."""
    return name == TYPES or name.startswith("encoder.")


def encode(
    weights: Mapping[str, Tensor],
    shape: Shape,
    layers: int,
    ids: Tensor,
    kinds: Tensor,
    mask: Tensor | None,
    dropout: Dropout,
) -> Tensor:
    """Return the states of the last layer, [texts, pieces, width]; `mask` is 0 for padding."""
    at = _EMBEDDINGS
    states = functional.embedding(ids, weights[f"{at}word_embeddings.weight"])
    states = states + weights[f"{at}position_embeddings.weight"][: ids.shape[1]]
    states = states + functional.embedding(kinds, weights[TYPES])
    states = dropout(_normal(weights, f"{at}LayerNorm", states, shape.epsilon))
    seen = None if mask is None else mask.bool()[:, None, None, :]
    for k in range(layers):
        states = _layer(weights, f"encoder.layer.{k}", states, seen, shape, dropout)
    return states


def _layer(
    weights: Mapping[str, Tensor],
    at: str,
    states: Tensor,
    seen: Tensor | None,
    shape: Shape,
    dropout: Dropout,
) -> Tensor:
    texts, pieces, width = states.shape
    query, key, value = (
        _linear(weights, f"{at}.attention.self.{part}", states)
        .view(texts, pieces, shape.heads, width // shape.heads)
        .transpose(1, 2)
        for part in ("query", "key", "value")
    )
    mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=seen)
    mixed = mixed.transpose(1, 2).reshape(texts, pieces, width)
    mixed = dropout(_linear(weights, f"{at}.attention.output.dense", mixed))
    states = _normal(weights, f"{at}.attention.output.LayerNorm", states + mixed, shape.epsilon)
    inner = functional.gelu(_linear(weights, f"{at}.intermediate.dense", states))
    outer = dropout(_linear(weights, f"{at}.output.dense", inner))
    return _normal(weights, f"{at}.output.LayerNorm", states + outer, shape.epsilon)


def _linear(weights: Mapping[str, Tensor], name: str, states: Tensor) -> Tensor:
    return functional.linear(states, weights[f"{name}.weight"], weights[f"{name}.bias"])


def _normal(weights: Mapping[str, Tensor], name: str, states: Tensor, epsilon: float) -> Tensor:
    weight, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
    return functional.layer_norm(states, weight.shape, weight, bias, epsilon)
