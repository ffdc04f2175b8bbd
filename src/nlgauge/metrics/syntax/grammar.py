"""SIM-GRAM: how alike two texts use parts of speech (GRAMSIM of Amigó et al., 2005)."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats
from nlgauge.metrics.content.similarity import PAPER
from nlgauge.metrics.syntax.parsed import ParseMetric
from nlgauge.models.cache.analysis_stores import Sentences


@dataclass(frozen=True, kw_only=True)
class SimGram(Mean, ParseMetric):
    """1 / (1 + Euclidean distance) of the shares of parts of speech; the best reference counts."""

    info: ClassVar[Info] = Info(
        name="sim-gram",
        title="Part-of-speech similarity",
        family="syntax",
        cell="similarity",
        tasks=("AS",),
        scale=1.0,
        extras=("syntax",),
        paper=PAPER,
        checked_against="hand calculation",
    )

    unit: Literal["tags", "fine_tags"] = option("tags", "universal ones, or the language's own")

    def _shares(self, sentences: Sentences) -> dict[str, float]:
        counts = Counter(tag for parse in sentences for tag in getattr(parse, self.unit))
        return {tag: n / counts.total() for tag, n in counts.items()}

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Columns: the score, 1; 0 where a text is empty."""
        rows = np.ones((len(corpus), 2))
        for row, (hyp, refs) in zip(rows, self.pairs(corpus, threads=threads), strict=True):
            own = self._shares(hyp)
            others = [self._shares(ref) for ref in refs if ref]
            row[0] = max((1 / (1 + _distance(own, o)) for o in others), default=0) if own else 0
        return rows


def _distance(a: dict[str, float], b: dict[str, float]) -> float:
    return math.hypot(*(a.get(tag, 0) - b.get(tag, 0) for tag in sorted({*a, *b})))
