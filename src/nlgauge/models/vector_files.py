"""Files of word vectors: text (GloVe, word2vec, fastText's .vec), word2vec's binary format, NumPy,
and one format of our own that opens at once, whatever its size.

    nlgauge vectors 1\\n{"name": ..., "sha256": ..., "arrays": {name: [type, shape, offset]}}\\n
    matrix, bytes of the words, where each word starts, hash table; each at a multiple of 64
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.errors import DataError, NlgaugeWarning
from nlgauge.io.files import unpacked
from nlgauge.io.write import atomic_binary
from nlgauge.kernels import native
from nlgauge.models.vectors import IndexedVectors
from nlgauge.resources import contents_hash

_MAGIC = b"nlgauge vectors 1\n"
_ALIGNED = 64
_CONVERT = "make it again with nlgauge convert"
# Where the words of a .npy are looked for, one a line.
_WORD_LISTS = (".words", ".words.txt", ".txt", ".vocab")

Bytes = npt.NDArray[np.uint8]


def read_vectors(path: str) -> IndexedVectors:
    """The vectors of a file in any of the formats; which one, the file shows."""
    file = Path(path)
    with file.open("rb") as stream:
        start = stream.read(len(_MAGIC))
    if start == _MAGIC:
        return _open_converted(file)
    if start.startswith(b"\x93NUMPY"):
        return _read_npy(file)
    if start.startswith(b"PK"):
        return _read_npz(file)
    packed = start.startswith(b"\x1f\x8b")
    data = np.frombuffer(unpacked(path), np.uint8) if packed else _mapped(file)
    head = data[:65536].tobytes()
    parsed = native.parse_vectors(data, binary=b"\0" in head)
    if len(parsed) == 2:
        line, problem = parsed[0], parsed[1].decode("utf-8", "replace")
        unit = "word" if b"\0" in head else "line"
        raise DataError(f"{path}{f', {unit} {line}' if line else ''}: {problem}")
    matrix, words, starts = parsed
    if len(matrix) == 0:
        raise DataError(f"{path}: holds no vectors; a line is a word and its numbers")
    return indexed(f"{file.name} {digest(file)}", matrix, words, starts, path)


def indexed(
    name: str, matrix: Any, words: Bytes, starts: npt.NDArray[np.int64], path: str = ""
) -> IndexedVectors:
    """Vectors with a new index; of words that stand there twice, the first counts."""
    table, repeated = native.index_words(words, starts)
    if repeated.size:
        first = words[starts[repeated[0]] : starts[repeated[0] + 1]].tobytes()
        warnings.warn(
            f"{path or name}: {repeated.size} words stand there twice, such as "
            f"{first.decode('utf-8', 'replace')!r} (entry {repeated[0] + 1}); the first counts",
            NlgaugeWarning,
            stacklevel=2,
        )
    return IndexedVectors(name, matrix, words, starts, table)


def digest(*paths: Path) -> str:
    """What tells the files from others."""
    return contents_hash(*paths)[:12]


def write_vectors(path: str, vectors: IndexedVectors) -> None:
    """The format that opens at once. It keeps the name: signatures stay as they were."""
    arrays = {
        "matrix": np.ascontiguousarray(vectors.matrix, "<f4"),
        "words": np.ascontiguousarray(vectors.word_bytes),
        "starts": np.ascontiguousarray(vectors.word_starts, "<i8"),
        "table": np.ascontiguousarray(vectors.table, "<u4"),
    }
    places, at = {}, 0
    contents = hashlib.sha256()
    for name, array in arrays.items():
        places[name] = [array.dtype.str, list(array.shape), at]
        contents.update(array.data if array.size else b"")
        at += -(-array.nbytes // _ALIGNED) * _ALIGNED
    header = {"name": vectors.name, "sha256": contents.hexdigest(), "arrays": places, "size": at}
    line = json.dumps(header).encode()
    line += b" " * (-(len(_MAGIC) + len(line) + 1) % _ALIGNED) + b"\n"
    with atomic_binary(path) as stream:
        stream.write(_MAGIC + line)
        for array in arrays.values():
            stream.write(array.data if array.size else b"")
            stream.write(bytes(-array.nbytes % _ALIGNED))


def check_vectors(path: str) -> None:
    """Whether a file in our format is as it was written; it is read whole."""
    contents = hashlib.sha256()
    header, arrays = _converted(Path(path))
    for array in arrays.values():
        contents.update(np.ascontiguousarray(array).data if array.size else b"")
    if contents.hexdigest() != header["sha256"]:
        raise DataError(f"{path}: is damaged (its contents do not fit its hash); {_CONVERT}")


def _open_converted(file: Path) -> IndexedVectors:
    header, arrays = _converted(file)
    return IndexedVectors(
        header["name"], arrays["matrix"], arrays["words"], arrays["starts"], arrays["table"]
    )


def _converted(file: Path) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    data = _mapped(file)
    end = data[: 1 << 16].tobytes().find(b"\n", len(_MAGIC)) + 1
    try:
        header = json.loads(data[len(_MAGIC) : end].tobytes())
        if data.size != end + header["size"]:
            raise DataError(f"{file}: is cut; {_CONVERT}")
        arrays = {
            name: np.frombuffer(data, kind, int(np.prod(shape)), end + at).reshape(shape)
            for name, (kind, shape, at) in header["arrays"].items()
        }
    except (ValueError, KeyError, TypeError):
        raise DataError(f"{file}: has a header that cannot be read; {_CONVERT}") from None
    return header, arrays


def _read_npy(file: Path) -> IndexedVectors:
    lists = [file.with_name(file.stem + ending) for ending in _WORD_LISTS]
    found = next((p for p in lists if p.is_file()), None)
    if found is None:
        raise DataError(f"{file}: its words are missing; put them, one a line, into {lists[0]}")
    words = found.read_bytes().split(b"\n")
    if words[-1] == b"":
        words.pop()
    matrix = _checked(file, np.load(file, mmap_mode="r"), len(words), f"{found} has", " words")
    return _numbered(file, matrix, [word.rstrip(b"\r") for word in words], digest(file, found))


def _read_npz(file: Path) -> IndexedVectors:
    try:
        with np.load(file) as arrays:
            words, matrix = arrays["words"], arrays["vectors"]
    except KeyError:
        with np.load(file, allow_pickle=False) as arrays:
            held = ", ".join(arrays.files)
        raise DataError(
            f"{file}: has the arrays {held}; expected words (of str) and vectors"
        ) from None
    except ValueError as error:
        raise DataError(f"{file}: {error}; save words as an array of str") from None
    matrix = _checked(file, matrix, len(words), "its array words has", "")
    return _numbered(file, matrix, [str(word).encode() for word in words], digest(file))


def _checked(file: Path, matrix: Any, words: int, who: str, what: str) -> Any:
    if matrix.ndim != 2 or matrix.dtype.kind != "f":
        raise DataError(
            f"{file}: has the shape {matrix.shape} of {matrix.dtype}; expected a row of floats "
            "for each word"
        )
    if len(matrix) != words:
        raise DataError(f"{file}: has {len(matrix)} rows, and {who} {words}{what}")
    if not np.isfinite(matrix).all():
        row = int(np.flatnonzero(~np.isfinite(matrix).all(axis=1))[0])
        raise DataError(f"{file}: row {row + 1} holds a number that is not finite")
    return matrix if matrix.dtype == np.float32 else matrix.astype(np.float32)


def _numbered(file: Path, matrix: Any, words: Sequence[bytes], hashed: str) -> IndexedVectors:
    starts = np.cumsum([0, *map(len, words)], dtype=np.int64)
    data = np.frombuffer(b"".join(words), np.uint8)
    return indexed(f"{file.name} {hashed}", matrix, data, starts, str(file))


def _mapped(file: Path) -> Bytes:
    if file.stat().st_size == 0:
        raise DataError(f"{file}: is empty; check what should have written it")
    return np.asarray(np.memmap(file, np.uint8, "r"))
