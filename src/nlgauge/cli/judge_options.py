"""Give commands the options for judges: the server, the key, the cache and what may be spent."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from nlgauge.errors import SpecError

if TYPE_CHECKING:
    from nlgauge.core.registry import Metrics
    from nlgauge.data.corpus import Corpus
    from nlgauge.data.judge_server import JudgeServer


def add_judge(parser: argparse.ArgumentParser, *, dry_run: bool = True) -> None:
    """Add the options for judges; without an address, nothing is asked anywhere."""
    judge = parser.add_argument_group("judges (metrics judge-...)")
    judge.add_argument(
        "--judge-url",
        metavar="URL",
        help="address of an OpenAI-compatible server, such as http://127.0.0.1:8000/v1",
    )
    judge.add_argument(
        "--judge-model", metavar="NAME", help="model that judges, as the server calls it"
    )
    judge.add_argument(
        "--judge-key-env", metavar="NAME", help="environment variable that holds the server's key"
    )
    judge.add_argument("--judge-key-file", metavar="FILE", help="file that holds the server's key")
    judge.add_argument(
        "--judge-cache",
        metavar="FOLDER",
        help="folder to keep replies in; a run that was cut off goes on from there",
    )
    judge.add_argument(
        "--judge-connections",
        type=int,
        default=16,
        metavar="N",
        help="number of requests under way at the same time (default: %(default)s)",
    )
    judge.add_argument(
        "--judge-timeout",
        type=float,
        default=120.0,
        metavar="SECONDS",
        help="time that one request may take (default: %(default)s)",
    )
    judge.add_argument(
        "--judge-price",
        nargs=2,
        type=float,
        metavar=("INPUT", "OUTPUT"),
        help="prices of a million tokens of input and of output",
    )
    judge.add_argument(
        "--judge-budget",
        type=float,
        metavar="N",
        help="amount that may be spent, in the currency of the prices, or in tokens",
    )
    judge.add_argument(
        "--judge-most-unusable",
        type=float,
        default=0.05,
        metavar="SHARE",
        help="share of segments that may be left without a verdict (default: %(default)s)",
    )
    if dry_run:
        judge.add_argument(
            "--dry-run",
            action="store_true",
            help="print how many requests and tokens judges will take, and what that costs",
        )


def judge_server(arguments: argparse.Namespace) -> JudgeServer | None:
    """Return the server that the options name, if they do."""
    if getattr(arguments, "judge_url", None) is None:
        given = [
            n for n in ("key_env", "key_file", "cache", "price", "budget") if _given(arguments, n)
        ]
        if given:
            option = given[0].replace("_", "-")
            raise SpecError(f"--judge-{option}: needs the address of a server (--judge-url URL)")
        return None
    from nlgauge.data.judge_server import JudgeServer

    prices = arguments.judge_price or (None, None)
    return JudgeServer(
        url=arguments.judge_url,
        key_env=arguments.judge_key_env,
        key_file=arguments.judge_key_file,
        cache=arguments.judge_cache,
        connections=arguments.judge_connections,
        timeout=arguments.judge_timeout,
        input_price=prices[0],
        output_price=prices[1],
        budget=arguments.judge_budget,
        most_unusable=arguments.judge_most_unusable,
    )


def _given(arguments: argparse.Namespace, name: str) -> bool:
    return getattr(arguments, f"judge_{name}", None) is not None


def print_estimates(
    arguments: argparse.Namespace, metrics: Metrics, corpora: Iterable[Corpus]
) -> None:
    """Print what the judges among the metrics would ask, and what that costs."""
    from nlgauge.cli.outputs import write_result
    from nlgauge.cli.shared import run_context, shared_options
    from nlgauge.report.judges.estimate_tables import estimate_grid
    from nlgauge.run.judge_estimates import judge_estimates

    context = run_context(arguments)
    within = [corpus.within(context) for corpus in corpora]
    found = judge_estimates(metrics, within, shared_options=shared_options(arguments))
    arguments.report = arguments.figures = None
    write_result(arguments, [estimate_grid(found, context.judge)], found)


@contextmanager
def judge_progress(arguments: argparse.Namespace) -> Iterator[dict[str, Callable[..., None]]]:
    """Show a person at a terminal how many questions are answered, if any are asked."""
    import sys

    if arguments.quiet or not sys.stderr.isatty() or not arguments.judge_url:
        yield {}
        return
    from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from nlgauge.report.tables.terminal import console

    columns = (TextColumn("judging"), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def judged(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield {"on_judged": judged}
