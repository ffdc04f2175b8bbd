"""Bring word vectors into a format that opens at once; metrics take the file with vectors=FILE.

    nlgauge convert glove.840B.300d.txt glove.nlv
    nlgauge convert cc.en.300.vec.gz english.nlv
    nlgauge convert glove glove-50d.nlv        # of the installed package
    nlgauge convert --check glove.nlv          # whether the file is as it was written

Read are text (GloVe, word2vec, fastText's .vec), word2vec's .bin, any of these as .gz, .npy with
its words beside it (one a line, in a file of the same name that ends in .words) and .npz (arrays
words and vectors).
"""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge convert`: vectors, and the file to write."""
    parser.add_argument(
        "vectors", metavar="VECTORS", help="file of vectors, or glove for those of the package"
    )
    parser.add_argument(
        "output", nargs="?", metavar="FILE", help="file to write, which usually ends in .nlv"
    )
    parser.add_argument("--check", action="store_true", help="write nothing, but check a .nlv file")


def run(arguments: argparse.Namespace) -> None:
    """Read the vectors, write them and say what was written."""
    from nlgauge.errors import SpecError
    from nlgauge.models.vectors.vector_files import check_vectors, write_vectors
    from nlgauge.models.vectors.word_vectors import find_vectors

    if not arguments.check and arguments.output is None:
        raise SpecError("convert: name the file to write, such as vectors.nlv")
    if arguments.check and arguments.output is not None:
        raise SpecError("convert --check: takes one file, and writes none")
    vectors = find_vectors(arguments.vectors)
    if arguments.check:
        check_vectors(arguments.vectors)
    else:
        write_vectors(arguments.output, vectors)
    words, width = vectors.matrix.shape
    print(f"{arguments.output or arguments.vectors}: {words:,} words, {width} numbers each")
    print(f"in signatures: {vectors.name}")
