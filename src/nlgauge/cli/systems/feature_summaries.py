"""Summarise by features of sentences, learnt from marked extracts (FB1 and FB2 of Murray et al.,
2005).

    nlgauge baseline fb meetings.jsonl --train marked.jsonl --words 100 -o fb1.txt
    nlgauge baseline fb marked.jsonl --evaluate --share 0.2 -m rouge-1 rouge-2
    nlgauge baseline fb test.jsonl --train marked.jsonl --prosody prosody.tsv --save fb.safetensors

Documents are JSON lines with `sentences`, a list of texts, or `source`; those to learn from have a
mark for each sentence in `extract`, or a list of such lists in `extracts`. Without prosody, the
features are mean and maximal tf·idf, and for fb2 the sentence's LSA score. With --evaluate and
neither --train nor --model, each document is summarised by what the others teach.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, get_args

from nlgauge.cli import inputs, shared
from nlgauge.cli.systems import evaluating
from nlgauge.cli.systems.lengths import add_length, length_of
from nlgauge.core.facts.choices import CovarianceShape, FeatureBased

if TYPE_CHECKING:
    from nlgauge.baselines import FeatureSummariser
    from nlgauge.baselines.feature_based.extract_table import ExtractTable
    from nlgauge.io.annotations.extracts import MarkedDocument
    from nlgauge.report.tables.grid import Grid

METRICS = ("rouge-1", "rouge-2")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge baseline fb`."""
    parser.add_argument("paths", nargs="+", metavar="FILE", help="documents as JSON lines")
    inputs.add_encoding(parser)
    parser.add_argument(
        "--prosody",
        metavar="FILE",
        help="tab-separated means and deviations of F0, energy and duration of every sentence",
    )
    model = evaluating.add_model(parser, "marked documents to learn from")
    model.add_argument(
        "--components",
        type=int,
        default=2,
        metavar="N",
        help="number of Gaussians in each mixture (default: %(default)s)",
    )
    model.add_argument(
        "--covariance",
        choices=get_args(CovarianceShape),
        default="diag",
        metavar="NAME",
        help="shape of covariances: %(choices)s (default: %(default)s)",
    )
    model.add_argument(
        "--folds",
        type=int,
        metavar="N",
        help="number of parts that documents are held out in (default: one for each document)",
    )
    parser.add_argument(
        "--system",
        choices=get_args(FeatureBased),
        default="fb1",
        metavar="NAME",
        help="system that writes summaries: %(choices)s (default: %(default)s)",
    )
    add_length(parser)
    parser.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        default=list(METRICS),
        metavar="METRIC",
        help=f"metrics of --evaluate (default: {' '.join(METRICS)})",
    )
    evaluating.add_evaluation(
        parser, "print scores of fb1, fb2, mmr, lsa, lead and random instead of summaries"
    )


def run(arguments: argparse.Namespace) -> None:
    """Train or read the summarisers, and write summaries or the table of their scores."""
    from nlgauge.baselines.feature_based.extract_table import summarise_all
    from nlgauge.errors import DataError
    from nlgauge.io.annotations.extracts import read_marked

    shared.quieten(arguments)
    documents = read_marked(arguments.paths, encoding=arguments.encoding, prosody=arguments.prosody)
    length = length_of(arguments)
    if not arguments.evaluate:
        evaluating.check_texts(arguments)
        model = _trained(arguments)[arguments.system]
        lines = (model.summarise(document, length=length).text for document in documents)
        evaluating.write_lines(arguments, lines)
        return
    for document in documents:
        if not document.summaries:
            raise DataError(
                f"document {document.name!r} has neither extracts nor references to score "
                "summaries against; give `extract` or `references`"
            )
    models = _models(arguments, documents)
    _evaluate(arguments, summarise_all(documents, models, length=length, seed=arguments.seed))


def _evaluate(arguments: argparse.Namespace, found: ExtractTable) -> None:
    from nlgauge.data.corpus import Suite
    from nlgauge.run.scoring import score_suite

    suite = Suite.build(
        found.texts,
        [document.summaries for document in found.documents],
        ids=[document.name for document in found.documents],
    )
    table = score_suite(suite, arguments.metrics, threads=arguments.threads)
    grids = [_overlaps(found)] if all(d.extracts for d in found.documents) else []
    evaluating.write_comparison(arguments, table, suite, baseline="lead", first=grids)


def _overlaps(found: ExtractTable) -> Grid:
    from nlgauge.report.tables.grid import Field, Grid, Strong

    means = {name: float(found.overlap(name).mean()) for name in found.summaries}
    top = max(means.values())
    rows = [[name, Strong(mean) if mean == top else mean] for name, mean in means.items()]
    return Grid(
        "Sentences shared with people's extracts",
        (Field("system"), Field("F1 ↑")),
        rows,
        (f"{len(found.documents)} documents; the mean over documents and annotators",),
    )


def _models(
    arguments: argparse.Namespace, documents: Sequence[MarkedDocument]
) -> list[dict[str, FeatureSummariser]]:
    """Return the models of each document, which were not fitted to it."""
    from nlgauge.baselines.feature_based.extract_table import held_out_models

    if arguments.train or arguments.model:
        return [_trained(arguments)] * len(documents)
    return held_out_models(
        documents,
        folds=arguments.folds or len(documents),
        components=arguments.components,
        shape=arguments.covariance,
    )


def _trained(arguments: argparse.Namespace) -> dict[str, FeatureSummariser]:
    from nlgauge.baselines import FeatureSummariser
    from nlgauge.baselines.baseline_files import load_summarisers, save_summarisers
    from nlgauge.baselines.feature_based.extract_table import FEATURE_BASED
    from nlgauge.io.annotations.extracts import read_marked

    evaluating.check_model(arguments)
    if arguments.model:
        return load_summarisers(arguments.model)
    marked = read_marked(arguments.train, encoding=arguments.encoding, prosody=arguments.prosody)
    models = {
        name: FeatureSummariser.train(
            marked, latent=latent, components=arguments.components, shape=arguments.covariance
        )
        for name, latent in FEATURE_BASED.items()
    }
    if arguments.save:
        save_summarisers(arguments.save, models, arguments.train)
    return models
