"""Summarise documents with a simple extractive system, to hold a test set and its metrics against.

nlgauge baseline mmr articles.txt --sentences 3 -o mmr.txt
nlgauge baseline lead judged.jsonl --words 60 | nlgauge score judged.jsonl -i - -m rouge1 rougeL
"""

from __future__ import annotations

import argparse
from typing import Any, get_args

from nlgauge.core.choices import Baseline, TopicRule
from nlgauge.core.defaults import SEED


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options."""
    parser.add_argument(
        "baseline",
        choices=get_args(Baseline),
        help="maximal marginal relevance, latent semantic analysis, first or random sentences",
    )
    parser.add_argument(
        "paths", nargs="+", metavar="FILE", help="one document per line, or records with `source`"
    )
    data = parser.add_argument_group("input")
    data.add_argument("--format", help="of the input; default: by file name")
    data.add_argument("--whole-files", action="store_true", help="each file is one document")
    data.add_argument("-e", "--encoding", default="utf-8", help="of text files (default: utf-8)")
    limits = parser.add_argument_group("length of a summary")
    limits.add_argument("--sentences", type=int, metavar="N")
    limits.add_argument("--words", type=int, metavar="N", help="at most")
    limits.add_argument("--share", type=float, default=0.1, help="of the sentences (0.1)")
    parser.add_argument(
        "--rule",
        choices=get_args(TopicRule),
        default="allocate",
        help="of lsa: how topics give sentences (allocate)",
    )
    parser.add_argument("--seed", type=int, default=SEED, help=f"of random ({SEED})")
    parser.add_argument(
        "-o", "--output", default="-", metavar="FILE", help="one summary per line; default: stdout"
    )


def run(arguments: argparse.Namespace) -> None:
    """Read, summarise, write one line per document."""
    from nlgauge.baselines import BASELINES, Length
    from nlgauge.io.texts.sources import read_documents
    from nlgauge.io.write import atomic_write

    length = Length(sentences=arguments.sentences, words=arguments.words, share=arguments.share)
    options: dict[str, Any] = {"length": length}
    if arguments.baseline == "lsa":
        options["rule"] = arguments.rule
    elif arguments.baseline == "random":
        options["seed"] = arguments.seed
    documents = read_documents(
        arguments.paths,
        format=arguments.format,
        encoding=arguments.encoding,
        whole_files=arguments.whole_files,
    )
    summarise = BASELINES[arguments.baseline]
    with atomic_write(arguments.output) as file:
        for document in documents:
            file.write(f"{summarise(document, **options).text}\n")
