"""Summarise documents with a simple extractive system, to hold a test set and its metrics against.

nlgauge baseline mmr articles.txt --sentences 3 -o mmr.txt
nlgauge baseline lead judged.jsonl --words 60 | nlgauge score judged.jsonl -i - -m rouge1 rougeL
"""

from __future__ import annotations

import argparse
from typing import Any, get_args

from nlgauge.cli import shared
from nlgauge.core.facts.choices import Baseline, TopicRule


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge baseline`: documents, and the length of summaries."""
    parser.add_argument(
        "baseline",
        choices=get_args(Baseline),
        help="mmr: maximal marginal relevance; lsa: latent semantic analysis; lead: the first "
        "sentences; random: any sentences",
    )
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="FILE",
        help="files with one document on each line, or with records that have a field `source`",
    )
    data = parser.add_argument_group("input")
    shared.add_format(data)
    data.add_argument("--whole-files", action="store_true", help="take each file as one document")
    limits = parser.add_argument_group("length of a summary")
    limits.add_argument("--sentences", type=int, metavar="N", help="number of sentences")
    limits.add_argument("--words", type=int, metavar="N", help="largest number of words")
    limits.add_argument(
        "--share",
        type=float,
        default=0.1,
        metavar="X",
        help="share of the document's sentences, if nothing else is given (default: %(default)s)",
    )
    parser.add_argument(
        "--rule",
        choices=get_args(TopicRule),
        default="allocate",
        metavar="NAME",
        help="how lsa takes sentences from topics: %(choices)s (default: %(default)s)",
    )
    shared.add_seed(parser, "random sentences")
    parser.add_argument(
        "-o",
        "--output",
        default="-",
        metavar="FILE",
        help="file for the summaries, one on each line (default: standard output)",
    )


def run(arguments: argparse.Namespace) -> None:
    """Read the documents and write a line with the summary of each."""
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
