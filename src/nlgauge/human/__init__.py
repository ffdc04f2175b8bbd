"""What people said about outputs: ratings, labels and comparisons, and analyses of them."""

from typing import TYPE_CHECKING

from nlgauge.lazy import exports

if TYPE_CHECKING:
    from nlgauge.human.aggregation import RatedSystem as RatedSystem
    from nlgauge.human.aggregation import RatedSystems as RatedSystems
    from nlgauge.human.aggregation import aggregate as aggregate
    from nlgauge.human.aggregation import agreement_weights as agreement_weights
    from nlgauge.human.aggregation import rate_systems as rate_systems
    from nlgauge.human.annotator_agreement import Agreement as Agreement
    from nlgauge.human.annotator_agreement import AnnotatorAgreement as AnnotatorAgreement
    from nlgauge.human.annotator_agreement import CriterionAgreement as CriterionAgreement
    from nlgauge.human.annotator_agreement import Measure as Measure
    from nlgauge.human.annotator_agreement import PairAgreement as PairAgreement
    from nlgauge.human.annotator_agreement import agreement as agreement
    from nlgauge.human.annotators.annotator_models import (
        AnnotatorReliability as AnnotatorReliability,
    )
    from nlgauge.human.annotators.annotator_models import FittedAnnotators as FittedAnnotators
    from nlgauge.human.annotators.annotator_models import ProbableLabel as ProbableLabel
    from nlgauge.human.annotators.annotator_models import fit_annotators as fit_annotators
    from nlgauge.human.best_worst import BestWorst as BestWorst
    from nlgauge.human.best_worst import ScaledElement as ScaledElement
    from nlgauge.human.best_worst import SplitHalves as SplitHalves
    from nlgauge.human.best_worst import implied_wins as implied_wins
    from nlgauge.human.best_worst import scale_elements as scale_elements
    from nlgauge.human.best_worst import split_halves as split_halves
    from nlgauge.human.comprehension import CrossComprehension as CrossComprehension
    from nlgauge.human.comprehension import cross_comprehension as cross_comprehension
    from nlgauge.human.design.assignment import Assignment as Assignment
    from nlgauge.human.design.assignment import Slot as Slot
    from nlgauge.human.design.assignment import assign as assign
    from nlgauge.human.design.balance import Balance as Balance
    from nlgauge.human.design.balance import CountSpread as CountSpread
    from nlgauge.human.design.balance import check_balance as check_balance
    from nlgauge.human.design.latin_squares import counterbalanced as counterbalanced
    from nlgauge.human.design.latin_squares import crossed as crossed
    from nlgauge.human.design.latin_squares import williams_square as williams_square
    from nlgauge.human.design.tuples import TupleBalance as TupleBalance
    from nlgauge.human.design.tuples import best_worst_tuples as best_worst_tuples
    from nlgauge.human.design.tuples import tuple_balance as tuple_balance
    from nlgauge.human.grades import GradedSystem as GradedSystem
    from nlgauge.human.grades import Grades as Grades
    from nlgauge.human.grades import answers as answers
    from nlgauge.human.grades import coverage as coverage
    from nlgauge.human.normalisation import normalise as normalise
    from nlgauge.human.normalisation import rescale as rescale
    from nlgauge.human.pairwise import Comparisons as Comparisons
    from nlgauge.human.pairwise import comparisons as comparisons
    from nlgauge.human.ranking import RankedSystem as RankedSystem
    from nlgauge.human.ranking import Ranking as Ranking
    from nlgauge.human.ranking import expected_wins as expected_wins
    from nlgauge.human.ranking import rank as rank
    from nlgauge.human.relevance import Relevance as Relevance
    from nlgauge.human.relevance import RelevancePrediction as RelevancePrediction
    from nlgauge.human.relevance import relevance_prediction as relevance_prediction
    from nlgauge.human.scales import QUESTIONS as QUESTIONS
    from nlgauge.human.scales import SCALES as SCALES
    from nlgauge.human.scales import Question as Question
    from nlgauge.human.scales import RatingScale as RatingScale
    from nlgauge.human.scales import even as even
    from nlgauge.human.scales import likert as likert
    from nlgauge.human.skills import trueskill as trueskill
    from nlgauge.human.spans.span_agreement import SpanAgreement as SpanAgreement
    from nlgauge.human.spans.span_agreement import SpanPair as SpanPair
    from nlgauge.human.spans.span_agreement import marked_errors as marked_errors
    from nlgauge.human.spans.span_agreement import span_agreement as span_agreement
    from nlgauge.human.spans.span_agreement import weighted_errors as weighted_errors
    from nlgauge.human.spans.span_matching import match_spans as match_spans
    from nlgauge.human.statements import STATEMENTS as STATEMENTS
    from nlgauge.human.statements import Questionnaire as Questionnaire
    from nlgauge.human.statements import Statement as Statement
    from nlgauge.human.statements import questionnaire as questionnaire
    from nlgauge.human.stopping.allocation import Allocation as Allocation
    from nlgauge.human.stopping.allocation import allocate_pairs as allocate_pairs
    from nlgauge.human.stopping.allocation import allocate_systems as allocate_systems
    from nlgauge.human.stopping.decisions import Decisions as Decisions
    from nlgauge.human.stopping.decisions import PairDecision as PairDecision
    from nlgauge.human.stopping.decisions import decide as decide
    from nlgauge.human.stopping.power import PlannedStudy as PlannedStudy
    from nlgauge.human.stopping.power import Power as Power
    from nlgauge.human.stopping.power import PowerAt as PowerAt
    from nlgauge.human.stopping.power import power as power
    from nlgauge.human.stopping.weighted_means import WeightedMean as WeightedMean
    from nlgauge.human.stopping.weighted_means import weighted_means as weighted_means
    from nlgauge.human.strengths import Strengths as Strengths
    from nlgauge.human.strengths import bradley_terry as bradley_terry

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "nlgauge.human.aggregation": [
            "RatedSystem",
            "RatedSystems",
            "aggregate",
            "agreement_weights",
            "rate_systems",
        ],
        "nlgauge.human.annotator_agreement": [
            "Agreement",
            "AnnotatorAgreement",
            "CriterionAgreement",
            "Measure",
            "PairAgreement",
            "agreement",
        ],
        "nlgauge.human.annotators.annotator_models": [
            "AnnotatorReliability",
            "FittedAnnotators",
            "ProbableLabel",
            "fit_annotators",
        ],
        "nlgauge.human.best_worst": [
            "BestWorst",
            "ScaledElement",
            "SplitHalves",
            "implied_wins",
            "scale_elements",
            "split_halves",
        ],
        "nlgauge.human.comprehension": ["CrossComprehension", "cross_comprehension"],
        "nlgauge.human.design.assignment": ["Assignment", "Slot", "assign"],
        "nlgauge.human.design.balance": ["Balance", "CountSpread", "check_balance"],
        "nlgauge.human.design.latin_squares": ["counterbalanced", "crossed", "williams_square"],
        "nlgauge.human.design.tuples": ["TupleBalance", "best_worst_tuples", "tuple_balance"],
        "nlgauge.human.grades": ["GradedSystem", "Grades", "answers", "coverage"],
        "nlgauge.human.normalisation": ["normalise", "rescale"],
        "nlgauge.human.pairwise": ["Comparisons", "comparisons"],
        "nlgauge.human.ranking": ["RankedSystem", "Ranking", "expected_wins", "rank"],
        "nlgauge.human.relevance": ["Relevance", "RelevancePrediction", "relevance_prediction"],
        "nlgauge.human.scales": [
            "QUESTIONS",
            "Question",
            "RatingScale",
            "SCALES",
            "even",
            "likert",
        ],
        "nlgauge.human.skills": ["trueskill"],
        "nlgauge.human.spans.span_agreement": [
            "SpanAgreement",
            "SpanPair",
            "marked_errors",
            "span_agreement",
            "weighted_errors",
        ],
        "nlgauge.human.spans.span_matching": ["match_spans"],
        "nlgauge.human.statements": ["Questionnaire", "STATEMENTS", "Statement", "questionnaire"],
        "nlgauge.human.stopping.allocation": ["Allocation", "allocate_pairs", "allocate_systems"],
        "nlgauge.human.stopping.decisions": ["Decisions", "PairDecision", "decide"],
        "nlgauge.human.stopping.power": ["PlannedStudy", "Power", "PowerAt", "power"],
        "nlgauge.human.stopping.weighted_means": ["WeightedMean", "weighted_means"],
        "nlgauge.human.strengths": ["Strengths", "bradley_terry"],
    },
)
