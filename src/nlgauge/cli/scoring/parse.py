"""Parse outputs and references once, for metrics that look at syntax or at roles.

Written are parses as CoNLL-U, constituent trees in brackets, or semantic roles as JSON lines.
Metrics take them back, as they do other tools', from the file.

nlgauge parse ref.txt -i sysA.txt sysB.txt -o parses.conllu.gz
nlgauge score ref.txt -i sysA.txt sysB.txt -m hwcm dep-f --parser parses.conllu.gz
nlgauge parse ref.txt -i sysA.txt sysB.txt --what trees -o trees.mrg
nlgauge score ref.txt -i sysA.txt sysB.txt -m stm tkm --trees trees.mrg
"""

from __future__ import annotations

import argparse

from nlgauge.cli import inputs, shared


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge parse`: texts, and what to find in them."""
    inputs.add_input(parser)
    parser.add_argument(
        "--parser",
        default="en",
        metavar="NAME",
        help="parser: en, or for dependency parses a pipeline of spaCy (default: %(default)s)",
    )
    parser.add_argument(
        "--what",
        choices=("parses", "trees", "roles"),
        default="parses",
        metavar="NAME",
        help="dependency parses, constituent trees or semantic roles: %(choices)s "
        "(default: %(default)s)",
    )
    parser.add_argument("--entities", action="store_true", help="find named entities, too")
    shared.add_parse_cache(parser)
    parser.add_argument(
        "-o",
        "--output",
        default="-",
        metavar="FILE",
        help="file to write, which may end in .gz (default: standard output)",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="show no warnings")
    shared.add_threads(parser)


def run(arguments: argparse.Namespace) -> None:
    """Read the texts, parse them and write the parses."""
    from nlgauge.kernels import checked_threads
    from nlgauge.models.cache.analysis_stores import frames_of, store_of, trees_of

    shared.quieten(arguments)
    suite = inputs.read_suite(arguments).within(shared.run_context(arguments))
    first = next(iter(suite))
    texts = [text for corpus in suite for text in corpus.hypotheses] + [*first.references.flat]
    threads = checked_threads(arguments.threads)
    if arguments.what == "trees":
        trees = trees_of(first, arguments.parser)
        trees.sentences(texts, threads=threads)
        trees.export(arguments.output)
    elif arguments.what == "roles":
        frames = frames_of(first, arguments.parser)
        frames.sentences(texts, threads=threads)
        frames.export(arguments.output)
    else:
        store = store_of(first, arguments.parser, entities=arguments.entities)
        store.parses(texts, processes=threads)
        store.export(arguments.output)
