"""Model people's ratings as a sum of metrics, counts of problems and length; make it a metric.

nlgauge regress judged.jsonl -m ssa ssa.substitutions length --criterion understanding
nlgauge regress judged.jsonl -m bleu chrf ter.num_edits length --stepwise
nlgauge regress judged.jsonl -m ssa ssa.S --criterion quality --save quality.json
nlgauge score ref.txt -i sys.txt -m "regression(path=quality.json)"
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nlgauge.cli import inputs, shared
from nlgauge.cli.judging import judged
from nlgauge.cli.outputs import write_result
from nlgauge.core.facts.defaults import ALPHA

if TYPE_CHECKING:
    from nlgauge.report.pages.page import Section


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge regress`: judged outputs, terms, and what becomes of them."""
    judged.add_judged(parser)
    model = parser.add_argument_group("model")
    model.add_argument(
        "-m",
        "--terms",
        nargs="+",
        required=True,
        metavar="TERM",
        help="terms of the model: metrics, parts of metrics (ssa.substitutions, "
        "bleu.precisions.2) and length",
    )
    model.add_argument(
        "--raw",
        action="store_true",
        help="take ratings as they are, not as each annotator's z-scores",
    )
    model.add_argument("--stepwise", action="store_true", help="choose among the terms")
    model.add_argument(
        "--enter",
        type=float,
        default=ALPHA,
        metavar="P",
        help="p-value below which --stepwise takes a term (default: %(default)s)",
    )
    model.add_argument(
        "--leave",
        type=float,
        default=0.10,
        metavar="P",
        help="p-value above which --stepwise drops a term (default: %(default)s)",
    )
    shared.add_seed(model, "the cross-validation")
    metric = parser.add_argument_group("the model as a metric")
    metric.add_argument("--save", metavar="FILE", help="file to write the metric to, as JSON")
    metric.add_argument(
        "--drop",
        nargs="*",
        default=["length"],
        metavar="TERM",
        help="terms to leave out of the metric (default: length)",
    )
    metric.add_argument(
        "--perfect",
        nargs="+",
        default=[],
        metavar="TERM=VALUE",
        help="values of terms that a perfect text gets",
    )
    metric.add_argument(
        "--alpha",
        type=float,
        default=ALPHA,
        metavar="P",
        help="largest p-value of a model that is saved (default: %(default)s)",
    )
    shared.add_output(parser)
    shared.add_threads(parser)


def run(arguments: argparse.Namespace) -> None:
    """Read and score the outputs, fit the models and write them."""
    import shlex
    from dataclasses import replace

    from nlgauge.core import registry
    from nlgauge.errors import SpecError
    from nlgauge.io.write import atomic_write
    from nlgauge.meta.choose.metric_regression import (
        LENGTH,
        metrics_of,
        model_of,
        regress,
        with_length,
    )
    from nlgauge.metrics.trained.regression import Regression as RegressionMetric
    from nlgauge.report.tables.meta.regression_tables import regression_grids

    shared.quieten(arguments)
    metrics = metrics_of(arguments.terms)
    if not metrics:
        raise SpecError("give at least one metric as a term besides length")
    found = judged.read_judged(arguments)
    paired = judged.pair(arguments, metrics, found)
    if LENGTH in arguments.terms:
        paired = replace(paired, scores=with_length(paired.scores, found[0]))
    models = [
        regress(
            part,
            arguments.terms,
            criterion=criterion,
            normalise=not arguments.raw,
            select=arguments.stepwise,
            enter=arguments.enter,
            leave=arguments.leave,
            seed=arguments.seed,
            group=group,
        )
        for group, part in judged.parts(arguments, paired)
        for criterion in arguments.criterion or paired.criteria
    ]
    saved = None
    if arguments.save:
        if len(models) > 1:
            raise SpecError(f"--save: there are {len(models)} models; give one --criterion")
        saved = model_of(
            models[0],
            drop=arguments.drop,
            perfect=inputs.numbers(arguments.perfect, "--perfect"),
            alpha=arguments.alpha,
        )
        with atomic_write(arguments.save) as file:
            file.write(saved.to_json())
    record: dict[str, object] = {
        "models": [
            {"criterion": m.criterion, "group": m.group, "steps": m.steps, "fit": m.fit}
            for m in models
        ],
        "metric": saved,
    }
    grids = regression_grids(models, saved)
    if saved is not None:
        spec = registry.spec(RegressionMetric(path=arguments.save))
        record["spec"] = spec
        how = f"score with it: nlgauge score ... -m {shlex.quote(spec)}"
        grids[-1] = replace(grids[-1], notes=(*grids[-1].notes, how))

    def sections() -> list[Section]:
        from nlgauge.report.pages.regression_page import regression_sections

        return regression_sections(models, saved)

    write_result(arguments, grids, record, sections)
