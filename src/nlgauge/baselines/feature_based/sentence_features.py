"""Compute the features of sentences that feature-based summarisers look at."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlgauge.baselines.document import Document
from nlgauge.baselines.lsa import decompose, scores
from nlgauge.kernels import Floats

TEXT_FEATURES = ("mean tf·idf", "maximal tf·idf")
LSA_FEATURE = "LSA score"


def sentence_features(
    sentences: Sequence[str], *, prosody: Floats | None, latent: bool, stop: str = "smart"
) -> Floats:
    """Return a row for each sentence: the columns of `prosody`, if there are any, mean and maximal
    tf·idf of its words, and with `latent` the sentence's LSA score over 300 dimensions.
    """
    read = Document.build(sentences, stop=stop)
    mean = read.vectors.sum(axis=1) / np.maximum(read.terms, 1)
    top = read.vectors.max(axis=1, initial=0)
    columns = [mean[:, None], top[:, None]]
    if prosody is not None:
        columns.insert(0, prosody)
    if latent:
        columns.append(scores(*decompose(read.vectors))[:, None])
    return np.concatenate(columns, axis=1)
