"""GAN-D: does a person say this? A discriminator as evaluator (Kannan & Vinyals, 2017; Li et al.,
2017).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nlgauge.core.arithmetic import unit_vectors
from nlgauge.core.metric import Info
from nlgauge.kernels import Floats
from nlgauge.metrics.dialogue.reply_model import SentenceReplyMetric
from nlgauge.metrics.dialogue.utterances import Utterances
from nlgauge.models.networks.packed_layers import Arrays, Singles
from nlgauge.models.networks.reply_networks import sigmoid
from nlgauge.models.networks.sentence_regressor import SentenceRegressor, pair_features

# What the accuracy of an evaluator should be on pairs of texts of which one is called human.
EXPECTED = {"human or machine": 1.0, "human or human": 0.5, "machine or machine": 0.5,
            "human or random": 1.0}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class GanDiscriminator(SentenceReplyMetric[None]):
    """How probably a person said this after the turns before, by a network that learned to tell
    the turns of people from those of machines.
    """

    info: ClassVar[Info] = Info(
        name="gan-d",
        title="Discriminator of people and machines",
        family="dialogue",
        cell="CD·T·e2e",
        tasks=("DG",),
        criteria=("humanness",),
        scale=1.0,
        needs=("turns",),
        extras=("neural",),
        paper="Li et al. (2017), Adversarial learning for neural dialogue generation",
        checked_against="the same network in torch",
    )
    window: ClassVar[int] = 3

    @staticmethod
    def network(arrays: Arrays, inputs: int) -> SentenceRegressor:
        """Build the layers for vectors of `inputs` numbers."""
        return SentenceRegressor({k: v for k, v in arrays.items() if "layer." in k}, inputs)

    def network_scores(
        self, network: SentenceRegressor, said: Utterances, *, threads: int
    ) -> Floats:
        """Return how probably replies are a person's."""
        reply, context = sides(said)
        return sigmoid(network.predict(reply, context, threads=threads))


def sides(said: Utterances) -> tuple[Floats, Floats]:
    """Return vectors of length 1 of replies and of the turns before them."""
    return said.vectors[said.replies], unit_vectors(said.turns.means(said.vectors))


def turn_features(said: Utterances) -> Singles:
    """Return what the network looks at: both vectors, their distances and products."""
    return pair_features(*sides(said))


def adversarial_success(human: Floats, machine: Floats) -> float:
    """Return AdverSuc: one minus the accuracy with which probabilities of being human tell people
    from machines, both counted alike.
    """
    right = (np.mean(human > 0.5) + np.mean(machine <= 0.5)) / 2
    return float(1 - right)


def evaluator_reliability_error(accuracies: Mapping[str, float]) -> float:
    """Return ERE: the mean distance of accuracies from those in EXPECTED, by the names there."""
    return float(np.mean([abs(accuracies[name] - EXPECTED[name]) for name in accuracies]))
