"""Find the n-gram metric AEv(alpha, N) that agrees best with people, and the one that should.

nlgauge plane judged.jsonl --task summarization
nlgauge plane ref.txt -i north.txt south.txt coast.txt --judgements ratings.jsonl --task mt
nlgauge plane judged.jsonl --level segment --split lang_pair --guideline da=adequacy
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, get_args

from nlgauge.cli import shared
from nlgauge.cli.judging import judged
from nlgauge.cli.outputs import write_result
from nlgauge.core.facts.choices import Points

if TYPE_CHECKING:
    from nlgauge.report.pages.page import Section


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge plane`: judged outputs, and the members to try."""
    judged.add_judged(parser)
    plane = parser.add_argument_group("plane")
    plane.add_argument(
        "--task", metavar="NAME", help="task of the outputs, such as mt, summarization or qa"
    )
    plane.add_argument(
        "--guideline",
        nargs="+",
        default=[],
        metavar="CRITERION=NAME",
        help="what the judges of a criterion looked at: fluency, correctness, adequacy, coverage "
        "or a number from 0 (recall) to 1 (precision)",
    )
    plane.add_argument(
        "--level",
        choices=get_args(Points),
        default="system",
        metavar="NAME",
        help="what a point of a correlation is: %(choices)s (default: %(default)s)",
    )
    plane.add_argument(
        "--alpha",
        type=_range,
        default=None,
        metavar="FROM:TO:STEP",
        help="weights of precision to try (default: 0:1:0.1)",
    )
    plane.add_argument(
        "--order",
        type=_range,
        default=None,
        metavar="FROM:TO",
        help="largest lengths N of n-grams to try (default: 1:4)",
    )
    plane.add_argument(
        "--member",
        default="aev",
        metavar="METRIC",
        help="family to take the members from, with its options, such as "
        "'aev(tokenizer=none,stop=none)' (default: %(default)s)",
    )
    shared.add_output(parser)
    shared.add_threads(parser)


def run(arguments: argparse.Namespace) -> None:
    """Read the outputs, count n-grams once and correlate every member."""
    from nlgauge.core import registry
    from nlgauge.meta.choose.plane import ALPHAS, ORDERS, evaluation_plane
    from nlgauge.report.tables.meta.plane_tables import plane_grids

    shared.quieten(arguments)
    orders = [round(n) for n in arguments.order or ORDERS]
    family = registry.metric(arguments.member)
    if "max_order" in vars(family):
        family = registry.changed(family, {"max_order": max(orders)})
    paired = judged.pair(arguments, [family], judged.read_judged(arguments))
    planes = evaluation_plane(
        paired,
        column=paired.scores.names[0],
        criteria=arguments.criterion,
        alphas=arguments.alpha or ALPHAS,
        orders=orders,
        level=arguments.level,
        task=arguments.task,
        guidelines=judged.assignments(arguments.guideline, "--guideline"),
        split=arguments.split,
    )

    def sections() -> list[Section]:
        from nlgauge.report.pages.plane_page import plane_sections

        return plane_sections(planes)

    write_result(arguments, plane_grids(planes), planes.record(), sections)


def _range(text: str) -> list[float]:
    """Return the numbers of `0:1:0.25` or `1:3`, to which both ends belong."""
    try:
        low, high, step = (*map(float, text.split(":")), 1.0)[:3]
        if not (step > 0 and low <= high):
            raise ValueError
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not of the form FROM:TO or FROM:TO:STEP, like 0:1:0.1"
        ) from None
    return [round(low + i * step, 10) for i in range(int((high - low) / step + 1e-9) + 1)]
