"""Score more than fits in memory: the part of `nlgauge score` that --stream asks for."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from nlgauge.cli import inputs, shared
from nlgauge.cli.outputs import write_result
from nlgauge.errors import SpecError

if TYPE_CHECKING:
    from nlgauge.core.table import ScoreTable
    from nlgauge.run.streams.engines import Engine

ENGINES = ("local", "dask")
# What needs all segments at once, or another file beside those in shards.
_NOT_HERE = (
    "report",
    "figures",
    "skip_unusable",
    "paired_ar",
    "spans",
    "dry_run",
    "sentence_level",
    "contexts",
    "features",
)


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
    add_engine(group)


def add_engine(group: argparse._ArgumentGroup) -> None:
    """Add the options that say where parts are worked on."""
    group.add_argument(
        "--engine",
        choices=ENGINES,
        default="local",
        metavar="NAME",
        help="where parts are worked on: %(choices)s (default: processes of this machine)",
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


def check(arguments: argparse.Namespace) -> None:
    """Refuse what needs all segments at once."""
    refuse(arguments, _NOT_HERE)
    if arguments.lang == "lang_pair":
        raise SpecError("--lang lang_pair: not with --stream; name the language, such as en-de")


def run(
    arguments: argparse.Namespace, metrics: Sequence[str], options: Mapping[str, object]
) -> ScoreTable:
    """Score the shards by metrics with these options, write the scores, and return them."""
    from nlgauge.io.streams.shards import stream_request
    from nlgauge.report.tables.score_tables import part_grids, score_grid
    from nlgauge.run.comparison_plan import check_several
    from nlgauge.run.streams.files import score_files
    from nlgauge.run.streams.folder import RunFolder

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
        columns=inputs.column_names(arguments),
    )
    folder = None
    if arguments.segments:
        folder = RunFolder(arguments.segments, arguments.segment_format)
    several = arguments.engine != "local" or (arguments.workers or 1) > 1
    with _progress(arguments) as heard, engine(arguments) as used:
        scores = score_files(
            request,
            metrics,
            engine=used,
            folder=folder,
            resume=arguments.resume,
            shared_options=options,
            confidence=arguments.confidence or arguments.paired_bs,
            resamples=arguments.confidence_n,
            seed=arguments.seed,
            # Processes share the machine already.
            threads=arguments.threads or (1 if several else _all_threads()),
            context=shared.run_context(arguments),
            **heard,
        )
    if arguments.paired_bs:
        check_several(list(scores.sums))
    table = scores.table(paired=arguments.paired_bs)
    grid = score_grid(table, arguments.output_format, arguments.width)
    grids = [grid, *(part_grids(table) if arguments.detail else [])]
    write_result(arguments, grids, table.to_dict())
    return table


def refuse(arguments: argparse.Namespace, names: Sequence[str]) -> None:
    """Refuse options that a stream has no use for, so that none is passed over in silence."""
    for name in names:
        if getattr(arguments, name):
            raise SpecError(f"--{name.replace('_', '-')}: not with --stream, which never holds all")


def engine(arguments: argparse.Namespace) -> Engine:
    """Return the engine that was asked for, to be closed in the end."""
    from nlgauge.run.streams.engines import find_engine

    return find_engine(arguments.engine, workers=arguments.workers, scheduler=arguments.scheduler)


def _all_threads() -> int:
    from nlgauge.kernels import available_threads

    return available_threads()


@contextmanager
def _progress(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Return what tells a person at a terminal how many segments are done, until all are."""
    import sys

    if arguments.quiet or not sys.stderr.isatty():
        yield {}
        return
    from nlgauge.report.tables.terminal import console

    with console(stderr=True).status("reading") as line:
        yield {
            "on_counted": lambda segments: line.update(f"{segments:,} segments counted"),
            "on_shard": lambda segments: line.update(f"{segments:,} segments scored"),
        }
