"""Give commands the options and steps that several of them have in common."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nlgauge.cli import inputs
from nlgauge.cli.language_option import add_language, language_of
from nlgauge.core.facts.defaults import RESAMPLES, SEED
from nlgauge.report.formats import FIGURE_FORMATS, OUTPUT_FORMATS

if TYPE_CHECKING:
    from nlgauge.data.run_context import RunContext


def add_metrics(parser: argparse.ArgumentParser, default: Sequence[str] = ("bleu",)) -> None:
    """Add the options for the metrics, and for settings that many of them have."""
    parser.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        default=list(default),
        metavar="METRIC",
        help="metrics with their options, such as bleu or 'bleu(tokenizer=zh)' "
        f"(default: {' '.join(default) or 'none'})",
    )
    shared = parser.add_argument_group("options for all metrics that have them")
    shared.add_argument(
        "-tok",
        "--tokenize",
        dest="tokenizer",
        metavar="NAME",
        help="tokeniser; `nlgauge metrics --tokenizers` lists them",
    )
    add_language(shared)
    shared.add_argument(
        "-lc", "--lowercase", action="store_true", help="ignore the case of letters"
    )
    shared.add_argument(
        "--parser",
        metavar="NAME",
        help="source of dependency parses: en, a pipeline of spaCy, or a file of parses",
    )
    shared.add_argument(
        "--trees",
        metavar="NAME",
        help="source of constituent trees: en, or a file of bracketed trees",
    )
    shared.add_argument(
        "--roles",
        metavar="NAME",
        help="source of semantic roles: en, or a file of semantic roles",
    )


def add_parse_cache(parser: argparse.ArgumentParser) -> None:
    """Add the option for the folder where parses stay; `run_context` sees to it."""
    parser.add_argument(
        "--parse-cache",
        metavar="FOLDER",
        help="folder to keep parses in, and to take them from the next time",
    )


def add_embedding_cache(parser: argparse.ArgumentParser) -> None:
    """Add the option for the folder where vectors stay; `run_context` sees to it."""
    parser.add_argument(
        "--embedding-cache",
        metavar="FOLDER",
        help="folder to keep vectors of texts in, and to take them from the next time",
    )


def add_output(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the options for results; the group is returned for what only one command has."""
    out = parser.add_argument_group("output")
    add_output_format(out, default="text, or what the name of -o says")
    parser.set_defaults(format_by_name=True)
    out.add_argument(
        "-o",
        "--output",
        default="-",
        metavar="FILE",
        help="file to write the results to (default: standard output)",
    )
    add_report(out)
    out.add_argument("--caption", default="", metavar="TEXT", help="caption of a table in LaTeX")
    out.add_argument("--label", default="", metavar="NAME", help="label of a table in LaTeX")
    out.add_argument(
        "--signatures",
        action="store_true",
        help="show signatures in full, also options that are as by default",
    )
    out.add_argument(
        "-q", "--quiet", action="store_true", help="show neither progress nor warnings"
    )
    return out


def add_output_format(
    out: argparse._ActionsContainer,
    formats: Sequence[str] = OUTPUT_FORMATS,
    default: str = "text",
) -> None:
    """Add the option for the format that results are printed in; `settle_format` has the
    default.
    """
    out.add_argument(
        "-f",
        "--output-format",
        choices=formats,
        metavar="NAME",
        help=f"output format: %(choices)s (default: {default})",
    )


def add_report(out: argparse._ActionsContainer) -> None:
    """Add the options for a page, and for files for papers."""
    out.add_argument(
        "--report", metavar="FILE", help="file for an HTML page with tables and figures"
    )
    out.add_argument(
        "--figures", metavar="FOLDER", help="folder for each figure, and for each table as LaTeX"
    )
    out.add_argument(
        "--figure-format",
        nargs="+",
        choices=FIGURE_FORMATS,
        default=["svg"],
        metavar="NAME",
        help="formats of figures: %(choices)s (default: svg)",
    )


def add_threads(parser: argparse.ArgumentParser) -> None:
    """Add the option for the number of threads."""
    parser.add_argument(
        "--threads",
        type=int,
        metavar="N",
        help="number of threads, which never changes a result (default: all processors)",
    )


def add_seed(parser: argparse._ActionsContainer, what: str = "the resampling") -> None:
    """Add the option for the seed of what is drawn at random."""
    parser.add_argument(
        "--seed",
        type=int,
        default=SEED,
        metavar="N",
        help=f"seed of {what} (default: %(default)s)",
    )


def add_confidence_n(
    parser: argparse._ActionsContainer,
    help: str = "number of resamples (default: %(default)s)",
    dest: str = "confidence_n",
) -> None:
    """Add the option for the number of resamples of intervals."""
    parser.add_argument(
        "-cin",
        "--confidence-n",
        dest=dest,
        type=int,
        default=RESAMPLES,
        metavar="N",
        help=help,
    )


def quieten(arguments: argparse.Namespace) -> None:
    """Silence the warnings of nlgauge if --quiet was given."""
    if arguments.quiet:
        import warnings

        from nlgauge.errors import NlgaugeWarning

        warnings.simplefilter("ignore", NlgaugeWarning)


def run_context(arguments: argparse.Namespace, **heard: Any) -> RunContext:
    """Return the settings of a run, from those options that the command has.

    `heard` are the functions that hear of its progress.
    """
    from nlgauge.cli.judge_options import judge_server
    from nlgauge.data.run_context import RunContext

    return RunContext(
        threads=getattr(arguments, "threads", None),
        parse_cache=getattr(arguments, "parse_cache", None),
        embedding_cache=getattr(arguments, "embedding_cache", None),
        judge=judge_server(arguments),
        **heard,
    )


def shared_options(arguments: argparse.Namespace) -> dict[str, object]:
    """Return the options of `add_metrics` that were given."""
    shared: dict[str, object] = {}
    if arguments.tokenizer is not None:
        shared["tokenizer"] = arguments.tokenizer
    if arguments.lowercase:
        shared["lowercase"] = True
    if arguments.lang is not None:
        shared["lang"] = language_of(arguments, inputs.column_names(arguments))
    for name in ("parser", "trees", "roles"):
        if getattr(arguments, name) is not None:
            shared[name] = getattr(arguments, name)
    if getattr(arguments, "judge_model", None) is not None:
        shared["judge"] = arguments.judge_model
    return shared
