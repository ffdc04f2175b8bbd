"""Fit the model of a trained metric to data.

    nlgauge train blend judged.jsonl --criterion adequacy -o blend.safetensors
    nlgauge train blend wmt15.jsonl --split lang_pair --test wmt16.jsonl -o blend.safetensors
    nlgauge score reference.txt -i system.txt -m "blend(model=blend.safetensors)"
    nlgauge train card blend.safetensors

    nlgauge train q-bleu judged.jsonl --criterion answerability
    nlgauge train meteor-1.5 judged.jsonl --set agree=pairs

    nlgauge train ssrem dialogues.jsonl --without test.jsonl -o ssrem.safetensors
    nlgauge train roberta-eval rated.jsonl --dialogues dialogues.jsonl -o roberta-eval.safetensors
    nlgauge train leic captions.jsonl --set context=image --features images.npz -o leic.safetensors

    nlgauge train sim --pairs paraphrases.tsv --out sim.npz
    nlgauge train sim --pairs paraphrases.tsv --dev rated.tsv --vectors glove --out sim.npz
    nlgauge score reference.txt -i system.txt -m "simile(path=sim.npz)"

    nlgauge train lm text.txt -o mine.safetensors
    nlgauge score reference.txt -i system.txt -m "perplexity(model=mine.safetensors)"

    nlgauge train roles judged.jsonl --criterion adequacy -m "meant-2(roles=roles.jsonl)"

Metrics are trained on outputs with judgements, as `nlgauge meta` reads them. Outputs that share a
source, a context or a reference are held out together. A ridge regression on the same features is
always fitted beside the model, and the model's card says if it is not better. What is learnt of
texts that no system writes, empty or shuffled ones, comes from synthetic rows. Of Q-metrics and
METEOR, options are tuned: the card has the spec with them, and there is no file.

Pairs are lines of two tab-separated texts that mean the same; --dev has lines of two texts and how
similar they are, and the epoch that agrees best with them is kept. Files may be compressed (.gz).
Beside the model, a JSON file tells the settings, the hashes of the data and the figures.

A language model (lm) learns which words follow which from texts, one a line. `perplexity` and NUBIA
take it; its card has what it loses on lines it was not fitted to, beside a model that only counts
words.

For roles, give outputs with judgements as to `nlgauge meta`; what is printed is the metric with the
role weights that agree best with these.
"""

from __future__ import annotations

import argparse
import math
import sys
from typing import Any, get_args

from nlgauge.cli.help_text import HelpFormatter
from nlgauge.cli.setup.train_metric import add_metrics, run_card, run_training
from nlgauge.core.facts.choices import WrongSentences


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add a parser with its own options for each model."""
    models = parser.add_subparsers(dest="kind", metavar="MODEL", required=True)
    sim = models.add_parser(
        "sim",
        help="fit sentences as means of sub-word vectors, for SIM and SIMILE",
        formatter_class=HelpFormatter,
    )
    sim.add_argument(
        "--pairs", required=True, metavar="FILE", help="file of paraphrases, two on each line"
    )
    sim.add_argument(
        "--out", required=True, metavar="FILE", help="file for the model, such as sim.npz"
    )
    sim.add_argument(
        "--dev", metavar="FILE", help="file of pairs with ratings, to choose the epoch by"
    )
    sim.add_argument(
        "--vectors", metavar="VECTORS", help="vectors that words start from: glove, or a file"
    )
    for name, default, help in (
        ("--width", 300, "number of dimensions of vectors"),
        ("--least", 1, "number of times below which a sub-word is left out"),
        ("--epochs", 10, "number of passes over the pairs"),
        ("--batch", 64, "number of pairs that are learnt from at once"),
        ("--seed", 1, "seed of all that is random"),
    ):
        sim.add_argument(
            name, type=int, default=default, metavar="N", help=f"{help} (default: %(default)s)"
        )
    sim.add_argument(
        "--margin",
        type=float,
        default=0.4,
        metavar="X",
        help="margin between right and wrong sentences (default: %(default)s)",
    )
    sim.add_argument(
        "--rate",
        type=float,
        default=0.001,
        metavar="X",
        help="rate of learning (default: %(default)s)",
    )
    sim.add_argument(
        "--negatives",
        choices=get_args(WrongSentences),
        default="hardest",
        metavar="NAME",
        help="wrong sentences of a batch, the most similar or any: %(choices)s "
        "(default: %(default)s)",
    )
    sim.add_argument("--quiet", action="store_true", help="say nothing on the way")
    _add_language_model(models)
    _add_roles(models)
    add_metrics(models)


def _add_language_model(models: Any) -> None:
    language = models.add_parser(
        "lm",
        help="fit a language model of word trigrams to text, for perplexity and NUBIA",
        formatter_class=HelpFormatter,
    )
    language.add_argument("paths", nargs="+", metavar="FILE", help="files with a text on each line")
    language.add_argument(
        "--out", "-o", required=True, metavar="FILE", help="file for the model: mine.safetensors"
    )
    language.add_argument(
        "--dev",
        metavar="FILE",
        help="file of other texts to measure the model on (default: one line of twenty)",
    )
    language.add_argument(
        "--least",
        type=int,
        default=2,
        metavar="N",
        help="number of times below which a word is unknown (default: %(default)s)",
    )
    language.add_argument(
        "--licence", default="", metavar="TEXT", help="licence of the texts, for the model's card"
    )


def _add_roles(models: Any) -> None:
    roles = models.add_parser(
        "roles",
        help="fit the weights of semantic roles, for MEANT and MEANT 2.0",
        formatter_class=HelpFormatter,
    )
    roles.add_argument("paths", nargs="+", metavar="FILE", help="files of outputs with judgements")
    roles.add_argument(
        "-m",
        "--metric",
        default="meant-2",
        metavar="METRIC",
        help="metric with its options (default: %(default)s)",
    )
    roles.add_argument(
        "--criterion", metavar="NAME", help="criterion of the ratings, if there are several"
    )
    roles.add_argument(
        "--grid",
        nargs="+",
        type=float,
        metavar="N",
        help="weights to try for each role (default: 0 0.1 0.25 0.5 1 2)",
    )


def run(arguments: argparse.Namespace) -> None:
    """Train the model that was asked for, and say what was written."""
    own = {
        "roles": _tune_roles,
        "sim": _train_sim,
        "lm": _train_language_model,
        "card": run_card,
    }
    own.get(arguments.kind, run_training)(arguments)


def _tune_roles(arguments: argparse.Namespace) -> None:
    from nlgauge.core import registry
    from nlgauge.core.outputs import OutputScores
    from nlgauge.errors import SpecError
    from nlgauge.kernels import available_threads
    from nlgauge.meta.correlation.paired_scores import PairedScores
    from nlgauge.meta.correlation.reading import read_texts
    from nlgauge.metrics.semantics.meant import MeantMetric
    from nlgauge.train.tuning.role_weights import GRID, tune_roles

    metric = registry.metric(arguments.metric)
    if not isinstance(metric, MeantMetric):
        raise SpecError(f"{arguments.metric}: has no role weights; give meant or meant-2")
    outputs, judgements = read_texts(arguments.paths)
    none = OutputScores(items=outputs.items, systems=outputs.systems, columns=(), rows=())
    paired = PairedScores(scores=none, judgements=judgements, groups={})
    criterion = arguments.criterion
    if criterion is None:
        if len(paired.criteria) != 1:
            names = ", ".join(paired.criteria)
            raise SpecError(f"--criterion: say which of {names or 'none'}")
        (criterion,) = paired.criteria
    tuned = tune_roles(
        metric,
        outputs.corpus,
        paired.human(criterion),
        grid=arguments.grid or GRID,
        threads=available_threads(),
    )
    print(registry.spec(tuned.metric))
    print(
        f"Pearson with {criterion}: {tuned.after:.4f}, fixed weights {tuned.before:.4f} "
        f"({tuned.tried} settings tried)"
    )


def _train_language_model(arguments: argparse.Namespace) -> None:
    from nlgauge.train.ngrams import train_language_model

    model = train_language_model(
        arguments.paths, dev=arguments.dev, least=arguments.least, licence=arguments.licence
    )
    model.write(arguments.out)
    texts = sum(file["rows"] for file in model.header["data"])
    print(f"{arguments.out}: fitted to {texts:,} texts")
    for figure in model.header["figures"]:
        value = figure["value"]
        print(
            f"{figure['name']}: {value:.3f} per word, perplexity {math.exp(value):.1f}, "
            f"on {figure['on']}"
        )
    first, control = (figure["value"] for figure in model.header["figures"])
    if first >= control:
        print("The model does no better than counting words: give more texts.", file=sys.stderr)


def _train_sim(arguments: argparse.Namespace) -> None:
    from dataclasses import fields

    from nlgauge.train.pairs import read_pairs, read_rated
    from nlgauge.train.paraphrase import TrainingSettings, train

    settings = TrainingSettings(
        **{f.name: getattr(arguments, f.name) for f in fields(TrainingSettings)}
    )
    pairs = read_pairs(arguments.pairs)
    dev = [] if arguments.dev is None else read_rated(arguments.dev)

    def progress(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    model = train(pairs, settings, dev, None if arguments.quiet else progress)
    model.write(arguments.out)
    print(f"{arguments.out}: {len(model.names):,} features, from {len(pairs):,} pairs")
    if dev:
        figures = model.record["pearson_on_dev_by_epoch"]
        print(
            f"Pearson on {len(dev):,} rated pairs: {max(figures):.4f}, untrained {figures[0]:.4f}"
        )
