"""The option --lang: which language outputs are in, by its code or in a column of the records."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nlgauge.io.column_names import ColumnNames


def add_language(parser: argparse._ActionsContainer) -> None:
    """Add the option; `language_of` reads it."""
    parser.add_argument(
        "--lang",
        metavar="CODE",
        help="language of the outputs, such as de or en-de (or lang_pair: that column), which "
        "chooses tokenisers, stemmers and encoders; `nlgauge metrics --lang de` shows them",
    )


def language_of(arguments: argparse.Namespace, columns: ColumnNames) -> str | None:
    """Return the language that --lang names, or the one in a column of the records."""
    from nlgauge.io.texts.language_column import COLUMN, read_language

    lang: str | None = arguments.lang
    if lang != COLUMN:
        return lang
    return read_language(
        arguments.paths, format=arguments.format, encoding=arguments.encoding, columns=columns
    )
