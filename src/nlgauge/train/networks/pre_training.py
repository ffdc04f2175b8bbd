"""Train a network that reads two texts at once on what other metrics say about them, as BLEURT is
before it sees ratings (Sellam et al., 2020).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from nlgauge.core import registry
from nlgauge.data.corpus import Corpus
from nlgauge.data.labels import Codes
from nlgauge.kernels import Floats
from nlgauge.metrics.trained.blend import match_features
from nlgauge.metrics.trained.features import Feature, feature_values
from nlgauge.metrics.trained.sentence_columns import sentence_columns
from nlgauge.models.encoders.bert import Bert
from nlgauge.models.encoders.inference import find_inference, probabilities
from nlgauge.models.encoders.pair_pieces import pair_pieces
from nlgauge.train.fits import fit_ridge, vector_penalties
from nlgauge.train.networks.fine_tuning import RATING
from nlgauge.train.networks.loop import Steps, run
from nlgauge.train.networks.pair_network import PairNetwork, by_length
from nlgauge.train.networks.torch_bert import Dropout, Tensor
from nlgauge.train.synthetic import DAMAGED, RATED

# What is learnt beside the statistics of BERTScore's matches.
LEXICAL = (
    "sentbleu",
    "sentbleu(lowercase=yes)",
    "rouge-n(order=1)",
    "rouge-n(order=2)",
    "rouge-l",
    "chrf",
    "chrf(word_order=2)",
    "ter",
    "wer",
    "per",
    "cder",
    "eed",
    "cer",
    "meteor-1.5",
    "beer",
    "yisi-0",
)
FARTHEST = 5.0  # deviations from the mean, for numbers
LEAST, MOST = -3.0, 2.5  # the same, for ratings that nobody gave
LONGEST = 56  # pieces of a pair; longer ones take longer to learn from


@dataclass(frozen=True, eq=False)
class Signals:
    """These are pairs of texts, and what metrics and the inference model say about them."""

    pairs: Sequence[tuple[str, str]]  # an output or a changed text, and the text
    numbers: Floats  # [pairs, signals]: scores, statistics of matches, and the similarity
    vectors: Floats  # [pairs, columns] of sentences, which are not learnt, but rated by
    # [pairs, 3]: probabilities of contradiction, neutral and entailment; 0 where nobody asked
    classes: Floats
    ratings: Floats  # [pairs]: what people would say

    def rated_like(self, ratings: Floats, wrong: Codes) -> Signals:
        """Return the signals with ratings for all pairs, by a linear model that is fitted to those
        that people gave the first ones. Pairs that are `wrong`, in a word that it may not see,
        are no better than damaged references.
        """
        columns = np.hstack([self.numbers, self.vectors])
        penalties = vector_penalties(self.numbers.shape[1], self.vectors.shape[1])
        known = columns[: len(ratings)]
        said = fit_ridge(known, ratings, penalty=penalties).predict(columns)
        said[wrong] = np.minimum(said[wrong], np.quantile(ratings, RATED[DAMAGED]))
        return replace(self, ratings=np.clip(said, LEAST, MOST))


def signals_of(
    outputs: Sequence[tuple[str, str]], changed: Sequence[tuple[str, str]], *, threads: int = 1
) -> Signals:
    """Compute what metrics say about outputs and references, and about changed texts and texts;
    what follows from what is asked of changed texts only, as it takes long.
    """
    pairs = [*outputs, *changed]
    features: list[Feature] = [(registry.metric(spec), None) for spec in LEXICAL]
    features += match_features()
    metrics = tuple(dict.fromkeys(metric for metric, _ in features))
    corpus = Corpus.build([pair[0] for pair in pairs], [[pair[1]] for pair in pairs])
    states = [metric.fitted(corpus) for metric in metrics]
    numbers = feature_values(features, metrics, states, corpus, threads=threads)
    vectors = sentence_columns(corpus, threads=threads)
    turned = [(text, output) for output, text in changed]
    logits, _ = find_inference().predict(turned, threads=threads)
    classes = np.concatenate([np.zeros((len(outputs), 3)), probabilities(logits)])
    return Signals(pairs, numbers, vectors, classes, np.zeros(len(pairs)))


def pre_train(
    bert: Bert,
    signals: Signals,
    *,
    seed: int,
    epochs: int = 1,
    batch: int = 32,
    progress: Callable[[str], None] = print,
    checkpoint: Path | None = None,
) -> PairNetwork:
    """Return a network that learned all signals at once: squared errors of ratings and numbers, and
    the cross-entropy of classes. A checkpoint stays when training is over.
    """
    torch.manual_seed(seed)
    heads = {"signals": signals.numbers.shape[1], "classes": 3, RATING: 1}
    network = PairNetwork(bert, heads, seed=0)
    pieces = pair_pieces(bert, signals.pairs)
    short = [k for k, pair in enumerate(pieces) if len(pair) <= LONGEST]
    pieces = [pieces[k] for k in short]
    rng = np.random.default_rng(seed)
    batches = [rows for _ in range(epochs) for rows in by_length(pieces, batch, rng)]
    spread = np.maximum(signals.numbers.std(axis=0), 1e-6)
    scaled = np.clip((signals.numbers - signals.numbers.mean(axis=0)) / spread, -FARTHEST, FARTHEST)
    numbers, classes, ratings = (
        torch.from_numpy(array[short].astype(np.float32))
        for array in (scaled, signals.classes, signals.ratings)
    )
    dropout = Dropout(0.05, active=True)

    def loss(rows: list[int]) -> Tensor:
        said, logits, rated = network.outputs([pieces[i] for i in rows], list(heads), dropout)
        squared = ((said - numbers[rows]) ** 2).mean() + ((rated[:, 0] - ratings[rows]) ** 2).mean()
        return squared + 0.5 * functional.cross_entropy(logits, classes[rows])

    run(network, batches, loss, Steps(), progress=progress, checkpoint=checkpoint, keep=True)
    return network
