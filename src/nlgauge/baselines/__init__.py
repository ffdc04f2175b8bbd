"""Extractive summarisers to hold a summarisation test set, and its metrics, against.

nlgauge.baselines.mmr(document).text
"""

from __future__ import annotations

from collections.abc import Callable

from nlgauge.baselines.document import Length, Summary
from nlgauge.baselines.lsa import lsa
from nlgauge.baselines.mmr import mmr
from nlgauge.baselines.trivial import lead, random
from nlgauge.core.facts.choices import Baseline

__all__ = ["BASELINES", "Length", "Summary", "lead", "lsa", "mmr", "random"]

BASELINES: dict[Baseline, Callable[..., Summary]] = {
    "mmr": mmr,
    "lsa": lsa,
    "lead": lead,
    "random": random,
}
