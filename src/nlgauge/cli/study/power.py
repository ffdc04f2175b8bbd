"""Say before a study how many judgements it needs, by simulation.

nlgauge annotate power --effect 0.1 --systems 4
nlgauge annotate power --effect 0.2 --systems 2 --kind pairwise --per-output 3 --items 500

The first system is better than the others by the effect, in standard deviations of a rating. The
table has the probability that it is found, if the number of items is planned once, and if somebody
looks after every item; docs/explanation/stopping.md explains both.
"""

from __future__ import annotations

import argparse
from typing import get_args

from nlgauge.cli import shared
from nlgauge.cli.outputs import write_result
from nlgauge.core.facts.choices import RatingKind
from nlgauge.core.facts.defaults import ALPHA

# option, type, default, help
_NUMBERS = (
    ("effect", float, 0.1, "difference to find, in standard deviations of a rating"),
    ("systems", int, 2, "number of systems"),
    ("per-output", int, 1, "annotators of each output, or of each pair of outputs"),
    ("annotators", int, 10, "number of annotators"),
    ("points", int, 5, "points of a likert scale"),
    ("item", float, 0.2, "share of the variance that is between items"),
    ("interaction", float, 0.2, "share between systems within items"),
    ("annotator", float, 0.1, "share between annotators"),
    ("ties", float, 0.25, "pairwise: difference up to which it is a tie"),
    ("items", int, 2000, "largest number of items to simulate"),
    ("target", float, 0.8, "power to reach"),
    ("alpha", float, ALPHA, "probability of a false winner, for all pairs together"),
    ("simulations", int, 500, "number of studies to simulate"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge annotate power`: the study, and how ratings vary."""
    for name, kind, default, help in _NUMBERS:
        parser.add_argument(
            f"--{name}",
            type=kind,
            default=default,
            metavar="N" if kind is int else "X",
            help=f"{help} (default: %(default)s)",
        )
    parser.add_argument(
        "--kind",
        choices=get_args(RatingKind),
        default="continuous",
        metavar="NAME",
        help="what people give: %(choices)s (default: %(default)s)",
    )
    parser.add_argument(
        "--different-annotators",
        action="store_true",
        help="the outputs of an item are rated by different annotators",
    )
    shared.add_seed(parser)
    shared.add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    """Simulate the study and write its power."""
    from dataclasses import fields

    from nlgauge.human.stopping.power import PlannedStudy, power
    from nlgauge.report.tables.human.study_tables import power_grid

    shared.quieten(arguments)
    given = vars(arguments) | {"same_annotator": not arguments.different_annotators}
    result = power(
        PlannedStudy(**{field.name: given[field.name] for field in fields(PlannedStudy)}),
        items=arguments.items,
        target=arguments.target,
        alpha=arguments.alpha,
        simulations=arguments.simulations,
        seed=arguments.seed,
    )
    write_result(arguments, [power_grid(result)], result)
