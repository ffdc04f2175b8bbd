"""Run the experiment of a paper again, on your data or on our examples, beside its figures.

    nlgauge experiment                                      list the experiments
    nlgauge experiment generation                           on the examples
    nlgauge experiment generation --data train=en-train.conllu test=en-test.conllu
    nlgauge experiment order --data judged=mine.jsonl --criterion adequacy --report order.html

The examples are small, and show what a design does; figures to rely on need data of your own.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nlgauge.cli import shared
from nlgauge.cli.names import LibraryNames
from nlgauge.cli.outputs import write_result

if TYPE_CHECKING:
    from nlgauge.report.pages.page import Section

NAMES = LibraryNames("experiments.catalogue", "EXPERIMENTS")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge experiment`."""
    parser.add_argument("name", nargs="?", choices=NAMES, metavar="NAME", help="one of %(choices)s")
    parser.add_argument(
        "--data",
        nargs="+",
        action="extend",
        default=[],
        metavar="KEY=FILE",
        help="data of your own; docs/guide/experiments.md tells the keys",
    )
    parser.add_argument(
        "--criterion", metavar="NAME", help="criterion of judgements, in place of the paper's"
    )
    shared.add_output(parser)
    shared.add_seed(parser, "all random draws")
    shared.add_threads(parser)


def run(arguments: argparse.Namespace) -> None:
    """Run the experiment, or list all of them."""
    shared.quieten(arguments)
    if arguments.name is None:
        _list(arguments)
        return
    from nlgauge.experiments.catalogue import EXPERIMENTS, run_experiment
    from nlgauge.experiments.experiment import ExperimentData
    from nlgauge.report.tables.experiment_tables import experiment_grids

    data = ExperimentData(
        files=_files(arguments.data),
        criterion=arguments.criterion,
        seed=arguments.seed,
        threads=arguments.threads,
    )
    tables = run_experiment(arguments.name, data)
    found = EXPERIMENTS[arguments.name]
    record = {
        "experiment": arguments.name,
        "paper": found.paper,
        "examples": not data.files,
        "tables": tables,
    }
    grids = experiment_grids(tables, examples=not data.files)

    def sections() -> list[Section]:
        from nlgauge.report.pages.page import Section

        title = f"{found.title[0].upper()}{found.title[1:]}"
        return [Section(title=title, text=f"The design is that of {found.paper}.", grids=grids)]

    write_result(arguments, grids, record, sections)


def _list(arguments: argparse.Namespace) -> None:
    from nlgauge.experiments.catalogue import EXPERIMENTS
    from nlgauge.report.tables.grid import Field, Grid

    rows = []
    for name, found in EXPERIMENTS.items():
        keys = " ".join(need.name for need in found.needs if need.examples or not need.optional)
        rows.append([name, found.title, found.paper.partition(",")[0], keys])
    fields = (Field("name"), Field("what it shows"), Field("paper"), Field("data"))
    write_result(arguments, [Grid("Experiments", fields, rows)], EXPERIMENTS)


def _files(given: Sequence[str]) -> dict[str, list[str]]:
    """Return KEY=FILE arguments by key; a key may be repeated for several files."""
    from nlgauge.errors import SpecError

    found: dict[str, list[str]] = {}
    for pair in given:
        key, equals, path = pair.partition("=")
        if not equals or not path:
            raise SpecError(f"--data {pair}: expected KEY=FILE, such as judged=mine.jsonl")
        found.setdefault(key, []).append(path)
    return found
