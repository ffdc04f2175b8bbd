"""Write the judgements of a study, and answers in full.

    nlgauge annotate export study.db -o judgements.jsonl
    nlgauge annotate export study.db -o judgements.tsv --answers answers.jsonl

agree, analyse, meta, regress and train read study.db itself, too, in place of a file of judgements.
"""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge annotate export`."""
    parser.add_argument("database", metavar="STUDY.DB", help="file or address of the study")
    parser.add_argument(
        "-o", "--output", default="-", metavar="FILE",
        help="file for the judgements, jsonl or tsv (default: standard output)",
    )  # fmt: skip
    parser.add_argument(
        "--kind", default="main", choices=("main", "repeat", "control", "gold"), metavar="NAME",
        help="kind of judgements: %(choices)s (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--answers", dest="out", metavar="FILE",
        help="file for all answers in full: marks, texts, changes (jsonl)",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> None:
    """Write the files that were asked for."""
    from nlgauge.annotate.store.database import open_database
    from nlgauge.annotate.store.exporting import study_answers, study_judgements
    from nlgauge.io.judgements.judgement_files import write_judgements
    from nlgauge.io.write import write_jsonl

    with open_database(arguments.database) as database:
        write_judgements(arguments.output, study_judgements(database, kind=arguments.kind))
        if arguments.out:
            write_jsonl(arguments.out, study_answers(database))
