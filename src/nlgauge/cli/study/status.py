"""Tell how far a study is, how annotators agree, and what is decided.

nlgauge annotate status study.db
nlgauge annotate status study.db --report page.html
"""

from __future__ import annotations

import argparse

from nlgauge.cli import shared


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge annotate status`."""
    parser.add_argument("database", metavar="STUDY.DB", help="file or address of the study")
    shared.add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    """Look at the study and print how it stands."""
