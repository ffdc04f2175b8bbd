"""The command line: parse, call the library, print.

Exit codes: 0 success, 1 a bug in nlgauge, 2 wrong use (options, metric names), 3 data that cannot
be scored, 4 something to install first, 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from importlib import import_module

from nlgauge.errors import DataError, NlgaugeError, NlgaugeWarning, ResourceMissing
from nlgauge.version import __version__

COMMANDS = {
    "score": "score outputs with any metrics",
    "explain": "show why a segment got its score",
    "metrics": "list the metrics, or explain one",
    "build": "make word lists and paraphrase tables for METEOR Universal and METEOR++",
    "doctor": "what is installed, and what is missing for which metric",
}


def parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    top = argparse.ArgumentParser(
        prog="nlgauge",
        description="Measures generated text, and measures the measures.",
        epilog="exit codes: 0 success, 2 wrong use, 3 unusable data, 4 something to install first",
    )
    top.add_argument("--version", action="version", version=f"nlgauge {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, help in COMMANDS.items():
        module = import_module(f"nlgauge.cli.{name}")
        sub = commands.add_parser(
            name,
            help=help,
            description=module.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return top


def _show_warning(message: Warning | str, category: type[Warning], *_: object) -> None:
    kind = "warning" if issubclass(category, NlgaugeWarning) else category.__name__
    print(f"nlgauge: {kind}: {message}", file=sys.stderr)


def main(argv: list[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    arguments = parser().parse_args(argv)
    warnings.simplefilter("always", NlgaugeWarning)
    warnings.showwarning = _show_warning  # type: ignore[assignment]
    try:
        arguments.run(arguments)
        sys.stdout.flush()
    except NlgaugeError as error:
        print(f"nlgauge: error: {error}", file=sys.stderr)
        return 3 if isinstance(error, DataError) else 4 if isinstance(error, ResourceMissing) else 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has gone, as in `nlgauge ... | head`; keep the interpreter from complaining.
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
