"""Fit a small feed-forward network that tells two classes apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from nlgauge.kernels import Floats
from nlgauge.models.predictors.layered_predictor import LayeredPredictor
from nlgauge.models.predictors.predictor import Scaler
from nlgauge.train.adam import Adam


@dataclass(frozen=True, kw_only=True)
class LayerSettings:
    """These settings say how large a network is and how it is fitted."""

    hidden: Sequence[int] = (72, 72)
    epochs: int = 60
    batch: int = 128
    rate: float = 0.001  # falls to 0 from epoch to epoch
    decay: float = 0.0001  # penalty of a squared weight


def fit_classes(
    features: Floats, targets: Floats, *, seed: int, settings: LayerSettings | None = None
) -> LayeredPredictor:
    """Return the network whose output, by 1 / (1 + exp(-z)), is nearest to targets from 0 to 1 in
    cross-entropy.
    """
    settings = settings or LayerSettings()
    scaler = Scaler.standard(features)
    inputs = scaler(features)
    rng = np.random.default_rng(seed)
    sizes = [inputs.shape[1], *settings.hidden, 1]
    layers = []
    for before, after in pairwise(sizes):
        weights = rng.standard_normal((after, before)) * np.sqrt(2 / before)
        layers.append((Adam(weights, settings.rate), Adam(np.zeros(after), settings.rate)))
    for epoch in range(settings.epochs):
        for weights_of, biases_of in layers:
            weights_of.rate = biases_of.rate = settings.rate * (1 - epoch / settings.epochs)
        order = rng.permutation(len(inputs))
        for start in range(0, len(order), settings.batch):
            rows = order[start : start + settings.batch]
            _step(layers, inputs[rows], targets[rows], settings.decay)
    fitted = [(weights.table, biases.table) for weights, biases in layers]
    return LayeredPredictor(scaler, fitted)


def _step(
    layers: Sequence[tuple[Adam[Floats], Adam[Floats]]],
    inputs: Floats,
    targets: Floats,
    decay: float,
) -> None:
    """Learn from one batch."""
    values = [inputs]
    for k, (weights, biases) in enumerate(layers):
        found = values[-1] @ weights.table.T + biases.table
        values.append(np.maximum(found, 0) if k + 1 < len(layers) else found)
    said = 1 / (1 + np.exp(-np.clip(values[-1][:, 0], -50, 50)))
    slope = ((said - targets) / len(targets))[:, None]
    for k in range(len(layers) - 1, -1, -1):
        weights, biases = layers[k]
        own = slope.T @ values[k] + decay * weights.table, slope.sum(axis=0)
        if k:
            slope = (slope @ weights.table) * (values[k] > 0)
        weights.update(..., own[0])
        biases.update(..., own[1])
