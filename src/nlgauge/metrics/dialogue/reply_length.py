"""A baseline that looks at a reply alone: its length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nlgauge.core.metric import Info, Mean, WordMetric
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats


@dataclass(frozen=True, kw_only=True)
class ReplyLength(Mean[None], WordMetric[None]):
    """How many words a reply has: what every metric of dialogue is to be held against."""

    info: ClassVar[Info] = Info(
        name="reply-length",
        title="Length of a reply",
        family="dialogue",
        cell="CF·U·word-other",
        tasks=("DG",),
        bounds=(0.0, float("inf")),
        scale=1.0,
        needs=(),
        paper="a baseline without a paper of its own",
        checked_against="hand calculation",
    )

    tokenizer: str = option("none", "how texts are split into words")

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the number of words, and 1."""
        lengths = [len(words) for words in self.preparation().words(corpus.hypotheses)]
        return np.column_stack([np.array(lengths, np.float64), np.ones(len(lengths))])
