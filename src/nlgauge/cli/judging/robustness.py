"""Break texts on purpose, or reword them, and see whether metrics notice what they should.

nlgauge robustness ref.txt -m bleu chrf ter
nlgauge robustness ref.txt -i sys.txt -m meteor nkt --perturbations jumble roles negation --show 2
nlgauge robustness judged.jsonl --split lang_pair -m all-lexical --details -f markdown
"""

from __future__ import annotations

import argparse
import warnings
from typing import TYPE_CHECKING, Any, get_args

from nlgauge.cli import inputs, judge_options, shared
from nlgauge.cli.names import LibraryNames
from nlgauge.cli.outputs import write_result
from nlgauge.core.facts.choices import PerturbedTexts

if TYPE_CHECKING:
    from nlgauge.data.corpus import Corpus
    from nlgauge.report.pages.page import Section


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge robustness`: texts, and how they are changed."""
    inputs.add_input(parser)
    shared.add_metrics(parser, default=("bleu", "chrf", "ter"))
    judge_options.add_judge(parser)
    tests = parser.add_argument_group("perturbations")
    tests.add_argument(
        "--on",
        choices=get_args(PerturbedTexts),
        metavar="NAME",
        help="texts to change: %(choices)s; the first references are scored against the others "
        "(or against themselves) (default: a system's outputs if -i is given)",
    )
    tests.add_argument(
        "--system", metavar="NAME", help="system whose outputs are changed, if there are several"
    )
    tests.add_argument(
        "--split",
        metavar="FIELD",
        help="field, such as lang_pair, within each value of which ids are unique",
    )
    tests.add_argument(
        "--perturbations",
        nargs="+",
        choices=LibraryNames("meta.stress.perturbations", "PERTURBATIONS"),
        metavar="NAME",
        help="changes to make: %(choices)s (default: all)",
    )
    tests.add_argument(
        "--severity",
        nargs="+",
        type=float,
        metavar="SHARE",
        help="shares of words to touch (default: .1 .2 .3 .4 .5)",
    )
    tests.add_argument(
        "--epsilon",
        type=float,
        default=0.01,
        metavar="X",
        help="share of the metric's range below which a score has not changed "
        "(default: %(default)s)",
    )
    tests.add_argument(
        "--threshold",
        type=float,
        default=0.9,
        metavar="X",
        help="share of texts that a metric must pass with (default: %(default)s)",
    )
    shared.add_seed(tests, "the changes")
    out = shared.add_output(parser)
    out.add_argument(
        "--details", action="store_true", help="print all numbers, one table for each metric"
    )
    out.add_argument(
        "--show",
        type=int,
        default=0,
        metavar="N",
        help="number of changed texts of each kind to print (default: %(default)s)",
    )
    shared.add_threads(parser)


def run(arguments: argparse.Namespace) -> None:
    """Read the texts, change and score them, and write what metrics notice."""
    from nlgauge.meta.stress.perturbations import PERTURBATIONS
    from nlgauge.meta.stress.robustness import SEVERITIES, robustness, stressed
    from nlgauge.report.tables.meta import robustness_tables as report
    from nlgauge.report.tables.meta.meta_tables import judge_grids

    shared.quieten(arguments)
    on: PerturbedTexts = arguments.on or (
        "system" if arguments.input or arguments.system else "references"
    )
    changes: dict[str, Any] = {
        "on": on,
        "perturbations": arguments.perturbations or tuple(PERTURBATIONS),
        "severities": arguments.severity or SEVERITIES,
        "seed": arguments.seed,
    }
    corpus = _corpus(arguments, on)
    if arguments.dry_run:
        _, outputs, _ = stressed(corpus, **changes)
        judge_options.print_estimates(arguments, arguments.metrics, [outputs.corpus])
        return
    with judge_options.judge_progress(arguments) as heard:
        result = robustness(
            corpus.within(shared.run_context(arguments, **heard)),
            arguments.metrics,
            epsilon=arguments.epsilon,
            threshold=arguments.threshold,
            shared_options=shared.shared_options(arguments),
            threads=arguments.threads,
            **changes,
        )
    grids = [*report.card(result), *judge_grids(result)]
    if arguments.details:
        grids += report.details(result)
    if arguments.show > 0:
        grids.append(report.samples(result, arguments.show))

    def sections() -> list[Section]:
        from nlgauge.report.pages.robustness_page import robustness_sections

        return robustness_sections(result)

    write_result(arguments, grids, result.record(), sections)


def _corpus(arguments: argparse.Namespace, on: PerturbedTexts) -> Corpus:
    """Read one corpus: of records all outputs, or each item once; otherwise those of a system."""
    from nlgauge.errors import SpecError
    from nlgauge.io.judgements.judged_outputs import read_outputs
    from nlgauge.io.texts.suites import RECORD_FORMATS, guess_format

    format = arguments.format or (
        "plain" if arguments.num_refs > 1 else guess_format(arguments.paths)
    )
    if format in RECORD_FORMATS and not arguments.input and not arguments.source:
        outputs, _ = read_outputs(
            arguments.paths,
            format=format,
            encoding=arguments.encoding,
            split=arguments.split,
            id_fields=arguments.id_fields,
            skip_unusable=arguments.skip_unusable,
            columns=inputs.column_names(arguments),
            rated=False,
        )
        if on == "references":
            return outputs.distinct_items()
        if arguments.system is None:
            return outputs.corpus
        if arguments.system not in outputs.systems.names:
            known = ", ".join(outputs.systems.names)
            raise SpecError(f"no system {arguments.system!r}; there are {known}")
        number = outputs.systems.names.index(arguments.system)
        return outputs.take((outputs.systems.codes == number).nonzero()[0].tolist()).corpus
    if on == "references" and not arguments.input and format == "plain":
        # References alone are enough; the file stands in for the outputs, which are not looked at.
        arguments.input = arguments.paths[:1]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".* are the references .* themselves")
        suite = inputs.read_suite(arguments)
    name = arguments.system or next(iter(suite.systems))
    if name not in suite.systems:
        raise SpecError(f"no system {name!r}; there are {', '.join(suite.systems)}")
    return suite.systems[name]
