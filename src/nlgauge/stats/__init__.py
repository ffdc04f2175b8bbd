"""Statistics of scores: correlations, agreement, intervals, tests and corrections."""

from typing import TYPE_CHECKING

from nlgauge.lazy import exports

if TYPE_CHECKING:
    from nlgauge.stats.agreement import cohen as cohen
    from nlgauge.stats.agreement import fleiss as fleiss
    from nlgauge.stats.agreement import krippendorff as krippendorff
    from nlgauge.stats.anytime.betting import betting_interval as betting_interval
    from nlgauge.stats.anytime.mixture import AnytimeInterval as AnytimeInterval
    from nlgauge.stats.anytime.mixture import anytime_interval as anytime_interval
    from nlgauge.stats.anytime.mixture import anytime_path as anytime_path
    from nlgauge.stats.clusters import Rank as Rank
    from nlgauge.stats.clusters import ranks as ranks
    from nlgauge.stats.correlation import CORRELATIONS as CORRELATIONS
    from nlgauge.stats.correlation import kendall_a as kendall_a
    from nlgauge.stats.correlation import kendall_b as kendall_b
    from nlgauge.stats.correlation import kendall_c as kendall_c
    from nlgauge.stats.correlation import pearson as pearson
    from nlgauge.stats.correlation import r_squared as r_squared
    from nlgauge.stats.correlation import spearman as spearman
    from nlgauge.stats.dependent import TestResult as TestResult
    from nlgauge.stats.dependent import steiger as steiger
    from nlgauge.stats.dependent import williams as williams
    from nlgauge.stats.intervals import METHODS as METHODS
    from nlgauge.stats.intervals import Intervals as Intervals
    from nlgauge.stats.intervals import bca as bca
    from nlgauge.stats.intervals import jackknife as jackknife
    from nlgauge.stats.multiplicity import CORRECTIONS as CORRECTIONS
    from nlgauge.stats.multiplicity import adjust as adjust
    from nlgauge.stats.multiplicity import experiment_wise_error as experiment_wise_error
    from nlgauge.stats.multiplicity import sidak_level as sidak_level
    from nlgauge.stats.pairs import Calibration as Calibration
    from nlgauge.stats.pairs import calibrate as calibrate
    from nlgauge.stats.regression import Coefficient as Coefficient
    from nlgauge.stats.regression import Diagnostics as Diagnostics
    from nlgauge.stats.regression import Fit as Fit
    from nlgauge.stats.regression import least_squares as least_squares
    from nlgauge.stats.resampling import bootstrap as bootstrap
    from nlgauge.stats.resampling import interval as interval
    from nlgauge.stats.resampling import paired_p_value as paired_p_value
    from nlgauge.stats.segment_tests import segment_test as segment_test
    from nlgauge.stats.selection import Step as Step
    from nlgauge.stats.selection import stepwise as stepwise
    from nlgauge.stats.significance import TESTS as TESTS
    from nlgauge.stats.significance import TestOutcome as TestOutcome
    from nlgauge.stats.significance import paired_tests as paired_tests
    from nlgauge.stats.soft import soft_pairwise_accuracy as soft_pairwise_accuracy
    from nlgauge.stats.variance import Anova as Anova
    from nlgauge.stats.variance import anova as anova
    from nlgauge.stats.variance import scheffe as scheffe
    from nlgauge.stats.variance import tukey as tukey

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "nlgauge.stats.agreement": ["cohen", "fleiss", "krippendorff"],
        "nlgauge.stats.anytime.betting": ["betting_interval"],
        "nlgauge.stats.anytime.mixture": ["AnytimeInterval", "anytime_interval", "anytime_path"],
        "nlgauge.stats.clusters": ["Rank", "ranks"],
        "nlgauge.stats.correlation": [
            "CORRELATIONS",
            "kendall_a",
            "kendall_b",
            "kendall_c",
            "pearson",
            "r_squared",
            "spearman",
        ],
        "nlgauge.stats.dependent": ["TestResult", "steiger", "williams"],
        "nlgauge.stats.intervals": ["Intervals", "METHODS", "bca", "jackknife"],
        "nlgauge.stats.multiplicity": [
            "CORRECTIONS",
            "adjust",
            "experiment_wise_error",
            "sidak_level",
        ],
        "nlgauge.stats.pairs": ["Calibration", "calibrate"],
        "nlgauge.stats.regression": ["Coefficient", "Diagnostics", "Fit", "least_squares"],
        "nlgauge.stats.resampling": ["bootstrap", "interval", "paired_p_value"],
        "nlgauge.stats.segment_tests": ["segment_test"],
        "nlgauge.stats.selection": ["Step", "stepwise"],
        "nlgauge.stats.significance": ["TESTS", "TestOutcome", "paired_tests"],
        "nlgauge.stats.soft": ["soft_pairwise_accuracy"],
        "nlgauge.stats.variance": ["Anova", "anova", "scheffe", "tukey"],
    },
)
