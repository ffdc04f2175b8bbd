"""Analyse human judgements in one of several ways.

nlgauge analyse systems ratings.jsonl --scale 1 5     means, z-scores, weights by agreement
nlgauge analyse ranks comparisons.jsonl               Bradley-Terry, expected wins, TrueSkill
nlgauge analyse decisions ratings.jsonl --margin 0.2  who is better, valid at every look
nlgauge analyse relevance subjects.jsonl              relevance prediction, agreement with gold
nlgauge analyse comprehension answers.tsv             cross-comprehension of summaries
nlgauge analyse coverage units.tsv                    DUC coverage of reference units
nlgauge analyse answers answers.tsv                   correct, related or wrong answers
nlgauge analyse meeting questionnaire.tsv             twelve statements about meeting summaries

What each reads is described by `nlgauge analyse NAME --help` and in docs/guide/judgements.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any, get_args

from nlgauge.cli import inputs, shared
from nlgauge.cli.help_text import HelpFormatter
from nlgauge.cli.outputs import write_result
from nlgauge.core.facts.choices import Boundary, Deviation, TieModel
from nlgauge.core.facts.defaults import ALPHA

if TYPE_CHECKING:
    from nlgauge.report.pages.page import Section
    from nlgauge.report.tables.grid import Grid

# name -> module and function of the library, function of tables and pictures, help
ANALYSES = {
    "systems": ("aggregation:rate_systems", "systems", "compute means of systems from ratings"),
    "ranks": ("ranking:rank", "ranks", "rank systems by comparisons, or by ratings"),
    "decisions": (
        "stopping.decisions:decide",
        "decisions",
        "decide which systems are better, at any time while people judge",
    ),
    "relevance": (
        "relevance:relevance_prediction",
        "relevance",
        "measure how useful surrogates are",
    ),
    "comprehension": (
        "comprehension:cross_comprehension",
        "comprehension",
        "cross-examine summaries",
    ),
    "coverage": ("grades:coverage", "grades", "measure the coverage of reference units"),
    "answers": ("grades:answers", "grades", "count correct, related and wrong answers"),
    "meeting": ("statements:questionnaire", "questionnaire", "evaluate the meeting questionnaire"),
}
_READS = {
    "systems": """Ratings: item, system, annotator, criterion, value.""",
    "ranks": """Comparisons: item, system, against, value (1, 0.5 or 0). If there are none, ratings:
two systems rated by the same annotator for the same item.""",
    "decisions": """Ratings: item, system, annotator, value; or comparisons: item, system, against,
value. Rows are in the order in which judgements arrived.""",
    "relevance": """item: document; system: kind of surrogate, or full; annotator: subject, or gold;
criterion: event; label: relevant or not relevant; seconds. Rows without annotator are scores.""",
    "comprehension": """item: question; criterion: its author; system: author of the summary;
label: R, P, I or N.""",
    "coverage": """item: reference unit; system; criterion: summary or topic;
label: all, most, some, hardly any or none.""",
    "answers": """item: question; system; criterion: guideline;
label: correct, related or wrong.""",
    "meeting": """item: meeting; system; annotator; criterion: key of a statement; value.""",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add a parser with its own options for each analysis."""
    names = parser.add_subparsers(dest="analysis", metavar="NAME", required=True)
    for name, (_, _, help) in ANALYSES.items():
        sub = names.add_parser(
            name,
            help=help,
            description=f"{help[0].upper()}{help[1:]}.\n\n{_READS[name]}",
            formatter_class=HelpFormatter,
        )
        inputs.add_judgements(sub)
        _OPTIONS[name](sub)
        shared.add_output(sub)


def _systems(parser: argparse.ArgumentParser) -> None:
    _add_scale(parser, "ends of the rating scale; means are then also given as shares of it")
    parser.add_argument(
        "--deviation",
        choices=get_args(Deviation),
        default="population",
        metavar="NAME",
        help="standard deviation of z-scores: %(choices)s (default: %(default)s)",
    )


def _decisions(parser: argparse.ArgumentParser) -> None:
    _add_criterion(parser, "criterion to decide by, if there are several")
    _add_scale(parser, "ends of the rating scale, which betting needs")
    parser.add_argument(
        "--margin",
        type=float,
        metavar="X",
        help="largest difference of no interest (default: none)",
    )
    parser.add_argument(
        "--method",
        choices=get_args(Boundary),
        default="mixture",
        metavar="NAME",
        help="what makes intervals hold at every look: %(choices)s (default: %(default)s)",
    )
    parser.add_argument(
        "--alpha",
        type=float,
        default=ALPHA,
        metavar="X",
        help="probability of a wrong decision, for all pairs together (default: %(default)s)",
    )


def _add_criterion(parser: argparse.ArgumentParser, help: str) -> None:
    parser.add_argument("-c", "--criterion", metavar="NAME", help=help)


def _add_scale(parser: argparse.ArgumentParser, help: str) -> None:
    parser.add_argument("--scale", nargs=2, type=float, metavar=("LOW", "HIGH"), help=help)


def _ranks(parser: argparse.ArgumentParser) -> None:
    _add_criterion(parser, "criterion to rank by, if there are several")
    parser.add_argument(
        "--margin",
        type=float,
        default=0.0,
        metavar="X",
        help="difference up to which two ratings are a tie (default: %(default)s)",
    )
    parser.add_argument(
        "--ties",
        choices=get_args(TieModel),
        default="davidson",
        metavar="NAME",
        help="how the Bradley-Terry model takes ties: %(choices)s (default: %(default)s)",
    )
    parser.add_argument(
        "--prior",
        type=float,
        default=0.0,
        metavar="X",
        help="precision of a prior on strengths; 0 is none (default: %(default)s)",
    )
    shared.add_confidence_n(parser, dest="resamples")
    shared.add_seed(parser)


def _relevance(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--full",
        default="full",
        metavar="NAME",
        help="name that the full text has as a system (default: %(default)s)",
    )
    parser.add_argument(
        "--gold",
        default="gold",
        metavar="NAME",
        help="name that the gold labels have as an annotator (default: %(default)s)",
    )
    parser.add_argument(
        "--leave-out",
        nargs="+",
        default=(),
        metavar="EVENT",
        help="events to leave out, such as the one for practice",
    )


def _comprehension(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--machines",
        nargs="+",
        default=(),
        metavar="NAME",
        help="authors of summaries that are machines, not people",
    )


def _grades(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--weights",
        nargs="+",
        metavar="GRADE=N",
        help="weights of grades that differ from the usual ones, such as some=0.5",
    )


def _meeting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--points",
        type=int,
        default=7,
        metavar="N",
        help="number of points of the rating scale (default: %(default)s)",
    )


_OPTIONS: dict[str, Callable[[argparse.ArgumentParser], None]] = {
    "systems": _systems,
    "ranks": _ranks,
    "decisions": _decisions,
    "relevance": _relevance,
    "comprehension": _comprehension,
    "coverage": _grades,
    "answers": _grades,
    "meeting": _meeting,
}


def run(arguments: argparse.Namespace) -> None:
    """Read the judgements, analyse them and write the results."""
    shared.quieten(arguments)
    where, report, _ = ANALYSES[arguments.analysis]
    module, function = where.split(":")
    analyse = getattr(import_module(f"nlgauge.human.{module}"), function)
    # The options of an analysis are called as the parameters of its function.
    options: dict[str, Any] = {
        name: getattr(arguments, name)
        for name in signature(analyse).parameters
        if hasattr(arguments, name)
    }
    if options.get("weights") is not None:
        options["weights"] = inputs.numbers(options["weights"], "--weights")
    result = analyse(inputs.read_judgements(arguments), **options)
    grids = getattr(import_module("nlgauge.report.tables.human.analysis_tables"), report)(result)
    write_result(arguments, grids, result, lambda: _sections(report, result, grids))


def _sections(report: str, result: Any, grids: Sequence[Grid]) -> list[Section]:
    from nlgauge.report.pages.analysis_page import answer
    from nlgauge.report.pages.page import Section

    figures = getattr(import_module("nlgauge.report.pages.analysis_page"), report)(result)
    said = answer(result)
    return [*said, Section(title=report.capitalize(), grids=grids, figures=figures)]
