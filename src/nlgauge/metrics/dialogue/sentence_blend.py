"""Metrics that blend what a network on sentence vectors says with a reply's best reference."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nlgauge.core.best_reference import ReferencePairs
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats
from nlgauge.metrics.dialogue.reply_model import BlendedMetric, Combine, Ranges, SentenceReplyMetric
from nlgauge.metrics.dialogue.utterances import Utterances, cosines


@dataclass(frozen=True, kw_only=True)
class SentenceBlend(BlendedMetric, SentenceReplyMetric[Ranges]):
    """A blended metric that compares a reply with its references by their sentence vectors."""

    combine: Combine = option(
        "mean", "of the two parts, or the network's alone, which needs no references"
    )

    def likeness(self, corpus: Corpus, said: Utterances, *, threads: int) -> Floats:
        """Return the cosine of each reply and its best reference."""
        return best_cosines(said)


def best_cosines(said: Utterances) -> Floats:
    """Return the cosine of each reply and its best reference; NaN without references."""
    refs = said.references
    found = np.full(len(said), np.nan)
    rows = np.flatnonzero(refs.counts > 0)
    if rows.size:
        taken = refs.take(rows)
        pairs = ReferencePairs.counted(taken.counts)
        left = said.vectors[said.replies[rows][pairs.hyps]]
        found[rows] = pairs.best(cosines(left, said.vectors[taken.numbers]))
    return found
