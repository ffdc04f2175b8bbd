"""Measure how well metrics agree with people.

nlgauge meta judged.jsonl -m chrf sentbleu --criterion fluency adequacy
nlgauge meta wmt16.jsonl.gz -m all-lexical --split lang_pair
nlgauge meta ref.txt -i sysA.txt sysB.txt sysC.txt -m bleu ter --judgements ratings.jsonl
nlgauge meta wmt22 en-de -m chrf --level system segment-by-item -c accuracy-eq-calibrated
nlgauge meta --scores comet.tsv llm.tsv --judgements mqm.tsv -c kendall-b --test permutation
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, get_args

from nlgauge.cli import shared
from nlgauge.core.choices import Combination
from nlgauge.core.defaults import ALPHA, PERMUTATIONS, RESAMPLES, SEED

if TYPE_CHECKING:
    from nlgauge.meta.correlation.paired_scores import PairedScores
    from nlgauge.meta.correlation.reading import JudgedScores
    from nlgauge.meta.correlation.settings import MetaSettings

METRICS = ("sentbleu", "chrf", "ter")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options; the input is that of `score`, judged records, or scores alone."""
    shared.add_input(parser, paths="*")
    shared.add_metrics(parser, METRICS)
    people = parser.add_argument_group("judgements")
    people.add_argument(
        "--judgements", nargs="+", metavar="FILE", help="default: the field `human` of records"
    )
    people.add_argument("--judgement-format", metavar="NAME", help="default: by file name")
    people.add_argument(
        "--criterion", nargs="+", metavar="NAME", help="what was judged (default: all)"
    )
    people.add_argument(
        "--combine", choices=get_args(Combination), help="also correlate with all criteria combined"
    )
    people.add_argument(
        "--split", metavar="FIELD", help="of records, such as lang_pair: a column for each value"
    )
    people.add_argument(
        "--scores", nargs="+", metavar="FILE", help="segment scores of other tools; also alone"
    )
    people.add_argument(
        "--lower-is-better", nargs="+", default=[], metavar="NAME", help="criteria or given scores"
    )
    _add_measures(parser)
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
        metavar="LEVEL",
        help="segment, segment-by-item, segment-by-system, system (default: by the data)",
    )
    how.add_argument(
        "-c",
        "--coefficient",
        nargs="+",
        default=["pearson"],
        metavar="NAME",
        help="pearson, spearman, r2, kendall-a, -b, -c, -wmt12, -wmt13, -wmt14, -darr, -eq, "
        "accuracy-eq, accuracy-eq-calibrated, kendall-eq-calibrated, soft-accuracy (pearson)",
    )
    how.add_argument(
        "--system-over",
        default="all",
        metavar="WHAT",
        help="scores of systems: over all outputs, or rated ones only (default: all)",
    )
    how.add_argument(
        "--length-weighted", action="store_true", help="ratings of a system: longer outputs more"
    )
    how.add_argument(
        "--partitions", nargs="+", type=int, default=[], metavar="SIZE", help="smooth by groups"
    )
    how.add_argument(
        "--threshold", type=float, default=25.0, metavar="X", help="of kendall-darr (25)"
    )
    tests = parser.add_argument_group("confidence")
    tests.add_argument(
        "-cin",
        "--confidence-n",
        type=int,
        default=RESAMPLES,
        metavar="N",
        help="resamples of percentile; 0: no intervals of either kind",
    )
    tests.add_argument(
        "--interval",
        default="jackknife",
        metavar="METHOD",
        help="jackknife, or percentile of a bootstrap (default: jackknife)",
    )
    tests.add_argument(
        "--over", metavar="WHAT", help="what might have been others: items, systems or both"
    )
    tests.add_argument(
        "--test",
        default="auto",
        metavar="NAME",
        help="between metrics: williams, steiger, permutation, none (default: what fits)",
    )
    tests.add_argument(
        "--swap", default="both", metavar="WHAT", help="permute systems, inputs, both, crossed"
    )
    tests.add_argument(
        "--permutations", type=int, default=PERMUTATIONS, metavar="N", help=f"{PERMUTATIONS}"
    )
    tests.add_argument("--alpha", type=float, default=ALPHA, metavar="P", help=f"level ({ALPHA})")
    tests.add_argument("--seed", type=int, default=SEED)


def run(arguments: argparse.Namespace) -> None:
    """Read, score, correlate, write."""
    from dataclasses import replace

    from nlgauge.errors import SpecError
    from nlgauge.meta.correlation.meta_result import combined, correlate
    from nlgauge.report.pages.meta_page import meta_sections
    from nlgauge.report.tables.meta_summary import summary
    from nlgauge.report.tables.meta_tables import grids

    shared.quieten(arguments)
    settings = _settings(arguments)
    judged = _read(arguments)
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
        settings=settings,
    )
    short = arguments.output_format == "text" and not arguments.all
    shared.write_result(
        arguments,
        summary(result) if short else grids(result),
        result,
        lambda: meta_sections(result, paired, judged.outputs),
    )


def _read(arguments: argparse.Namespace) -> JudgedScores:
    from nlgauge.meta.correlation.reading import read_judged

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
        threads=arguments.threads,
        **shared.input_options(arguments),
    )


def _lower(arguments: argparse.Namespace, paired: PairedScores) -> tuple[str, ...]:
    """The criteria among --lower-is-better; the rest are scores that were given."""
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
