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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this command."""
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    words = kinds.add_parser("function-words", help="words above a relative frequency")
    words.add_argument("text", help="file with one text a line")
    words.add_argument("--least", type=float, default=1e-3, help="frequency (default: 0.001)")
    words.add_argument("-o", "--output", help="file to write (default: standard output)")
    table = kinds.add_parser("paraphrases", help="phrases with the same translations")
    table.add_argument("--phrase-table", required=True, help="Moses' phrase table, maybe .gz")
    table.add_argument("--common", help="function words; phrases of them alone are left out")
    table.add_argument("--foreign-common", help="those of the other language")
    table.add_argument("--least", type=float, default=1e-2, help="probability (default: 0.01)")
    table.add_argument("-o", "--output", required=True, help="file to write, .gz")
    copies = kinds.add_parser("copy-words", help="words that paraphrases keep")
    copies.add_argument("pairs", help="file with a text, a tab and its paraphrase on each line")
    copies.add_argument("--least", type=float, default=0.9, help="share (default: 0.9)")
    copies.add_argument("--occurrences", type=int, default=5, help="at least (default: 5)")
    copies.add_argument("-o", "--output", help="file to write (default: standard output)")
    pairs = kinds.add_parser("translations", help="probabilities of words given words")
    pairs.add_argument("source", help="file with one text a line")
    pairs.add_argument("target", help="file with its translation on each line")
    pairs.add_argument("-o", "--output", required=True, help="file to write: of targets")
    pairs.add_argument("--inverse", help="another file to write: of sources given targets")
    pairs.add_argument(
        "--source-tokenizer", default="mteval", help="of sources; none: tokenised (mteval)"
    )
    pairs.add_argument(
        "--target-tokenizer", default="penn", help="of translations: as our parsers (penn)"
    )
    pairs.add_argument("--case", action="store_true", help="keep case (default: lower case)")
    pairs.add_argument("--iterations", type=int, default=5, help="of EM (default: 5)")
    pairs.add_argument("--least", type=float, default=1e-3, help="probability (default: 0.001)")
    pairs.add_argument("--occurrences", type=int, default=1, help="of words (default: 1)")
    pairs.add_argument(
        "--longest", type=int, default=100, help="words of a text; longer ones are skipped (100)"
    )
    pairs.add_argument(
        "--most-pairs",
        type=int,
        default=50_000_000,
        help="of words that occur together, 20 bytes each (default: 50,000,000)",
    )
    pairs.add_argument("--threads", type=int, help="(default: all processors)")


def run(arguments: argparse.Namespace) -> None:
    """Build one file."""
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
