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
    from nlgauge.human.comprehension import CrossComprehension as CrossComprehension
    from nlgauge.human.comprehension import cross_comprehension as cross_comprehension
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
    from nlgauge.human.statements import STATEMENTS as STATEMENTS
    from nlgauge.human.statements import Questionnaire as Questionnaire
    from nlgauge.human.statements import Statement as Statement
    from nlgauge.human.statements import questionnaire as questionnaire
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
        "nlgauge.human.comprehension": ["CrossComprehension", "cross_comprehension"],
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
        "nlgauge.human.statements": ["Questionnaire", "STATEMENTS", "Statement", "questionnaire"],
        "nlgauge.human.strengths": ["Strengths", "bradley_terry"],
    },
)
