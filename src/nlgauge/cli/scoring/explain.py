"""Show why a segment got its score: matched words, alignments, edits and shifts.

nlgauge explain ref.txt -i sys.txt -n 3 -m bleu ter
nlgauge explain data.jsonl -n news-13 --system north south -m meteor
nlgauge explain --hyp "the cat sat" --ref "the cat is sitting" -m ter --html why.html
nlgauge explain ref.txt -i sys.txt -n 3 -m bleu yisi-1 --lang zh
nlgauge explain --hyp "the cat sat" --ref "the cat is sitting" -m bertscore --picture why.png
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nlgauge.cli import inputs, judge_options, shared
from nlgauge.cli.language_option import add_language, language_of
from nlgauge.cli.outputs import write_report
from nlgauge.report.formats import FIGURE_FORMATS

if TYPE_CHECKING:
    from nlgauge.core.metric import Metric
    from nlgauge.explain.explanation import Explanations


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge explain`: files and a segment, or texts."""
    parser.add_argument(
        "paths", nargs="*", metavar="REF", help="reference files, or the data file or folder"
    )
    parser.add_argument(
        "-i", "--input", nargs="+", metavar="FILE", help="files of outputs, one for each system"
    )
    inputs.add_format(parser)
    inputs.add_columns(parser)
    parser.add_argument(
        "-n",
        "--segment",
        default="1",
        metavar="ID",
        help="id of the segment, or its number from 1 (default: %(default)s)",
    )
    parser.add_argument(
        "--system", nargs="+", metavar="NAME", help="systems to explain (default: all)"
    )
    parser.add_argument("--hyp", metavar="TEXT", help="output to explain, instead of files")
    parser.add_argument("--ref", nargs="+", metavar="TEXT", help="references of this output")
    parser.add_argument(
        "--turns", nargs="+", metavar="TEXT", help="what was said before this output, in order"
    )
    parser.add_argument(
        "--source", metavar="TEXT", help="source of this output, for metrics that look at it"
    )
    parser.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        default=["bleu", "ter"],
        metavar="METRIC",
        help="metrics to explain, with their options (default: bleu ter)",
    )
    add_language(parser)
    parser.add_argument(
        "--reference",
        type=int,
        metavar="K",
        help="compare with the K-th reference (default: the best one)",
    )
    judge_options.add_judge(parser, dry_run=False)
    parser.add_argument(
        "--report", "--html", metavar="FILE", help="file for an HTML page with pictures"
    )
    parser.add_argument(
        "--picture",
        metavar="FILE",
        help=f"file for a picture; it ends in {_endings()}",
    )


def _endings() -> str:
    return ", ".join(f".{format}" for format in FIGURE_FORMATS)


def run(arguments: argparse.Namespace) -> None:
    """Find the segment, explain the output of each system, and show it."""
    from nlgauge.report.explain.explanation_text import print_explanations

    explanations = _explanations(arguments)
    print_explanations(explanations)
    if arguments.report:
        from nlgauge.report.explain.explanation_html import sections

        write_report(arguments, lambda: sections(explanations))
    if arguments.picture:
        from nlgauge.report.explain.explanation_html import write_pictures

        write_pictures(arguments.picture, explanations)


def _explanations(arguments: argparse.Namespace) -> Explanations:
    """Explain what the chosen systems made of the segment, or the text that was given."""
    from nlgauge.errors import SpecError
    from nlgauge.explain.explanation import explain
    from nlgauge.io.texts.suites import read_suite
    from nlgauge.run.explaining import explain_suite
    from nlgauge.run.scoring import in_language

    which = None if arguments.reference is None else arguments.reference - 1
    lang = language_of(arguments, inputs.column_names(arguments))
    metrics, source = _metrics(arguments, lang), arguments.source
    context = in_language(shared.run_context(arguments), lang)
    if arguments.hyp is not None:
        if arguments.ref is source is arguments.turns is None:
            raise SpecError("--hyp needs --ref (or --source, or --turns)")
        refs, turns = arguments.ref or [], arguments.turns
        return explain(
            arguments.hyp,
            refs,
            metrics,
            reference=which,
            source=source,
            turns=turns,
            context=context,
        )
    if not arguments.paths:
        raise SpecError("give files as for `nlgauge score`, or --hyp and --ref")
    suite = read_suite(
        arguments.paths,
        arguments.input,
        format=arguments.format,
        encoding=arguments.encoding,
        columns=inputs.column_names(arguments),
    )
    return explain_suite(
        suite.within(context),
        arguments.segment,
        metrics,
        systems=arguments.system,
        reference=which,
        source=source,
    )


def _metrics(arguments: argparse.Namespace, lang: str | None) -> list[str | Metric]:
    """Return the metrics, with the options of a language; judges get the model of --judge-model."""
    from nlgauge.core import options, registry
    from nlgauge.core.language_options import fitted_to
    from nlgauge.text.languages import find_pair

    if arguments.judge_model is lang is None:
        return list(arguments.metrics)
    made = [registry.metric(name) for name in arguments.metrics]
    if lang is not None:
        source, language = find_pair(lang)
        made = [
            fitted_to(metric, language, registry.given_options(name), source=source)
            for name, metric in zip(arguments.metrics, made, strict=True)
        ]
    return [
        registry.changed(m, {"judge": arguments.judge_model})
        if arguments.judge_model is not None and "judge" in options.types_of(type(m))
        else m
        for m in made
    ]
