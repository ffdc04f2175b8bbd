"""Make the files that METEOR Universal, METEOR++ and XMEANT need for a language, from plain text.

    nlgauge build function-words text.txt -o function.words
    nlgauge build paraphrases --phrase-table pt.gz --common function.words -o paraphrase.gz
    nlgauge build copy-words pairs.tsv -o copy.words
    nlgauge build translations source.txt target.txt -o table.txt --inverse inverse.txt
    nlgauge score ref.txt -i hyp.txt \\
        -m "meteor-u(function_words=function.words,paraphrases=paraphrase.gz)"

Texts are tokenised, in lower case, one a line; pairs are two texts separated by a tab. The phrase
table is Moses', with the language to be scored on the right. Translations are learnt from texts
that need not be tokenised; the second file has the language to be scored.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from nlgauge.cli import shared
from nlgauge.cli.help_text import HelpFormatter


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add a parser with its own options for each kind of file."""
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)

    def kind(name: str, help: str) -> argparse.ArgumentParser:
        return kinds.add_parser(name, help=help, formatter_class=HelpFormatter)

    words = kind("function-words", "list the words above a relative frequency")
    words.add_argument("text", help="file with one text on each line")
    _add_least(words, 1e-3, "smallest relative frequency of a word")
    words.add_argument("-o", "--output", metavar="FILE", help=_WORDS)
    table = kind("paraphrases", "find phrases with the same translations")
    table.add_argument(
        "--phrase-table", required=True, metavar="FILE", help="phrase table of Moses; may be .gz"
    )
    table.add_argument(
        "--common", metavar="FILE", help="function words; phrases of these alone are left out"
    )
    table.add_argument(
        "--foreign-common", metavar="FILE", help="function words of the other language"
    )
    _add_least(table, 1e-2, "smallest probability of a paraphrase")
    table.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="file to write, which ends in .gz"
    )
    copies = kind("copy-words", "list the words that paraphrases keep")
    copies.add_argument("pairs", help="file with a text, a tab and its paraphrase on each line")
    _add_least(copies, 0.9, "smallest share of paraphrases that keep a word")
    copies.add_argument(
        "--occurrences",
        type=int,
        default=5,
        metavar="N",
        help="smallest number of times that a word occurs (default: %(default)s)",
    )
    copies.add_argument("-o", "--output", metavar="FILE", help=_WORDS)
    _add_translations(kind("translations", "learn the probabilities of words given words"))


_WORDS = "file for the words, one on each line (default: standard output)"


def _add_least(parser: argparse.ArgumentParser, default: float, help: str) -> None:
    parser.add_argument(
        "--least", type=float, default=default, metavar="X", help=f"{help} (default: %(default)s)"
    )


def _add_translations(pairs: argparse.ArgumentParser) -> None:
    pairs.add_argument("source", help="file with one text on each line")
    pairs.add_argument("target", help="file with the translation of each text on the same line")
    pairs.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help="file for the probabilities of target words given source words",
    )
    pairs.add_argument(
        "--inverse",
        metavar="FILE",
        help="file for the probabilities of source words given target words",
    )
    pairs.add_argument(
        "--source-tokenizer",
        default="mteval",
        metavar="NAME",
        help="tokeniser of sources; none: they are tokenised (default: %(default)s)",
    )
    pairs.add_argument(
        "--target-tokenizer",
        default="penn",
        metavar="NAME",
        help="tokeniser of translations, which should be that of the parsers "
        "(default: %(default)s)",
    )
    pairs.add_argument(
        "--case", action="store_true", help="keep the case of letters (default: lower case)"
    )
    pairs.add_argument(
        "--iterations",
        type=int,
        default=5,
        metavar="N",
        help="number of iterations of expectation maximisation (default: %(default)s)",
    )
    _add_least(pairs, 1e-3, "smallest probability of a translation")
    pairs.add_argument(
        "--occurrences",
        type=int,
        default=1,
        metavar="N",
        help="smallest number of times that a word occurs (default: %(default)s)",
    )
    pairs.add_argument(
        "--longest",
        type=int,
        default=100,
        metavar="N",
        help="number of words above which a text is skipped (default: %(default)s)",
    )
    pairs.add_argument(
        "--most-pairs",
        type=int,
        default=50_000_000,
        metavar="N",
        help="largest number of pairs of words that occur together, 20 bytes each "
        "(default: %(default)s)",
    )
    shared.add_threads(pairs)


def run(arguments: argparse.Namespace) -> None:
    """Build the file of the kind that was asked for."""
    from nlgauge.io.write import atomic_write
    from nlgauge.models.lexicon import pivot

    if arguments.kind == "translations":
        _translations(arguments)
        return
    if arguments.kind == "paraphrases":
        found = pivot.paraphrases(
            pivot.read_phrase_table(arguments.phrase_table),
            common=_lines(arguments.common),
            foreign_common=_lines(arguments.foreign_common),
            least=arguments.least,
        )
        count = pivot.write_paraphrases(arguments.output, found)
        print(f"{arguments.output}: {count} paraphrases")
        return
    if arguments.kind == "function-words":
        words = pivot.function_words(_lines(arguments.text), least=arguments.least)
    else:
        words = pivot.copy_words(
            _pairs(arguments.pairs), least=arguments.least, occurrences=arguments.occurrences
        )
    text = "".join(f"{word}\n" for word in words)
    if arguments.output is None:
        sys.stdout.write(text)
    else:
        with atomic_write(arguments.output) as file:
            file.write(text)
        print(f"{arguments.output}: {len(words)} words")


def _translations(arguments: argparse.Namespace) -> None:
    from nlgauge.models.lexicon.ibm1 import learn_translations, read_pairs
    from nlgauge.models.lexicon.translations import write_table

    sources, targets, skipped = read_pairs(
        arguments.source,
        arguments.target,
        tokenizers=(arguments.source_tokenizer, arguments.target_tokenizer),
        lowercase=not arguments.case,
        longest=arguments.longest,
    )
    if skipped:
        print(
            f"{skipped} of {skipped + len(sources)} pairs are longer and skipped", file=sys.stderr
        )
    directions = [(arguments.output, sources, targets), (arguments.inverse, targets, sources)]
    for path, given, texts in directions if arguments.inverse else directions[:1]:

        def tell(number: int, perplexity: float, path: str = path) -> None:
            print(f"{path}: iteration {number}, perplexity {perplexity:.2f}", file=sys.stderr)

        found = learn_translations(
            given,
            texts,
            iterations=arguments.iterations,
            least=arguments.least,
            occurrences=arguments.occurrences,
            most_pairs=arguments.most_pairs,
            threads=arguments.threads,
            progress=tell,
        )
        count = write_table(path, ((t.given, t.word, t.probability) for t in found))
        print(f"{path}: {count} translations")


def _lines(path: str | None) -> list[str]:
    from nlgauge.core.resources import read_text

    return [] if path is None else read_text("file", path).splitlines()


def _pairs(path: str) -> Iterator[tuple[str, str]]:
    from nlgauge.errors import DataError

    for number, line in enumerate(_lines(path), 1):
        one, tab, other = line.partition("\t")
        if not tab:
            raise DataError(f"{path}, line {number}: expected two texts separated by a tab")
        yield one, other
