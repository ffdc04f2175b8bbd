"""Give commands that look at judged outputs their options and steps."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING

from nlgauge.cli import inputs

if TYPE_CHECKING:
    from nlgauge.core.metric import Metric
    from nlgauge.core.outputs import Outputs
    from nlgauge.data.judgements import Judgements
    from nlgauge.meta.correlation.paired_scores import PairedScores


def add_judged(parser: argparse.ArgumentParser, *, paths: str = "+", several: bool = True) -> None:
    """Add the options for outputs and their ratings, by one criterion or `several`."""
    inputs.add_input(parser, paths=paths)
    judged = parser.add_argument_group("judgements")
    judged.add_argument(
        "--judgements",
        nargs="+",
        metavar="FILE",
        help="files of ratings (default: the field `human` of the records)",
    )
    if several:
        judged.add_argument(
            "--criterion", nargs="+", metavar="NAME", help="criteria of ratings (default: all)"
        )
    else:
        judged.add_argument("--criterion", metavar="NAME", help="criterion that people judge")
    judged.add_argument(
        "--split",
        metavar="FIELD",
        help="field, such as lang_pair, for each value of which there are results",
    )


def read_judged(arguments: argparse.Namespace) -> tuple[Outputs, Judgements]:
    """Read records with ratings, or texts and a file of judgements."""
    from nlgauge.meta.correlation.reading import read_texts

    return read_texts(
        arguments.paths,
        arguments.input,
        judgements=arguments.judgements,
        split=arguments.split,
        **inputs.input_options(arguments),
    )


def pair(
    arguments: argparse.Namespace,
    metrics: Iterable[str | Metric],
    judged: tuple[Outputs, Judgements],
) -> PairedScores:
    """Score the outputs, and pair their scores with the judgements."""
    from nlgauge.meta.correlation.paired_scores import PairedScores
    from nlgauge.run.scoring import score_outputs

    outputs, judgements = judged
    scores = score_outputs(outputs, metrics, threads=arguments.threads)
    return PairedScores(scores=scores, judgements=judgements, groups=outputs.groups)


def assignments(given: Iterable[str], option: str) -> dict[str, str]:
    """Return arguments of the form NAME=VALUE as a mapping."""
    from nlgauge.errors import SpecError

    found = {}
    for text in given:
        name, equals, value = text.rpartition("=")
        if not equals or not name or not value:
            raise SpecError(f"{option} {text!r} is not of the form NAME=VALUE")
        found[name] = value
    return found


def parts(
    arguments: argparse.Namespace, paired: PairedScores
) -> list[tuple[str | None, PairedScores]]:
    """Return the groups of --split, or everything as one."""
    return [(None, paired)] if arguments.split is None else [*paired.split(arguments.split).items()]
