"""Measure how far annotators agree, criterion by criterion, with intervals.

nlgauge agree ratings.jsonl
nlgauge agree ratings.jsonl --criterion fluency --level interval -f json
nlgauge agree mqm.tsv appraise.csv
nlgauge agree labels.jsonl --model dawid-skene

Files: records of judgements or of outputs with a field `human`, MQM, Appraise; see
docs/guide/judgements.md. Krippendorff's alpha takes any number of annotators and missing ratings;
the one that fits the scale is printed in bold. A model of annotators adds how reliable each of them
is, and outputs whose probable label is not what most of them said.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, get_args

from nlgauge.cli import inputs, shared
from nlgauge.cli.outputs import write_result
from nlgauge.core.facts.choices import AnnotatorModelName, ValueScale

if TYPE_CHECKING:
    from nlgauge.report.pages.page import Section


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge agree`: judgements, and how they are compared."""
    inputs.add_judgements(parser)
    parser.add_argument(
        "-c", "--criterion", nargs="+", metavar="NAME", help="criteria to look at (default: all)"
    )
    parser.add_argument(
        "--level",
        default="auto",
        choices=get_args(ValueScale),
        metavar="NAME",
        help="level of measurement of the values: %(choices)s (default: what the values tell)",
    )
    parser.add_argument(
        "--model",
        choices=get_args(AnnotatorModelName),
        metavar="NAME",
        help="model of annotators to fit: %(choices)s (default: none)",
    )
    shared.add_confidence_n(parser)
    shared.add_seed(parser)
    shared.add_output(parser)


def run(arguments: argparse.Namespace) -> None:
    """Read the judgements, compare annotators and write how far they agree."""
    from nlgauge.human.annotator_agreement import agreement
    from nlgauge.human.annotators.annotator_models import fit_annotators
    from nlgauge.human.spans.span_agreement import has_spans, marked_errors, span_agreement
    from nlgauge.report.judges.span_tables import span_grid
    from nlgauge.report.tables.human.agreement_tables import grids
    from nlgauge.report.tables.human.annotator_tables import model_grids

    shared.quieten(arguments)
    judgements = inputs.read_judgements(arguments)
    result = agreement(
        judgements,
        criterion=arguments.criterion,
        level=arguments.level,
        resamples=arguments.confidence_n,
        seed=arguments.seed,
    )
    model = arguments.model
    fitted = (
        fit_annotators(judgements, model=model, criterion=arguments.criterion, seed=arguments.seed)
        if model
        else ()
    )
    modelled = model_grids(fitted)
    spans = None
    if has_spans(judgements) and any(len(own) > 1 for own in marked_errors(judgements).values()):
        spans = span_agreement(judgements, resamples=arguments.confidence_n, seed=arguments.seed)
    marked = [] if spans is None else [span_grid(spans)]

    def sections() -> list[Section]:
        from nlgauge.report.pages.agreement_page import agreement_sections
        from nlgauge.report.pages.page import Section

        more = [Section(title="Model of annotators", grids=modelled)] if modelled else []
        more += [Section(title="Marked errors", grids=marked)] if marked else []
        return [*agreement_sections(result), *more]

    beside = {"models": fitted, "marked_errors": spans}
    found = {name: value for name, value in beside.items() if value}
    record = {"agreement": result, **found} if found else result
    write_result(arguments, [*grids(result), *modelled, *marked], record, sections)
