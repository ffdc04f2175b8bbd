"""Compute the baseline of BERTScore: the mean score of sentences that have nothing to do with each
other, at every layer. The option `baseline` rescales by it, so that such a pair scores about 0.

nlgauge rescale sentences.txt -o minilm.csv
nlgauge score ref.txt -i sys.txt -m "bertscore(baseline=minilm.csv)"
"""

from __future__ import annotations

import argparse

from nlgauge.cli import shared
from nlgauge.core.defaults import SEED


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options."""
    parser.add_argument("paths", nargs="+", metavar="FILE", help="one sentence per line")
    parser.add_argument("-e", "--encoding", default="utf-8", help="of the files (utf-8)")
    parser.add_argument("--model", default="minilm", help="as the metric's option (minilm)")
    parser.add_argument("--device", default="cpu", help="of torch (cpu)")
    parser.add_argument("--idf", action="store_true", help="for scores with idf=yes")
    parser.add_argument("--pairs", type=int, default=10_000, metavar="N", help="drawn (10000)")
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the draw ({SEED})")
    parser.add_argument(
        "-o", "--output", default="-", metavar="FILE", help="LAYER,P,R,F; default: stdout"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no warnings")
    shared.add_threads(parser)


def run(arguments: argparse.Namespace) -> None:
    """Read, draw pairs, score them at all layers, write."""
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
