"""Set the password for the owner's page of a study, which shows its status at /owner.

The password is asked for, or read from standard input if that is no terminal. There is none before.
"""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge annotate password`."""
    parser.add_argument("database", metavar="STUDY.DB", help="file or address of the study")


def run(arguments: argparse.Namespace) -> None:
    """Read the password and keep its hash."""
    import getpass
    import sys

    from nlgauge.annotate.store.database import open_database
    from nlgauge.annotate.web.owner import set_password

    with open_database(arguments.database) as database:
        typed = sys.stdin.isatty()
        password = getpass.getpass() if typed else sys.stdin.readline().rstrip("\n")
        set_password(database, password)
    print("the password is set; the status of the study is at /owner")
