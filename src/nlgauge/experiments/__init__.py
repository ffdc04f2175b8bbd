"""The experiments of the papers that the metrics come from, run again on other data."""

from typing import TYPE_CHECKING

from nlgauge.lazy import exports

if TYPE_CHECKING:
    from nlgauge.experiments.catalogue import EXPERIMENTS as EXPERIMENTS
    from nlgauge.experiments.catalogue import run_experiment as run_experiment
    from nlgauge.experiments.experiment import ComparedRow as ComparedRow
    from nlgauge.experiments.experiment import ComparedTable as ComparedTable
    from nlgauge.experiments.experiment import ExperimentData as ExperimentData
    from nlgauge.experiments.experiment import OurFigure as OurFigure

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "nlgauge.experiments.catalogue": ["EXPERIMENTS", "run_experiment"],
        "nlgauge.experiments.experiment": [
            "ComparedRow",
            "ComparedTable",
            "ExperimentData",
            "OurFigure",
        ],
    },
)
