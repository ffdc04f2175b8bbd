"""Show why a segment got its score: matched words, alignments, edits and shifts.

nlgauge explain ref.txt -i sys.txt -n 3 -m bleu ter
nlgauge explain data.jsonl -n news-13 --system north south -m meteor
nlgauge explain --hyp "the cat sat" --ref "the cat is sitting" -m ter --html why.html
nlgauge explain --hyp "the cat sat" --ref "the cat is sitting" -m bertscore --picture why.png
"""

from __future__ import annotations

import argparse
from typing import NamedTuple


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options."""
    parser.add_argument("paths", nargs="*", metavar="REF", help="as for `nlgauge score`")
    parser.add_argument("-i", "--input", nargs="+", metavar="FILE", help="hypothesis files")
    parser.add_argument("--format", help="of the input; default: by file name")
    parser.add_argument("-e", "--encoding", default="utf-8", help="of text files (default: utf-8)")
    parser.add_argument(
        "-n", "--segment", default="1", metavar="ID", help="its id, or number from 1"
    )
    parser.add_argument("--system", nargs="+", metavar="NAME", help="which ones (default: all)")
    parser.add_argument("--hyp", metavar="TEXT", help="a hypothesis, instead of files")
    parser.add_argument("--ref", nargs="+", metavar="TEXT", help="its references")
    parser.add_argument(
        "--source", metavar="TEXT", help="its source, for metrics that compare that"
    )
    parser.add_argument("-m", "--metrics", nargs="+", default=["bleu", "ter"], metavar="METRIC")
    parser.add_argument(
        "--reference", type=int, metavar="K", help="compare with the K-th; default: best"
    )
    parser.add_argument("--html", "--report", metavar="FILE", help="write a page with pictures")
    parser.add_argument(
        "--picture", metavar="FILE", help="write a picture, by its ending .svg, .png or .pdf"
    )


def run(arguments: argparse.Namespace) -> None:
    """Find the segment, explain each system's output, show it."""
    from dataclasses import replace

    from nlgauge.explain.explanation import explain
    from nlgauge.report.explain.explanation_text import print_explanations

    which = None if arguments.reference is None else arguments.reference - 1
    explanations = [
        replace(explanation, of=own.name)
        for own in _outputs(arguments)
        for explanation in explain(
            own.text, own.references, arguments.metrics, reference=which, source=own.source
        )
    ]
    print_explanations(explanations)
    if arguments.html:
        from nlgauge.io.write import atomic_write
        from nlgauge.report.explain.explanation_html import to_html

        with atomic_write(arguments.html) as file:
            file.write(to_html(explanations))
    if arguments.picture:
        from nlgauge.report.explain.explanation_html import write_pictures

        write_pictures(arguments.picture, explanations)


class _Output(NamedTuple):
    name: str  # system and segment; empty for a text from the command line
    text: str
    references: list[str]
    source: str | None


def _outputs(arguments: argparse.Namespace) -> list[_Output]:
    """Return what the chosen systems made of the segment."""
    from nlgauge.errors import SpecError
    from nlgauge.io.texts.suites import read_suite

    if arguments.hyp is not None:
        if arguments.ref is None and arguments.source is None:
            raise SpecError("--hyp needs --ref (or --source)")
        return [_Output("", arguments.hyp, arguments.ref or [], arguments.source)]
    if not arguments.paths:
        raise SpecError("give files as for `nlgauge score`, or --hyp and --ref")
    suite = read_suite(
        arguments.paths, arguments.input, format=arguments.format, encoding=arguments.encoding
    )
    found = []
    for name in arguments.system or suite.systems:
        if name not in suite.systems:
            raise SpecError(f"no system {name!r}; there are {', '.join(suite.systems)}")
        corpus = suite.systems[name]
        i = corpus.find(arguments.segment)
        source = arguments.source if corpus.sources is None else corpus.sources[i]
        called = f"{name}, {corpus.segment_name(i)}"
        found.append(_Output(called, corpus.hypotheses[i], corpus.references[i], source))
    return found
