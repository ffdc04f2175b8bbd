"""SSREM: replies told from others of the same speakers and conversations (Bak & Oh, 2020)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nlgauge.core.metric import Info
from nlgauge.kernels import Floats
from nlgauge.metrics.dialogue.sentence_blend import SentenceBlend
from nlgauge.metrics.dialogue.utterances import Utterances
from nlgauge.models.networks.packed_layers import Arrays, unpacked_arrays
from nlgauge.models.networks.reply_networks import Bilinear


@dataclass(frozen=True, kw_only=True)
class SSREM(SentenceBlend):
    """The mean of the cosine of a reply and its best reference, and of tanh(c M x): c is the mean
    vector of the turns before, x that of the reply, and M tells true replies from others of the
    same conversation, partner and speaker, and from any.
    """

    info: ClassVar[Info] = Info(
        name="ssrem",
        title="Speaker-sensitive response evaluation model",
        family="dialogue",
        cell="CD·T·e2e",
        tasks=("DG",),
        criteria=("relevance",),
        scale=1.0,
        needs=("turns",),
        uses=("references",),
        extras=("neural",),
        paper="Bak & Oh (2020), Speaker sensitive response evaluation model",
        checked_against="hand calculation",
    )
    window: ClassVar[int] = 2

    @staticmethod
    def network(arrays: Arrays, inputs: int) -> Bilinear:
        """Build the matrix for vectors of `inputs` numbers."""
        return Bilinear(unpacked_arrays(arrays), inputs)

    def network_scores(self, network: Bilinear, said: Utterances, *, threads: int) -> Floats:
        """Return tanh of the product of turns and reply."""
        context = said.turns.means(said.vectors)
        return np.tanh(network(context, said.vectors[said.replies], threads=threads))
