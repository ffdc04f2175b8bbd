"""Measure how well metrics agree with people.

nlgauge meta judged.jsonl -m chrf sentbleu --criterion fluency adequacy
nlgauge meta wmt16.jsonl.gz -m all-lexical --split lang_pair
nlgauge meta ref.txt -i sysA.txt sysB.txt sysC.txt -m bleu ter --judgements ratings.jsonl
nlgauge meta wmt22 en-de -m chrf --level system segment-by-item -c accuracy-eq-calibrated
nlgauge meta --scores comet.tsv llm.tsv --judgements mqm.tsv -c kendall-b --test permutation
nlgauge meta --stream run --judgements ratings.jsonl --workers 8
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, get_args

from nlgauge.cli import inputs, judge_options, shared
from nlgauge.cli.names import JUDGEMENT_FORMATS, LibraryNames
from nlgauge.cli.outputs import write_result
from nlgauge.cli.scoring import streaming
from nlgauge.core.facts.choices import Combination
from nlgauge.core.facts.defaults import ALPHA, PERMUTATIONS

if TYPE_CHECKING:
    from nlgauge.data.run_context import RunContext
    from nlgauge.meta.correlation.paired_scores import PairedScores
    from nlgauge.meta.correlation.reading import JudgedScores
    from nlgauge.meta.correlation.settings import MetaSettings
    from nlgauge.report.pages.page import Section

METRICS = ("sentbleu", "chrf", "ter")
_NOT_OF_RUNS = ("input", "scores", "split", "length_weighted", "skip_unusable")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge meta`: texts or scores, and judgements of them."""
    inputs.add_input(parser, paths="*")
    shared.add_metrics(parser, METRICS)
    judge_options.add_judge(parser)
    people = parser.add_argument_group("judgements")
    people.add_argument(
        "--judgements",
        nargs="+",
        metavar="FILE",
        help="files of judgements (default: the field `human` of records)",
    )
    people.add_argument(
        "--judgement-format",
        choices=JUDGEMENT_FORMATS,
        metavar="NAME",
        help="format of the judgements: %(choices)s (default: from the file's name and first line)",
    )
    people.add_argument(
        "--criterion", nargs="+", metavar="NAME", help="criteria of judgements (default: all)"
    )
    people.add_argument(
        "--combine",
        choices=get_args(Combination),
        metavar="NAME",
        help="also correlate with all criteria combined: %(choices)s",
    )
    people.add_argument(
        "--split",
        metavar="FIELD",
        help="field of records, such as lang_pair, each value of which gets a column",
    )
    people.add_argument(
        "--scores",
        nargs="+",
        metavar="FILE",
        help="files of segment scores of other tools, with or without texts",
    )
    people.add_argument(
        "--lower-is-better",
        nargs="+",
        default=[],
        metavar="NAME",
        help="criteria, or columns of given scores, in which lower is better",
    )
    _add_measures(parser)
    _add_confidence(parser)
    out = shared.add_output(parser)
    out.add_argument(
        "--all", action="store_true", help="print every table, not only what fits a screen"
    )
    shared.add_threads(parser)


def _add_measures(parser: argparse.ArgumentParser) -> None:
    how = parser.add_argument_group("measures")
    how.add_argument(
        "--level",
        nargs="+",
        choices=_setting("Level"),
        metavar="NAME",
        help="levels to correlate at: %(choices)s (default: what the data allow)",
    )
    how.add_argument(
        "-c",
        "--coefficient",
        nargs="+",
        default=["pearson"],
        choices=_setting("COEFFICIENTS"),
        metavar="NAME",
        help="coefficients of agreement: %(choices)s (default: pearson)",
    )
    how.add_argument(
        "--system-over",
        default="all",
        choices=_setting("SystemOver"),
        metavar="NAME",
        help="outputs that the score of a system is computed from: %(choices)s "
        "(default: %(default)s)",
    )
    how.add_argument(
        "--length-weighted",
        action="store_true",
        help="weigh the ratings of a system by the length of the outputs",
    )
    how.add_argument(
        "--partitions",
        nargs="+",
        type=int,
        default=[],
        metavar="SIZE",
        help="sizes of random groups of outputs whose averages are correlated, too",
    )
    how.add_argument(
        "--threshold",
        type=float,
        default=25.0,
        metavar="X",
        help="difference of ratings from which kendall-darr counts a pair (default: %(default)s)",
    )


def _add_confidence(parser: argparse.ArgumentParser) -> None:
    tests = parser.add_argument_group("confidence")
    shared.add_confidence_n(
        tests,
        "number of resamples of percentile intervals; 0: no intervals of either kind "
        "(default: %(default)s)",
    )
    tests.add_argument(
        "--interval",
        default="jackknife",
        choices=_setting("IntervalMethod"),
        metavar="NAME",
        help="method of intervals: %(choices)s (default: %(default)s)",
    )
    tests.add_argument(
        "--over",
        choices=_setting("Over"),
        metavar="NAME",
        help="what is drawn again for intervals: %(choices)s (default: what the level suggests)",
    )
    tests.add_argument(
        "--test",
        default="auto",
        choices=_setting("Test"),
        metavar="NAME",
        help="test between metrics: %(choices)s (default: %(default)s, the one that fits)",
    )
    tests.add_argument(
        "--swap",
        default="both",
        choices=LibraryNames("meta.correlation.permutation", "Swap"),
        metavar="NAME",
        help="what the permutation test swaps: %(choices)s (default: %(default)s)",
    )
    tests.add_argument(
        "--permutations",
        type=int,
        default=PERMUTATIONS,
        metavar="N",
        help="number of permutations of this test (default: %(default)s)",
    )
    tests.add_argument(
        "--alpha",
        type=float,
        default=ALPHA,
        metavar="P",
        help="level of significance (default: %(default)s)",
    )
    shared.add_seed(tests, "resamples and permutations")
    stream = parser.add_argument_group("more than fits in memory")
    stream.add_argument(
        "--stream",
        action="store_true",
        help="take the scores of the runs in these folders, which score --stream --segments wrote",
    )
    streaming.add_engine(stream)


def _setting(name: str) -> LibraryNames:
    return LibraryNames("meta.correlation.settings", name)


def run(arguments: argparse.Namespace) -> None:
    """Read outputs and judgements, correlate them and write the agreement."""
    from dataclasses import replace

    from nlgauge.errors import SpecError
    from nlgauge.meta.correlation.meta_result import combined, correlate
    from nlgauge.report.tables.meta.meta_summary import MORE, summary
    from nlgauge.report.tables.meta.meta_tables import grids

    shared.quieten(arguments)
    settings = _settings(arguments)
    if arguments.dry_run:
        from nlgauge.cli.judging.judged import read_judged

        outputs, _ = read_judged(arguments)
        judge_options.print_estimates(arguments, arguments.metrics, [outputs.corpus])
        return
    with judge_options.judge_progress(arguments) as heard:
        judged = _read(arguments, shared.run_context(arguments, **heard))
    paired, criteria = judged.paired, arguments.criterion
    settings = replace(settings, lower_is_better=_lower(arguments, paired))
    if arguments.combine:
        asked = criteria or paired.criteria
        lower = settings.lower_is_better
        paired = combined(paired, asked, arguments.combine, lower_is_better=lower)
        criteria = [*asked, paired.criteria[-1]]
    if arguments.length_weighted and judged.lengths is None:
        raise SpecError("--length-weighted needs the texts, not only their scores")
    result = correlate(
        paired,
        criteria=criteria,
        split=arguments.split,
        weights=judged.lengths if arguments.length_weighted else None,
        lengths=judged.lengths,
        settings=settings,
    )
    short = arguments.output_format == "text" and not arguments.all

    def sections() -> list[Section]:
        from nlgauge.report.pages.meta_page import meta_sections

        return meta_sections(result, paired, judged.outputs)

    write_result(arguments, summary(result, MORE) if short else grids(result), result, sections)


def _read(arguments: argparse.Namespace, context: RunContext) -> JudgedScores:
    from nlgauge.meta.correlation.reading import read_judged

    if arguments.stream:
        return _read_runs(arguments)
    alone = not arguments.paths or (arguments.scores and arguments.metrics == list(METRICS))
    return read_judged(
        arguments.paths,
        arguments.input,
        metrics=[] if alone else arguments.metrics,
        judgements=arguments.judgements,
        judgement_format=arguments.judgement_format,
        scores=arguments.scores,
        split=arguments.split,
        lower_is_better=arguments.lower_is_better,
        shared_options=shared.shared_options(arguments),
        context=context,
        **inputs.input_options(arguments),
    )


def _read_runs(arguments: argparse.Namespace) -> JudgedScores:
    from nlgauge.meta.correlation.judged_runs import read_judged_runs

    given = arguments.metrics if arguments.metrics != list(METRICS) else None
    streaming.refuse(arguments, _NOT_OF_RUNS)
    with streaming.engine(arguments) as engine:
        return read_judged_runs(
            arguments.paths,
            arguments.judgements or (),
            metrics=given,
            judgement_format=arguments.judgement_format,
            engine=engine,
        )


def _lower(arguments: argparse.Namespace, paired: PairedScores) -> tuple[str, ...]:
    """Return the criteria among --lower-is-better; the rest are scores that were given."""
    from nlgauge.errors import SpecError

    known = {*paired.criteria, *paired.scores.names}
    if unknown := [name for name in arguments.lower_is_better if name not in known]:
        raise SpecError(
            f"--lower-is-better {' '.join(unknown)}: neither a criterion nor a column of scores; "
            f"there is: {', '.join(sorted(known))}"
        )
    return tuple(name for name in arguments.lower_is_better if name in paired.criteria)


def _settings(arguments: argparse.Namespace) -> MetaSettings:
    from nlgauge.meta.correlation.settings import MetaSettings

    return MetaSettings(
        levels=tuple(arguments.level) if arguments.level else None,
        coefficients=tuple(arguments.coefficient),
        interval=arguments.interval,
        over=arguments.over,
        resamples=arguments.confidence_n,
        test=arguments.test,
        swap=arguments.swap,
        permutations=arguments.permutations,
        alpha=arguments.alpha,
        partition_sizes=tuple(arguments.partitions),
        system_over=arguments.system_over,
        threshold=arguments.threshold,
        seed=arguments.seed,
    )
