"""Test whether differences between systems are real, with paired tests, intervals and clusters.

nlgauge compare ref.txt -i a.txt b.txt c.txt -m bleu chrf ter
nlgauge compare ref.txt -i a.txt b.txt --baseline a --test bootstrap-shift --correction holm
nlgauge compare ref.txt -i a.txt b.txt --scores comet.tsv
nlgauge compare --scores comet.tsv judge.jsonl --lower-is-better judge
nlgauge compare ref.txt -i new.txt old.txt -m bleu chrf --fail-if-worse new old --margin 0.5
nlgauge compare --stream monday tuesday --workers 8

Scores of other tools: tsv or csv with the columns system, id and one for each metric; jsonl with
such fields; METRIC-REF.seg.score of mt-metrics-eval; or what `nlgauge score --segments` wrote.
Of more than fits in memory: the folders that `nlgauge score --stream --segments` wrote.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, get_args

from nlgauge.cli import inputs, judge_options, shared
from nlgauge.cli.outputs import write_result
from nlgauge.cli.scoring import streaming
from nlgauge.core.facts.choices import BootstrapInterval, Correction, PairedTest
from nlgauge.core.facts.defaults import ALPHA, RESAMPLES, TRIALS

if TYPE_CHECKING:
    from nlgauge.core.table import ScoreTable
    from nlgauge.data.corpus import Suite
    from nlgauge.report.pages.page import Section
    from nlgauge.run.comparison import Comparison
    from nlgauge.run.gates import Margin

WORSE = 10  # the exit code of --fail-if-worse
# What needs texts, or all segments at once; a stream's test has as many trials as resamples.
_NOT_OF_RUNS = ("input", "metrics", "scores", "lower_is_better", "anova", "trials", "report")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge compare`; the input is that of `score`, or scores alone."""
    inputs.add_input(parser, paths="*")
    shared.add_metrics(parser)
    shared.add_parse_cache(parser)
    shared.add_embedding_cache(parser)
    judge_options.add_judge(parser, dry_run=False)
    parser.set_defaults(metrics=None)  # to tell whether they were asked for
    parser.add_argument(
        "--scores",
        nargs="+",
        metavar="FILE",
        help="files of segment scores of other tools, with or without texts",
    )
    parser.add_argument(
        "--lower-is-better",
        nargs="+",
        default=[],
        metavar="NAME",
        help="columns of these scores in which lower is better",
    )
    which = parser.add_argument_group("comparisons").add_mutually_exclusive_group()
    which.add_argument(
        "--baseline",
        metavar="SYSTEM",
        help="system to compare the others with (default: compare all pairs)",
    )
    which.add_argument(
        "--fail-if-worse",
        nargs=2,
        metavar=("SYSTEM", "THAN"),
        help=f"compare these two; exit code {WORSE} if the first is significantly worse by any "
        "metric",
    )
    parser.add_argument(
        "--margin",
        nargs="+",
        metavar="N",
        help="loss that --fail-if-worse allows, on the printed scale: 0.5, or bleu=0.5 chrf=0.3",
    )
    _add_tests(parser)
    out = shared.add_output(parser)
    out.add_argument(
        "--all", action="store_true", help="print the differences of however many pairs of systems"
    )
    shared.add_threads(parser)
    stream = parser.add_argument_group("more than fits in memory")
    stream.add_argument(
        "--stream",
        action="store_true",
        help="compare the runs in these folders, which score --stream --segments wrote",
    )
    streaming.add_engine(stream)


def _add_tests(parser: argparse.ArgumentParser) -> None:
    tests = parser.add_argument_group("tests")
    named = get_args(PairedTest)
    tests.add_argument(
        "--test",
        choices=named,
        metavar="NAME",
        help=f"test of the differences: %(choices)s (default: {named[0]}; of a stream: "
        "poisson-segments)",
    )
    tests.add_argument(
        "--correction",
        choices=get_args(Correction),
        default="none",
        metavar="NAME",
        help="correction for many comparisons: %(choices)s (default: %(default)s)",
    )
    tests.add_argument(
        "--alpha",
        type=float,
        default=ALPHA,
        metavar="P",
        help="level of significance (default: %(default)s)",
    )
    tests.add_argument(
        "--interval",
        choices=get_args(BootstrapInterval),
        metavar="NAME",
        help="bootstrap intervals: %(choices)s (default: percentile; of a stream: poisson)",
    )
    tests.add_argument(
        "--anova",
        action="store_true",
        help="add an analysis of variance with Tukey's and Scheffé's tests",
    )
    tests.add_argument(
        "--trials",
        type=int,
        metavar="N",
        help=f"number of trials of the test (default: {TRIALS}; {RESAMPLES} for bootstrap tests)",
    )
    tests.add_argument(
        "--resamples",
        type=int,
        default=RESAMPLES,
        metavar="N",
        help="number of resamples of the intervals (default: %(default)s)",
    )
    shared.add_seed(tests, "all random draws")


def run(arguments: argparse.Namespace) -> int:
    """Read, score and compare systems, and return the exit code of the gate."""
    from nlgauge.report.tables.comparison_tables import MORE, grids, paper_grids, summary
    from nlgauge.run.comparison import compare

    shared.quieten(arguments)
    gate, margin = arguments.fail_if_worse, _margin(arguments)
    asked: dict[str, Any] = {
        "baseline": arguments.baseline,
        "pairs": [tuple(gate)] if gate else None,
        "correction": arguments.correction,
        "alpha": arguments.alpha,
        "resamples": arguments.resamples,
        "seed": arguments.seed,
    }
    sections = None
    if arguments.stream:
        result = _streamed(arguments, asked)
    else:
        table, suite = _table(arguments, asked)
        result = compare(
            table,
            test=arguments.test or get_args(PairedTest)[0],
            interval=arguments.interval or "percentile",
            variance=arguments.anova,
            trials=arguments.trials,
            threads=arguments.threads,
            **asked,
        )

        def sections() -> list[Section]:
            from nlgauge.report.pages.comparison_page import comparison_sections

            return comparison_sections(result, table, suite)

    made = paper_grids(result) if arguments.output_format == "latex" else grids(result)
    if arguments.output_format == "text" and not arguments.all:
        made = summary(result, MORE)
    write_result(arguments, made, result, sections)
    return _gate(result, gate[0], gate[1], margin) if gate else 0


def _streamed(arguments: argparse.Namespace, asked: Mapping[str, Any]) -> Comparison:
    """Compare the systems of finished runs."""
    from nlgauge.errors import SpecError
    from nlgauge.run.streams.comparing import STREAM_TESTS, compare_stream

    streaming.refuse(arguments, _NOT_OF_RUNS)
    if arguments.interval not in (None, "poisson"):
        raise SpecError(f"--interval {arguments.interval}: of a stream there is only poisson")
    with streaming.engine(arguments) as engine:
        return compare_stream(
            arguments.paths, test=arguments.test or STREAM_TESTS[0], engine=engine, **asked
        )


def _table(
    arguments: argparse.Namespace, asked: Mapping[str, Any]
) -> tuple[ScoreTable, Suite | None]:
    """Return the scores, and the texts if there are any, of systems that can be compared."""
    from nlgauge.errors import SpecError
    from nlgauge.io.scores.score_files import read_scores
    from nlgauge.run.comparison import with_scores
    from nlgauge.run.comparison_plan import check_all_pairs, chosen_pairs
    from nlgauge.run.scoring import score_suite

    given = None
    if arguments.scores:
        given = read_scores(arguments.scores, lower_is_better=arguments.lower_is_better)
    elif arguments.lower_is_better:
        raise SpecError("--lower-is-better is for scores of other tools; give them with --scores")
    if not arguments.paths:
        if given is None:
            raise SpecError("nothing to compare; give references and -i, or --scores")
        if arguments.metrics or arguments.input:
            raise SpecError("-m and -i need references; without them, --scores stands alone")
        return given.table(), None
    suite = inputs.read_suite(arguments)
    chosen_pairs(list(suite.systems), asked["baseline"], asked["pairs"])  # before work starts
    if arguments.anova:
        check_all_pairs(len(suite.systems))
    table = score_suite(
        suite,
        arguments.metrics or ["bleu"],
        shared_options=shared.shared_options(arguments),
        context=shared.run_context(arguments),
    )
    return (table if given is None else with_scores(table, given)), suite


def _margin(arguments: argparse.Namespace) -> Margin:
    from nlgauge.errors import SpecError

    given = arguments.margin or ["0"]
    if arguments.margin and not arguments.fail_if_worse:
        raise SpecError("--margin is for --fail-if-worse NEW OLD; give both")
    if len(given) == 1 and "=" not in given[0]:
        return inputs.numbers([f"margin={given[0]}"], "--margin")["margin"]
    return inputs.numbers(given, "--margin")


def _gate(result: Comparison, system: str, than: str, margin: Margin) -> int:
    from nlgauge.run.gates import losses

    worse = losses(result, system, than, margin)
    for found in worse:
        print(
            f"nlgauge: {system} is significantly worse than {than} by {found.metric} "
            f"({found.difference:+.2f}, p = {found.adjusted:.4f})",
            file=sys.stderr,
        )
    return WORSE if worse else 0
