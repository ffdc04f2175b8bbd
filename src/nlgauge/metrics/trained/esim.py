"""ESIM for evaluation: two texts read against each other, trained on ratings (Mathur et al., 2019,
after Chen et al., 2017).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.kernels import Floats
from nlgauge.metrics.trained.vector_model import VectorMetric
from nlgauge.models.cache.embeddings import Embeddings
from nlgauge.models.encoders.encoder import States, check_layers
from nlgauge.models.networks.esim_network import ESIMNetwork
from nlgauge.models.networks.packed_layers import Arrays


@dataclass(frozen=True, kw_only=True)
class ESIM(VectorMetric):
    """What a network, trained on ratings of translations, says of two texts after it read both,
    compared each piece with those of the other text, and read what came of it. The best reference
    counts.
    """

    info: ClassVar[Info] = Info(
        name="esim",
        title="Enhanced sequential inference model",
        family="trained",
        cell="CF·T·e2e",
        tasks=("MT",),
        criteria=("adequacy", "overall"),
        bounds=(float("-inf"), float("inf")),
        scale=1.0,
        extras=("neural",),
        revision=2,
        paper="Mathur, Baldwin & Cohn (2019), Putting evaluation in context: contextual embeddings "
        "improve machine translation evaluation",
        checked_against="the same network in torch",
    )

    layer: int | None = option(
        None,
        "of the encoder, for a model to be trained; a trained one has its own",
        low=0,
        high=1000,
    )
    width: int = option(
        128, "of the layers of a model to be trained; the paper has 300", low=8, high=2048
    )

    @staticmethod
    def network(arrays: Arrays, inputs: int) -> ESIMNetwork:
        """Build the layers for vectors of `inputs` numbers."""
        return ESIMNetwork(arrays, inputs)

    def layers_trained(self) -> tuple[int, ...]:
        """Return the one layer that a model is trained on."""
        if self.layer is None:
            return (self.best_layer(),)
        check_layers(self.encoding_model(), [self.layer])
        return (self.layer,)

    def vectors(
        self, store: Embeddings, texts: list[str], layers: tuple[int, ...], *, threads: int
    ) -> list[States]:
        """Return the vectors of each text's pieces: [pieces, width]."""
        return [text.states[0] for text in store.encoded(texts, layers[:1], threads=threads)]

    def compared(
        self, network: Any, vectors: Any, left: list[int], right: list[int], *, threads: int
    ) -> Floats:
        """Return the network's outputs for pairs of texts, each of which is read once."""
        read = network.read(vectors, threads=threads)
        found: Floats = network.predict(read, left, right, threads=threads)
        return found
