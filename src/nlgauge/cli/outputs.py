"""Check that a command can write where it will, before it works for an hour."""

from __future__ import annotations

import argparse

FILES = ("output", "out", "report", "segments", "save", "html", "picture")
FOLDERS = ("figures", "embedding_cache", "parse_cache")


def check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse files and folders that cannot be written, and formats that cannot be made.

    These are formats that a file's name does not tell, or that need something to be installed.
    """
    files = [path for name in FILES if (path := getattr(arguments, name, None))]
    folders = [path for name in FOLDERS if (path := getattr(arguments, name, None))]
    if not any(path != "-" for path in files) and not folders:
        return
    from nlgauge.io.write import check_file, check_folder

    for path in files:
        check_file(path)
    for path in folders:
        check_folder(path)
    if getattr(arguments, "segments", None):
        from nlgauge.report.tables.segments import segments_format

        segments_format(arguments.segments)
    formats = getattr(arguments, "figure_format", ()) if getattr(arguments, "figures", None) else ()
    if getattr(arguments, "picture", None):
        from nlgauge.report.explain.explanation_html import picture_format

        formats = (*formats, picture_format(arguments.picture))
    if any(format != "svg" for format in formats):
        from nlgauge.report.figures.plots import check_matplotlib

        check_matplotlib(next(format for format in formats if format != "svg"))
