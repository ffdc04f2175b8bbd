"""Fit BERT-MTE and BLEURT: a network that reads hypothesis and reference at once, tuned to ratings.

BLEURT first learns what other metrics say of changed sentences. Both need torch, which scoring does
not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from nlgauge.core import registry
from nlgauge.core.best_reference import ReferencePairs
from nlgauge.data.corpus import Corpus
from nlgauge.data.labels import Codes
from nlgauge.errors import DataError, ResourceMissing
from nlgauge.kernels import Floats
from nlgauge.metrics.trained.cross_encoders import BEST, CrossEncoder, RatingNetwork
from nlgauge.metrics.trained.features import Feature, feature_values
from nlgauge.models.encoders.bert import Bert
from nlgauge.models.encoders.encoder import find_encoder
from nlgauge.models.encoders.pair_pieces import PairPieces, pair_pieces
from nlgauge.models.files.trained_model import TrainedModel
from nlgauge.models.predictors.predictor import Arrays
from nlgauge.train.recipe import FitRun, Recipe

# What the ridge regression beside sees.
CONTROL = (
    ("bleu", None),
    ("chrf", None),
    ("rouge-l", None),
    *(("bertscore", part) for part in ("precision", "recall", "f")),
)
EARLY_STOPPING = 5000  # rated rows from which on some are held out, to end training in time
HELD_OUT = 0.1  # the share of groups that are
MARGIN = 0.5  # deviations by which a copy of the reference is above the best rating


@dataclass(frozen=True, eq=False)
class SegmentPairs:
    """These are the hypothesis of each segment with each of its references, as pieces."""

    pieces: list[list[PairPieces]]
    references: list[str]  # the first of each segment

    @property
    def counts(self) -> Codes:
        """Return how many references each segment has."""
        return np.array([len(pairs) for pairs in self.pieces], np.intp)

    @property
    def flat(self) -> list[PairPieces]:
        """Return all pairs, one segment after the other."""
        return list(chain.from_iterable(self.pieces))


class CrossEncoderRecipe(Recipe[SegmentPairs]):
    """This recipe tunes MiniLM to ratings by their squared error: the one of BERT-MTE."""

    metric: CrossEncoder
    epochs: ClassVar[int] = 3

    def prepare(self, corpus: Corpus, *, threads: int) -> SegmentPairs:  # noqa: ARG002
        """Cut the texts of all pairs into pieces; without torch, refuse to begin."""
        check_torch(self.metric.info.name)
        pairs = ReferencePairs.of(corpus.references)
        hyps = pairs.repeated(list(corpus.hypotheses))
        pieces = pair_pieces(_bert(), list(zip(hyps, corpus.references.flat, strict=True)))
        starts = corpus.references.starts.tolist()
        return SegmentPairs(
            [pieces[i:j] for i, j in pairwise(starts)], [texts[0] for texts in corpus.references]
        )

    def take(self, prepared: SegmentPairs, rows: Codes) -> SegmentPairs:
        """Return some of the segments, in a given order."""
        chosen = rows.tolist()
        return SegmentPairs(
            [prepared.pieces[i] for i in chosen], [prepared.references[i] for i in chosen]
        )

    def fit(self, prepared: SegmentPairs, ratings: Floats, run: FitRun) -> Arrays:
        """Tune the network to the ratings of all pairs."""
        from nlgauge.train.networks.fine_tuning import RatedPairs, Tuning, tune

        def rated(rows: Codes) -> RatedPairs:
            some = self.take(prepared, rows)
            return RatedPairs(some.flat, np.repeat(ratings[rows], some.counts))

        seen, held = _split(run)
        network = tune(
            _bert(),
            rated(seen),
            Tuning(epochs=self.epochs, patience=1),
            seed=run.seed,
            start=self.start(prepared, run),
            held_out=rated(held) if held.size else None,
            progress=run.progress,
            checkpoint=run.checkpoint,
        )
        return {**network.arrays(_bert()), BEST: np.array([ratings[run.rated].max() + MARGIN])}

    def start(self, prepared: SegmentPairs, run: FitRun) -> Arrays | None:  # noqa: ARG002
        """Return the arrays that tuning starts from; None: MiniLM as it is."""
        return None

    def predict(self, arrays: Arrays, prepared: SegmentPairs) -> Floats:
        """Return what the network says about the best reference of each segment."""
        header = {"metric": self.metric.info.name, "encoder": _bert().name}
        model = TrainedModel("what was trained", "what was trained", header, arrays)
        scores = RatingNetwork.of(model).rated(prepared.flat)
        return ReferencePairs.counted(prepared.counts).best(scores)

    def control(self, corpus: Corpus, prepared: SegmentPairs, *, threads: int) -> Floats:  # noqa: ARG002
        """Return lexical scores and BERTScore's."""
        features: list[Feature] = [(registry.metric(name), part) for name, part in CONTROL]
        metrics = tuple(dict.fromkeys(metric for metric, _ in features))
        states = [metric.fitted(corpus) for metric in metrics]
        return feature_values(features, metrics, states, corpus, threads=threads)

    def header(self) -> dict[str, Any]:
        """Name the encoder and the number of passes."""
        return {"features": [], "encoder": _bert().name, "settings": {"epochs": self.epochs}}


class BleurtRecipe(CrossEncoderRecipe):
    """This recipe starts from the inference model, pre-trained on changed sentences: references of
    the rows that are learnt from, and other `sentences` if there are any.
    """

    copies: ClassVar[int] = 2  # changed copies of each reference

    def __init__(self, metric: Any, sentences: Sequence[str] = (), **chosen: str) -> None:
        super().__init__(metric, **chosen)
        self.sentences = sentences

    def start(self, prepared: SegmentPairs, run: FitRun) -> Arrays:
        """Pre-train the network on what other metrics say of changed sentences."""
        from nlgauge.models.encoders.inference import FILE, METRIC
        from nlgauge.models.files.trained_model import read_model
        from nlgauge.train.changed_sentences import ChangedSentences
        from nlgauge.train.networks.pre_training import pre_train, signals_of

        references = list(dict.fromkeys(filter(str.strip, prepared.references)))
        changed = ChangedSentences([*references, *self.sentences], seed=run.seed)
        pairs = changed.pairs([*references * self.copies, *self.sentences])
        run.progress(f"pre-training on {len(pairs):,} changed sentences")
        checkpoint = None if run.checkpoint is None else _beside(run.checkpoint)
        network = pre_train(
            _bert(),
            signals_of([pair for pair, _ in pairs], threads=run.threads),
            seed=run.seed,
            start=read_model(str(FILE), METRIC).arrays,
            progress=run.progress,
            checkpoint=checkpoint,
        )
        return network.arrays(_bert(), bits=8)

    def header(self) -> dict[str, Any]:
        """Name the encoder, the settings and what pre-training started from."""
        from nlgauge.models.encoders.inference import find_inference

        found = super().header()
        more = {"start": find_inference().name, "copies": self.copies}
        return {**found, "settings": {**found["settings"], **more}}


def check_torch(metric: str) -> None:
    """Refuse to start where torch is not installed."""
    try:
        import torch
    except ImportError:
        raise ResourceMissing(
            f"{metric}: its network is trained by torch, which is not installed",
            remedy="pip install 'nlgauge[train]'",
        ) from None
    torch.set_num_threads(1)


def _split(run: FitRun) -> tuple[Codes, Codes]:
    """Return the rows to learn from, and those that tell when to stop: none if rows are few."""
    rows = np.arange(len(run.kinds))
    if len(run.rated) < EARLY_STOPPING:
        return rows, rows[:0]
    names = np.unique(run.groups)
    chosen = np.random.default_rng(run.seed).permutation(names)[: round(HELD_OUT * len(names))]
    held = np.isin(run.groups, chosen)
    return rows[~held], run.rated[held[run.rated]]


def _bert() -> Bert:
    found = find_encoder("minilm")
    if not isinstance(found, Bert):
        raise DataError(f"{found.name}: only BERT models can be tuned to pairs")
    return found


def _beside(checkpoint: Path) -> Path:
    return checkpoint.with_name(f"{checkpoint.name}.pre-training")
