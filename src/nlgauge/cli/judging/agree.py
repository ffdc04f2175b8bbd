"""Say how far annotators agree, criterion by criterion, with intervals.

nlgauge agree ratings.jsonl
nlgauge agree ratings.jsonl --criterion fluency --level interval -f json
nlgauge agree mqm.tsv appraise.csv

Files: records of judgements or of outputs with a field `human`, MQM, Appraise; see
docs/guide/judgements.md. Krippendorff's alpha takes any number of annotators and missing ratings;
the one that fits the scale is printed in bold.
"""

from __future__ import annotations

import argparse
from typing import get_args

from nlgauge.cli import shared
from nlgauge.core.choices import ValueScale
from nlgauge.core.defaults import RESAMPLES, SEED


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Judgements, and how they are to be compared."""
    shared.add_judgements(parser)
    parser.add_argument(
        "-c", "--criterion", nargs="+", metavar="NAME", help="only these (default: all)"
    )
    parser.add_argument(
        "--level",
        default="auto",
        choices=get_args(ValueScale),
        help="what the values are (default: told by the values)",
    )
    parser.add_argument(
        "-cin",
        "--confidence-n",
        type=int,
        default=RESAMPLES,
        metavar="N",
        help=f"resamples ({RESAMPLES})",
    )
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the resampling ({SEED})")
    shared.add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    """Read, compare, write."""
    from nlgauge.human.annotator_agreement import agreement
    from nlgauge.report.tables.agreement_tables import agreement_sections, grids

    shared.quieten(arguments)
    result = agreement(
        shared.read_judgements(arguments),
        criterion=arguments.criterion,
        level=arguments.level,
        resamples=arguments.confidence_n,
        seed=arguments.seed,
    )
    shared.write_result(arguments, grids(result), result, lambda: agreement_sections(result))
