"""LEIC: did a person write this caption of this image? (Cui et al., 2018)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from nlgauge.core.arithmetic import unit_vectors
from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.core.understanding.lookup import TextSide
from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError
from nlgauge.kernels import Floats
from nlgauge.metrics.dialogue.reply_model import SentenceReplyMetric
from nlgauge.metrics.dialogue.utterances import Utterances
from nlgauge.metrics.trained.feature_model import within
from nlgauge.models.networks.packed_layers import Arrays, PaddedLayer, unpacked_arrays
from nlgauge.models.networks.reply_networks import sigmoid
from nlgauge.models.networks.sentence_regressor import SentenceRegressor

REFERENCE, IMAGE = "reference.", "image."  # how the arrays of the branches are called


@dataclass(frozen=True, eq=False)
class ImageBranch:
    """An image branch projects features to the width of vectors, and compares the two."""

    projection: PaddedLayer
    regressor: SentenceRegressor
    inputs: int

    @classmethod
    def from_arrays(cls, arrays: Arrays, width: int) -> ImageBranch:
        """Build the branch for vectors of `width` numbers."""
        found = unpacked_arrays(within(arrays, "projection."))
        inputs = found["it.weight"].shape[1]
        projection = PaddedLayer(found, "it", inputs)
        if projection.outputs != width:
            raise ValueError(f"images are projected to {projection.outputs} numbers, not {width}")
        own = {k: v for k, v in arrays.items() if k.startswith("layer.")}
        return cls(projection, SentenceRegressor(own, width), inputs)


@dataclass(frozen=True, eq=False)
class CaptionNetwork:
    """A caption network has a branch for references, one for images, or both."""

    reference: SentenceRegressor | None
    image: ImageBranch | None


@dataclass(frozen=True, kw_only=True)
class LEIC(SentenceReplyMetric[None]):
    """How probably a person wrote a caption, given other captions of the image, its features, or
    both; the mean of logits over references counts.

    The model that ships has the branch of references. Features are rows of numbers by id, of any
    network for images: `--features FILE.npz`, for training and scoring.
    """

    info: ClassVar[Info] = Info(
        name="leic",
        title="Learning to evaluate image captioning",
        family="dialogue",
        cell="CD·T·e2e",
        tasks=("IC",),
        criteria=("relevance", "correctness"),
        scale=1.0,
        needs=(),
        uses=("references", "features"),
        extras=("neural",),
        paper="Cui et al. (2018), Learning to evaluate image captioning",
        checked_against="the same network in torch",
    )
    other: ClassVar[str] = "reference"

    context: Literal["reference", "image", "both"] = option(
        "reference", "what captions are held against"
    )

    def check_inputs(self, corpus: Corpus) -> None:
        """Refuse captions without references or features, as the options need them."""
        if self.context != "image" and (corpus.references.counts == 0).any():
            raise DataError(f"leic(context={self.context}) needs references for every caption")
        if self.context != "reference" and corpus.features is None:
            raise DataError(
                f"leic(context={self.context}) needs features; give a row of numbers by id in a "
                "file (--features FILE.npz)"
            )
        super().check_inputs(corpus)

    def sides(self, corpus: Corpus) -> tuple[TextSide, ...]:
        """Return the captions and their references."""
        lookup, refs = self.lookup(), corpus.references
        return (
            TextSide("hypotheses", corpus.hypotheses, lookup),
            TextSide("references", refs.flat, lookup, refs.starts),
        )

    @staticmethod
    def network(arrays: Arrays, inputs: int) -> CaptionNetwork:
        """Build the branches for vectors of `inputs` numbers."""
        refs, images = within(arrays, REFERENCE), within(arrays, IMAGE)
        return CaptionNetwork(
            SentenceRegressor(refs, inputs) if refs else None,
            ImageBranch.from_arrays(images, inputs) if images else None,
        )

    def network_scores(self, network: CaptionNetwork, said: Utterances, *, threads: int) -> Floats:
        """Return how probably people wrote captions."""
        logits = []
        if self.context != "image":
            logits.append(self._against_references(network.reference, said, threads))
        if self.context != "reference":
            logits.append(self._against_images(network.image, said, threads))
        return sigmoid(np.mean(logits, axis=0))

    def _against_references(
        self, network: SentenceRegressor | None, said: Utterances, threads: int
    ) -> Floats:
        if network is None:
            raise self._lacks("references")
        refs = said.references
        found = network.predict(
            said.vectors[said.replies[refs.segments]], said.vectors[refs.numbers], threads=threads
        )
        sums = np.zeros(len(said))
        np.add.at(sums, refs.segments, found)
        return sums / refs.counts

    def _against_images(self, branch: ImageBranch | None, said: Utterances, threads: int) -> Floats:
        if branch is None:
            raise self._lacks("images")
        features = said.features
        assert features is not None  # as check_inputs has seen
        if features.shape[1] != branch.inputs:
            raise DataError(
                f"leic: features of {features.shape[1]} numbers, and its model was trained on "
                f"{branch.inputs}; give features of the same kind"
            )
        images = unit_vectors(branch.projection(features, threads=threads).astype(np.float64))
        return branch.regressor.predict(said.vectors[said.replies], images, threads=threads)

    def _lacks(self, branch: str) -> DataError:
        return DataError(
            f"leic: the model has no branch for {branch}; train one: nlgauge train leic "
            f"captions.jsonl --set context={self.context} -o FILE"
        )
