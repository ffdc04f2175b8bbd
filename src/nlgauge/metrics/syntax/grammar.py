"""SIM-GRAM: how alike two texts use parts of speech (GRAMSIM of Amigó et al., 2005)."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar, Literal

from nlgauge.core.best_reference import BestReference
from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.metrics.content.similarity import PAPER
from nlgauge.metrics.syntax.parsed import ParseMetric
from nlgauge.models.cache.analysis_stores import Sentences


@dataclass(frozen=True, kw_only=True)
class SimGram(ParseMetric, BestReference):
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

    def described(self, sentences: Sentences) -> dict[str, float]:
        """Return the share of each part of speech; nothing of an empty text."""
        counts = Counter(tag for parse in sentences for tag in getattr(parse, self.unit))
        return {tag: n / counts.total() for tag, n in counts.items()}

    def pair(self, hyp: dict[str, float], ref: dict[str, float]) -> float:
        """Return how near the shares are; 0 where a text is empty."""
        return 1 / (1 + _distance(hyp, ref)) if hyp and ref else 0.0


def _distance(a: dict[str, float], b: dict[str, float]) -> float:
    return math.hypot(*(a.get(tag, 0) - b.get(tag, 0) for tag in sorted({*a, *b})))
