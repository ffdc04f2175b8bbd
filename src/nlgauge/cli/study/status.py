"""Tell how far a study is, how annotators agree, and what is decided.

    nlgauge annotate status study.db
    nlgauge annotate status study.db -m chrf bleu --report page.html

For each criterion: the systems with intervals, which of them is better or how many more judgements
it takes to know, agreement over time, and annotators to look at. Intervals hold however often
somebody looks; docs/guide/annotate.md tells more.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nlgauge.cli import shared
from nlgauge.cli.outputs import write_result

if TYPE_CHECKING:
    from nlgauge.report.pages.page import Section


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge annotate status`."""
    parser.add_argument("database", metavar="STUDY.DB", help="file or address of the study")
    parser.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        metavar="METRIC",
        help="metrics to correlate with the judgements so far (default: those of the study file)",
    )
    shared.add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    """Look at the study and print how it stands."""
    from nlgauge.annotate.status import study_status
    from nlgauge.annotate.status_tables import status_grids, status_sections
    from nlgauge.annotate.store.database import open_database

    shared.quieten(arguments)
    with open_database(arguments.database) as database:
        status = study_status(database, metrics=arguments.metrics)

    def sections() -> list[Section]:
        return status_sections(status)

    write_result(arguments, status_grids(status), status, sections)
