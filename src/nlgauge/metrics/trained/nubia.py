"""NUBIA: similarity, entailment and fluency, seen by a small network (Kane et al., 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge.core.best_reference import ReferencePairs
from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.core.understanding.coverage import Lookup
from nlgauge.core.understanding.lookup import LookupMetric
from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError
from nlgauge.kernels import Floats
from nlgauge.metrics.trained.feature_model import MODEL
from nlgauge.models.cache.embeddings import Embeddings, embeddings_of
from nlgauge.models.encoders.encoder import find_encoder
from nlgauge.models.encoders.inference import Inference, find_inference
from nlgauge.models.files.artefacts import reading
from nlgauge.models.files.shipped import shipped_model
from nlgauge.models.files.trained_model import TrainedModel, read_model
from nlgauge.models.lexicon.ngram_model import PREPARATION, NGramModel, find_language_model
from nlgauge.models.lookups import PieceLookup
from nlgauge.models.predictors.layered_predictor import LayeredPredictor
from nlgauge.models.predictors.predictor import Arrays, vector

MEANING = ("similarity", "contradiction", "neutral", "entailment")  # of the text by the reference
BACK = tuple(f"back_{name}" for name in MEANING)  # of the reference by the text
COMPARED = (0, 2, 4, 6)  # layers at which sentence vectors are compared
COSINES = tuple(f"cosine_{layer}" for layer in COMPARED)
FLUENCY = ("reference_loss", "loss", "reference_length", "length")
Pair = tuple[str, str]  # a reference, and what is compared with it


@dataclass(frozen=True, kw_only=True)
class NUBIA(Mean[None], LookupMetric[None]):
    """How near the network's rating of a text comes to its rating of the reference itself, from 0
    to 1. The network sees how similar both are, whether the text follows from the reference, how
    usual the words of both are, and their lengths. A text without words scores 0.

    The authors have one measure of similarity. Here cosines of sentence vectors come as well, as
    these agree better with people, and what follows is asked in both directions.
    """

    info: ClassVar[Info] = Info(
        name="nubia",
        title="Neural based interchangeability assessor",
        family="trained",
        cell="CF·T·e2e",
        tasks=("MT", "IC"),
        criteria=("adequacy", "overall"),
        scale=1.0,
        extras=("neural",),
        revision=2,
        paper="Kane et al. (2020), NUBIA: neural based interchangeability assessor for text "
        "generation",
        checked_against="its formula, by torch, on features of our models",
    )

    model: str | None = option(None, MODEL)
    looks_at: Literal["all", "published"] = option(
        "all", "features; published: those of the authors, without cosines, one direction only"
    )
    calibration: Literal["mean", "exact"] = option(
        "mean",
        "what the reference itself is rated: by mean logits and similarity of references compared "
        "with themselves, or by those of this one, which is slower",
    )
    inference: str | None = option(
        None, "file of another model of entailment and similarity; none: the one that ships"
    )
    language: str | None = option(
        None, "file of another language model; none: the one that ships, for English"
    )

    def meaning(self) -> Inference:
        """Return the model of entailment and similarity."""
        return find_inference(self.inference)

    def fluency(self) -> NGramModel:
        """Return the language model that judges fluency."""
        return find_language_model(self.language, option="language")

    def file(self) -> TrainedModel:
        """Read the network, and refuse one that was trained on features of other models."""
        shipped = "nubia" if self.looks_at == "all" else "nubia-published"
        path = self.model or shipped_model(self.info.name, shipped)
        found = read_model(path, self.info.name)
        for part, name in self.models().items():
            if found.header.get(part) != name:
                raise found.unfit(f"trained with {found.header.get(part)}, and this is {name}")
        if found.header.get("looks_at") != self.looks_at:
            raise found.unfit(f"it looks at the features looks_at={found.header.get('looks_at')}")
        return found

    def models(self) -> dict[str, str]:
        """Name the models behind the features."""
        return {
            "inference": self.meaning().name,
            "language": self.fluency().name,
            "encoder": find_encoder("minilm").name,
        }

    def feature_names(self) -> tuple[str, ...]:
        """Return the names of the features that the network looks at."""
        more = (*BACK, *COSINES) if self.looks_at == "all" else ()
        return (*MEANING, *more, *FLUENCY)

    def resources(self) -> dict[str, str]:
        """Name the files, by their contents, and the encoder."""
        return {"model": self.file().name, **self.models()}

    def english_only(self) -> tuple[str, ...]:
        """Name the language model, unless another is given."""
        return ("its language model",) if self.language is None else ()

    def lookup(self) -> Lookup:
        """Return the encoder that texts are looked up in."""
        return PieceLookup(find_encoder("minilm"))

    def announce(self, corpus: Corpus) -> None:
        """Have texts encoded once for all metrics, whichever layers they look at."""
        if self.looks_at == "all":
            embeddings_of(corpus, "minilm").expect(COMPARED)

    def features(self, store: Embeddings, pairs: Sequence[Pair], *, threads: int) -> Floats:
        """Return the features of pairs, each of which is looked at once: [pairs, features]."""
        distinct = list(dict.fromkeys(pairs))
        number = {pair: i for i, pair in enumerate(distinct)}
        columns = [self.compared(distinct, threads=threads)]
        if self.looks_at == "all":
            turned = [(hyp, ref) for ref, hyp in distinct]
            columns += [self.compared(turned, threads=threads), _cosines(store, distinct, threads)]
        found = np.column_stack([*columns, self.usual(distinct)])
        return np.asarray(found[[number[pair] for pair in pairs]], np.float64)

    def compared(self, pairs: Sequence[Pair], *, threads: int) -> Floats:
        """Return how similar pairs are, and logits of whether the second follows from the first."""
        logits, similarity = self.meaning().predict(pairs, threads=threads)
        return np.column_stack([similarity, logits])

    def usual(self, pairs: Sequence[Pair]) -> Floats:
        """Return how usual the words of both texts are, and logarithms of their numbers."""
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        losses = dict(zip(texts, self.fluency().losses(texts).tolist(), strict=True))
        sizes = dict(zip(texts, map(len, PREPARATION.words(texts)), strict=True))
        rows = [
            [*(losses[text] for text in pair), *(float(np.log1p(sizes[text])) for text in pair)]
            for pair in pairs
        ]
        return np.array(rows).reshape(-1, 4)

    def own_features(
        self,
        store: Embeddings,
        pairs: Sequence[Pair],
        features: Floats,
        usual: Floats,
        *,
        threads: int,
    ) -> Floats:
        """Return the features of references compared with themselves; `usual` are those that are
        the same for all references, unless calibration=exact.
        """
        if self.calibration == "exact":
            return self.features(store, [(ref, ref) for ref, _ in pairs], threads=threads)
        own = np.column_stack(
            [np.tile(usual, (len(pairs), 1)), self.usual([(ref, ref) for ref, _ in pairs])]
        )
        copies = np.array([ref == hyp for ref, hyp in pairs])
        return np.where(copies[:, None], features, own)

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the score, 1, the features of the best reference, counts of
        words.
        """
        file, store = self.file(), embeddings_of(corpus, "minilm")
        model = _model(file, self.feature_names())
        chosen = ReferencePairs.of(corpus.references)
        hyps = chosen.repeated(list(corpus.hypotheses))
        pairs = list(zip(corpus.references.flat, hyps, strict=True))
        features = self.features(store, pairs, threads=threads)
        own = self.own_features(store, pairs, features, model.own, threads=threads)
        scores = model.calibrated(features, own)
        best = chosen.chosen(scores)
        rows = np.column_stack([scores[best], np.ones(len(best)), features[best]])
        return self.counted(corpus, rows)

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the means of the features, lengths as logarithms, and the shares of unknown
        words.
        """
        names = self.feature_names()
        means = (totals[2 : 2 + len(names)] / max(totals[1], 1)).tolist()
        return {**dict(zip(names, means, strict=True)), **super().parts(totals)}


@dataclass(frozen=True, eq=False)
class NubiaModel:
    """A model of NUBIA is its network, and what references have when compared with themselves."""

    network: LayeredPredictor
    own: Floats  # means of the features about meaning

    @classmethod
    def from_arrays(cls, arrays: Arrays, names: Sequence[str]) -> NubiaModel:
        """Rebuild the model from a file's arrays; it must fit the features."""
        own = {k: v for k, v in arrays.items() if k.startswith("layer.") or k in ("shift", "scale")}
        network, usual = LayeredPredictor.from_arrays(own), vector(arrays, "own")
        if len(network.scaler.shift) != len(names) or len(usual) != len(names) - 4:
            raise ValueError(f"it looks at {len(network.scaler.shift)} features")
        return cls(network, usual)

    def calibrated(self, features: Floats, own: Floats) -> Floats:
        """Return scores from 0 to 1, by the published formula, from features of pairs and those of
        their references alone; 0 where a side has no words.
        """
        said, best = self.network.predict(features), self.network.predict(own)
        scores = np.clip(1 - (best - said) / (np.abs(best) + 1), 0, 1)
        return np.where((features[:, -2:] == 0).any(axis=1), 0.0, scores)


@lru_cache(maxsize=8)
def _model(file: TrainedModel, names: tuple[str, ...]) -> NubiaModel:
    with reading(file.path, "its arrays do not fit each other", "train it again"):
        try:
            return NubiaModel.from_arrays(file.arrays, names)
        except DataError as error:
            raise ValueError(str(error)) from None


def _cosines(store: Embeddings, pairs: Sequence[Pair], threads: int) -> Floats:
    """Return the cosines of sentence vectors at several layers: [pairs, layers]."""
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    number = {text: i for i, text in enumerate(texts)}
    left, right = ([number[pair[k]] for pair in pairs] for k in (0, 1))
    found: Floats = store.sentences(texts, COMPARED, threads=threads).cosines(left, right).T
    return found
