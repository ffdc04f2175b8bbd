"""GAN-D: does a person say this? A discriminator as evaluator (Kannan & Vinyals, 2017; Li et al.,
2017).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nlgauge.core.arithmetic import unit_vectors
from nlgauge.core.metric import Info
from nlgauge.kernels import Floats
from nlgauge.metrics.dialogue.reply_model import SentenceReplyMetric
from nlgauge.metrics.dialogue.utterances import Utterances
from nlgauge.models.networks.packed_layers import (
    Arrays,
    PaddedLayer,
    Singles,
    unpacked_arrays,
)
from nlgauge.models.networks.reply_networks import layers_of, relu, run_layers, sigmoid
from nlgauge.models.networks.sentence_regressor import PARTS, pair_features

NUMBERS = 3  # beside vectors
BLOCK = 4096  # replies whose features are in memory at once


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
    def network(arrays: Arrays, inputs: int) -> list[PaddedLayer]:
        """Build the layers for vectors of `inputs` numbers."""
        return layers_of(unpacked_arrays(arrays), inputs_of(inputs))

    def network_scores(
        self, network: list[PaddedLayer], said: Utterances, *, threads: int
    ) -> Floats:
        """Return how probably replies are a person's."""
        found = np.empty(len(said))
        for at in range(0, len(said), BLOCK):
            rows = np.arange(at, min(at + BLOCK, len(said)))
            features = turn_features(said.take(rows))
            found[rows] = run_layers(network, features, relu, threads=threads)
        return sigmoid(found)


def inputs_of(width: int) -> int:
    """Return how many numbers the network looks at, for vectors of a width."""
    return PARTS * width + NUMBERS


def turn_features(said: Utterances) -> Singles:
    """Return what the network looks at: vectors of replies and of the turns before, their distances
    and products, logarithms of words of the reply and the last turn, and whether the reply asks.
    """
    last = said.turns.last
    context = unit_vectors(said.turns.means(said.vectors))
    used = np.unique(np.concatenate([said.replies, last]))
    words = {k: np.log1p(len(said.texts[k].split())) for k in used.tolist()}
    numbers = [
        [words[k] - 2.0, words[j] - 2.0, ("?" in said.texts[k]) - 0.3]
        for k, j in zip(said.replies.tolist(), last.tolist(), strict=True)
    ]
    vectors = pair_features(said.vectors[said.replies], context)
    return np.concatenate([vectors, np.array(numbers, np.float32)], axis=1)
