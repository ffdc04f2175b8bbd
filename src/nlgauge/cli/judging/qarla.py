"""Measure systems and metrics by human texts alone (QARLA).

QUEEN says which systems pass for human, KING which set of metrics tells systems from humans best,
and JACK whether the systems are varied enough to say so. Every reference set is a model; three or
more are needed, no judgements.

nlgauge qarla ref1.txt ref2.txt ref3.txt -i sysA.txt sysB.txt -m rouge-1 rouge-l chrf
nlgauge qarla data.jsonl --clusters 8 --set sim-avls "sim-r(variant=2)"
nlgauge qarla --similarities similarities.json --profile asiya
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nlgauge.cli import inputs, shared
from nlgauge.cli.outputs import write_result

if TYPE_CHECKING:
    from nlgauge.data.topic_similarities import TopicSimilarities
    from nlgauge.report.pages.page import Section

DEFAULT = ("qarla",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge qarla`: texts or similarities, and sets of metrics."""
    add_input(parser, DEFAULT)
    sets = parser.add_argument_group("sets of metrics")
    sets.add_argument(
        "--set",
        dest="sets",
        nargs="+",
        action="append",
        default=[],
        metavar="METRIC",
        help="set of metrics to assess, too; may be repeated",
    )
    sets.add_argument(
        "--clusters",
        type=int,
        default=10,
        metavar="N",
        help="more metrics than this are clustered, and the best of each cluster go into the "
        "search of all sets (default: %(default)s; at most 16)",
    )
    sets.add_argument(
        "--profile",
        choices=("paper", "asiya"),
        default="paper",
        metavar="NAME",
        help="definition of KING: %(choices)s; with asiya it also counts a reference that a "
        "system equals (default: %(default)s)",
    )
    sets.add_argument(
        "--no-jack", action="store_true", help="do not compare systems with each other"
    )
    shared.add_output(parser)
    shared.add_threads(parser)


def run(arguments: argparse.Namespace) -> None:
    """Compare all texts, assess systems and metrics, and write the results."""
    from nlgauge.meta.without_people.metric_sets import qarla
    from nlgauge.meta.without_people.qarla import too_few
    from nlgauge.meta.without_people.similarities import similarities
    from nlgauge.report.tables.meta.qarla_tables import qarla_grids

    shared.quieten(arguments)
    given = read_similarities(arguments)
    if given is None:
        suite = inputs.read_suite(arguments)
        models = int(next(iter(suite)).references.counts.max())
        if models < 3:
            raise too_few(models)  # before the work is done
        given = similarities(
            suite,
            arguments.metrics or DEFAULT,
            peers=not arguments.no_jack,
            shared_options=shared.shared_options(arguments),
            threads=arguments.threads,
        )
    result = qarla(
        given,
        sets=arguments.sets,
        clusters=arguments.clusters,
        strict=arguments.profile == "paper",
    )

    def sections() -> list[Section]:
        from nlgauge.report.pages.qarla_page import qarla_sections

        return qarla_sections(result)

    write_result(arguments, qarla_grids(result), result.record(), sections)


def add_input(parser: argparse.ArgumentParser, metrics: Sequence[str]) -> None:
    """Add the options for texts and metrics, or similarities that are computed already."""
    inputs.add_input(parser, paths="*")
    parser.add_argument(
        "--similarities",
        metavar="FILE",
        help="JSON file of scores[metric][text][reference][segment], instead of texts",
    )
    shared.add_metrics(parser, default=metrics)
    parser.set_defaults(metrics=None)  # to know whether any were given


def read_similarities(arguments: argparse.Namespace) -> TopicSimilarities | None:
    """Read the similarities of the metrics that were given; None if there is no file."""
    from nlgauge.errors import SpecError
    from nlgauge.io.scores.topic_similarities import read_similarities as read

    if arguments.similarities is None:
        if not arguments.paths:
            raise SpecError("give reference files and -i, or a data file, or --similarities FILE")
        return None
    if arguments.paths or arguments.input:
        raise SpecError("--similarities takes the place of texts; give one or the other")
    given = read(arguments.similarities)
    return given.select(arguments.metrics) if arguments.metrics else given
