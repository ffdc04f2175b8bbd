"""What a metric is: the classes that metrics derive from, their options and their scores."""

from typing import TYPE_CHECKING

from nlgauge.lazy import exports

if TYPE_CHECKING:
    from nlgauge.core.best_reference import BestReference as BestReference
    from nlgauge.core.best_reference import PairMetric as PairMetric
    from nlgauge.core.best_reference import ReferencePairs as ReferencePairs
    from nlgauge.core.facts.tasks import CRITERIA as CRITERIA
    from nlgauge.core.facts.tasks import TASKS as TASKS
    from nlgauge.core.facts.tasks import Criterion as Criterion
    from nlgauge.core.facts.tasks import Task as Task
    from nlgauge.core.given import GivenScores as GivenScores
    from nlgauge.core.metric import Info as Info
    from nlgauge.core.metric import Interval as Interval
    from nlgauge.core.metric import KernelMetric as KernelMetric
    from nlgauge.core.metric import Mean as Mean
    from nlgauge.core.metric import MeanMetric as MeanMetric
    from nlgauge.core.metric import Metric as Metric
    from nlgauge.core.metric import Score as Score
    from nlgauge.core.metric import WordMetric as WordMetric
    from nlgauge.core.metric import totals as totals
    from nlgauge.core.options import option as option
    from nlgauge.core.outputs import Outputs as Outputs
    from nlgauge.core.outputs import OutputScores as OutputScores
    from nlgauge.core.table import ScoreTable as ScoreTable
    from nlgauge.core.understanding.coverage import Coverage as Coverage
    from nlgauge.core.understanding.coverage import Lookup as Lookup
    from nlgauge.core.understanding.lookup import LookupMetric as LookupMetric
    from nlgauge.core.understanding.lookup import TextSide as TextSide
    from nlgauge.kernels import Floats as Floats
    from nlgauge.kernels import transport as transport
    from nlgauge.text.preparation import Preparation as Preparation

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "nlgauge.core.best_reference": ["BestReference", "PairMetric", "ReferencePairs"],
        "nlgauge.core.understanding.coverage": ["Coverage", "Lookup"],
        "nlgauge.core.given": ["GivenScores"],
        "nlgauge.core.understanding.lookup": ["LookupMetric", "TextSide"],
        "nlgauge.core.metric": [
            "Info",
            "Interval",
            "KernelMetric",
            "Mean",
            "MeanMetric",
            "Metric",
            "Score",
            "WordMetric",
            "totals",
        ],
        "nlgauge.core.options": ["option"],
        "nlgauge.core.outputs": ["OutputScores", "Outputs"],
        "nlgauge.core.table": ["ScoreTable"],
        "nlgauge.core.facts.tasks": ["CRITERIA", "Criterion", "TASKS", "Task"],
        "nlgauge.kernels": ["Floats", "transport"],
        "nlgauge.text.preparation": ["Preparation"],
    },
)
