"""ΔBLEU: BLEU for references weighted by human ratings (Galley et al., 2015)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.metrics.ngram.bleu import BLEU
from nlgauge.metrics.ngram.smoothing import Smoothing


@dataclass(frozen=True, kw_only=True)
class DeltaBLEU(BLEU):
    """BLEU whose matches count by the human rating of the reference they are found in."""

    info: ClassVar[Info] = Info(
        name="delta-bleu",
        title="Discriminative BLEU (ΔBLEU)",
        family="ngram",
        cell="CF·U·word-ngram",
        tasks=("DG",),
        bounds=(0.0, 1.0),
        needs=("references", "reference_weights"),
        perfect_on_itself=True,
        perfect_among_many=True,
        paper="Galley et al. (2015), deltaBLEU: a discriminative metric for generation tasks",
        checked_against="sacreBLEU 2.6.0 where all weights are 1; hand calculation otherwise",
        revision=2,
    )

    smooth: Smoothing = option("none", "what to do with orders that have no match")

    weighted: ClassVar[bool] = True
