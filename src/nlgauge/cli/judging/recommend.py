"""Recommend a metric by the evaluation plane, by the literature and, with ratings, by measuring.

nlgauge recommend --task summarization --criterion coverage
nlgauge recommend --task mt --lang en-ru
nlgauge recommend judged.jsonl --task summarization --criterion relevance
nlgauge recommend judged.jsonl --task mt --criterion adequacy --level system -m bleu chrf ter
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, get_args

from nlgauge.cli import shared
from nlgauge.cli.judging import judged
from nlgauge.cli.outputs import write_result
from nlgauge.core.facts.choices import MeasuredCorrelation, Points
from nlgauge.core.facts.defaults import RESAMPLES

if TYPE_CHECKING:
    from nlgauge.report.pages.page import Section


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge recommend`: a task, and judged outputs if there are any."""
    parser.add_argument(
        "--task", required=True, metavar="NAME", help="task, such as mt or captioning"
    )
    judged.add_judged(parser, paths="*", several=False)
    answer = parser.add_argument_group("answer")
    answer.add_argument(
        "--guideline",
        metavar="NAME",
        help="what the judges looked at, if the criterion's name does not tell: fluency, "
        "correctness, adequacy, coverage or a number from 0 (recall) to 1 (precision)",
    )
    answer.add_argument(
        "--lang",
        metavar="CODE",
        help="language of the outputs, such as de or en-de: what it refuses stands last, and where "
        "chrf is as good as an encoder, it is said",
    )
    answer.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        metavar="METRIC",
        help="metrics to measure (default: all that the literature has for the task and can run, "
        "but likelihoods under a language model)",
    )
    answer.add_argument(
        "--level",
        choices=get_args(Points),
        default="segment",
        metavar="NAME",
        help="what a point of a correlation is: %(choices)s (default: %(default)s)",
    )
    answer.add_argument(
        "--correlation",
        choices=get_args(MeasuredCorrelation),
        default="pearson",
        metavar="NAME",
        help="correlation with ratings: %(choices)s (default: %(default)s)",
    )
    answer.add_argument(
        "--resamples",
        type=int,
        default=RESAMPLES,
        metavar="N",
        help="number of resamples of the intervals (default: %(default)s)",
    )
    shared.add_seed(answer)
    shared.add_output(parser)
    shared.add_threads(parser)


def run(arguments: argparse.Namespace) -> None:
    """Look metrics up, and measure them if there is something to measure on."""
    from nlgauge.errors import SpecError
    from nlgauge.meta.choose.recommend import recommend
    from nlgauge.report.tables.meta.recommendation_tables import recommendation_grids

    shared.quieten(arguments)
    outputs = judgements = None
    if arguments.paths:
        outputs, judgements = judged.read_judged(arguments)
    elif arguments.judgements or arguments.input or arguments.metrics:
        raise SpecError("to measure, name the data file or the references too")
    found = recommend(
        arguments.task,
        arguments.criterion,
        outputs=outputs,
        judgements=judgements,
        metrics=arguments.metrics,
        guideline=arguments.guideline,
        level=arguments.level,
        correlation=arguments.correlation,
        resamples=arguments.resamples,
        seed=arguments.seed,
        threads=arguments.threads,
        lang=arguments.lang,
    )

    def sections() -> list[Section]:
        from nlgauge.report.pages.recommendation_page import recommendation_sections

        return recommendation_sections(found)

    write_result(arguments, recommendation_grids(found), found, sections)
