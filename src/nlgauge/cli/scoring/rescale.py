"""Compute the baseline of BERTScore from sentences that have nothing to do with each other.

It is the mean score of such pairs, at every layer. The option `baseline` rescales by it, so that
such a pair scores about 0.

nlgauge rescale sentences.txt -o minilm.csv
nlgauge score ref.txt -i sys.txt -m "bertscore(baseline=minilm.csv)"
"""

from __future__ import annotations

import argparse

from nlgauge.cli import inputs, shared


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge rescale`: sentences, and the model that reads them."""
    parser.add_argument(
        "paths", nargs="+", metavar="FILE", help="files with one sentence on each line"
    )
    inputs.add_encoding(parser)
    parser.add_argument(
        "--model",
        default="minilm",
        metavar="NAME",
        help="model, as in the metric's option `model` (default: %(default)s)",
    )
    parser.add_argument(
        "--device",
        default="cpu",
        metavar="NAME",
        help="device that torch computes on (default: %(default)s)",
    )
    parser.add_argument(
        "--idf", action="store_true", help="weigh tokens by rarity, for bertscore(idf=yes)"
    )
    parser.add_argument(
        "--pairs",
        type=int,
        default=10_000,
        metavar="N",
        help="number of pairs that are drawn (default: %(default)s)",
    )
    shared.add_seed(parser, "the draw of pairs")
    parser.add_argument(
        "-o",
        "--output",
        default="-",
        metavar="FILE",
        help="file for the means, with the columns LAYER,P,R,F (default: standard output)",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="show no warnings")
    shared.add_threads(parser)


def run(arguments: argparse.Namespace) -> None:
    """Draw pairs of sentences, score them at all layers and write the means."""
    from nlgauge.io.texts.sources import read_documents
    from nlgauge.io.write import atomic_write
    from nlgauge.kernels import checked_threads
    from nlgauge.metrics.contextual.baselines import baseline, random_pairs, written
    from nlgauge.metrics.contextual.bertscore import BERTScore

    shared.quieten(arguments)
    metric = BERTScore(model=arguments.model, device=arguments.device, idf=arguments.idf)
    texts = read_documents(arguments.paths, format="plain", encoding=arguments.encoding)
    corpus = random_pairs(texts, arguments.pairs, arguments.seed)
    means = baseline(metric, corpus, threads=checked_threads(arguments.threads))
    with atomic_write(arguments.output) as file:
        file.write(written(means))
