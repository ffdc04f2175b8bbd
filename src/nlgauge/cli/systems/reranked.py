"""Choose from n-best lists with a log-linear model that selects its features (Riezler and Maxwell,
2005).

    nlgauge baseline rerank test.nbest --train dev.nbest --train-references dev.txt -o reranked.txt
    nlgauge baseline rerank test.nbest --references test.txt --train dev.nbest \\
        --train-references dev.txt --ngrams 2 3 --evaluate -m bleu nist

Lists are those of Moses or JSON lines, the system's own choice first. The model learns to choose
what --oracle, any metric, likes best against the references; features are those of the file,
n-grams, and with --agreement the scores of metrics against other candidates of the list. With
--evaluate, `nlgauge compare` tells whether what was reranked differs from the first candidates.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nlgauge.cli import inputs, shared
from nlgauge.cli.systems import evaluating

if TYPE_CHECKING:
    from nlgauge.baselines import Reranker
    from nlgauge.io.texts.nbest import NBestList
    from nlgauge.report.tables.grid import Grid

SHOWN = 20  # features in the table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge baseline rerank`."""
    parser.add_argument("paths", nargs="+", metavar="LISTS", help="n-best lists to choose from")
    parser.add_argument(
        "--references", nargs="+", metavar="REF", help="references of the lists, for --evaluate"
    )
    inputs.add_encoding(parser)
    parser.add_argument(
        "--allow-single", action="store_true", help="let lists with one candidate pass"
    )
    model = evaluating.add_model(parser, "n-best lists to learn from")
    model.add_argument(
        "--train-references", nargs="+", metavar="REF", help="references of these lists"
    )
    model.add_argument(
        "--oracle",
        default="sentbleu",
        metavar="METRIC",
        help="metric whose best candidate of a list is the right one (default: %(default)s)",
    )
    model.add_argument(
        "--penalty",
        type=float,
        default=1.0,
        metavar="X",
        help="penalty of weights; a higher one selects fewer features (default: %(default)s)",
    )
    model.add_argument(
        "--ngrams",
        nargs="+",
        type=int,
        default=[],
        metavar="N",
        help="orders of n-grams that are features (default: none)",
    )
    model.add_argument(
        "--least",
        type=int,
        default=2,
        metavar="N",
        help="number of lists in which an n-gram must make a difference (default: %(default)s)",
    )
    model.add_argument(
        "--agreement",
        nargs="+",
        default=[],
        metavar="METRIC",
        help="metrics whose scores against other candidates of the list are features",
    )
    parser.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        default=["bleu", "nist"],
        metavar="METRIC",
        help="metrics of --evaluate (default: bleu nist)",
    )
    evaluating.add_evaluation(parser, "compare the choices with the first candidates")


def run(arguments: argparse.Namespace) -> None:
    """Train or read the reranker, and write its choices or what `compare` says of them."""
    from nlgauge.errors import SpecError

    shared.quieten(arguments)
    evaluating.check_model(arguments)
    if arguments.evaluate and not arguments.references:
        raise SpecError("--evaluate needs --references REF, one line for each list")
    if not arguments.evaluate:
        evaluating.check_texts(arguments)
    lists = _lists(arguments, arguments.paths)
    reranker = _reranker(arguments)
    if not arguments.evaluate:
        evaluating.write_lines(arguments, reranker.rerank(lists, threads=arguments.threads))
        return
    from nlgauge.baselines.reranking.reranker import compared_choices
    from nlgauge.run.scoring import score_suite

    references = _references(arguments, arguments.references, len(lists))
    suite = compared_choices(
        lists, references, reranker, oracle=arguments.oracle, threads=arguments.threads
    )
    table = score_suite(suite, arguments.metrics, threads=arguments.threads)
    evaluating.write_comparison(
        arguments, table, suite, baseline="baseline", first=[_weights(reranker)]
    )


def _weights(reranker: Reranker) -> Grid:
    from nlgauge.report.tables.grid import Field, Grid

    order = sorted(range(len(reranker.names)), key=lambda k: -abs(reranker.weights[k]))
    return Grid(
        "Features of the reranker",
        (Field("feature"), Field("weight", ".4f")),
        [[reranker.names[k], float(reranker.weights[k])] for k in order[:SHOWN]],
        (
            f"{len(reranker.names)} of {reranker.all_features} features have a weight; "
            f"{reranker.tried} passed the test of the gradient; objective "
            f"{reranker.objective:.4f}",
        ),
    )


def _reranker(arguments: argparse.Namespace) -> Reranker:
    from nlgauge.baselines import FeatureSettings, Reranker
    from nlgauge.baselines.baseline_files import load_reranker, save_reranker
    from nlgauge.errors import SpecError

    if arguments.model:
        return load_reranker(arguments.model)
    if not arguments.train_references:
        raise SpecError("--train needs --train-references REF, one line for each list")
    lists = _lists(arguments, arguments.train)
    reranker = Reranker.train(
        lists,
        _references(arguments, arguments.train_references, len(lists)),
        oracle=arguments.oracle,
        penalty=arguments.penalty,
        settings=FeatureSettings(
            tuple(arguments.ngrams), arguments.least, tuple(arguments.agreement)
        ),
        threads=arguments.threads,
    )
    if arguments.save:
        save_reranker(arguments.save, reranker, arguments.train)
    return reranker


def _lists(arguments: argparse.Namespace, paths: list[str]) -> list[NBestList]:
    from nlgauge.io.texts.nbest import read_nbest

    return read_nbest(paths, encoding=arguments.encoding, allow_single=arguments.allow_single)


def _references(arguments: argparse.Namespace, paths: list[str], size: int) -> list[list[str]]:
    """Read files of references, each with one line for each list."""
    from nlgauge.errors import DataError
    from nlgauge.io.files import read_lines

    columns = [list(read_lines(path, arguments.encoding)) for path in paths]
    for path, column in zip(paths, columns, strict=True):
        if len(column) != size:
            raise DataError(
                f"{path}: {len(column)} lines, and there are {size} n-best lists; give one line "
                "for each list"
            )
    return [list(row) for row in zip(*columns, strict=True)]
