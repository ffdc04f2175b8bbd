"""MAUDE: the turns read one after the other, and a reply told from noise (Sinha et al., 2020)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nlgauge.core.metric import Info
from nlgauge.kernels import Floats
from nlgauge.metrics.dialogue.reply_model import SentenceReplyMetric
from nlgauge.metrics.dialogue.utterances import Utterances
from nlgauge.models.networks.packed_layers import Arrays
from nlgauge.models.networks.reply_networks import sigmoid
from nlgauge.models.networks.turn_reader import TurnReader


@dataclass(frozen=True, kw_only=True)
class MAUDE(SentenceReplyMetric[None]):
    """How probably a reply goes on a dialogue, by a network that read its turns in order. It
    learned from replies with words dropped, shuffled or repeated, and from other utterances.
    """

    info: ClassVar[Info] = Info(
        name="maude",
        title="Metric for automatic unreferenced dialogue evaluation",
        family="dialogue",
        cell="CD·T·e2e",
        tasks=("DG",),
        criteria=("relevance", "coherence"),
        scale=1.0,
        needs=("turns",),
        extras=("neural",),
        paper="Sinha et al. (2020), Learning an unreferenced metric for online dialogue evaluation",
        checked_against="the same network in torch",
        revision=2,
    )
    window: ClassVar[int] = 6

    @staticmethod
    def network(arrays: Arrays, inputs: int) -> TurnReader:
        """Build the network for vectors of `inputs` numbers."""
        return TurnReader(arrays, inputs)

    def network_scores(self, network: TurnReader, said: Utterances, *, threads: int) -> Floats:
        """Return how probably replies are the true ones."""
        logits = network.predict(
            said.vectors, said.turns.numbers, said.turns.starts, said.replies, threads=threads
        )
        return sigmoid(logits)
