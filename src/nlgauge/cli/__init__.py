"""The command line: parse, call the library, print.

Exit codes: 0 success, 1 a bug in nlgauge, 2 wrong use (options, metric names), 3 data that cannot
be scored, 4 something to install first, 10 a significant regression (compare --fail-if-worse),
130 interrupted.
"""

from __future__ import annotations

import argparse
import io
import shlex
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module

from nlgauge.cli.outputs import check_outputs
from nlgauge.errors import DataError, NlgaugeError, NlgaugeWarning, ResourceMissing
from nlgauge.version import __version__

COMMANDS = {
    "score": "score outputs with any metrics",
    "explain": "show why a segment got its score",
    "compare": "test whether differences between systems are real",
    "meta": "measure how well metrics agree with people",
    "agree": "say how far annotators agree",
    "analyse": "analyse human judgements: means, ranks, usefulness, comprehension",
    "plane": "which n-gram measure agrees best with people, and which should",
    "recommend": "which metric to use for a task",
    "regress": "model ratings on metrics, and make a metric of the model",
    "qarla": "systems and sets of metrics measured by human texts alone",
    "orange": "whether metrics rank references above systems",
    "robustness": "break texts on purpose and see whether metrics notice",
    "baseline": "summarise documents with a simple extractive system",
    "rescale": "compute a baseline for BERTScore from unrelated sentences",
    "parse": "parse texts once, for metrics that look at syntax",
    "metrics": "list the metrics, or explain one",
    "build": "make word lists and paraphrase tables for METEOR Universal and METEOR++",
    "convert": "bring word vectors into a format that opens at once",
    "train": "fit the model of a trained metric",
    "fetch": "install what an extra needs, weights of models included",
    "doctor": "what is installed, and what is missing for which metric",
}
# The folder that each command is in.
_FOLDERS = {
    "score": "scoring",
    "explain": "scoring",
    "compare": "scoring",
    "meta": "judging",
    "agree": "judging",
    "analyse": "judging",
    "plane": "judging",
    "recommend": "judging",
    "regress": "judging",
    "qarla": "judging",
    "orange": "judging",
    "robustness": "judging",
    "baseline": "scoring",
    "rescale": "scoring",
    "parse": "scoring",
    "metrics": "setup",
    "build": "setup",
    "convert": "setup",
    "train": "setup",
    "fetch": "setup",
    "doctor": "setup",
}


def parser(argv: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser; only the command that `argv` names is imported, and gets its options."""
    top = argparse.ArgumentParser(
        prog="nlgauge",
        description="Measures generated text, and measures the measures.",
        epilog="exit codes: 0 success, 2 wrong use, 3 unusable data, 4 something to install first, "
        "10 a significant regression (compare --fail-if-worse)",
    )
    top.add_argument("--version", action="version", version=f"nlgauge {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, help in COMMANDS.items():
        if name not in argv:
            commands.add_parser(name, help=help)
            continue
        module = import_module(f"nlgauge.cli.{_FOLDERS[name]}.{name}")
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
    _tell(f"{kind}: {message}")


def main(argv: list[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    if argv is None:  # as a program
        _end_cleanly()
        argv = sys.argv[1:]
    arguments = parser(argv).parse_args(argv)
    arguments.command_line = shlex.join(["nlgauge", *argv])
    if isinstance(sys.stdout, io.TextIOWrapper):  # names of files need not be UTF-8
        sys.stdout.reconfigure(errors="backslashreplace")
    warnings.simplefilter("always", NlgaugeWarning)
    warnings.showwarning = _show_warning  # type: ignore[assignment]
    try:
        check_outputs(arguments)
        code = arguments.run(arguments) or 0
        sys.stdout.flush()
    except NlgaugeError as error:
        _tell(f"error: {error}")
        return 3 if isinstance(error, DataError) else 4 if isinstance(error, ResourceMissing) else 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has gone, as in `nlgauge ... | head`.
        _leave_stdout()
        code = 0
    except OSError as error:
        from nlgauge.io.write import FULL

        if error.errno not in FULL:
            raise
        _tell(f"error: standard output: {error.strerror}; free some space, or write elsewhere")
        _leave_stdout()
        code = 3
    return code


def _end_cleanly() -> None:
    """Let a request to end the program leave no temporary files."""
    import signal

    def leave(number: int, _: object) -> None:
        sys.exit(128 + number)

    signal.signal(signal.SIGTERM, leave)


def _tell(message: str) -> None:
    from nlgauge.report.tables.escapes import printable

    print(f"nlgauge: {printable(message)}", file=sys.stderr)


def _leave_stdout() -> None:
    """Keep the interpreter from complaining about what it cannot write at its end."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
