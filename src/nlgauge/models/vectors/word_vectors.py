"""Find word vectors by name or file, as metrics have them for their option `vectors`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from nlgauge.core.file_cache import FileCache
from nlgauge.errors import DataError, ResourceMissing, fetch
from nlgauge.kernels import Texts, native
from nlgauge.models.files import pinned
from nlgauge.models.files.shipped import shipped_file

HELP = "glove, or a file: text, .bin, .vec, .npy, .npz or .nlv (nlgauge convert)"
INSTALL = fetch("vectors")
GLOVE = pinned.GLOVE.package
# The words of the package's rows, which it has as Parquet: reading that takes 170 MB of software.
_GLOVE_WORDS = "glove-6b-words.txt.xz"
_TOGETHER = 1 << 12  # rows that are looked at together

Matrix = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]


class WordVectors(Protocol):
    """Word vectors have a vector for each word they know."""

    @property
    def name(self) -> str:
        """Return file or package and what tells its contents from others, as in signatures."""

    @property
    def matrix(self) -> Matrix:
        """Return float32[words, width], maybe in a file: take what is needed once."""

    def rows(self, words: Sequence[str] | Texts) -> Rows:
        """Return where in the matrix each word's vector is; -1 if it has none."""


@dataclass(frozen=True, eq=False)
class IndexedVectors:
    """These are a matrix, the words of its rows and a hash table; any of it may be in a file."""

    name: str
    matrix: Matrix
    word_bytes: npt.NDArray[np.uint8]  # one word after the other, in UTF-8
    word_starts: npt.NDArray[np.int64]  # [words + 1]
    table: npt.NDArray[np.uint32]  # as `native.index_words` makes it
    path: str = ""  # of a file whose numbers have not been looked at yet

    def rows(self, words: Sequence[str] | Texts) -> Rows:
        """Return where in the matrix each word's vector is; -1 if it has none.

        Numbers of a file that opens at once are looked at here, as far as they are needed.
        """
        texts = words if isinstance(words, Texts) else Texts(words)
        found = self.index.find(texts)
        if self.path:
            known = np.unique(found[found >= 0])
            for at in range(0, known.size, _TOGETHER):
                self._check(self.matrix[known[at : at + _TOGETHER]])
        return found

    @cached_property
    def index(self) -> native.WordTable:
        """Return the words and their table, which are checked here."""
        return native.WordTable(self.word_bytes, self.word_starts, self.table)

    @cached_property
    def mean(self) -> Matrix:
        """Return the mean of all vectors, which may stand for unknown words."""
        found = np.asarray(np.mean(self.matrix, axis=0, dtype=np.float64), np.float32)
        self._check(found)
        return found

    def _check(self, vectors: Matrix) -> None:
        if not np.isfinite(vectors).all():
            raise DataError(
                f"{self.path}: holds a number that is not finite; make it again with: "
                "nlgauge convert"
            )

    def words(self) -> list[str]:
        """Return the word of every row."""
        data, starts = self.word_bytes.tobytes(), self.word_starts.tolist()
        return [data[a:b].decode("utf-8", "replace") for a, b in pairwise(starts)]


def find_vectors(name: str) -> IndexedVectors:
    """Return the vectors of a name: `glove` is the package of GloVe's vectors (6B, 50 numbers,
    words in lower case) that is installed; anything else is a file.

    Raises ResourceMissing, with the command to run.
    """
    if name == "glove":
        return _glove()
    try:
        Path(name).stat()
    except OSError as error:
        raise ResourceMissing(
            f"vectors={name}: {error.strerror}; name a file of word vectors, or glove"
        ) from None
    if Path(name).is_dir():
        raise DataError(f"vectors={name}: is a folder; name a file in it")
    return _files.get([name], name)


def _read(name: str) -> IndexedVectors:
    from nlgauge.models.vectors.vector_files import read_vectors

    return read_vectors(name)


_files = FileCache(_read, most=4)


@lru_cache(maxsize=1)
def _glove() -> IndexedVectors:
    from nlgauge.models.vectors.vector_files import digest, indexed

    package = find_spec(GLOVE.replace("-", "_"))
    if package is None or package.origin is None:
        raise ResourceMissing(f"vectors=glove: {GLOVE} is not installed", remedy=INSTALL)
    listed = shipped_file(_GLOVE_WORDS)
    data = Path(package.origin).parent / "data"
    matrix_file, words_file = (data / file for file in pinned.GLOVE.files)
    try:
        pinned.GLOVE.check(data)
        matrix = np.load(matrix_file, mmap_mode="r")
        words, starts = _word_list(listed)
        if matrix.ndim != 2 or matrix.dtype != np.float32 or len(matrix) != len(starts) - 1:
            raise ValueError("words and vectors do not fit each other")
    except Exception as error:  # damaged files make readers raise nearly anything
        raise ResourceMissing(
            f"vectors=glove: {GLOVE} cannot be read ({error})", remedy=f"{INSTALL} --again"
        ) from None
    try:
        release = version(GLOVE)
    except PackageNotFoundError:
        release = "?"
    return indexed(
        f"{GLOVE}-{release} {digest(matrix_file, words_file)}",
        matrix,
        words,
        starts,
    )


def _word_list(path: Path) -> tuple[npt.NDArray[np.uint8], Rows]:
    """Return the words of a compressed list, one a line, in a row and where each starts."""
    import lzma

    lines = np.frombuffer(lzma.decompress(path.read_bytes()), np.uint8)
    ends = np.flatnonzero(lines == ord("\n"))
    starts = np.concatenate([[0], ends - np.arange(len(ends))]).astype(np.int64)
    return lines[lines != ord("\n")], starts
