"""TERp's phrase tables: lines like `0.8 <p>more than</p> <p>over</p>`."""

from __future__ import annotations

import re

from nlgauge.core.file_cache import FileCache
from nlgauge.errors import DataError
from nlgauge.kernels import native
from nlgauge.metrics.alignment.meteor_files import table_pieces

# One or two numbers; the tool reads the second as another probability of the same pair.
_LINE = re.compile(
    rb"([0-9.eE\-]+)\s+(?:([0-9.eE\-]+)\s+)?<p>(.*)</p>\s+<p>(.*)</p>", re.ASCII | re.DOTALL
)


def read_phrases(path: str) -> native.TerpPhrases:
    """Return a phrase table, compressed or not; a file that stays is read once."""
    return _tables.get([path], path)


def _read(path: str) -> native.TerpPhrases:
    table = native.TerpPhrases()
    data = b"".join(table_pieces(path))
    for number, line in enumerate(data.split(b"\n"), 1):
        if not (line := line.strip()):
            continue
        where = f"paraphrases={path}, line {number}"
        found = _LINE.fullmatch(line)
        if found is None:
            raise DataError(f"{where}: expected a probability, <p>phrase</p> <p>paraphrase</p>")
        first, second, *phrases = found.groups()
        try:
            ref, hyp = ([word.decode() for word in phrase.split()] for phrase in phrases)
            probabilities = [float(p) for p in (first, second) if p is not None]
        except ValueError as error:
            raise DataError(f"{where}: {error}") from None
        if not ref or not hyp or not all(0 < p <= 1 for p in probabilities):
            raise DataError(f"{where}: words on both sides and probabilities in (0, 1] are needed")
        if ref != hyp:
            for probability in probabilities:
                table.add(ref, hyp, probability)
    if not len(table):
        raise DataError(f"paraphrases={path}: no phrases; a line is like 0.8 <p>a b</p> <p>c</p>")
    return table


_tables = FileCache(_read, most=4)
