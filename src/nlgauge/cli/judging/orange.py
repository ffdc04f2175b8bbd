"""Measure metrics by whether they rank references above systems (ORANGE).

Every reference in turn is scored by the others, and so are the systems; two references or more are
needed, and no judgements.

nlgauge orange ref1.txt ref2.txt -i sysA.txt sysB.txt -m sentbleu chrf ter
nlgauge orange data.jsonl -m rouge-1 rouge-2 rouge-l
nlgauge orange --similarities similarities.json
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nlgauge.cli import inputs, shared
from nlgauge.cli.judging.qarla import add_input, read_similarities
from nlgauge.cli.outputs import write_result

if TYPE_CHECKING:
    from nlgauge.report.pages.page import Section

DEFAULT = ("sentbleu", "chrf", "rouge-l")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge orange`: texts and metrics, or similarities."""
    add_input(parser, DEFAULT)
    shared.add_output(parser)
    shared.add_threads(parser)


def run(arguments: argparse.Namespace) -> None:
    """Score the texts, rank them and write how metrics do."""
    from nlgauge.meta.without_people.orange import leave_one_out, orange
    from nlgauge.report.tables.meta.qarla_tables import orange_grids

    shared.quieten(arguments)
    given = read_similarities(arguments)
    if given is not None:
        result = orange(given)
    else:
        scores = leave_one_out(
            inputs.read_suite(arguments),
            arguments.metrics or DEFAULT,
            shared_options=shared.shared_options(arguments),
            threads=arguments.threads,
        )
        result = orange(scores)

    def sections() -> list[Section]:
        from nlgauge.report.pages.qarla_page import orange_sections

        return orange_sections(result)

    write_result(arguments, orange_grids(result), result.record(), sections)
