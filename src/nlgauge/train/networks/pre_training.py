"""Train a network that reads two texts at once on what other metrics say about them, as BLEURT is
before it sees ratings (Sellam et al., 2020).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from nlgauge.core import registry
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats
from nlgauge.metrics.trained.features import Feature, feature_values
from nlgauge.models.encoders.bert import Bert
from nlgauge.models.encoders.inference import find_inference, probabilities
from nlgauge.models.encoders.pair_pieces import pair_pieces
from nlgauge.train.networks.loop import Steps, run
from nlgauge.train.networks.pair_network import PairNetwork, by_length
from nlgauge.train.networks.torch_bert import Dropout, Tensor

# Metrics and their parts; None is the score.
SIGNALS = (
    ("bleu", None),
    *(("rouge-l", part) for part in ("precision", "recall", "f")),
    *(("bertscore", part) for part in ("precision", "recall", "f")),
)


@dataclass(frozen=True, eq=False)
class Signals:
    """These are pairs of texts, and what metrics and the inference model say about them."""

    pairs: Sequence[tuple[str, str]]  # a changed text, and the text
    numbers: Floats  # [pairs, signals]: SIGNALS and the similarity, each with mean 0, deviation 1
    classes: Floats  # [pairs, 3]: probabilities of contradiction, neutral and entailment


def signals_of(pairs: Sequence[tuple[str, str]], *, threads: int = 1) -> Signals:
    """Compute what metrics say about pairs; the text itself is the reference and the premise."""
    features: list[Feature] = [(registry.metric(name), part) for name, part in SIGNALS]
    metrics = tuple(dict.fromkeys(metric for metric, _ in features))
    corpus = Corpus.build([pair[0] for pair in pairs], [[pair[1]] for pair in pairs])
    states = [metric.fitted(corpus) for metric in metrics]
    values = feature_values(features, metrics, states, corpus, threads=threads)
    turned = [(text, changed) for changed, text in pairs]
    logits, similarity = find_inference().predict(turned, threads=threads)
    numbers = np.column_stack([values, similarity])
    numbers = (numbers - numbers.mean(axis=0)) / np.maximum(numbers.std(axis=0), 1e-6)
    return Signals(pairs, numbers, probabilities(logits))


def pre_train(
    bert: Bert,
    signals: Signals,
    *,
    seed: int,
    start: Mapping[str, npt.NDArray[Any]] | None = None,
    epochs: int = 1,
    batch: int = 32,
    progress: Callable[[str], None] = print,
    checkpoint: Path | None = None,
) -> PairNetwork:
    """Return a network that learned all signals at once: squared errors of numbers, and the
    cross-entropy of classes.
    """
    torch.manual_seed(seed)
    network = PairNetwork(bert, {"signals": signals.numbers.shape[1], "classes": 3}, seed=seed)
    if start is not None:
        network.load(start, bert)
    pieces = pair_pieces(bert, signals.pairs)
    rng = np.random.default_rng(seed)
    batches = [rows for _ in range(epochs) for rows in by_length(pieces, batch, rng)]
    numbers = torch.from_numpy(signals.numbers.astype(np.float32))
    classes = torch.from_numpy(signals.classes.astype(np.float32))
    dropout = Dropout(0.05, active=True)

    def loss(rows: list[int]) -> Tensor:
        said, logits = network.outputs([pieces[i] for i in rows], ["signals", "classes"], dropout)
        squared = ((said - numbers[rows]) ** 2).mean()
        return squared + 0.5 * functional.cross_entropy(logits, classes[rows])

    run(network, batches, loss, Steps(), progress=progress, checkpoint=checkpoint)
    return network
