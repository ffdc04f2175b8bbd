"""Judgements as categories that annotators gave to outputs, for models of annotators."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nlgauge.data.judgements import Judgements
from nlgauge.data.labels import NONE, Codes
from nlgauge.errors import DataError
from nlgauge.human.annotator_agreement import one_way
from nlgauge.kernels import Floats

_MANY_CLASSES = 50  # from here on values are measurements, not categories


@dataclass(frozen=True, eq=False)
class LabelTable:
    """A label table has a row for each thing said: which output, by whom, which category."""

    outputs: tuple[tuple[str | None, str | None, str | None], ...]  # item, system, against
    annotators: tuple[str, ...]
    classes: tuple[str, ...]
    output: Codes
    annotator: Codes
    label: Codes

    def votes(self, weights: Floats | None = None) -> Floats:
        """Return how often each category was given to each output: [outputs, classes]."""
        return self.summed(self.output, len(self.outputs), weights)

    def summed(self, rows: Codes, size: int, weights: Floats | None = None) -> Floats:
        """Return the weights of all that was said, summed by `rows` and category."""
        classes = len(self.classes)
        places = rows * classes + self.label
        return np.bincount(places, weights, size * classes).reshape(size, classes).astype(float)


def label_table(judgements: Judgements, *, criterion: str | None = None) -> LabelTable:
    """Return the categories of one criterion: labels, or ratings on a scale of few values, or
    comparisons, whose categories are the better system, or a tie.
    """
    name = criterion or "the judgements"
    given = judgements if criterion is None else judgements.where(criterion=criterion)
    given = given.take((given.annotator.codes != NONE) & (given.item.codes != NONE))
    compared, rated = given.against.codes != NONE, ~np.isnan(given.value)
    if compared.any():
        given = given.take(compared)
        given = one_way(given)
        better = np.where(given.value > 0.5, given.system.codes, given.against.codes)
        winners = given.system.names  # `one_way` gives both columns the same names
        tied = given.value == 0.5
        said = ["tie" if t else winners[b] for t, b in zip(tied, better, strict=True)]
        keys = list(zip(given.item, given.system, given.against, strict=True))
    else:
        given = given.take(rated if rated.any() else given.label.codes != NONE)
        said = [
            str(label) if value != value else f"{value:g}"
            for label, value in zip(given.label, given.value, strict=True)
        ]
        keys = [(*key, None) for key in zip(given.item, given.system, strict=True)]
    if not len(given):
        raise DataError(f"{name}: no judgement has an item and an annotator, as a model needs")
    classes = sorted(set(said), key=_order)
    if len(classes) > _MANY_CLASSES:
        raise DataError(
            f"{name}: {len(classes)} different values are measurements; a model of annotators "
            f"needs categories, at most {_MANY_CLASSES}"
        )
    outputs = {key: k for k, key in enumerate(dict.fromkeys(keys))}
    numbers = {label: k for k, label in enumerate(classes)}
    people = given.annotator.used()
    return LabelTable(
        tuple(outputs),
        people.names,
        tuple(classes),
        np.array([outputs[key] for key in keys], np.intp),
        people.codes,
        np.array([numbers[label] for label in said], np.intp),
    )


def _order(label: str) -> tuple[float, str]:
    """Return what sorts numbers by size, before other labels by name."""
    try:
        return float(label), ""
    except ValueError:
        return np.inf, label
