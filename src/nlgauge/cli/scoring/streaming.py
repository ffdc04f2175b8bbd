"""Score more than fits in memory: the part of `nlgauge score` that --stream asks for."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nlgauge.cli import shared
from nlgauge.cli.outputs import write_result
from nlgauge.errors import SpecError

if TYPE_CHECKING:
    from nlgauge.core.table import ScoreTable

ENGINES = ("local", "dask")
# What needs all segments at once.
_NOT_HERE = ("report", "figures", "skip_unusable")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for streams."""
    group = parser.add_argument_group("more than fits in memory")
    group.add_argument(
        "--stream",
        action="store_true",
        help="read Parquet, JSONL, TSV or plain text (also .gz, .zst, standard input) in shards; "
        "--segments then names a folder",
    )
    group.add_argument(
        "--resume", action="store_true", help="go on in that folder with the shards that are left"
    )
    group.add_argument(
        "--segment-format",
        choices=("parquet", "jsonl"),
        default="parquet",
        metavar="NAME",
        help="format of the files in that folder: %(choices)s (default: %(default)s)",
    )
    group.add_argument(
        "--engine",
        choices=ENGINES,
        default="local",
        metavar="NAME",
        help="where shards are scored: %(choices)s (default: processes of this machine)",
    )
    group.add_argument(
        "--workers", type=int, metavar="N", help="number of processes (default: 1; dask: all)"
    )
    group.add_argument(
        "--scheduler",
        default="",
        metavar="ADDRESS",
        help="scheduler of Dask, such as tcp://host:8786 (default: a cluster on this machine)",
    )


def run(arguments: argparse.Namespace, metrics: Sequence[str]) -> ScoreTable:
    """Score the shards by metrics, write the scores, and return them."""
    from nlgauge.io.streams.shards import stream_request
    from nlgauge.report.tables.score_tables import score_grid
    from nlgauge.run.streams.engines import find_engine
    from nlgauge.run.streams.files import score_files
    from nlgauge.run.streams.folder import RunFolder

    for name in _NOT_HERE:
        if getattr(arguments, name):
            raise SpecError(f"--{name.replace('_', '-')}: not with --stream, which never holds all")
    if arguments.encoding.lower().replace("-", "") != "utf8":
        raise SpecError(f"--encoding {arguments.encoding}: a stream must be UTF-8; convert it")
    if arguments.resume and not arguments.segments:
        raise SpecError("--resume: name the folder of the run: --segments FOLDER")
    request = stream_request(
        arguments.paths,
        arguments.input,
        format=arguments.format,
        sources=arguments.source,
        num_refs=arguments.num_refs,
        id_fields=arguments.id_fields,
    )
    folder = None
    if arguments.segments:
        folder = RunFolder(arguments.segments, arguments.segment_format)
    engine = find_engine(arguments.engine, workers=arguments.workers, scheduler=arguments.scheduler)
    several = arguments.engine != "local" or (arguments.workers or 1) > 1
    with engine:
        scores = score_files(
            request,
            metrics,
            engine=engine,
            folder=folder,
            resume=arguments.resume,
            shared_options=shared.shared_options(arguments),
            confidence=arguments.confidence or arguments.paired_bs,
            resamples=arguments.confidence_n,
            seed=arguments.seed,
            # Processes share the machine already.
            threads=arguments.threads or (1 if several else _all_threads()),
            context=shared.run_context(arguments),
            on_shard=_progress(arguments),
        )
    table = scores.table(paired=arguments.paired_bs)
    grid = score_grid(table, arguments.output_format, arguments.width)
    write_result(arguments, [grid], table.to_dict())
    return table


def _all_threads() -> int:
    from nlgauge.kernels import available_threads

    return available_threads()


def _progress(arguments: argparse.Namespace) -> Any:
    """Return what tells a person at a terminal how many segments are done."""
    import sys

    if arguments.quiet or not sys.stderr.isatty():
        return None

    def show(segments: int) -> None:
        print(f"\r{segments:,} segments scored", end="", file=sys.stderr, flush=True)

    return show
