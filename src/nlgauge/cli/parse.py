"""Parse hypotheses and references, and write the parses as CoNLL-U. Metrics take them back, as
they do any other parser's, with --parser FILE.

nlgauge parse ref.txt -i sysA.txt sysB.txt -o parses.conllu.gz
nlgauge score ref.txt -i sysA.txt sysB.txt -m hwcm dep-f --parser parses.conllu.gz
"""

from __future__ import annotations

import argparse

from nlgauge.cli import shared


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options."""
    shared.add_input(parser)
    parser.add_argument(
        "--parser", default="en", metavar="NAME", help="en (default), or a pipeline of spaCy"
    )
    parser.add_argument("--entities", action="store_true", help="find named entities, too")
    shared.add_parse_cache(parser)
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="may end in .gz")
    parser.add_argument("-q", "--quiet", action="store_true", help="no warnings")
    shared.add_threads(parser)


def run(arguments: argparse.Namespace) -> None:
    """Read, parse, write."""
    from nlgauge.kernels import available_threads
    from nlgauge.models.store import store_of

    shared.quieten(arguments)
    suite = shared.read_suite(arguments)
    first = next(iter(suite))
    texts = [text for corpus in suite for text in corpus.hypotheses]
    store = store_of(first, arguments.parser, entities=arguments.entities)
    store.parses(
        [*texts, *first.references.flat], processes=arguments.threads or available_threads()
    )
    store.export(arguments.output)
