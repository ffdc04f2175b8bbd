"""Metrics whose network was trained on the vectors of an encoder, by `nlgauge train`."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from nlgauge.core.best_reference import texts_of
from nlgauge.core.metric import Mean
from nlgauge.core.options import option
from nlgauge.core.understanding.coverage import Lookup
from nlgauge.core.understanding.lookup import LookupMetric
from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError
from nlgauge.kernels import Floats
from nlgauge.metrics.contextual.bertscore import LAYERS
from nlgauge.metrics.trained.feature_model import MODEL, within
from nlgauge.models.cache.embeddings import Embeddings, EncodedSentences, embeddings_of
from nlgauge.models.encoders.encoder import HELP, Encoder, check_layers, find_encoder
from nlgauge.models.files.artefacts import reading
from nlgauge.models.files.shipped import shipped_model
from nlgauge.models.files.trained_model import TrainedModel, read_model
from nlgauge.models.lookups import PieceLookup
from nlgauge.models.networks.packed_layers import Arrays
from nlgauge.models.networks.pair_sense import PairSense, sense_features, sense_layers

RATINGS = "ratings"  # the array with mean and deviation of what a model was trained on
SENSE = "sense."  # how the arrays of common sense are called


@dataclass(frozen=True, eq=False)
class ReadTexts:
    """Read texts are what a network looks at, and sentences for common sense, both by text."""

    vectors: Any
    sentences: EncodedSentences


@dataclass(frozen=True, eq=False)
class VectorModel:
    """A vector model is a network, and common sense unless it has none."""

    network: Any
    sense: PairSense | None


@dataclass(frozen=True, kw_only=True)
class VectorMetric(Mean[None], LookupMetric[None]):
    """A metric with a network on vectors of texts; the best reference counts.

    A subclass says how the network is made and what it is given.
    """

    model: str | None = option(None, MODEL)
    encoder: str = option("minilm", HELP)
    device: str = option(
        "cpu", "of torch; encoders that run without it are always on the processor"
    )

    @staticmethod
    @abstractmethod
    def network(arrays: Arrays, inputs: int) -> Any:
        """Build the network for vectors of `inputs` numbers; raises ValueError or KeyError."""

    @abstractmethod
    def vectors(
        self, store: Embeddings, texts: list[str], layers: tuple[int, ...], *, threads: int
    ) -> Any:
        """Return what the network looks at, by text."""

    @abstractmethod
    def compared(
        self, network: Any, vectors: Any, left: list[int], right: list[int], *, threads: int
    ) -> Floats:
        """Return the network's outputs for pairs of texts, which are given by their numbers."""

    def layers_trained(self) -> tuple[int, ...]:
        """Return the layers that a model is trained on."""
        return (self.best_layer(),)

    def best_layer(self) -> int:
        """Return the layer that agrees best with people, or the last."""
        encoder = self.encoding_model()
        usual = LAYERS.get(encoder.name.rpartition(" ")[0], encoder.layers)
        return min(usual, encoder.layers)

    def encoding_model(self) -> Encoder:
        """Return the encoder, or raise ResourceMissing with the command to run."""
        return find_encoder(self.encoder, device=self.device)

    def file(self) -> TrainedModel:
        """Read the model, and refuse one for another encoder or other layers."""
        path = self.model or shipped_model(self.info.name, self.info.name)
        found = read_model(path, self.info.name)
        encoder = self.encoding_model()
        found.check_encoder(encoder.name)
        self.layers_of(found)
        return found

    def layers_of(self, file: TrainedModel) -> tuple[int, ...]:
        """Return the layers that the model looks at."""
        layers = file.header.get("layers")
        if not isinstance(layers, list) or not all(type(k) is int for k in layers) or not layers:
            raise file.unfit("it does not say which layers it looks at")
        check_layers(self.encoding_model(), layers)
        return tuple(layers)

    def resources(self) -> dict[str, str]:
        """Name the model's file, by its content, and the encoder."""
        return {"model": self.file().name, "encoder": self.encoding_model().name}

    def lookup(self) -> Lookup:
        """Return the encoder that texts are looked up in."""
        return PieceLookup(self.encoding_model())

    def announce(self, corpus: Corpus) -> None:
        """Have texts encoded once for all metrics, whichever layers they look at."""
        layers = self.layers_of(self.file())
        self.embeddings_in(corpus).expect((*layers, *sense_layers(layers)))

    def embeddings_in(self, corpus: Corpus) -> Embeddings:
        """Return the store of the corpus's embeddings."""
        return embeddings_of(corpus, self.encoder, device=self.device)

    def read(
        self, store: Embeddings, texts: list[str], layers: tuple[int, ...], *, threads: int
    ) -> ReadTexts:
        """Return what network and common sense look at, from one encoding of each text."""
        store.expect((*layers, *sense_layers(layers)))
        vectors = self.vectors(store, texts, layers, threads=threads)
        return ReadTexts(vectors, store.sentences(texts, sense_layers(layers), threads=threads))

    def predicted(
        self,
        model: VectorModel,
        texts: ReadTexts,
        left: list[int],
        right: list[int],
        *,
        threads: int,
    ) -> Floats:
        """Return what the network says of pairs of texts, corrected by common sense."""
        scores = self.compared(model.network, texts.vectors, left, right, threads=threads)
        if model.sense is None:
            return scores
        return model.sense.corrected(scores, sense_features(texts.sentences, left, right))

    def build(self, arrays: Arrays, inputs: int) -> VectorModel:
        """Build the model that a file's arrays hold."""
        return _built(type(self), arrays, inputs)

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the score, 1, counts of words."""
        file, store = self.file(), self.embeddings_in(corpus)
        layers = self.layers_of(file)
        model = _model(type(self), file, len(layers) * store.encoder.width)
        mean, deviation = _scale(file)
        found = []
        for block in store.blocks(corpus, len({*layers, *sense_layers(layers)})):
            hyps, refs, pairs = texts_of(corpus, block)
            number = {text: i for i, text in enumerate(dict.fromkeys([*hyps, *refs]))}
            texts = self.read(store, list(number), layers, threads=threads)
            left = pairs.repeated([number[hyp] for hyp in hyps])
            right = [number[ref] for ref in refs]
            scores = self.predicted(model, texts, left, right, threads=threads)
            found.append(pairs.best(mean + deviation * scores))
        score = np.concatenate(found)
        return self.counted(corpus, np.column_stack([score, np.ones(len(score))]))


def _scale(file: TrainedModel) -> tuple[float, float]:
    """Return mean and deviation of the ratings that a model was trained on."""
    if RATINGS not in file.arrays:
        return 0.0, 1.0
    found = file.array(RATINGS, 1)
    if found.shape != (2,):
        raise file.unfit("its ratings have no mean and deviation")
    return float(found[0]), float(found[1])


@lru_cache(maxsize=8)
def _model(metric: type[VectorMetric], file: TrainedModel, inputs: int) -> VectorModel:
    with reading(file.path, "its arrays do not fit each other", _remedy(file)):
        try:
            return _built(metric, file.arrays, inputs)
        except DataError as error:
            raise ValueError(str(error)) from None


def _built(metric: type[VectorMetric], arrays: Arrays, inputs: int) -> VectorModel:
    sense = within(arrays, SENSE)
    own = {k: v for k, v in arrays.items() if not k.startswith(SENSE) and k != RATINGS}
    return VectorModel(metric.network(own, inputs), PairSense.from_arrays(sense) if sense else None)


def _remedy(file: TrainedModel) -> str:
    return f"train it again: nlgauge train {file.metric} ... -o FILE"
