"""Measure how far annotators agree, criterion by criterion, with intervals.

nlgauge agree ratings.jsonl
nlgauge agree ratings.jsonl --criterion fluency --level interval -f json
nlgauge agree mqm.tsv appraise.csv

Files: records of judgements or of outputs with a field `human`, MQM, Appraise; see
docs/guide/judgements.md. Krippendorff's alpha takes any number of annotators and missing ratings;
the one that fits the scale is printed in bold.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, get_args

from nlgauge.cli import shared
from nlgauge.cli.outputs import write_result
from nlgauge.core.facts.choices import ValueScale

if TYPE_CHECKING:
    from nlgauge.report.pages.page import Section


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge agree`: judgements, and how they are compared."""
    shared.add_judgements(parser)
    parser.add_argument(
        "-c", "--criterion", nargs="+", metavar="NAME", help="criteria to look at (default: all)"
    )
    parser.add_argument(
        "--level",
        default="auto",
        choices=get_args(ValueScale),
        metavar="NAME",
        help="level of measurement of the values: %(choices)s (default: what the values tell)",
    )
    shared.add_confidence_n(parser)
    shared.add_seed(parser)
    shared.add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    """Read the judgements, compare annotators and write how far they agree."""
    from nlgauge.human.annotator_agreement import agreement
    from nlgauge.report.tables.agreement_tables import grids

    shared.quieten(arguments)
    result = agreement(
        shared.read_judgements(arguments),
        criterion=arguments.criterion,
        level=arguments.level,
        resamples=arguments.confidence_n,
        seed=arguments.seed,
    )

    def sections() -> list[Section]:
        from nlgauge.report.pages.agreement_page import agreement_sections

        return agreement_sections(result)

    write_result(arguments, grids(result), result, sections)
