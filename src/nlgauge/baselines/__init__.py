"""Simple systems to hold test sets, their metrics and better systems against.

nlgauge.baselines.mmr(document).text
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nlgauge.baselines.document import Length, Summary
from nlgauge.baselines.lsa import lsa
from nlgauge.baselines.mmr import mmr
from nlgauge.baselines.trivial import lead, random
from nlgauge.core.facts.choices import Baseline
from nlgauge.lazy import exports

if TYPE_CHECKING:
    from nlgauge.baselines.baseline_files import load_fergus as load_fergus
    from nlgauge.baselines.baseline_files import load_reranker as load_reranker
    from nlgauge.baselines.baseline_files import load_summarisers as load_summarisers
    from nlgauge.baselines.baseline_files import save_fergus as save_fergus
    from nlgauge.baselines.baseline_files import save_reranker as save_reranker
    from nlgauge.baselines.baseline_files import save_summarisers as save_summarisers
    from nlgauge.baselines.feature_based.mixture import GaussianMixture as GaussianMixture
    from nlgauge.baselines.feature_based.mixture import fit_mixture as fit_mixture
    from nlgauge.baselines.feature_based.summariser import FeatureSummariser as FeatureSummariser
    from nlgauge.baselines.realisation.fergus import Fergus as Fergus
    from nlgauge.baselines.realisation.lexeme_tree import LexemeTree as LexemeTree
    from nlgauge.baselines.realisation.word_search import Realisation as Realisation
    from nlgauge.baselines.reranking.candidate_features import FeatureSettings as FeatureSettings
    from nlgauge.baselines.reranking.reranker import Reranker as Reranker

BASELINES: dict[Baseline, Callable[..., Summary]] = {
    "mmr": mmr,
    "lsa": lsa,
    "lead": lead,
    "random": random,
}
# Systems that learn something are loaded when they are used.
_later, __getattr__, _ = exports(
    __name__,
    {
        "nlgauge.baselines.baseline_files": [
            "load_fergus",
            "load_reranker",
            "load_summarisers",
            "save_fergus",
            "save_reranker",
            "save_summarisers",
        ],
        "nlgauge.baselines.feature_based.mixture": ["GaussianMixture", "fit_mixture"],
        "nlgauge.baselines.feature_based.summariser": ["FeatureSummariser"],
        "nlgauge.baselines.realisation.fergus": ["Fergus"],
        "nlgauge.baselines.realisation.lexeme_tree": ["LexemeTree"],
        "nlgauge.baselines.realisation.word_search": ["Realisation"],
        "nlgauge.baselines.reranking.candidate_features": ["FeatureSettings"],
        "nlgauge.baselines.reranking.reranker": ["Reranker"],
    },
)
__all__ = ["BASELINES", "Length", "Summary", "lead", "lsa", "mmr", "random", *_later]
