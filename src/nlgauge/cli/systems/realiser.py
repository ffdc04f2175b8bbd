"""Put the words of dependency trees in order, as FERGUS does (Bangalore et al., 2000).

    nlgauge baseline fergus trees.conllu --train train.conllu -o sentences.txt
    nlgauge baseline fergus test.conllu --train train.conllu --save fergus.safetensors --evaluate
    nlgauge baseline fergus test.conllu --model fergus.safetensors --best 20 -o lists.nbest

Of the trees, words and heads are looked at; the order of words is not. A tree model chooses a
supertag for each word, a grammar of orders makes a lattice, and trigrams find the best path; all
are learnt from a treebank in CoNLL-U. With --evaluate, the sentences of the file are references for
SSA, GSA, STA and GTA of fergus and of the baselines that know the sides of words only.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, get_args

from nlgauge.cli.systems import evaluating
from nlgauge.core.facts.choices import RealiserMethod, UnknownWords

if TYPE_CHECKING:
    from nlgauge.baselines import Fergus


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge baseline fergus`."""
    parser.add_argument("paths", nargs="+", metavar="TREES", help="files of trees in CoNLL-U")
    evaluating.add_model(parser, "files of a treebank in CoNLL-U to learn from")
    search = parser.add_argument_group("orders")
    search.add_argument(
        "--method",
        choices=get_args(RealiserMethod),
        default="fergus",
        metavar="NAME",
        help="system: %(choices)s; lr and tree-lr know the sides of words only, from random trees "
        "or from those of the treebank (default: %(default)s)",
    )
    search.add_argument(
        "--unknown",
        choices=get_args(UnknownWords),
        default="shape",
        metavar="NAME",
        help="what to do with words that the treebank does not have: %(choices)s; shape takes them "
        "by their ending (default: %(default)s)",
    )
    search.add_argument(
        "--best",
        type=int,
        default=1,
        metavar="N",
        help="number of orders of each tree; more than one are written as n-best lists of Moses "
        "(default: %(default)s)",
    )
    search.add_argument(
        "--beam",
        type=int,
        metavar="N",
        help="number of partial orders kept while a head and its daughters are put together",
    )
    evaluating.add_evaluation(parser, "print scores of fergus, lr and tree-lr instead of texts")


def run(arguments: argparse.Namespace) -> None:
    """Train or read the realiser, and write sentences or the table of their scores."""
    from nlgauge.baselines import LexemeTree
    from nlgauge.baselines.realisation.fergus import METHODS, warn_of_unknown
    from nlgauge.cli import shared
    from nlgauge.io.annotations.conllu import read_conllu

    shared.quieten(arguments)
    evaluating.check_model(arguments)
    if not arguments.evaluate:
        evaluating.check_texts(arguments)
    parses = [sentence.parse for path in arguments.paths for sentence in read_conllu(path)]
    realiser = _realiser(arguments)
    trees = [LexemeTree.of(parse) for parse in parses]
    warn_of_unknown(realiser, trees)
    options = {"unknown": arguments.unknown, "threads": arguments.threads}
    if arguments.beam is not None:
        options["beam"] = arguments.beam
    if arguments.evaluate:
        from nlgauge.baselines.realisation.accuracies import score_realisations

        realised: dict[str, list[str]] = {
            method: [found[0].text for found in realiser.realise(trees, method=method, **options)]
            for method in METHODS
        }
        table, suite = score_realisations(parses, realised, threads=arguments.threads)
        evaluating.write_comparison(arguments, table, suite, baseline="lr")
        return
    found = realiser.realise(trees, method=arguments.method, best=arguments.best, **options)
    if arguments.best == 1:
        evaluating.write_lines(arguments, (each[0].text for each in found))
        return
    from nlgauge.baselines.realisation.fergus import nbest_lists
    from nlgauge.io.texts.nbest import write_nbest
    from nlgauge.io.write import atomic_write

    with atomic_write(arguments.output) as file:
        write_nbest(file, nbest_lists(found))


def _realiser(arguments: argparse.Namespace) -> Fergus:
    from nlgauge.baselines import Fergus
    from nlgauge.baselines.baseline_files import load_fergus, save_fergus
    from nlgauge.io.annotations.conllu import read_conllu

    if arguments.model:
        return load_fergus(arguments.model)
    parses = [sentence.parse for path in arguments.train for sentence in read_conllu(path)]
    where = ", ".join(arguments.train)
    realiser = Fergus.train(parses, where=where, seed=arguments.seed)
    if arguments.save:
        save_fergus(arguments.save, realiser, arguments.train)
    return realiser
