"""Check a study file and the outputs to be judged, and make the database of the study.

nlgauge annotate new study.toml outputs.jsonl -o study.db
nlgauge annotate new study.toml outputs.jsonl -o postgresql://user@host/study
"""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge annotate new`."""
    parser.add_argument("study", metavar="STUDY", help="study file in TOML, such as study.toml")
    parser.add_argument(
        "outputs", nargs="+", metavar="FILE", help="files of records with outputs: jsonl, tsv, csv"
    )
    parser.add_argument(
        "-o", "--database", required=True, metavar="STUDY.DB",
        help="file for the study, which must not be there yet, or address of PostgreSQL",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> None:
    """Make the study, and say what it holds."""
    from nlgauge.annotate.store.progress import progress_of
    from nlgauge.annotate.studies import new_study

    with new_study(arguments.study, arguments.outputs, arguments.database) as database:
        found = progress_of(database)
        print(
            f"{arguments.database}: {found.items} items, {found.tasks} tasks, "
            f"{found.wanted} judgements wanted; design {found.design_hash[:12]}, seed {found.seed}"
        )
    print(f"next: nlgauge annotate links {arguments.database} -n 20")
