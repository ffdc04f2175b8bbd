"""Tell what is installed here, and which metrics and tokenisers can run.

For each that cannot, the one command to run first is shown.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from nlgauge.cli import shared
from nlgauge.cli.outputs import write_report

if TYPE_CHECKING:
    from nlgauge.report.pages.page import Section


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge doctor`, which are those of its output."""
    shared.add_output_format(parser, ("text", "json"))
    shared.add_report(parser)


def run(arguments: argparse.Namespace) -> None:
    """Examine this environment and print what was found."""
    from nlgauge.run.doctor import examine

    report = examine()
    _print(report, arguments.output_format)

    def sections() -> list[Section]:
        from nlgauge.report.pages.catalogue_page import doctor_sections

        return doctor_sections(report)

    write_report(arguments, sections)


def _print(report: dict[str, dict[str, Any]], output_format: str) -> None:
    import json

    if output_format == "json":
        print(json.dumps(report, indent=1))
        return
    from nlgauge.report.tables.terminal import console, print_wrapped
    from nlgauge.run.doctor import by_remedy

    out = console()
    for part in ("machine", "packages"):
        out.print(part)
        width = max(map(len, report[part]))
        for name, value in report[part].items():
            print_wrapped(out, str(value), f"  {name:<{width}}  ")
    wanting: dict[str, str] = {}
    for part in ("metrics", "presets", "tokenizers", "formats"):
        missing = {name: remedy for name, remedy in report[part].items() if remedy}
        out.print(f"{part}: {len(report[part]) - len(missing)} of {len(report[part])} can run")
        wanting |= missing
    for remedy, names in by_remedy(wanting).items():
        print_wrapped(out, remedy, "for more: ")
        print_wrapped(out, ", ".join(names), "  ")
