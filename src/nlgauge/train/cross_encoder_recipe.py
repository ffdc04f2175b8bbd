"""Fit BERT-MTE and BLEURT: a network that reads hypothesis and reference at once, tuned to ratings.

BLEURT first learns what other metrics say of outputs and of changed sentences. Both need torch,
which scoring does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

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
from nlgauge.train.synthetic import DAMAGED, DISAGREEING, KINDS, RATED

if TYPE_CHECKING:
    from nlgauge.train.networks.pair_network import PairNetwork
    from nlgauge.train.networks.targets import Targets

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
# Shares of ratings that are below what BLEURT may say of changed references, and the side that is
# right, too: networks see the order of words, so that limits are tighter than in other recipes.
BROKEN = 0.0, -1
LIMITS = {
    "identical": (0.98, 1),
    **{kind: (RATED[kind], -1) for kind in ("negated", DAMAGED, DISAGREEING)},
}


@dataclass(frozen=True, eq=False)
class SegmentPairs:
    """These are the hypothesis of each segment with each of its references, as pieces."""

    pieces: list[list[PairPieces]]
    texts: list[tuple[str, str]]  # of each segment, the hypothesis and the first reference

    @property
    def counts(self) -> Codes:
        """Return how many references each segment has."""
        return np.array([len(pairs) for pairs in self.pieces], np.intp)

    @property
    def flat(self) -> list[PairPieces]:
        """Return all pairs, one segment after the other."""
        return list(chain.from_iterable(self.pieces))


class CrossEncoderRecipe(Recipe[SegmentPairs]):
    """This recipe tunes MiniLM to ratings by their squared error: the one of BERT-MTE.

    Of several networks, which are tuned from different seeds, the mean weights count, and the mean
    of these and of the network that tuning started from, if it was trained before: tuning forgets.
    """

    metric: CrossEncoder
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {"networks": ("1", "2", "3", "4", "5")}
    epochs: ClassVar[int] = 3

    def prepare(self, corpus: Corpus, *, threads: int) -> SegmentPairs:  # noqa: ARG002
        """Cut the texts of all pairs into pieces; without torch, refuse to begin."""
        check_torch(self.metric.info.name)
        pairs = ReferencePairs.of(corpus.references)
        hyps = pairs.repeated(list(corpus.hypotheses))
        pieces = pair_pieces(_bert(), list(zip(hyps, corpus.references.flat, strict=True)))
        starts = corpus.references.starts.tolist()
        first = [texts[0] for texts in corpus.references]
        return SegmentPairs(
            [pieces[i:j] for i, j in pairwise(starts)],
            list(zip(corpus.hypotheses, first, strict=True)),
        )

    def take(self, prepared: SegmentPairs, rows: Codes) -> SegmentPairs:
        """Return some of the segments, in a given order."""
        chosen = rows.tolist()
        return SegmentPairs(
            [prepared.pieces[i] for i in chosen], [prepared.texts[i] for i in chosen]
        )

    def fit(self, prepared: SegmentPairs, ratings: Floats, run: FitRun) -> Arrays:
        """Tune networks to the ratings of all pairs, and return their mean."""
        from nlgauge.train.networks.fine_tuning import rating_network
        from nlgauge.train.networks.pair_network import mean_network

        first = replace(run, checkpoint=_beside(run.checkpoint, "pre-training"))
        runs = [
            replace(run, seed=run.seed + k, checkpoint=_beside(run.checkpoint, f"network-{k + 1}"))
            for k in range(int(self.chosen["networks"]))
        ]
        start = self.start(prepared, ratings, first)
        network = mean_network([self.tuned(prepared, ratings, own, start) for own in runs])
        if start is not None:
            network = mean_network([network, rating_network(_bert(), start)])
        for own in (first, *runs):
            if own.checkpoint is not None:
                own.checkpoint.unlink(missing_ok=True)
        return self.arrays_of(network, ratings, run)

    def tuned(
        self, prepared: SegmentPairs, ratings: Floats, run: FitRun, start: Arrays | None
    ) -> PairNetwork:
        """Tune one network to the ratings of all pairs, from the arrays of `start` on."""
        from nlgauge.train.networks.fine_tuning import RatedPairs, Tuning, tune

        learnt = self.targets(ratings, run)

        def rated(places: Codes) -> RatedPairs:
            some = self.take(prepared, learnt.rows[places])
            counts = some.counts
            return RatedPairs(
                some.flat,
                np.repeat(learnt.targets[places], counts),
                np.repeat(learnt.sides[places], counts),
            )

        held = np.array(_held_out(learnt, run), np.intp)
        groups = run.groups[learnt.rows]
        seen = np.flatnonzero(~np.isin(groups, groups[held]))
        return tune(
            _bert(),
            rated(seen),
            Tuning(epochs=self.epochs, patience=1),
            seed=run.seed,
            start=start,
            held_out=rated(held) if held.size else None,
            progress=run.progress,
            checkpoint=run.checkpoint,
        )

    def targets(self, ratings: Floats, run: FitRun) -> Targets:  # noqa: ARG002
        """Return what is to be said of rows: changed references are rated as outputs are."""
        from nlgauge.train.networks.targets import Targets

        return Targets(np.arange(len(ratings)), ratings, np.zeros(len(ratings), np.int64))

    def arrays_of(self, network: PairNetwork, ratings: Floats, run: FitRun) -> Arrays:
        """Return the arrays of the model's file."""
        return {**network.arrays(_bert()), BEST: np.array([ratings[run.rated].max() + MARGIN])}

    def start(self, prepared: SegmentPairs, ratings: Floats, run: FitRun) -> Arrays | None:  # noqa: ARG002
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
        """Name the encoder, the number of passes, and of how many networks it is the mean."""
        settings = {"epochs": self.epochs, "networks": int(self.chosen["networks"])}
        return {"features": [], "encoder": _bert().name, "settings": settings}


class BleurtRecipe(CrossEncoderRecipe):
    """This recipe pre-trains MiniLM on what other metrics say of outputs and changed sentences: of
    the rows that are learnt from, and of other `pairs` and `sentences` if there are any.

    What a linear model says that looks at these and at sentence vectors, and is fitted to the
    ratings that are learnt from, is learnt, too: it rates what nobody did.
    """

    kinds: ClassVar[tuple[str, ...]] = (*KINDS, DAMAGED, DISAGREEING)
    choices: ClassVar[Mapping[str, tuple[str, ...]]] = {"networks": ("3", "1", "2", "4", "5")}

    def __init__(
        self,
        metric: Any,
        *,
        pairs: Sequence[tuple[str, str]] = (),
        sentences: Sequence[str] = (),
        **chosen: str,
    ) -> None:
        super().__init__(metric, **chosen)
        self.pairs, self.sentences = pairs, sentences

    def targets(self, ratings: Floats, run: FitRun) -> Targets:
        """Return what is to be said of rows: changed references have limits."""
        from nlgauge.train.networks.targets import targets_of

        return targets_of(ratings, run, broken=BROKEN, limits=LIMITS)

    def start(self, prepared: SegmentPairs, ratings: Floats, run: FitRun) -> Arrays:
        """Pre-train the network on what other metrics say."""
        from nlgauge.train.changed_sentences import WRONG, ChangedSentences
        from nlgauge.train.networks.pre_training import pre_train, signals_of

        rated = [prepared.texts[k] for k in run.rated.tolist()]
        references = list(dict.fromkeys(text for _, text in rated if text.strip()))
        outputs, sentences = [*rated, *self.pairs], [*references, *self.sentences]
        made = ChangedSentences(sentences, seed=run.seed).pairs(sentences)
        run.progress(f"pre-training on {len(outputs):,} outputs and {len(made):,} changed texts")
        signals = signals_of(outputs, [pair for pair, _ in made], threads=run.threads)
        wrong = np.flatnonzero([change in WRONG for _, change in made]) + len(outputs)
        network = pre_train(
            _bert(),
            signals.rated_like(ratings[run.rated], wrong),
            seed=run.seed,
            progress=run.progress,
            checkpoint=run.checkpoint,
        )
        return network.arrays(_bert(), bits=8)

    def header(self) -> dict[str, Any]:
        """Name the encoder, the settings, and who says what follows from a text."""
        from nlgauge.models.encoders.inference import find_inference

        found = super().header()
        more = {"entailment": find_inference().name}
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


def _held_out(learnt: Targets, run: FitRun) -> list[int]:
    """Return places of rated rows that tell when to stop: none if rows are few."""
    if len(run.rated) < EARLY_STOPPING:
        return []
    places = learnt.held_out(run, HELD_OUT)
    return [place for place in places if run.kinds[int(learnt.rows[place])] is None]


def _bert() -> Bert:
    found = find_encoder("minilm")
    if not isinstance(found, Bert):
        raise DataError(f"{found.name}: only BERT models can be tuned to pairs")
    return found


def _beside(checkpoint: Path | None, part: str) -> Path | None:
    return None if checkpoint is None else checkpoint.with_name(f"{checkpoint.name}.{part}")
