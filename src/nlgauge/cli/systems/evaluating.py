"""Give the baselines that learn something the options for their models and for their evaluation."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from nlgauge.cli import shared
from nlgauge.cli.outputs import write_result

if TYPE_CHECKING:
    from nlgauge.core.table import ScoreTable
    from nlgauge.data.corpus import Suite
    from nlgauge.report.pages.page import Section
    from nlgauge.report.tables.grid import Grid


def add_model(parser: argparse.ArgumentParser, trained_on: str) -> argparse._ArgumentGroup:
    """Add the options for what the system is trained on, or for a model in a file."""
    model = parser.add_argument_group("model")
    model.add_argument("--train", nargs="+", metavar="FILE", help=trained_on)
    model.add_argument("--model", metavar="FILE", help="model that was saved, instead of --train")
    model.add_argument("--save", metavar="FILE", help="file for what was learnt")
    return model


def add_evaluation(parser: argparse.ArgumentParser, help: str) -> argparse._ArgumentGroup:
    """Add the options for a table of scores instead of texts."""
    out = shared.add_output(parser)
    out.add_argument("--evaluate", action="store_true", help=help)
    shared.add_seed(parser, "all random draws")
    shared.add_threads(parser)
    return out


def check_model(arguments: argparse.Namespace) -> None:
    """Refuse options that leave open where the model comes from."""
    from nlgauge.errors import SpecError

    if bool(arguments.train) == bool(arguments.model):
        raise SpecError("give --train FILE to learn from, or --model FILE that was saved")
    if arguments.save and arguments.model:
        raise SpecError("--save is for what is learnt with --train; --model is a file already")


def check_texts(arguments: argparse.Namespace) -> None:
    """Refuse the options of tables where texts are written."""
    from nlgauge.errors import SpecError

    if arguments.report or arguments.figures or arguments.output_format != "text":
        raise SpecError("--report, --figures and -f are for tables; add --evaluate")


def write_lines(arguments: argparse.Namespace, lines: Iterable[str]) -> None:
    """Write texts, one on each line."""
    from nlgauge.io.write import atomic_write

    with atomic_write(arguments.output) as file:
        for line in lines:
            file.write(f"{line}\n")


def write_comparison(
    arguments: argparse.Namespace,
    table: ScoreTable,
    suite: Suite,
    *,
    baseline: str,
    first: Sequence[Grid] = (),
) -> None:
    """Write what `nlgauge compare` says of systems and their baseline, after the first grids."""
    from nlgauge.report.tables.comparison_tables import grids
    from nlgauge.run.comparison import compare

    result = compare(table, baseline=baseline, seed=arguments.seed, threads=arguments.threads)

    def sections() -> list[Section]:
        from nlgauge.report.pages.comparison_page import comparison_sections
        from nlgauge.report.pages.page import Section

        own = [Section(title=arguments.baseline, grids=list(first))] if first else []
        return [*own, *comparison_sections(result, table, suite)]

    write_result(arguments, [*first, *grids(result)], result, sections)
