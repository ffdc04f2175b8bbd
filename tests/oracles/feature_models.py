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


def corrected(value, features, arrays):
    """A prediction moved to 2.5 for a copy, -2.5 for what is surely broken, -.5 for what is surely
    damaged, and never the other way round.
    """
    x = [min(10.0, max(-10.0, v)) for v in scaled(features, arrays, "sense.")]
    x += [v * v for v in x]
    logits = [
        math.fsum(a * float(w) for a, w in zip(x, row, strict=True)) + bias
        for row, bias in zip(arrays["sense.weights"], column(arrays, "sense.biases"), strict=True)
    ]
    exponents = [math.exp(v - max(logits)) for v in logits]
    _, identical, *bad = (e / sum(exponents) for e in exponents)
    if value < 2.5:
        value += max(0.0, 2 * identical - 1) * (2.5 - value)
    for probable, rating in zip(bad, (-2.5, -0.5), strict=False):
        if value > rating:
            value += max(0.0, 2 * probable - 1) * (rating - value)
    return value


def predicted(features, arrays, predictor):
    """A prediction on the scale of the ratings."""
    mean, deviation = column(arrays, "ratings")
    return mean + deviation * corrected(predictor(features, arrays), features, arrays)


def ensemble(features, arrays):
    """Linear and radial members, each in standard deviations of its own."""
    total = 0.0
    for row, (kind, start, stop, mean, deviation, weight) in enumerate(arrays["members"]):
        prefix = f"member.{row}."
        own = {k.removeprefix(prefix): v for k, v in arrays.items() if k.startswith(prefix)}
        said = (radial if kind else linear)(features[int(start) : int(stop)], own)
        total += float(weight) * (said - float(mean)) / float(deviation)
    return total * column(arrays, "slope")[0]


def joined(columns, arrays):
    """Features, and a weighted sum of the numbers of vectors behind them."""
    own = {k.removeprefix("sentences."): v for k, v in arrays.items() if k.startswith("sentences.")}
    width = len(columns) - len(own["weights"])
    return [*columns[:width], linear(columns[width:], own)]


def layered(features, arrays):
    """A feed-forward network with ReLU between its layers."""
    values = scaled(features, arrays)
    count = sum(name.endswith(".bias") for name in arrays)
    for k in range(count):
        if k:
            values = [max(0.0, v) for v in values]
        rows = zip(arrays[f"layer.{k}.weight"], column(arrays, f"layer.{k}.bias"), strict=True)
        values = [
            math.fsum(a * float(w) for a, w in zip(values, row, strict=True)) + bias
            for row, bias in rows
        ]
    return values[0]


def probability(features, arrays):
    """What a network says of features, from 0 to 1."""
    return 1 / (1 + math.exp(-layered(features, arrays)))
