"""Metrics measured: by what people said, and by what a metric should and should not notice."""

from typing import TYPE_CHECKING

from nlgauge.lazy import exports

if TYPE_CHECKING:
    from nlgauge.meta.choose.measured import MeasuredAgreement as MeasuredAgreement
    from nlgauge.meta.choose.measured import measure as measure
    from nlgauge.meta.choose.metric_regression import MetricRegression as MetricRegression
    from nlgauge.meta.choose.metric_regression import model_of as model_of
    from nlgauge.meta.choose.metric_regression import regress as regress
    from nlgauge.meta.choose.plane import Plane as Plane
    from nlgauge.meta.choose.plane import Planes as Planes
    from nlgauge.meta.choose.plane import evaluation_plane as evaluation_plane
    from nlgauge.meta.choose.recommend import Candidate as Candidate
    from nlgauge.meta.choose.recommend import Recommendation as Recommendation
    from nlgauge.meta.choose.recommend import recommend as recommend
    from nlgauge.meta.correlation.between_metrics import Significance as Significance
    from nlgauge.meta.correlation.judged_runs import read_judged_runs as read_judged_runs
    from nlgauge.meta.correlation.meta_result import MetaResult as MetaResult
    from nlgauge.meta.correlation.meta_result import correlate as correlate
    from nlgauge.meta.correlation.metric_agreement import MetricAgreement as MetricAgreement
    from nlgauge.meta.correlation.outliers import Outliers as Outliers
    from nlgauge.meta.correlation.paired_scores import PairedScores as PairedScores
    from nlgauge.meta.correlation.partitions import Partitions as Partitions
    from nlgauge.meta.correlation.reading import JudgedScores as JudgedScores
    from nlgauge.meta.correlation.reading import read_judged as read_judged
    from nlgauge.meta.correlation.settings import MetaSettings as MetaSettings
    from nlgauge.meta.stress.perturbations import PERTURBATIONS as PERTURBATIONS
    from nlgauge.meta.stress.perturbations import Original as Original
    from nlgauge.meta.stress.perturbations import Perturbation as Perturbation
    from nlgauge.meta.stress.perturbations import WordByWord as WordByWord
    from nlgauge.meta.stress.perturbations import perturbation as perturbation
    from nlgauge.meta.stress.robustness import PerturbationOutcome as PerturbationOutcome
    from nlgauge.meta.stress.robustness import Robustness as Robustness
    from nlgauge.meta.stress.robustness import robustness as robustness
    from nlgauge.meta.without_people.clustering import ClusterTree as ClusterTree
    from nlgauge.meta.without_people.clustering import cluster_metrics as cluster_metrics
    from nlgauge.meta.without_people.discriminators import (
        adversarial_success as adversarial_success,
    )
    from nlgauge.meta.without_people.discriminators import (
        evaluator_reliability_error as evaluator_reliability_error,
    )
    from nlgauge.meta.without_people.metric_sets import Qarla as Qarla
    from nlgauge.meta.without_people.metric_sets import qarla as qarla
    from nlgauge.meta.without_people.orange import LeaveOneOutScores as LeaveOneOutScores
    from nlgauge.meta.without_people.orange import Orange as Orange
    from nlgauge.meta.without_people.orange import leave_one_out as leave_one_out
    from nlgauge.meta.without_people.orange import orange as orange
    from nlgauge.meta.without_people.qarla import MetricSet as MetricSet
    from nlgauge.meta.without_people.similarities import similarities as similarities

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "nlgauge.meta.choose.measured": ["MeasuredAgreement", "measure"],
        "nlgauge.meta.choose.metric_regression": ["MetricRegression", "model_of", "regress"],
        "nlgauge.meta.choose.plane": ["Plane", "Planes", "evaluation_plane"],
        "nlgauge.meta.choose.recommend": ["Candidate", "Recommendation", "recommend"],
        "nlgauge.meta.correlation.between_metrics": ["Significance"],
        "nlgauge.meta.correlation.judged_runs": ["read_judged_runs"],
        "nlgauge.meta.correlation.meta_result": ["MetaResult", "correlate"],
        "nlgauge.meta.correlation.metric_agreement": ["MetricAgreement"],
        "nlgauge.meta.correlation.outliers": ["Outliers"],
        "nlgauge.meta.correlation.paired_scores": ["PairedScores"],
        "nlgauge.meta.correlation.partitions": ["Partitions"],
        "nlgauge.meta.correlation.reading": ["JudgedScores", "read_judged"],
        "nlgauge.meta.correlation.settings": ["MetaSettings"],
        "nlgauge.meta.stress.perturbations": [
            "Original",
            "PERTURBATIONS",
            "Perturbation",
            "WordByWord",
            "perturbation",
        ],
        "nlgauge.meta.stress.robustness": ["PerturbationOutcome", "Robustness", "robustness"],
        "nlgauge.meta.without_people.clustering": ["ClusterTree", "cluster_metrics"],
        "nlgauge.meta.without_people.discriminators": [
            "adversarial_success",
            "evaluator_reliability_error",
        ],
        "nlgauge.meta.without_people.metric_sets": ["Qarla", "qarla"],
        "nlgauge.meta.without_people.orange": [
            "LeaveOneOutScores",
            "Orange",
            "leave_one_out",
            "orange",
        ],
        "nlgauge.meta.without_people.qarla": ["MetricSet"],
        "nlgauge.meta.without_people.similarities": ["similarities"],
    },
)
