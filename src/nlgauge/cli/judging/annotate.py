"""Collect judgements of people: a study from its file to judgements that other commands read.

nlgauge annotate new study.toml outputs.jsonl -o study.db     check the design, draw who judges what
nlgauge annotate links study.db -n 20                         a signed link for each annotator
nlgauge annotate serve study.db                               the pages, on 127.0.0.1 unless told
nlgauge annotate status study.db --report page.html           progress, agreement, who decides
nlgauge annotate export study.db -o judgements.jsonl          for agree, meta, regress and train

docs/guide/annotate.md describes the study file and every protocol. In place of a file, a study can
be kept in PostgreSQL: give its address, postgresql://..., where the file would stand.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from nlgauge.cli.help_text import HelpFormatter

# The steps, each a module of `nlgauge.cli.study`.
STEPS = {
    "power": "say before a study how many judgements it needs, by simulation",
    "new": "check a study file and its outputs, and make the database of the study",
    "links": "make signed links that expire, one for each annotator",
    "serve": "serve the pages of a study until interrupted",
    "status": "tell how far a study is, how annotators agree, and what is decided",
    "export": "write judgements for other commands, and answers in full",
    "password": "set the password for the owner's page of a study",
    "protocols": "list the protocols that a study file can ask for, with their options",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add a parser with its own options for each step."""
    steps = parser.add_subparsers(dest="step", metavar="STEP", required=True)
    for name, help in STEPS.items():
        module = import_module(f"nlgauge.cli.study.{name}")
        step = steps.add_parser(
            name, help=help, description=module.__doc__, formatter_class=HelpFormatter
        )
        module.add_arguments(step)
        step.set_defaults(run_step=module.run)


def run(arguments: argparse.Namespace) -> int | None:
    """Run the step; what the extra brings may be missing."""
    from nlgauge.errors import ResourceMissing, fetch

    try:
        found: int | None = arguments.run_step(arguments)
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        extra = "annotate-postgres" if error.name == "psycopg" else "annotate"
        raise ResourceMissing(
            f"nlgauge annotate {arguments.step} needs {error.name}, which is not installed",
            remedy=fetch(extra),
        ) from None
    sys.stdout.flush()
    return found


_EXTRA = {"starlette", "uvicorn", "jinja2", "markupsafe", "itsdangerous", "argon2", "psycopg"}
