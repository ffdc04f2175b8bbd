"""Baselines of BERTScore: what two texts that have nothing to do with each other score.

Files are those of bert-score: LAYER,P,R,F, one line for each layer.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from nlgauge.core.resources import read_resource
from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats

if TYPE_CHECKING:
    from nlgauge.metrics.contextual.bertscore import BERTScore

HEADER = ["LAYER", "P", "R", "F"]


def random_pairs(texts: Sequence[str], pairs: int, seed: int) -> Corpus:
    """Draw pairs of different texts, with replacement."""
    if pairs < 1:
        raise SpecError(f"pairs={pairs}: must be at least 1")
    distinct = list(dict.fromkeys(text for text in texts if text.strip()))
    if len(distinct) < 2:
        raise DataError(f"{len(distinct)} different texts: a baseline needs many, 2 at least")
    rng = np.random.default_rng(seed)
    first = rng.integers(len(distinct), size=pairs)
    second = (first + rng.integers(1, len(distinct), size=pairs)) % len(distinct)
    return Corpus.build([distinct[i] for i in first], [[distinct[i]] for i in second])


def baseline(metric: BERTScore, corpus: Corpus, *, threads: int = 1) -> Floats:
    """Compute means of precision, recall and F over the pairs at all layers: [layers, 3]."""
    layers = range(metric.encoder().layers + 1)
    measured = metric.measured(corpus, layers, metric.fit(corpus), threads=threads)
    means: Floats = np.concatenate(list(measured), axis=1).mean(axis=1)
    return means


def written(means: Floats) -> str:
    """Return the contents of a baseline's file."""
    lines = (
        f"{layer}," + ",".join(f"{mean:.8f}" for mean in row) for layer, row in enumerate(means)
    )
    return "\n".join([",".join(HEADER), *lines, ""])


def read_baseline(path: str, layer: int) -> Floats:
    """Read precision, recall and F of one layer."""
    text = read_resource("baseline", path).decode("utf-8", "replace")
    lines = list(csv.reader(io.StringIO(text)))
    if not lines or lines[0] != HEADER:
        raise DataError(f"baseline={path}: the first line is not {','.join(HEADER)}")
    for number, fields in enumerate(lines[1:], 2):
        try:
            found, *means = int(fields[0]), *map(float, fields[1:])
        except (IndexError, ValueError):
            found, means = -1, []
        if len(means) != 3 or max(means) >= 1:
            raise DataError(
                f"baseline={path}, line {number}: expected a layer and three numbers below 1"
            )
        if found == layer:
            return np.array(means)
    raise DataError(f"baseline={path}: has no line for layer {layer}")
