"""Run the command line: parse the arguments, call the library, print what it returns.

Exit codes: 0 success, 1 a bug in nlgauge, 2 wrong use (options, metric names), 3 data that cannot
be scored, 4 something to install first, 10 a gate that did not open (compare --fail-if-worse,
score --fail-under), 130 interrupted.
"""

from __future__ import annotations

import argparse
import io
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module

from nlgauge.cli.command_parser import CommandParser
from nlgauge.cli.outputs import check_outputs, settle_format
from nlgauge.errors import (
    DataError,
    NlgaugeError,
    NlgaugeWarning,
    ResourceMissing,
    ServerFailed,
    did_you_mean,
)
from nlgauge.version import __version__

# The folder of each group of commands, its title, and what each command in it does.
GROUPS = {
    "scoring": (
        "score and compare texts",
        {
            "score": "score outputs with any metrics",
            "explain": "show why a segment got its score",
            "compare": "test whether differences between systems are real",
            "parse": "parse texts once, for metrics that look at syntax",
            "rescale": "compute a baseline for BERTScore from unrelated sentences",
        },
    ),
    "judging": (
        "measure metrics and analyse human judgements",
        {
            "meta": "measure how well metrics agree with people",
            "annotate": "collect judgements of people, from the question to the correlation",
            "agree": "measure how far annotators agree",
            "analyse": "analyse human judgements: means, ranks, usefulness, comprehension",
            "recommend": "find out which metric to use for a task",
            "plane": "find the n-gram metric that agrees best with people, and the one that should",
            "regress": "model ratings on metrics, and make a metric of the model",
            "qarla": "measure systems and sets of metrics by human texts alone",
            "orange": "measure whether metrics rank references above systems",
            "robustness": "break texts on purpose and see whether metrics notice",
        },
    ),
    "systems": (
        "run simple systems, and the experiments of papers again",
        {
            "baseline": "summarise, realise or rerank with a simple system",
            "experiment": "run the experiment of a paper again, beside its figures",
        },
    ),
    "setup": (
        "list, install and make what metrics need",
        {
            "metrics": "list the metrics, or explain one",
            "doctor": "tell what is installed, and what is missing for which metric",
            "fetch": "install what an extra needs, weights of models included",
            "build": "make word lists and tables for METEOR Universal, METEOR++ and XMEANT",
            "convert": "bring word vectors into a format that opens at once",
            "train": "fit the model of a trained metric",
            "completion": "print a script that completes commands in a shell",
        },
    ),
}
INTERRUPTED = 130  # the exit code of Ctrl-C
COMMANDS = {name: folder for folder, (_, commands) in GROUPS.items() for name in commands}
_EXIT_CODES = """\
exit codes: 0 success, 2 wrong use, 3 unusable data, 4 something to install first,
5 a judge's server failed or its budget is spent,
10 worse than allowed (compare --fail-if-worse, score --fail-under)"""


def parser(argv: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Return the parser; only the command that `argv` names is imported, and gets its options.

    If it names none, all are there by name, so that it can be said which there are.
    """
    top = CommandParser(
        prog="nlgauge",
        usage="nlgauge [-h] [--version] COMMAND ...",
        description=f"Measures generated text, and measures the measures.\n\n{_listing()}",
        epilog=_EXIT_CODES,
    )
    top.add_argument("--version", action="version", version=f"nlgauge {__version__}")
    commands = top.add_subparsers(
        prog="nlgauge", dest="command", metavar="COMMAND", required=True, help=argparse.SUPPRESS
    )
    named = [name for name in COMMANDS if name in argv]
    for name in named or COMMANDS:
        if not named:
            commands.add_parser(name)
            continue
        module = import_module(f"nlgauge.cli.{COMMANDS[name]}.{name}")
        sub = commands.add_parser(name, description=module.__doc__)
        module.add_arguments(sub)
        sub.set_defaults(run=module.run)
    return top


def _listing() -> str:
    """Return the commands, group by group."""
    lines = []
    for title, commands in GROUPS.values():
        lines += [f"{title}:", *(f"  {name:<12}{help}" for name, help in commands.items()), ""]
    return "\n".join([*lines, "nlgauge COMMAND --help tells the options of a command."])


def _show_warnings(told: list[str]) -> Callable[..., None]:
    """Return what shows a warning, and adds it to those that were told if it is one of ours."""

    def show(message: Warning | str, category: type[Warning], *_: object) -> None:
        ours = issubclass(category, NlgaugeWarning)
        _tell(f"{'warning' if ours else category.__name__}: {message}")
        if ours:
            told.append(str(message))

    return show


def program() -> int:
    """Run the command line as a program of its own, which starts and ends as fast as it can."""
    try:
        _open_streams()
        _start_fast()
        _end_cleanly()
        code = main()
        _end_at_once(code)
    except KeyboardInterrupt:  # before or after a command
        return INTERRUPTED
    return code


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that the arguments, by default the program's, name; return the exit code."""
    try:
        return _main(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        if _was_interrupted(error):
            return INTERRUPTED
        raise


def _was_interrupted(error: BaseException | None) -> bool:
    """Return whether Ctrl-C caused an error: Python before 3.12 makes one of it in class bodies."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _main(argv: Sequence[str]) -> int:
    """Run a command and return its exit code, or that of the error that it ends with."""
    arguments = parser(argv).parse_args(_as_asked(argv))
    arguments.command_line = ["nlgauge", *argv]
    if isinstance(sys.stdout, io.TextIOWrapper):  # names of files need not be UTF-8
        sys.stdout.reconfigure(errors="backslashreplace")
    warnings.simplefilter("always", NlgaugeWarning)
    arguments.warnings = []
    warnings.showwarning = _show_warnings(arguments.warnings)
    try:
        settle_format(arguments)
        check_outputs(arguments)
        code = arguments.run(arguments) or 0
        sys.stdout.flush()
    except NlgaugeError as error:
        _tell(f"error: {error}")
        kinds = ((DataError, 3), (ResourceMissing, 4), (ServerFailed, 5))
        return next((code for kind, code in kinds if isinstance(error, kind)), 2)
    except BrokenPipeError:
        # The reader has gone, as in `nlgauge ... | head`.
        _leave_stdout()
        code = 0
    except OSError as error:
        from nlgauge.io.write import FULL

        code = 3
        if error.filename is not None:  # what no reader foresaw
            _tell(f"error: {error.filename}: {error.strerror}; check the path")
        elif error.errno in FULL:
            _tell(f"error: standard output: {error.strerror}; free some space, or write elsewhere")
            _leave_stdout()
        else:
            raise
    return code


def _as_asked(argv: Sequence[str]) -> list[str]:
    """Return arguments that show help where help is meant; refuse what is no command."""
    first = argv[0] if argv else "help"
    asked = [*argv[1:2], "--help"] if first == "help" else list(argv)
    if asked[0] not in ("-h", "--help", "--version", *COMMANDS):
        _tell(f"error: {_unknown(asked[0])}")
        sys.exit(2)
    return asked


def _unknown(word: str) -> str:
    """Say what is wrong with a first argument that is no command, and what to write."""
    if word.startswith("-"):
        known = ("--help", "--version")
        hint = did_you_mean(word, known, "options stand behind a command: nlgauge score --help")
        return f"no option {word}; {hint}"
    from nlgauge.core import registry

    if word in (*registry.METRICS, *registry.PRESETS, *registry.ALIASES):
        return f"{word!r} is a metric and no command; write: nlgauge score REF -i FILE -m {word}"
    hint = did_you_mean(word, COMMANDS, "see: nlgauge --help")
    return f"no command {word!r}; {hint}"


def _open_streams() -> None:
    """Give empty standard streams to a program that was started without them (`>&-`)."""
    import os

    for name, mode in {"stdin": "r", "stdout": "w", "stderr": "w"}.items():
        if getattr(sys, name) is None:  # its number is the lowest free one again
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def _start_fast() -> None:
    """Spare a program what pays only in long ones; results are the same."""
    import gc
    import os

    # Threads of NumPy's BLAS sleep until there is work: by default they turn for 2^26 cycles first,
    # which for a small score takes longer than all the rest.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "16")
    # Almost all that is made while modules are loaded stays until the end, and need not be
    # looked through again and again.
    gc.set_threshold(50_000)


def _end_at_once(code: int) -> None:
    """End the program, as taking NumPy's modules apart lasts a tenth of a small score.

    Where someone still listens (a thread, a profiler, a broken pipe), Python ends it as usual.
    """
    import atexit
    import os
    import threading

    if threading.active_count() > 1 or sys.getprofile() or sys.gettrace():
        return
    atexit._run_exitfuncs()
    with suppress(OSError, ValueError):
        for stream in filter(None, (sys.stdout, sys.stderr)):
            stream.flush()
        os._exit(code)


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
