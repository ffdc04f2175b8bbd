"""Options for what is read, texts and judgements, and the reading itself."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nlgauge.cli.names import JUDGEMENT_FORMATS, TEXT_FORMATS
from nlgauge.errors import SpecError

if TYPE_CHECKING:
    from nlgauge.data.corpus import Suite
    from nlgauge.data.judgements import Judgements
    from nlgauge.io.column_names import ColumnNames


def add_input(parser: argparse.ArgumentParser, *, paths: str = "+") -> None:
    """Add the options for the texts to be scored; they are named as in sacreBLEU."""
    parser.add_argument(
        "paths", nargs=paths, metavar="REF", help="reference files, or the data file or folder"
    )
    parser.add_argument(
        "-i",
        "--input",
        nargs="+",
        metavar="FILE",
        help="files of outputs, one for each system, or NAME=FILE (default: standard input)",
    )
    data = parser.add_argument_group("input")
    add_format(data)
    data.add_argument(
        "--source", metavar="FILE", help="file of source texts, for metrics that look at them"
    )
    data.add_argument(
        "--contexts",
        metavar="FILE",
        help="file with what was said before, the turns of a segment on a line",
    )
    data.add_argument(
        "--turn-separator",
        default="\t",
        metavar="TEXT",
        help="what stands between turns in --contexts (default: a tab)",
    )
    data.add_argument(
        "--features",
        metavar="FILE",
        help=".npz file with a row of numbers for each id, such as those of images",
    )
    data.add_argument(
        "-nr",
        "--num-refs",
        type=int,
        default=1,
        metavar="N",
        help="number of references on a line, which tabs separate (default: %(default)s)",
    )
    data.add_argument(
        "--id-fields",
        nargs="+",
        default=[],
        metavar="FIELD",
        help="fields that together make the id of a record",
    )
    add_columns(data)
    data.add_argument(
        "--skip-unusable",
        action="store_true",
        help="leave out records without references or outputs, and list them",
    )


def add_format(data: argparse._ActionsContainer) -> None:
    """Add the options for the format and the encoding of texts."""
    data.add_argument(
        "--format",
        choices=TEXT_FORMATS,
        metavar="NAME",
        help="input format: %(choices)s (default: from the file name)",
    )
    add_encoding(data)


def add_columns(data: argparse._ActionsContainer) -> None:
    """Add the option for columns that are not called as nlgauge calls them."""
    data.add_argument(
        "--columns",
        nargs="+",
        default=[],
        metavar="FIELD=COLUMN",
        help="columns that hold a field: hypothesis=summary,reference=target,human=rating",
    )


def column_names(arguments: argparse.Namespace) -> ColumnNames:
    """Return the columns that --columns names."""
    from nlgauge.io.column_names import ColumnNames

    return ColumnNames.parse(arguments.columns)


def add_encoding(data: argparse._ActionsContainer) -> None:
    """Add the option for the encoding of text files."""
    data.add_argument(
        "-e",
        "--encoding",
        default="utf-8",
        metavar="NAME",
        help="character encoding of text files (default: %(default)s)",
    )


def input_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of `add_input` as arguments of the functions that read."""
    return {
        "columns": column_names(arguments),
        "format": arguments.format,
        "sources": arguments.source,
        "encoding": arguments.encoding,
        "num_refs": arguments.num_refs,
        "id_fields": arguments.id_fields,
        "skip_unusable": arguments.skip_unusable,
        "contexts": arguments.contexts,
        "turn_separator": arguments.turn_separator,
        "features": arguments.features,
    }


def read_suite(arguments: argparse.Namespace) -> Suite:
    """Read the texts that the options of `add_input` name."""
    from nlgauge.io.texts.suites import read_suite as read

    return read(arguments.paths, arguments.input, **input_options(arguments))


def read_suites_apart(arguments: argparse.Namespace) -> dict[str, Suite]:
    """Read the records that the options of `add_input` name, each system by itself."""
    from nlgauge.io.texts.suites import read_suites_apart as read

    others = ("sources", "num_refs", "contexts", "turn_separator")  # of files beside records
    given = input_options(arguments)
    return read(arguments.paths, **{k: v for k, v in given.items() if k not in others})


def add_judgements(parser: argparse.ArgumentParser) -> None:
    """Add the options for files that hold nothing but judgements."""
    parser.add_argument(
        "paths", nargs="+", metavar="FILE", help="files of judgements; - is standard input"
    )
    data = parser.add_argument_group("input")
    data.add_argument(
        "--format",
        choices=JUDGEMENT_FORMATS,
        metavar="NAME",
        help="input format: %(choices)s (default: from the file's name and first line)",
    )
    data.add_argument(
        "--split",
        metavar="FIELD",
        help="field, such as lang_pair, within each value of which ids are unique",
    )
    data.add_argument(
        "--error-weights",
        nargs="+",
        metavar="ERROR=N",
        help="weights of errors in MQM files, such as major=10 or minor/style=0.5",
    )
    add_encoding(data)


def read_judgements(arguments: argparse.Namespace) -> Judgements:
    """Read the judgements that the options of `add_judgements` name."""
    from nlgauge.io.judgements.judgement_files import read_judgements as read

    return read(
        arguments.paths,
        format=arguments.format,
        encoding=arguments.encoding,
        split=arguments.split,
        weights=numbers(arguments.error_weights or (), "--error-weights"),
    )


def numbers(pairs: Sequence[str], option: str) -> dict[str, float]:
    """Return arguments of the form NAME=NUMBER as a mapping; commas may stand between them, and
    names may have options, as in bleu(tokenizer=intl)=30.
    """
    from nlgauge.run.metric_lists import split_metrics

    found = {}
    for pair in (pair for text in pairs for pair in split_metrics(text)):
        name, _, written = pair.rpartition("=")
        try:
            number = float(written)
        except ValueError:
            number = math.nan
        if not name or not math.isfinite(number):
            known = name or (written if math.isnan(number) else "bleu")
            raise SpecError(f"{option} {pair}: expected NAME=NUMBER, such as {known}=1")
        found[name] = number
    return found
