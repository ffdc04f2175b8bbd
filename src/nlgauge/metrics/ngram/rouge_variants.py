"""The members of the ROUGE family by their short names, for metrics that build on them."""

from __future__ import annotations

from typing import Any, Literal

from nlgauge.metrics.ngram.rouge import Rouge
from nlgauge.metrics.ngram.rouge_l import RougeL
from nlgauge.metrics.ngram.rouge_n import RougeN
from nlgauge.metrics.ngram.rouge_s import RougeS, RougeSU
from nlgauge.metrics.ngram.rouge_w import RougeW

Variant = Literal["1", "2", "3", "4", "l", "w", "s", "su"]


def rouge(variant: Variant, **options: Any) -> Rouge:
    """Return the metric of a short name: ROUGE-1..4, -L, -W with 1.2, -S or -SU."""
    if variant.isdigit():
        return RougeN(order=int(variant), **options)
    classes: dict[str, type[Rouge]] = {"l": RougeL, "w": RougeW, "s": RougeS, "su": RougeSU}
    return classes[variant](**options)
