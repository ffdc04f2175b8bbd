"""BERT-MTE (Shimanaka et al., 2019) and BLEURT (Sellam et al., 2020): a network that reads the
hypothesis and a reference at once, tuned as a whole to ratings by people.

Both are MiniLM with a linear head and differ in where tuning starts: BERT-MTE from MiniLM itself,
BLEURT from a network that first learned what other metrics say of changed sentences. Weights are
our own, so that scores are not those of the authors' programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nlgauge.core.best_reference import ReferencePairs
from nlgauge.core.file_cache import FileCache
from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.core.understanding.coverage import Lookup
from nlgauge.core.understanding.lookup import LookupMetric
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats
from nlgauge.metrics.trained.feature_model import MODEL, RATINGS
from nlgauge.models.encoders.encoder import find_encoder
from nlgauge.models.encoders.pair_encoder import PairEncoder
from nlgauge.models.encoders.pair_pieces import PairPieces
from nlgauge.models.files.shipped import shipped_model
from nlgauge.models.files.trained_model import TrainedModel, read_model
from nlgauge.models.lookups import PieceLookup

HEAD = "rating"  # the head whose output is the score
BEST = "best"  # the array with what copies of references get at least


@dataclass(frozen=True, eq=False)
class RatingNetwork:
    """A rating network is a pair encoder with a head for ratings, and the scale of these."""

    encoder: PairEncoder
    best: float | None  # what copies of references get at least, in deviations from the mean
    mean: float
    deviation: float

    @classmethod
    def read(cls, path: str, metric: str) -> RatingNetwork:
        """Read the file of a metric's model."""
        return cls.of(read_model(path, metric))

    @classmethod
    def of(cls, model: TrainedModel) -> RatingNetwork:
        """Return the network of a model; without a scale, ratings stay standardised."""
        encoder = PairEncoder(model)
        if HEAD not in encoder.heads:
            raise model.unfit(f"it has no head {HEAD!r}")
        numbers = []
        for name, usual in ((BEST, [np.nan]), (RATINGS, [0.0, 1.0])):
            found = model.array(name, 1) if name in model.arrays else np.array(usual)
            if len(found) != len(usual):
                raise model.unfit(f"its array {name} has {len(found)} numbers")
            numbers += found.astype(np.float64).tolist()
        best, mean, deviation = numbers
        return cls(encoder, None if np.isnan(best) else best, mean, deviation)

    def ratings(self, pairs: Sequence[tuple[str, str]], *, threads: int = 1) -> Floats:
        """Return what the network says about hypotheses and references."""
        return self.rated(self.encoder.pieces(pairs), threads=threads)

    def rated(self, pieces: Sequence[PairPieces], *, threads: int = 1) -> Floats:
        """Return what the network says about pairs. Nothing is better than the reference itself: a
        copy of it gets more than the best rating.
        """
        said = self.encoder.predict(pieces, HEAD, threads=threads)[:, 0]
        if self.best is not None:
            copies = np.array([pair.is_copy for pair in pieces], bool)
            said = np.where(copies, np.maximum(said, self.best), said)
        found: Floats = self.mean + self.deviation * said
        return found


@dataclass(frozen=True, kw_only=True)
class CrossEncoder(Mean[None], LookupMetric[None]):
    """A metric whose score a network gives that reads both texts at once; with the best reference.

    Scores are on the scale of the ratings that the network was trained on, and have no bounds. A
    copy of a reference gets more than the best of these ratings.
    """

    model: str | None = option(None, MODEL)

    def network(self) -> RatingNetwork:
        """Return the network, or raise ResourceMissing with the command to run."""
        path = self.model or shipped_model(self.info.name, self.info.name)
        return _networks.get([path], path, self.info.name)

    def resources(self) -> dict[str, str]:
        """Name the weights; those of the encoder belong to them."""
        return {"model": self.network().encoder.name}

    def lookup(self) -> Lookup:
        """Return the encoder that texts are looked up in."""
        return PieceLookup(find_encoder("minilm"))

    def english_only(self) -> tuple[str, ...]:
        """Name the weights that ship, which saw English ratings only."""
        return ("its model",) if self.model is None else ()

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the score of the best reference, 1, counts of words."""
        pairs = ReferencePairs.of(corpus.references)
        texts = list(
            zip(pairs.repeated(list(corpus.hypotheses)), corpus.references.flat, strict=True)
        )
        distinct = {pair: k for k, pair in enumerate(dict.fromkeys(texts))}
        scores = self.network().ratings(list(distinct), threads=threads)
        best = pairs.best(scores[[distinct[pair] for pair in texts]])
        return self.counted(corpus, np.column_stack([best, np.ones(len(best))]))


@dataclass(frozen=True, kw_only=True)
class BERTMTE(CrossEncoder):
    """What a network says that people would say of a translation; it reads the hypothesis and the
    reference at once, and was tuned to ratings. The best of several references counts.
    """

    info: ClassVar[Info] = Info(
        name="bert-mte",
        title="BERT for MT evaluation",
        family="trained",
        cell="CF·T·e2e",
        tasks=("MT",),
        criteria=("adequacy",),
        bounds=(float("-inf"), float("inf")),
        scale=1.0,
        extras=("neural",),
        paper="Shimanaka, Kajiwara & Komachi (2019), Machine translation evaluation with BERT "
        "regressor",
        checked_against="torch, with the weights that ship",
    )


@dataclass(frozen=True, kw_only=True)
class BLEURT(CrossEncoder):
    """What a network says that people would say of a text; before it was tuned to ratings, it
    learned what other metrics say of changed sentences. The best of several references counts.
    """

    info: ClassVar[Info] = Info(
        name="bleurt",
        title="BLEURT",
        family="trained",
        cell="CF·T·e2e",
        tasks=("MT", "D2T"),
        criteria=("adequacy",),
        bounds=(float("-inf"), float("inf")),
        scale=1.0,
        extras=("neural",),
        paper="Sellam, Das & Parikh (2020), BLEURT: learning robust metrics for text generation",
        checked_against="torch, with the weights that ship",
    )


_networks: FileCache[[str, str], RatingNetwork] = FileCache(RatingNetwork.read, most=4)
