"""Predictions of trained feature models, from the numbers of their files in plain Python."""

from __future__ import annotations

import math


def column(arrays, name):
    return [float(v) for v in arrays[name]]


def scaled(features, arrays, prefix=""):
    shift, scale = column(arrays, prefix + "shift"), column(arrays, prefix + "scale")
    return [(f - m) / s for f, m, s in zip(features, shift, scale, strict=True)]


def radial(features, arrays):
    """A support vector regression with a radial kernel."""
    x = scaled(features, arrays)
    intercept, gamma = column(arrays, "constants")
    total = intercept
    for vector, weight in zip(arrays["vectors"], column(arrays, "weights"), strict=True):
        distance = sum((a - float(b)) ** 2 for a, b in zip(x, vector, strict=True))
        total += weight * math.exp(-gamma * distance)
    return total


def linear(features, arrays):
    """A weighted sum."""
    x = scaled(features, arrays)
    return column(arrays, "intercept")[0] + math.fsum(
        a * w for a, w in zip(x, column(arrays, "weights"), strict=True)
    )


def sense(features, arrays):
    """What common sense adds: up to 2 for a copy, down to -4 for what is surely broken."""
    x = [min(10.0, max(-10.0, v)) for v in scaled(features, arrays, "sense.")]
    x += [v * v for v in x]
    logits = [
        math.fsum(a * float(w) for a, w in zip(x, row, strict=True)) + bias
        for row, bias in zip(arrays["sense.weights"], column(arrays, "sense.biases"), strict=True)
    ]
    exponents = [math.exp(v - max(logits)) for v in logits]
    _, identical, broken = (e / sum(exponents) for e in exponents)
    return 2 * identical - 4 * max(0.0, 2 * broken - 1)


def predicted(features, arrays, predictor):
    """A prediction on the scale of the ratings."""
    mean, deviation = column(arrays, "ratings")
    return mean + deviation * (predictor(features, arrays) + sense(features, arrays))
