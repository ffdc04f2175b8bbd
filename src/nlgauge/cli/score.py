"""Score one or several systems against references.

nlgauge score ref.txt -i sysA.txt sysB.txt -m bleu chrf++ ter
nlgauge score --format jsonl data.jsonl -m "bleu(tokenizer=zh,smooth=floor)" -f json
cat sys.txt | nlgauge score ref1.txt ref2.txt -m chrf
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nlgauge.data import Suite
    from nlgauge.table import ScoreTable

OUTPUT_FORMATS = ("text", "json", "tsv", "markdown", "latex")
LONG_WORK = 20_000_000  # bytes × metrics: from about a second on


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options, named as in sacreBLEU where it has them."""
    parser.add_argument(
        "paths", nargs="+", metavar="REF", help="reference files, or the data file or folder"
    )
    parser.add_argument(
        "-i", "--input", nargs="+", metavar="FILE", help="hypothesis files; default: standard input"
    )
    parser.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        default=["bleu"],
        metavar="METRIC",
        help="such as bleu or 'bleu(tokenizer=zh)'",
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
    shared = parser.add_argument_group("options for all metrics that have them")
    shared.add_argument("-tok", "--tokenize", dest="tokenizer", metavar="NAME", help="tokeniser")
    shared.add_argument("-lc", "--lowercase", action="store_true", help="ignore case")
    tests = parser.add_argument_group("confidence")
    tests.add_argument("-ci", "--confidence", action="store_true", help="95 %% bootstrap intervals")
    tests.add_argument(
        "-cin", "--confidence-n", type=int, default=1000, metavar="N", help="resamples (1000)"
    )
    tests.add_argument(
        "-pbs", "--paired-bs", action="store_true", help="test each system against the first"
    )
    tests.add_argument(
        "--seed", type=int, default=12345, help="of the resampling (12345, as in sacreBLEU)"
    )
    out = parser.add_argument_group("output")
    out.add_argument("-f", "--output-format", choices=OUTPUT_FORMATS, default="text")
    out.add_argument("-o", "--output", default="-", metavar="FILE", help="default: standard output")
    out.add_argument(
        "--segments", metavar="FILE", help="write segment scores with their parts (.jsonl or .tsv)"
    )
    out.add_argument(
        "-w", "--width", type=int, default=2, metavar="N", help="decimals on a scale of 100 (2)"
    )
    out.add_argument("-b", "--score-only", action="store_true", help="print bare scores")
    out.add_argument("-q", "--quiet", action="store_true", help="no progress, no warnings")
    out.add_argument(
        "--threads", type=int, metavar="N", help="default: all processors; never changes a number"
    )


def run(arguments: argparse.Namespace) -> None:
    """Read, score, write."""
    import warnings

    from nlgauge.errors import NlgaugeWarning
    from nlgauge.io import read_suite
    from nlgauge.scoring import score_suite

    if arguments.quiet:
        warnings.simplefilter("ignore", NlgaugeWarning)
    shared: dict[str, object] = {}
    if arguments.tokenizer is not None:
        shared["tokenizer"] = arguments.tokenizer
    if arguments.lowercase:
        shared["lowercase"] = True
    suite = read_suite(
        arguments.paths,
        arguments.input,
        format=arguments.format,
        sources=arguments.source,
        encoding=arguments.encoding,
        num_refs=arguments.num_refs,
    )
    with _progress(suite, len(arguments.metrics), quiet=arguments.quiet) as progress:
        table = score_suite(
            suite,
            arguments.metrics,
            shared_options=shared,
            confidence=arguments.confidence,
            paired=arguments.paired_bs,
            resamples=arguments.confidence_n,
            seed=arguments.seed,
            threads=arguments.threads,
            progress=progress,
        )
    _write(table, arguments)


def _write(table: ScoreTable, arguments: argparse.Namespace) -> None:
    from nlgauge.io.write import atomic_write
    from nlgauge.report.segments import write_segments

    if arguments.segments:
        write_segments(arguments.segments, table)
    if arguments.output_format == "text":
        from nlgauge.report import terminal

        show = terminal.print_score_list if arguments.score_only else terminal.print_scores
        if arguments.output == "-":
            show(table, arguments.width)
        else:
            with atomic_write(arguments.output) as file:
                show(table, arguments.width, terminal.console(file=file))
        return
    from nlgauge.report.formats import WRITERS

    text = WRITERS[arguments.output_format](table, arguments.width)
    with atomic_write(arguments.output) as file:
        file.write(text)


@contextmanager
def _progress(suite: Suite, metrics: int, *, quiet: bool) -> Iterator[Callable[[str], None] | None]:
    """Tells a person at a terminal which system is being scored, if it may take a while."""
    import sys

    work = metrics * sum(corpus.hypotheses.nbytes for corpus in suite)
    if quiet or not sys.stderr.isatty() or work < LONG_WORK:
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("scoring", total=len(suite.systems))
        done = iter(range(len(suite.systems)))
        yield lambda system: bar.update(task, completed=next(done), description=f"scoring {system}")
