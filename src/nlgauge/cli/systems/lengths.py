"""Give the commands that summarise the options for the length of a summary."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nlgauge.baselines import Length


def add_length(parser: argparse.ArgumentParser) -> None:
    """Add the options for the length of a summary."""
    limits = parser.add_argument_group("length of a summary")
    limits.add_argument("--sentences", type=int, metavar="N", help="number of sentences")
    limits.add_argument("--words", type=int, metavar="N", help="largest number of words")
    limits.add_argument(
        "--share",
        type=float,
        default=0.1,
        metavar="X",
        help="share of the document's sentences, if nothing else is given (default: %(default)s)",
    )


def length_of(arguments: argparse.Namespace) -> Length:
    """Return the length that the options of `add_length` ask for."""
    from nlgauge.baselines import Length

    return Length(sentences=arguments.sentences, words=arguments.words, share=arguments.share)
