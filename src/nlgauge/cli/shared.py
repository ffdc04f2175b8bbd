"""Options and steps that several commands have in common."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from nlgauge.errors import SpecError

if TYPE_CHECKING:
    from nlgauge.data.context import RunContext
    from nlgauge.data.corpus import Suite
    from nlgauge.data.judgements import Judgements
    from nlgauge.report.pages.page import Section
    from nlgauge.report.tables.grid import Grid

OUTPUT_FORMATS = ("text", "json", "tsv", "markdown", "latex")


def add_input(parser: argparse.ArgumentParser, *, paths: str = "+") -> None:
    """What is scored; named as in sacreBLEU."""
    parser.add_argument(
        "paths", nargs=paths, metavar="REF", help="reference files, or the data file or folder"
    )
    parser.add_argument(
        "-i", "--input", nargs="+", metavar="FILE", help="hypothesis files; default: standard input"
    )
    data = parser.add_argument_group("input")
    data.add_argument("--format", help="of the input; default: by file name")
    data.add_argument(
        "--source", metavar="FILE", help="source texts, for metrics that look at them"
    )
    data.add_argument(
        "-nr",
        "--num-refs",
        type=int,
        default=1,
        metavar="N",
        help="references per line, split at tabs",
    )
    data.add_argument("-e", "--encoding", default="utf-8", help="of text files (default: utf-8)")
    data.add_argument(
        "--id-fields",
        nargs="+",
        default=[],
        metavar="FIELD",
        help="that make a record's id together",
    )
    data.add_argument(
        "--skip-unusable",
        action="store_true",
        help="leave out records without references or outputs, and list them",
    )


def input_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of `add_input` as arguments of the functions that read."""
    return {
        "format": arguments.format,
        "sources": arguments.source,
        "encoding": arguments.encoding,
        "num_refs": arguments.num_refs,
        "id_fields": arguments.id_fields,
        "skip_unusable": arguments.skip_unusable,
    }


def add_judgements(parser: argparse.ArgumentParser) -> None:
    """Files that hold nothing but judgements."""
    parser.add_argument("paths", nargs="+", metavar="FILE", help="judgements; - is standard input")
    data = parser.add_argument_group("input")
    data.add_argument(
        "--format", help="jsonl, tsv, csv, parquet, mqm, appraise or mtme; default: by the file"
    )
    data.add_argument("--split", metavar="FIELD", help="ids are unique for each value of it only")
    data.add_argument(
        "--error-weights",
        nargs="+",
        metavar="ERROR=N",
        help="of errors (mqm), as major=10 or minor/style=0.5",
    )
    data.add_argument("-e", "--encoding", default="utf-8", help="of text files (default: utf-8)")


def add_metrics(parser: argparse.ArgumentParser, default: Sequence[str] = ("bleu",)) -> None:
    """Which metrics, and options for all of them."""
    parser.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        default=list(default),
        metavar="METRIC",
        help=f"such as bleu or 'bleu(tokenizer=zh)' (default: {' '.join(default) or 'none'})",
    )
    shared = parser.add_argument_group("options for all metrics that have them")
    shared.add_argument("-tok", "--tokenize", dest="tokenizer", metavar="NAME", help="tokeniser")
    shared.add_argument("-lc", "--lowercase", action="store_true", help="ignore case")
    shared.add_argument(
        "--parser", metavar="NAME", help="en, a pipeline of spaCy, or a file of parses"
    )
    shared.add_argument("--trees", metavar="NAME", help="en, or a file of bracketed trees")
    shared.add_argument("--roles", metavar="NAME", help="en, or a file of semantic roles")


def add_parse_cache(parser: argparse.ArgumentParser) -> None:
    """Add the folder where parses stay; `run_context` takes it up."""
    parser.add_argument(
        "--parse-cache", metavar="FOLDER", help="keep parses there, and take them from there"
    )


def add_embedding_cache(parser: argparse.ArgumentParser) -> None:
    """Add the folder where vectors stay; `run_context` takes it up."""
    parser.add_argument(
        "--embedding-cache",
        metavar="FOLDER",
        help="keep vectors of texts there, and take them from there",
    )


def add_output(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Where results go; the group is returned for what only one command has."""
    out = parser.add_argument_group("output")
    out.add_argument("-f", "--output-format", choices=OUTPUT_FORMATS, default="text")
    out.add_argument("-o", "--output", default="-", metavar="FILE", help="default: standard output")
    add_report(out)
    out.add_argument("-q", "--quiet", action="store_true", help="no progress, no warnings")
    return out


def add_report(out: argparse._ActionsContainer) -> None:
    """A page, and files for papers."""
    out.add_argument("--report", metavar="FILE", help="write an HTML page with tables and figures")
    out.add_argument("--figures", metavar="FOLDER", help="write each figure, and tables as LaTeX")
    out.add_argument(
        "--figure-format",
        nargs="+",
        choices=("svg", "png", "pdf"),
        default=["svg"],
        help="of figures (svg)",
    )


def add_threads(parser: argparse.ArgumentParser) -> None:
    """How many processors."""
    parser.add_argument(
        "--threads", type=int, metavar="N", help="default: all processors; never changes a number"
    )


def quieten(arguments: argparse.Namespace) -> None:
    """Silence warnings if asked to."""
    if arguments.quiet:
        import warnings

        from nlgauge.errors import NlgaugeWarning

        warnings.simplefilter("ignore", NlgaugeWarning)


def read_suite(arguments: argparse.Namespace) -> Suite:
    """The input of `add_input`."""
    from nlgauge.io.texts.suites import read_suite as read

    return read(arguments.paths, arguments.input, **input_options(arguments))


def run_context(arguments: argparse.Namespace, **heard: Callable[..., None]) -> RunContext:
    """Return the settings of a run, from those options that the command has; `heard` are the
    functions that hear of its progress.
    """
    from nlgauge.data.context import RunContext

    return RunContext(
        threads=arguments.threads,
        parse_cache=getattr(arguments, "parse_cache", None),
        embedding_cache=getattr(arguments, "embedding_cache", None),
        **heard,
    )


def read_judgements(arguments: argparse.Namespace) -> Judgements:
    """The input of `add_judgements`."""
    from nlgauge.io.judgements.judgement_files import read_judgements as read

    return read(
        arguments.paths,
        format=arguments.format,
        encoding=arguments.encoding,
        split=arguments.split,
        weights=numbers(arguments.error_weights or (), "--error-weights"),
    )


def numbers(pairs: Sequence[str], option: str) -> dict[str, float]:
    """From NAME=NUMBER."""
    found = {}
    for pair in pairs:
        name, _, number = pair.partition("=")
        try:
            found[name] = float(number)
        except ValueError:
            raise SpecError(f"{option} {pair}: expected NAME=NUMBER, such as {name}=1") from None
    return found


def shared_options(arguments: argparse.Namespace) -> dict[str, object]:
    """The options of `add_metrics` that were given."""
    shared: dict[str, object] = {}
    if arguments.tokenizer is not None:
        shared["tokenizer"] = arguments.tokenizer
    if arguments.lowercase:
        shared["lowercase"] = True
    for name in ("parser", "trees", "roles"):
        if getattr(arguments, name) is not None:
            shared[name] = getattr(arguments, name)
    return shared


def write_result(
    arguments: argparse.Namespace,
    grids: Sequence[Grid],
    record: Any,
    sections: Callable[[], Sequence[Section]] | None = None,
) -> None:
    """Grids as text, tsv, markdown or latex; the record as JSON, where NaN becomes null. A report
    has the sections, if they are given, otherwise the grids.
    """
    _write_grids(arguments, grids, record)
    write_report(arguments, sections or (lambda: [_section(arguments, grids)]))


def _write_grids(arguments: argparse.Namespace, grids: Sequence[Grid], record: Any) -> None:
    from nlgauge.io.write import atomic_write
    from nlgauge.report.tables import grid, terminal

    format = arguments.output_format
    if format == "text" and arguments.output == "-":
        grid.print_grids(grids, terminal.console())
        return
    with atomic_write(arguments.output) as file:
        if format == "text":
            grid.print_grids(grids, terminal.console(file=file))
        elif format == "json":
            file.write(grid.to_json(record))
        else:
            file.write(grid.WRITERS[format](grids))


def _section(arguments: argparse.Namespace, grids: Sequence[Grid]) -> Section:
    from nlgauge.report.pages.page import Section

    return Section(title=arguments.command, grids=grids)


def write_report(arguments: argparse.Namespace, sections: Callable[[], Sequence[Section]]) -> None:
    """The page and the figures that were asked for; nothing is made otherwise."""
    if not arguments.report and not arguments.figures:
        return
    from nlgauge.report.pages.folder import write_figures
    from nlgauge.report.pages.page import write_report as write_page

    made = sections()
    if arguments.report:
        title = f"nlgauge {arguments.command}"
        write_page(arguments.report, title, made, command=arguments.command_line)
    if arguments.figures:
        write_figures(arguments.figures, made, arguments.figure_format)
