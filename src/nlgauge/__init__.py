"""nlgauge measures generated text, and measures the measures.

nlgauge.score(hyps, refs, metrics=["bleu", "chrf"])
nlgauge.BLEU(smooth="exp").corpus_score(hyps, [refs1, refs2])
nlgauge.load("rouge").compute(predictions=hyps, references=refs)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from nlgauge.version import __version__

if TYPE_CHECKING:
    from nlgauge.core.metric import Info, Interval, Metric, Score
    from nlgauge.core.table import ScoreTable
    from nlgauge.data.context import RunContext
    from nlgauge.data.corpus import Corpus, References, Suite
    from nlgauge.errors import (
        DataError,
        NlgaugeError,
        NlgaugeWarning,
        ResourceMissing,
        SpecError,
        TextWarning,
    )
    from nlgauge.kernels import Texts
    from nlgauge.metrics.character.chrf import ChrF
    from nlgauge.metrics.edit.ter import TER
    from nlgauge.metrics.ngram.bleu import BLEU, DeltaBLEU
    from nlgauge.run.comparison import Comparison, compare
    from nlgauge.run.loading import LoadedMetric, LoadedModule, load
    from nlgauge.run.scoring import score, score_suite

# Where each public name lives; it is imported when first used, so that `import nlgauge` is free.
_HOMES = {
    "nlgauge.run.comparison": ["Comparison", "compare"],
    "nlgauge.data.context": ["RunContext"],
    "nlgauge.data.corpus": ["Corpus", "References", "Suite"],
    "nlgauge.errors": [
        "DataError",
        "NlgaugeError",
        "NlgaugeWarning",
        "ResourceMissing",
        "SpecError",
        "TextWarning",
    ],
    "nlgauge.kernels": ["Texts"],
    "nlgauge.run.loading": ["LoadedMetric", "LoadedModule", "load"],
    "nlgauge.core.metric": ["Info", "Interval", "Metric", "Score"],
    "nlgauge.metrics.character.chrf": ["ChrF"],
    "nlgauge.metrics.edit.ter": ["TER"],
    "nlgauge.metrics.ngram.bleu": ["BLEU", "DeltaBLEU"],
    "nlgauge.run.scoring": ["score", "score_suite"],
    "nlgauge.core.table": ["ScoreTable"],
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "BLEU",
    "TER",
    "ChrF",
    "Comparison",
    "Corpus",
    "DataError",
    "DeltaBLEU",
    "Info",
    "Interval",
    "LoadedMetric",
    "LoadedModule",
    "Metric",
    "NlgaugeError",
    "NlgaugeWarning",
    "References",
    "ResourceMissing",
    "RunContext",
    "Score",
    "ScoreTable",
    "SpecError",
    "Suite",
    "TextWarning",
    "Texts",
    "__version__",
    "compare",
    "load",
    "score",
    "score_suite",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'nlgauge' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
