"""Say whether one text follows from another, and how similar they are in meaning.

One network with two heads reads both texts at once; it was trained on SNLI (Bowman et al., 2015)
and the STS benchmark (Cer et al., 2017).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlgauge.core.file_cache import FileCache
from nlgauge.kernels import Floats
from nlgauge.models.encoders.pair_encoder import PairEncoder
from nlgauge.models.files.shipped import shipped_file
from nlgauge.models.files.trained_model import read_model

FILE = "inference-en.safetensors"
METRIC = "inference"  # what the file says it is a model of
CLASSES = ("contradiction", "neutral", "entailment")
MOST = 5.0  # the similarity of texts that mean the same


class Inference:
    """This model compares the meaning of two texts, the first of which is the premise."""

    def __init__(self, path: str) -> None:
        model = read_model(path, METRIC, option="inference")
        self.name = model.name
        self._encoder = PairEncoder(model)

    def predict(
        self, pairs: Sequence[tuple[str, str]], *, threads: int = 1
    ) -> tuple[Floats, Floats]:
        """Return logits [pairs, 3] of contradiction, neutral and entailment, and similarities
        [pairs] from 0 to 5.
        """
        found = self._encoder.outputs(self._encoder.pieces(pairs), threads=threads)
        similarity = MOST / (1 + np.exp(-found["similarity"][:, 0]))
        return found["inference"], similarity


def probabilities(logits: Floats) -> Floats:
    """Return the probabilities of classes: [pairs, 3] -> [pairs, 3]."""
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def find_inference(path: str | None = None) -> Inference:
    """Return the model that ships, or the one in a file; read again when the file has changed."""
    found = str(shipped_file(FILE) if path is None else path)
    return _models.get([found], found)


_models: FileCache[[str], Inference] = FileCache(Inference, most=2)
