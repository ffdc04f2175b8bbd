"""RUSE: a network on the vectors of two sentences, trained on ratings (Shimanaka et al., 2018)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.kernels import Floats
from nlgauge.metrics.trained.vector_model import VectorMetric
from nlgauge.models.cache.embeddings import Embeddings
from nlgauge.models.encoders.encoder import check_layers
from nlgauge.models.networks.packed_layers import Arrays
from nlgauge.models.networks.sentence_regressor import SentenceRegressor


@dataclass(frozen=True, kw_only=True)
class RUSE(VectorMetric):
    """What a network, trained on ratings of translations, says of [h; r; |h - r|; h * r]: h and r
    are the means of the pieces' vectors of hypothesis and reference. The best reference counts.

    The authors join the vectors of three sentence encoders; here, layers of one can be joined.
    """

    info: ClassVar[Info] = Info(
        name="ruse",
        title="Regressor using sentence embeddings",
        family="trained",
        cell="CF·T·e2e",
        tasks=("MT",),
        criteria=("adequacy", "overall"),
        bounds=(float("-inf"), float("inf")),
        scale=1.0,
        extras=("neural",),
        revision=2,
        paper="Shimanaka et al. (2018), RUSE: regressor using sentence embeddings for automatic "
        "machine translation evaluation",
        checked_against="the same network in torch",
    )

    layers: tuple[int, ...] | None = option(
        None,
        "of the encoder, joined, like 2:4, for a model to be trained; a trained one has its own",
        low=0,
        high=1000,
    )

    @staticmethod
    def network(arrays: Arrays, inputs: int) -> SentenceRegressor:
        """Build the layers for vectors of `inputs` numbers."""
        return SentenceRegressor(arrays, inputs)

    def layers_trained(self) -> tuple[int, ...]:
        """Return the layers that a model is trained on."""
        if self.layers is None:
            return (self.best_layer(),)
        check_layers(self.encoding_model(), self.layers)
        return self.layers

    def vectors(
        self, store: Embeddings, texts: list[str], layers: tuple[int, ...], *, threads: int
    ) -> Floats:
        """Return sentence vectors: [texts, layers * width]."""
        return store.sentences(texts, layers, threads=threads).vectors()

    def compared(
        self, network: Any, vectors: Any, left: list[int], right: list[int], *, threads: int
    ) -> Floats:
        """Return the network's outputs for pairs of sentences."""
        found: Floats = network.predict(vectors[left], vectors[right], threads=threads)
        return found
