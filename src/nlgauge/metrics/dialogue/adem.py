"""ADEM: replies compared with context and reference by two learned matrices (Lowe et al., 2017)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nlgauge.core.metric import Info
from nlgauge.kernels import Floats
from nlgauge.metrics.dialogue.reply_model import SentenceReplyMetric
from nlgauge.metrics.dialogue.utterances import Utterances
from nlgauge.models.networks.packed_layers import Arrays, PaddedLayer, unpacked_arrays
from nlgauge.models.networks.reply_networks import Bilinear

LOW, HIGH = 1.0, 5.0  # of ratings


@dataclass(frozen=True, eq=False)
class AdemNetwork:
    """ADEM's network has the axes that vectors are reduced to, and a matrix for each term."""

    reduced: PaddedLayer
    context: Bilinear
    reference: Bilinear
    weights: Floats  # of the terms: each adds its product times the first, plus the second

    @classmethod
    def from_arrays(cls, arrays: Arrays, inputs: int) -> AdemNetwork:
        """Build the network for vectors of `inputs` numbers."""
        found = unpacked_arrays(arrays)
        reduced = PaddedLayer(found, "axes", inputs)
        weights = np.asarray(arrays["terms"], np.float64)
        if weights.shape != (2, 2):
            raise ValueError("it has no weights of its two terms")
        return cls(
            reduced,
            Bilinear(found, reduced.outputs, "context"),
            Bilinear(found, reduced.outputs, "reference"),
            weights,
        )

    def terms(self, said: Utterances, *, threads: int) -> tuple[Floats, Floats]:
        """Return both terms of each reply: products with its context, and with its best reference;
        NaN without one.
        """
        small = self.reduced(np.asarray(said.vectors, np.float32), threads=threads)
        vectors = small.astype(np.float64)
        reply = vectors[said.replies]
        context = self.context(said.turns.means(vectors), reply, threads=threads)
        refs = said.references
        like = np.full(len(said), np.nan)
        if len(refs.numbers):
            pairs = self.reference(vectors[refs.numbers], reply[refs.segments], threads=threads)
            np.fmax.at(like, refs.segments, pairs)
        return context, like


@dataclass(frozen=True, kw_only=True)
class ADEM(SentenceReplyMetric[None]):
    """A rating from 1 to 5: the mean of c M x and r N x, each moved to the ratings that the
    matrices were fitted to; c, r and x are reduced vectors of context, reference and reply. Without
    a reference, the context's term counts alone.
    """

    info: ClassVar[Info] = Info(
        name="adem",
        title="Automatic dialogue evaluation model",
        family="dialogue",
        cell="CD·T·e2e",
        tasks=("DG",),
        criteria=("overall", "relevance"),
        bounds=(LOW, HIGH),
        scale=1.0,
        needs=("turns",),
        uses=("references",),
        extras=("neural",),
        paper="Lowe et al. (2017), Towards an automatic Turing test: learning to evaluate dialogue "
        "responses",
        checked_against="hand calculation",
    )
    window: ClassVar[int] = 3

    @staticmethod
    def network(arrays: Arrays, inputs: int) -> AdemNetwork:
        """Build the network for vectors of `inputs` numbers."""
        return AdemNetwork.from_arrays(arrays, inputs)

    def network_scores(self, network: AdemNetwork, said: Utterances, *, threads: int) -> Floats:
        """Return ratings from 1 to 5."""
        context, like = network.terms(said, threads=threads)
        (slope, shift), (ref_slope, ref_shift) = network.weights.tolist()
        own, other = slope * context + shift, ref_slope * like + ref_shift
        found: Floats = np.clip(np.where(np.isnan(like), own, (own + other) / 2), LOW, HIGH)
        return found
