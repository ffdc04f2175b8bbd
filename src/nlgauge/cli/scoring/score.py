"""Score one or several systems against references.

nlgauge score ref.txt -i sysA.txt sysB.txt -m bleu chrf++ ter
nlgauge score --format jsonl data.jsonl -m "bleu(tokenizer=zh,smooth=floor)" -f json
cat sys.txt | nlgauge score ref1.txt ref2.txt -m chrf
nlgauge score ref.txt -i sys.txt --fail-under bleu=30 chrf=55
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from nlgauge.cli import inputs, judge_options, shared
from nlgauge.cli.outputs import write_result
from nlgauge.cli.scoring import streaming
from nlgauge.errors import SpecError

if TYPE_CHECKING:
    from nlgauge.core.table import ScoreTable
    from nlgauge.data.corpus import Suite
    from nlgauge.report.pages.page import Section

UNDER = 10  # the exit code of --fail-under
SACREBLEU = ("zh", "ja", "ko")  # target languages for which it has a tokeniser
PAIRED_AR_TRIALS = 10_000  # sacreBLEU's default
# What needs the same segments of all systems, or other files than records.
NOT_APART = (
    "stream", "paired_bs", "paired_ar", "segments", "spans", "sentence_level", "figures",
    "dry_run", "input", "source", "contexts",
)  # fmt: skip
LONG_WORK = 20_000_000  # bytes × metrics: from about a second on
PATIENCE = 1.5  # seconds until a bar appears where the work looked short


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge score`, named as in sacreBLEU where it has them."""
    inputs.add_input(parser, paths="*")  # none for metrics that look at contexts or sources alone
    shared.add_metrics(parser)
    _add_habits(parser)
    shared.add_parse_cache(parser)
    shared.add_embedding_cache(parser)
    judge_options.add_judge(parser)
    parser.add_argument(
        "--apart",
        action="store_true",
        help="score each system on the segments that it has an output for, as in records of which "
        "systems share none",
    )
    tests = parser.add_argument_group("confidence")
    tests.add_argument(
        "-ci", "--confidence", action="store_true", help="compute 95 %% bootstrap intervals"
    )
    shared.add_confidence_n(tests)
    paired = tests.add_mutually_exclusive_group()
    paired.add_argument(
        "-pbs",
        "--paired-bs",
        action="store_true",
        help="test each system against the first by paired bootstrap",
    )
    paired.add_argument(
        "-par",
        "--paired-ar",
        action="store_true",
        help="test each system against the first by approximate randomisation, as sacreBLEU does",
    )
    shared.add_seed(tests)
    tests.add_argument(
        "--fail-under",
        nargs="+",
        default=[],
        metavar="METRIC=N",
        help=f"exit code {UNDER} if a score is under N; over N, where lower is better",
    )
    out = shared.add_output(parser)
    out.add_argument(
        "--segments",
        metavar="FILE",
        help="file for the scores of segments: .jsonl with their parts, .tsv or .parquet; with "
        "--stream a folder",
    )
    out.add_argument(
        "--spans",
        metavar="FILE",
        help="file for the errors that judges mark, as judgements: .jsonl or .tsv",
    )
    out.add_argument(
        "-w",
        "--width",
        type=int,
        default=2,
        metavar="N",
        help="number of decimals on a scale of 100 (default: %(default)s)",
    )
    out.add_argument(
        "-b", "--score-only", action="store_true", help="print the scores without anything else"
    )
    out.add_argument(
        "-sl", "--sentence-level", action="store_true", help="print the scores of segments instead"
    )
    out.add_argument(
        "-sh", "--short", action="store_true", help="show short signatures, which is the default"
    )
    out.add_argument(
        "-d",
        "--detail",
        action="store_true",
        help="add what scores are made of, such as precisions",
    )
    shared.add_threads(parser)
    streaming.add_arguments(parser)


def _add_habits(parser: argparse.ArgumentParser) -> None:
    """Add the options of sacreBLEU's BLEU."""
    habits = parser.add_argument_group("options of sacreBLEU")
    habits.add_argument(
        "-l",
        "--language-pair",
        metavar="SRC-TRG",
        help="as in sacreBLEU: --lang for zh, ja and ko, nothing for others",
    )
    habits.add_argument("-t", "--test-set", action=_NoTestSets, help=argparse.SUPPRESS)
    habits.add_argument(
        "-s", "--smooth-method", metavar="NAME", help="smoothing of BLEU: exp, floor, add-k, none"
    )
    habits.add_argument(
        "-sv", "--smooth-value", type=float, metavar="N", help="value of floor and add-k smoothing"
    )


class _NoTestSets(argparse.Action):
    """sacreBLEU downloads test sets; the option is known here so that it can be said."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        parser.error(
            "-t: nothing is downloaded; give the references of the test set as files: "
            "nlgauge score ref.txt -i mine.txt (a tokeniser is -tok)"
        )


def _shared_options(arguments: argparse.Namespace) -> dict[str, object]:
    """Return options for all metrics that have them, which were asked for one by one."""
    found = shared.shared_options(arguments)
    if (pair := arguments.language_pair) is not None:
        source, dash, target = pair.partition("-")
        if not source or not dash or not target:
            raise SpecError(f"--language-pair {pair}: write SRC-TRG, such as en-de")
        if target in SACREBLEU:
            found.setdefault("lang", pair)
    if arguments.smooth_method is not None:
        found["smooth"] = arguments.smooth_method
    if arguments.smooth_value is not None:
        found["smooth_value"] = arguments.smooth_value
    return found


def run(arguments: argparse.Namespace) -> int:
    """Read the texts, score them, write the scores, and return the exit code of the gate."""
    from nlgauge.report.tables.score_tables import part_grids, score_grid
    from nlgauge.run.scoring import score_suite

    shared.quieten(arguments)
    if not arguments.paths and not arguments.contexts and not arguments.source:
        raise SpecError("no references; name them first: nlgauge score ref.txt -i mine.txt")
    if arguments.score_only and arguments.output_format == "text":
        arguments.output_format = "bare"
    limits = inputs.numbers(arguments.fail_under, "--fail-under")
    metrics = [*arguments.metrics, *(name for name in limits if name not in arguments.metrics)]
    if arguments.apart:
        return _gate(_run_apart(arguments, metrics), limits)
    if arguments.stream:
        streaming.check(arguments)
        streamed = streaming.run(arguments, metrics, _shared_options(arguments))
        return _gate(streamed, limits)
    suite = inputs.read_suite(arguments)
    if arguments.paired_bs or arguments.paired_ar:
        from nlgauge.run.comparison_plan import check_several

        check_several(list(suite.systems))
    if arguments.dry_run:
        judge_options.print_estimates(arguments, metrics, suite)
        return 0
    with _progress(suite, len(metrics), quiet=arguments.quiet) as heard:
        table = score_suite(
            suite,
            metrics,
            shared_options=_shared_options(arguments),
            confidence=arguments.confidence,
            paired=arguments.paired_bs,
            resamples=arguments.confidence_n,
            seed=arguments.seed,
            context=shared.run_context(arguments, **heard),
        )
    if arguments.paired_ar:
        from nlgauge.run.comparison import with_p_values

        table = with_p_values(table, trials=PAIRED_AR_TRIALS, seed=arguments.seed)
    if arguments.spans:
        from nlgauge.run.judge_spans import write_judge_spans

        write_judge_spans(arguments.spans, table)
    if arguments.segments:
        from nlgauge.report.tables.segments import write_segments

        write_segments(arguments.segments, table)
    grid = score_grid(table, arguments.output_format, arguments.width)

    def sections() -> list[Section]:
        from nlgauge.report.pages.score_page import score_sections

        return score_sections(table, suite, arguments.width)

    grids = [grid, *(part_grids(table) if arguments.detail else [])]
    record = table.to_dict()
    if arguments.sentence_level:
        from nlgauge.report.tables.data_grids import segment_data

        grids, record = [segment_data(table)], table.by_segment().to_dict()
    write_result(arguments, grids, record, sections)
    return _gate(table, limits)


def _run_apart(arguments: argparse.Namespace, metrics: Sequence[str]) -> ScoreTable:
    """Score each system on segments of its own, write the scores, and return them."""
    from nlgauge.report.tables.score_tables import part_grids, score_grid
    from nlgauge.run.apart import score_apart

    for name in NOT_APART:
        if getattr(arguments, name):
            raise SpecError(
                f"--{name.replace('_', '-')}: not with --apart, which takes records of which each "
                "system has segments of its own"
            )
    table = score_apart(
        inputs.read_suites_apart(arguments),
        metrics,
        shared_options=_shared_options(arguments),
        confidence=arguments.confidence,
        resamples=arguments.confidence_n,
        seed=arguments.seed,
        context=shared.run_context(arguments),
    )
    grid = score_grid(table, arguments.output_format, arguments.width)
    grids = [grid, *(part_grids(table) if arguments.detail else [])]
    write_result(arguments, grids, table.to_dict())
    return table


def _gate(table: ScoreTable, limits: dict[str, float]) -> int:
    if not limits:
        return 0
    import sys

    from nlgauge.run.gates import missed_limits

    missed = missed_limits(table, limits)
    for found in missed:
        print(f"nlgauge: {found}", file=sys.stderr)
    return UNDER if missed else 0


@contextmanager
def _progress(
    suite: Suite, metrics: int, *, quiet: bool
) -> Iterator[dict[str, Callable[..., None]]]:
    """Return what tells a person at a terminal how far the scoring is, if it may take a while."""
    import sys

    if quiet or not sys.stderr.isatty():
        yield {}
        return
    work = metrics * sum(corpus.hypotheses.nbytes for corpus in suite)
    with _Bar(len(suite.systems), patience=0 if work >= LONG_WORK else PATIENCE) as bar:
        yield {
            "on_system": bar.scoring,
            "on_encoded": bar.encoded,
            "on_share": bar.share,
            "on_judged": bar.judged,
        }


class _Bar:
    """The bar appears when there is something to wait for: texts that are encoded or judged, or
    work that is not done when the patience of a person ends, in seconds.
    """

    def __init__(self, systems: int, *, patience: float) -> None:
        import threading

        self._systems, self._number, self._name = systems, -1, ""
        self._bar: Any = None
        self._share = False  # whether anybody told how much of a system is done
        self._closed = False
        self._lock = threading.RLock()  # the timer shows the bar from a thread of its own
        self._timer = threading.Timer(patience, self._overdue)
        self._timer.daemon = True

    def __enter__(self) -> _Bar:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            self._closed = True
            if self._bar is not None:
                self._bar.stop()

    def scoring(self, system: str) -> None:
        """Note the next system, and show it if there is a bar."""
        self._number, self._name = self._number + 1, system
        if self._bar is not None:
            self._show(f"scoring {system}")

    def share(self, done: float) -> None:
        """Show how much of the system is done, if there is a bar."""
        if self._bar is not None:
            self._share = True
            completed = max(0, self._number) + done
            self._bar.update(self._task, total=self._systems, completed=completed)

    def encoded(self, texts: int) -> None:
        """Show how many texts of all systems are encoded."""
        self._show(f"scoring {self._name}, {texts:,} texts encoded")

    def judged(self, done: int, total: int) -> None:
        """Show how many questions to a judge are answered."""
        self._show(f"scoring {self._name}, {done:,} of {total:,} judged")

    def _overdue(self) -> None:
        self._show(f"scoring {self._name}".strip())

    def _show(self, description: str) -> None:
        from rich.markup import escape
        from rich.progress import Progress

        from nlgauge.report.tables.terminal import console

        with self._lock:
            if self._closed:
                return
            new = self._bar is None
            if new:
                self._bar = Progress(console=console(stderr=True), transient=True)
                self._task = self._bar.add_task("", total=None)
            done = max(0, self._number)
            # Without a number, the bar says that something moves, and not that 0 % are done.
            known = {"total": self._systems, "completed": done} if done or self._share else {}
            self._bar.update(self._task, description=escape(description), **known)
            if new:
                self._bar.start()
