"""Check that a command can write where it will, before it works for an hour; and write there."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from nlgauge.errors import SpecError
from nlgauge.report.formats import OUTPUT_FORMATS

if TYPE_CHECKING:
    from nlgauge.report.pages.page import Section
    from nlgauge.report.tables.grid import Grid

FILES = ("output", "out", "report", "segments", "spans", "save", "picture")
FOLDERS = ("figures", "embedding_cache", "parse_cache", "judge_cache")

TITLES = {  # of pages, by command
    "score": "Scores of systems",
    "compare": "Systems compared",
    "meta": "Metrics measured by people's judgements",
    "plane": "Evaluation planes",
    "robustness": "What metrics notice",
    "recommend": "Which metric to use",
    "agree": "How far annotators agree",
    "analyse": "Judgements analysed",
    "regress": "Ratings modelled on metrics",
    "qarla": "Systems and metrics measured by human texts",
    "orange": "Metrics measured by references",
    "metrics": "Metrics",
    "doctor": "What is installed",
    "explain": "Why a segment got its score",
    "experiment": "An experiment run again",
    "annotate": "How the study stands",
}


# What the name of a file says about its format, and what is written otherwise.
_BY_ENDING = {
    ".json": "json",
    ".tsv": "tsv",
    ".md": "markdown",
    ".markdown": "markdown",
    ".tex": "latex",
    ".latex": "latex",
}
_OTHERWISE = {
    ".csv": "results are written as TSV: -o NAME.tsv",
    ".xlsx": "results are written as TSV, which Excel opens: -o NAME.tsv",
    ".html": "the page is --report NAME.html",
    ".htm": "the page is --report NAME.html",
    ".pdf": "the page is --report NAME.html, and figures as PDF are --figures FOLDER",
}


def settle_format(arguments: argparse.Namespace) -> None:
    """Choose the format of results if nobody has: by the name of their file, or text."""
    if getattr(arguments, "output_format", "text") is not None:
        return
    arguments.output_format = "text"
    if not getattr(arguments, "format_by_name", False) or arguments.output == "-":
        return
    name = arguments.output.lower()
    if name in OUTPUT_FORMATS:
        raise SpecError(f"-o {name}: is a format; write -f {name}, or ./{name} if it is a file")
    ending = name.removesuffix(".gz")[name.removesuffix(".gz").rfind(".") :]
    if ending in _OTHERWISE:
        raise SpecError(f"-o {arguments.output}: {_OTHERWISE[ending]}")
    arguments.output_format = _BY_ENDING.get(ending, "text")


def check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse files and folders that cannot be written, and formats that cannot be made.

    These are formats that a file's name does not tell, or that need something to be installed.
    """
    if _table_options(arguments) and arguments.output_format != "latex":
        raise SpecError("--caption and --label are for tables in LaTeX; add -f latex")
    streamed = getattr(arguments, "stream", False)  # segments go to a folder then
    names = [name for name in FILES if not (streamed and name == "segments")]
    files = [path for name in names if (path := getattr(arguments, name, None))]
    names = [*FOLDERS, "segments"] if streamed else [*FOLDERS]
    folders = [path for name in names if (path := getattr(arguments, name, None))]
    if not any(path != "-" for path in files) and not folders:
        return
    from nlgauge.io.write import check_file, check_folder

    for path in files:
        check_file(path)
    _refuse_inputs([path for path in files if path != "-"], arguments)
    _check_page(getattr(arguments, "report", None))
    for path in folders:
        check_folder(path)
    if "segments" not in names and getattr(arguments, "segments", None):
        from nlgauge.report.tables.segments import segments_format

        segments_format(arguments.segments)
    formats = getattr(arguments, "figure_format", ()) if getattr(arguments, "figures", None) else ()
    if getattr(arguments, "picture", None):
        from nlgauge.report.explain.explanation_html import picture_format

        formats = (*formats, picture_format(arguments.picture))
    if any(format != "svg" for format in formats):
        from nlgauge.report.figures.plots import check_matplotlib

        check_matplotlib(next(format for format in formats if format != "svg"))


def _check_page(path: str | None) -> None:
    """Refuse to write a page into a file whose name promises something else."""
    ending = (path or "").lower().rpartition(".")[2]
    if ending in ("pdf", "png", "svg", "docx", "md", "tex", "json", "csv", "tsv", "txt", "xlsx"):
        paper = "; a browser prints it as PDF" if ending == "pdf" else ""
        raise SpecError(f"--report {path}: the page is HTML, so name it NAME.html{paper}")


def _refuse_inputs(files: Sequence[str], arguments: argparse.Namespace) -> None:
    """Refuse to write over what is read, such as outputs that were given by -o instead of -i, and
    to write two results into one file.
    """
    from pathlib import Path

    from nlgauge.data.paths import is_there

    written: dict[Path, str] = {}
    for file in files:
        target = Path(file).resolve()
        if target.exists() and not target.is_file():
            continue  # such as /dev/null
        if target in written:
            raise SpecError(f"{file}: two results would be written to it; name another file")
        written[target] = file
    for name, given in vars(arguments).items():
        if name in (*FILES, "command_line"):
            continue
        for path in given if isinstance(given, list | tuple) else [given]:
            parts = (path, path.partition("=")[2]) if isinstance(path, str) else ()
            for part in filter(None, parts):  # NAME=FILE, too
                read = Path(part).resolve() if is_there(part) else None
                if read is not None and read in written:
                    raise SpecError(
                        f"{written[read]}: is read, and the results would be written over it; "
                        "name another file for them (outputs of systems to read are -i FILE)"
                    )


def _table_options(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the caption and the label, as far as they were given."""
    given = ((name, getattr(arguments, name, "")) for name in ("caption", "label"))
    return {name: text for name, text in given if text}


def write_result(
    arguments: argparse.Namespace,
    grids: Sequence[Grid],
    record: Any,
    sections: Callable[[], Sequence[Section]] | None = None,
) -> None:
    """Write grids as text, tsv, markdown or latex, and the record as JSON, where NaN becomes null.

    A report has the sections, if they are given, otherwise the grids.
    """
    _write_grids(arguments, grids, record)
    write_report(arguments, sections or (lambda: [_section(arguments, grids)]))


def _write_grids(arguments: argparse.Namespace, grids: Sequence[Grid], record: Any) -> None:
    from nlgauge.io.write import atomic_write
    from nlgauge.report.tables import grid
    from nlgauge.report.tables.plain_tables import write_text

    format, full = arguments.output_format, getattr(arguments, "signatures", False)
    if format == "text" and arguments.output == "-":
        write_text(grids, sys.stdout, signatures=full)
        return
    with atomic_write(arguments.output) as file:
        if format == "text":
            write_text(grids, file, signatures=full)
        elif format == "json":
            file.write(grid.to_json(record))
        elif format == "latex":
            file.write(grid.to_latex(grids, **_table_options(arguments)))
        else:
            file.write(grid.WRITERS[format](grids))


def _section(arguments: argparse.Namespace, grids: Sequence[Grid]) -> Section:
    from nlgauge.report.pages.page import Section

    return Section(title=arguments.command, grids=grids)


def _warned(sections: Sequence[Section], warnings: Sequence[str]) -> list[Section]:
    """Return the sections of a page with the warnings of the run, which stand behind the answer:
    who gets the page does not see the terminal.
    """
    from nlgauge.report.answers.verdicts import TITLE
    from nlgauge.report.pages.page import Section

    told = [Section(title="Warnings", lines=list(dict.fromkeys(warnings)))] if warnings else []
    first = 1 if sections and sections[0].title == TITLE else 0
    return [*sections[:first], *told, *sections[first:]]


def write_report(arguments: argparse.Namespace, sections: Callable[[], Sequence[Section]]) -> None:
    """Write the page and the figures that were asked for; nothing is made otherwise."""
    folder = getattr(arguments, "figures", None)  # which not all commands have
    if not arguments.report and not folder:
        return
    import shlex

    from nlgauge.report.pages.folder import write_figures
    from nlgauge.report.pages.page import write_report as write_page

    made = _warned(sections(), arguments.warnings)
    if arguments.report:
        title = TITLES.get(arguments.command, f"nlgauge {arguments.command}")
        write_page(arguments.report, title, made, command=shlex.join(arguments.command_line))
    if folder:
        write_figures(folder, made, arguments.figure_format)
