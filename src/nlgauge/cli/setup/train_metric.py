"""The options that all trained metrics share, and the run that fits one of them."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from nlgauge.cli import shared
from nlgauge.cli.help_text import HelpFormatter
from nlgauge.cli.judging.judged import assignments
from nlgauge.core.facts.trainable import (
    FIRST_STAGE,
    FROM_DIALOGUES,
    RATED_DIALOGUES,
    TRAINABLE,
    TUNABLE,
)

if TYPE_CHECKING:
    from nlgauge.train.judged_rows import JudgedRows


def add_metrics(models: Any) -> None:
    """Add a parser for every metric that can be trained, and one for cards of models."""
    for name, learns in {**TRAINABLE, **TUNABLE}.items():
        parser = models.add_parser(name, help=learns, formatter_class=HelpFormatter)
        _add_options(parser, name)
    card = models.add_parser(
        "card", help="show what a model's file says of itself", formatter_class=HelpFormatter
    )
    card.add_argument("model", metavar="FILE", help="file that `nlgauge train` wrote")
    shared.add_output(card)


# Of options that not every metric has.
_DEFAULTS: dict[str, Any] = {
    "out": None,
    "criterion": None,
    "judgements": None,
    "id_fields": [],
    "group": "texts",
    "split": None,
    "features": None,
    "dialogues": None,
}


def _add_options(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the options of a metric: what it learns from, whether training ends with a model's file,
    and how it is trained.
    """
    dialogues = name in FROM_DIALOGUES
    what = "files of dialogues" if dialogues else "files of outputs with judgements"
    parser.add_argument("paths", nargs="+", metavar="FILE", help=what)
    if dialogues:
        parser.add_argument(
            "--without",
            nargs="+",
            default=[],
            metavar="FILE",
            help="files whose dialogues are not learnt from: those that share an utterance",
        )
    if name in TRAINABLE:
        parser.add_argument(
            "--out",
            "-o",
            required=True,
            metavar="FILE",
            help="file for the model: model.safetensors",
        )
    parser.set_defaults(**_DEFAULTS)
    parser.add_argument(
        "--set",
        nargs="+",
        default=[],
        metavar="OPTION=VALUE",
        help="options of the metric, such as inputs=match, and of its training",
    )
    judged = parser.add_argument_group("judgements")
    if not dialogues or name in RATED_DIALOGUES:
        judged.add_argument(
            "--criterion", metavar="NAME", help="criterion of the ratings, if there are several"
        )
    if not dialogues:
        _add_judged(judged)
    judged.add_argument(
        "--test", nargs="+", metavar="FILE", help=f"other {what}, to measure the model on"
    )
    judged.add_argument(
        "--licence", metavar="TEXT", help="licence of the data, for the model's card"
    )
    _add_training(parser, name)


def _add_judged(judged: Any) -> None:
    """Add the options of judged outputs, which dialogues do not have."""
    judged.add_argument(
        "--judgements",
        nargs="+",
        metavar="FILE",
        help="files of ratings (default: the field `human` of the records)",
    )
    judged.add_argument(
        "--id-fields",
        nargs="+",
        metavar="FIELD",
        help="fields that make an id together, where ids alone are not unique",
    )
    judged.add_argument(
        "--group",
        choices=("texts", "item", "source", "context", "reference"),
        metavar="NAME",
        help="what is held out together: %(choices)s; texts: all that shares a source, a context "
        "or a reference (default: %(default)s)",
    )
    judged.add_argument(
        "--split",
        metavar="FIELD",
        help="field, such as lang_pair, over whose values figures are averaged",
    )
    judged.add_argument(
        "--features", metavar="FILE", help=".npz file with a row of numbers for each id"
    )


def _add_training(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the options of the training itself."""
    fit = parser.add_argument_group("training")
    if name in FIRST_STAGE:
        fit.add_argument(
            "--dialogues",
            nargs="+",
            metavar="FILE",
            help="files of dialogues that the first stage learns from",
        )
    fit.add_argument(
        "--folds",
        type=int,
        default=5,
        metavar="N",
        help="parts that are held out in turn; 0: none (default: %(default)s)",
    )
    fit.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="seed of all that is random (default: %(default)s)",
    )
    fit.add_argument(
        "--synthetic",
        type=float,
        default=0.2,
        metavar="X",
        help="broken and identical copies of references that are learnt from, for each rated "
        "output (default: %(default)s)",
    )
    fit.add_argument(
        "--checkpoints",
        metavar="FOLDER",
        help="folder from which an interrupted training goes on (default: none)",
    )
    shared.add_output_format(fit)
    shared.add_report(fit)
    parser.set_defaults(output="-")
    fit.add_argument("--quiet", action="store_true", help="say nothing on the way")
    shared.add_threads(parser)


def run_card(arguments: argparse.Namespace) -> None:
    """Write the card of a model."""
    from nlgauge.cli.outputs import write_result
    from nlgauge.models.files.trained_model import read_any_model
    from nlgauge.report.tables.model_card import card_grids

    model = read_any_model(arguments.model)
    write_result(arguments, card_grids(model.header), model.header)


def dialogue_rows(recipe: Any, paths: list[str], arguments: argparse.Namespace) -> JudgedRows:
    """Read dialogues, and make of them what a recipe learns from."""
    from dataclasses import replace

    from nlgauge.train.dialogue.dialogues import read_dialogues
    from nlgauge.train.judged_rows import described

    rows: JudgedRows = recipe.rows(
        read_dialogues(paths, without=arguments.without), arguments.seed, arguments.criterion
    )
    return replace(rows, data=tuple(described(path, arguments.licence) for path in paths))


def run_training(arguments: argparse.Namespace) -> None:
    """Train the metric, write its model and show its card."""
    import shlex
    from dataclasses import replace
    from pathlib import Path

    from nlgauge.cli.outputs import write_result
    from nlgauge.core import registry
    from nlgauge.report.tables.model_card import card_grids
    from nlgauge.train.judged_rows import described, read_judged_rows
    from nlgauge.train.recipes import recipe_class, recipe_of
    from nlgauge.train.trainer import TrainSettings, train_metric

    shared.quieten(arguments)
    options = assignments(arguments.set, "--set")
    ways = recipe_class(arguments.kind).choices
    chosen = {name: options.pop(name) for name in ways if name in options}
    given = ",".join(f"{k}={v}" for k, v in options.items())
    metric = registry.metric(f"{arguments.kind}({given})" if given else arguments.kind)
    reading = {
        "criterion": arguments.criterion,
        "group": arguments.group,
        "split": arguments.split,
        "licence": arguments.licence,
        "id_fields": arguments.id_fields,
        "features": arguments.features,
    }
    recipe = recipe_of(metric, **chosen)

    def read(paths: list[str], **more: Any) -> JudgedRows:
        if recipe.learns_from_dialogues:
            found: JudgedRows = dialogue_rows(recipe, paths, arguments)
            return found
        return read_judged_rows(paths, **more, **reading)

    rows = read(arguments.paths, judgements=arguments.judgements)
    test = None if arguments.test is None else read(arguments.test)
    folder = arguments.checkpoints
    settings = TrainSettings(
        seed=arguments.seed,
        folds=arguments.folds,
        synthetic=arguments.synthetic,
        threads=arguments.threads,
        checkpoints=None if folder is None else Path(folder),
    )

    def progress(line: str) -> None:
        if not arguments.quiet:
            print(line, file=sys.stderr, flush=True)

    if arguments.dialogues:
        from nlgauge.train.dialogue.dialogues import read_dialogues

        dialogues = read_dialogues(arguments.dialogues, without=[*arguments.paths])
        recipe.learn_first(dialogues, arguments.seed, progress=progress)
        said = (described(path, None) for path in arguments.dialogues)
        rows = replace(rows, data=(*rows.data, *said))
    trained = train_metric(recipe, rows, settings, test=test, progress=progress)
    metric = trained.metric
    if arguments.out is not None:
        trained.write(arguments.out)
        metric = registry.changed(metric, {"model": arguments.out})
    write_result(arguments, card_grids(trained.header), trained.header)
    spec = registry.spec(metric)
    progress(f"score with it: nlgauge score ... -m {shlex.quote(spec)}")
