"""Run a simple system, to hold a test set, its metrics and better systems against.

    nlgauge baseline mmr articles.txt --sentences 3 -o mmr.txt
    nlgauge baseline lead judged.jsonl --words 60 | nlgauge score judged.jsonl -i - -m rouge1 rougeL
    nlgauge baseline fb meetings.jsonl --train marked.jsonl -o fb1.txt
    nlgauge baseline fergus test.conllu --train train.conllu --evaluate
    nlgauge baseline rerank test.nbest --references test.txt --train dev.nbest \\
        --train-references dev.txt --evaluate -m bleu nist

mmr, lsa, lead, random and fb extract summaries, fergus puts the words of dependency trees in order,
and rerank chooses from n-best lists. With --evaluate, the last three print a table of what they
and their simple controls score, with intervals and tests, instead of texts.
"""

from __future__ import annotations

import argparse
from typing import Any, get_args

from nlgauge.cli import inputs, shared
from nlgauge.cli.help_text import HelpFormatter
from nlgauge.cli.systems import feature_summaries, realiser, reranked
from nlgauge.cli.systems.lengths import add_length, length_of
from nlgauge.core.facts.choices import TopicRule

SUMMARISERS = {
    "mmr": "summarise by maximal marginal relevance",
    "lsa": "summarise by latent semantic analysis",
    "lead": "summarise by the first sentences",
    "random": "summarise by sentences drawn at random",
}
OTHERS = {
    "fb": (feature_summaries, "summarise by features of sentences, learnt from marked extracts"),
    "fergus": (realiser, "put the words of dependency trees in order, learnt from a treebank"),
    "rerank": (reranked, "choose from n-best lists, learnt from oracle scores of any metric"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add a parser with its own options for each system."""
    systems = parser.add_subparsers(dest="baseline", metavar="SYSTEM", required=True)

    def system(name: str, help: str, description: str) -> argparse.ArgumentParser:
        return systems.add_parser(
            name, help=help, description=description, formatter_class=HelpFormatter
        )

    for name, help in SUMMARISERS.items():
        _add_summariser(system(name, help, f"{help[0].upper()}{help[1:]}."), name)
    for name, (module, help) in OTHERS.items():
        module.add_arguments(system(name, help, module.__doc__ or help))


def _add_summariser(parser: argparse.ArgumentParser, name: str) -> None:
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="FILE",
        help="files with one document on each line, or with records that have a field `source`",
    )
    data = parser.add_argument_group("input")
    inputs.add_format(data)
    data.add_argument("--whole-files", action="store_true", help="take each file as one document")
    add_length(parser)
    if name == "lsa":
        parser.add_argument(
            "--rule",
            choices=get_args(TopicRule),
            default="allocate",
            metavar="NAME",
            help="how sentences are taken from topics: %(choices)s (default: %(default)s)",
        )
    if name == "random":
        shared.add_seed(parser, "random sentences")
    parser.add_argument(
        "-o",
        "--output",
        default="-",
        metavar="FILE",
        help="file for the summaries, one on each line (default: standard output)",
    )


def run(arguments: argparse.Namespace) -> None:
    """Run the system that was asked for."""
    if arguments.baseline in OTHERS:
        OTHERS[arguments.baseline][0].run(arguments)
    else:
        _summarise(arguments)


def _summarise(arguments: argparse.Namespace) -> None:
    """Read the documents and write a line with the summary of each."""
    from nlgauge.baselines import BASELINES
    from nlgauge.io.texts.sources import read_documents
    from nlgauge.io.write import atomic_write

    options: dict[str, Any] = {"length": length_of(arguments)}
    options |= {k: getattr(arguments, k) for k in ("rule", "seed") if k in vars(arguments)}
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
