"""nlgauge measures generated text, and measures the measures.

nlgauge.score(hyps, refs, metrics=["bleu", "chrf"])
nlgauge.score(frame, hypothesis="summary", references=["ref1", "ref2"], system="model")
nlgauge.compare(table), nlgauge.meta_evaluate(table), nlgauge.explain_segment(table, 13)
nlgauge.BLEU(smooth="exp").corpus_score(hyps, [refs1, refs2])
nlgauge.load("rouge").compute(predictions=hyps, references=refs)

Beside these names, each of the following packages is a door of its own: `nlgauge.metrics` (all
metrics), `core` (what a metric of your own derives from), `data`, `io`, `explain`, `stats`,
`human`, `meta`, `models`, `report`, `report.figures`, `baselines`, `train`, `annotate` and
`experiments`. A name or a package is imported when it is first used, so that `import nlgauge`
costs nothing, and `nlgauge.io.read_suite` needs no further import.
"""

from typing import TYPE_CHECKING

from nlgauge.lazy import exports

if TYPE_CHECKING:
    from nlgauge import annotate as annotate
    from nlgauge import baselines as baselines
    from nlgauge import core as core
    from nlgauge import data as data
    from nlgauge import experiments as experiments
    from nlgauge import explain as explain
    from nlgauge import human as human
    from nlgauge import io as io
    from nlgauge import meta as meta
    from nlgauge import metrics as metrics
    from nlgauge import models as models
    from nlgauge import report as report
    from nlgauge import stats as stats
    from nlgauge import train as train
    from nlgauge.core.extending.function_metric import metric as metric
    from nlgauge.core.metric import Info as Info
    from nlgauge.core.metric import Interval as Interval
    from nlgauge.core.metric import Metric as Metric
    from nlgauge.core.metric import Score as Score
    from nlgauge.core.outputs import Outputs as Outputs
    from nlgauge.core.outputs import OutputScores as OutputScores
    from nlgauge.core.running_score import RunningScore as RunningScore
    from nlgauge.core.table import ScoreTable as ScoreTable
    from nlgauge.data.corpus import Corpus as Corpus
    from nlgauge.data.corpus import References as References
    from nlgauge.data.corpus import Suite as Suite
    from nlgauge.data.run_context import RunContext as RunContext
    from nlgauge.errors import DataError as DataError
    from nlgauge.errors import MetricFailed as MetricFailed
    from nlgauge.errors import NlgaugeError as NlgaugeError
    from nlgauge.errors import NlgaugeWarning as NlgaugeWarning
    from nlgauge.errors import ResourceMissing as ResourceMissing
    from nlgauge.errors import ServerFailed as ServerFailed
    from nlgauge.errors import SpecError as SpecError
    from nlgauge.errors import TextWarning as TextWarning
    from nlgauge.human.agreement_of_frames import annotator_agreement as annotator_agreement
    from nlgauge.kernels import Texts as Texts
    from nlgauge.meta.correlation.meta_evaluation import meta_evaluate as meta_evaluate
    from nlgauge.metrics.character.chrf import ChrF as ChrF
    from nlgauge.metrics.edit.ter import TER as TER
    from nlgauge.metrics.ngram.bleu import BLEU as BLEU
    from nlgauge.metrics.ngram.delta_bleu import DeltaBLEU as DeltaBLEU
    from nlgauge.run.adapters import as_evaluate as as_evaluate
    from nlgauge.run.adapters import as_torchmetric as as_torchmetric
    from nlgauge.run.adapters import register_in_lm_eval as register_in_lm_eval
    from nlgauge.run.comparison import Comparison as Comparison
    from nlgauge.run.comparison import compare as compare
    from nlgauge.run.comparison import with_scores as with_scores
    from nlgauge.run.explaining import explain_segment as explain_segment
    from nlgauge.run.loading import LoadedMetric as LoadedMetric
    from nlgauge.run.loading import LoadedModule as LoadedModule
    from nlgauge.run.loading import load as load
    from nlgauge.run.scoring import score as score
    from nlgauge.run.scoring import score_outputs as score_outputs
    from nlgauge.run.scoring import score_suite as score_suite
    from nlgauge.run.streams.comparing import compare_stream as compare_stream
    from nlgauge.run.streams.scores import StreamScores as StreamScores
    from nlgauge.run.streams.stream import score_stream as score_stream
    from nlgauge.version import __version__ as __version__

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "nlgauge.core.extending.function_metric": ["metric"],
        "nlgauge.core.metric": ["Info", "Interval", "Metric", "Score"],
        "nlgauge.core.outputs": ["OutputScores", "Outputs"],
        "nlgauge.core.running_score": ["RunningScore"],
        "nlgauge.core.table": ["ScoreTable"],
        "nlgauge.data.run_context": ["RunContext"],
        "nlgauge.data.corpus": ["Corpus", "References", "Suite"],
        "nlgauge.errors": [
            "DataError",
            "MetricFailed",
            "NlgaugeError",
            "NlgaugeWarning",
            "ResourceMissing",
            "ServerFailed",
            "SpecError",
            "TextWarning",
        ],
        "nlgauge.human.agreement_of_frames": ["annotator_agreement"],
        "nlgauge.kernels": ["Texts"],
        "nlgauge.meta.correlation.meta_evaluation": ["meta_evaluate"],
        "nlgauge.metrics.character.chrf": ["ChrF"],
        "nlgauge.metrics.edit.ter": ["TER"],
        "nlgauge.metrics.ngram.bleu": ["BLEU"],
        "nlgauge.metrics.ngram.delta_bleu": ["DeltaBLEU"],
        "nlgauge.run.adapters": ["as_evaluate", "as_torchmetric", "register_in_lm_eval"],
        "nlgauge.run.comparison": ["Comparison", "compare", "with_scores"],
        "nlgauge.run.explaining": ["explain_segment"],
        "nlgauge.run.loading": ["LoadedMetric", "LoadedModule", "load"],
        "nlgauge.run.scoring": ["score", "score_outputs", "score_suite"],
        "nlgauge.run.streams.comparing": ["compare_stream"],
        "nlgauge.run.streams.scores": ["StreamScores"],
        "nlgauge.run.streams.stream": ["score_stream"],
        "nlgauge.version": ["__version__"],
    },
    packages=[
        "annotate",
        "baselines",
        "core",
        "data",
        "experiments",
        "explain",
        "human",
        "io",
        "meta",
        "metrics",
        "models",
        "report",
        "stats",
        "train",
    ],
)
