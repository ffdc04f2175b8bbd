"""Read files of word vectors: text (GloVe, word2vec, fastText's .vec), word2vec's binary format,
NumPy, and one format of our own that opens at once, whatever its size.

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

from nlgauge.core.resources import contents_hash
from nlgauge.errors import DataError, NlgaugeWarning
from nlgauge.io.files import unpacked
from nlgauge.io.write import atomic_binary
from nlgauge.kernels import native
from nlgauge.models.files.artefacts import Bytes, array_at, header_of, reading
from nlgauge.models.vectors.word_vectors import IndexedVectors

_MAGIC = b"nlgauge vectors 1\n"
_ALIGNED = 64
_CONVERT = "make it again with nlgauge convert"
_LONGEST_HEADER = 1 << 16
_ARRAYS = {"matrix": ("<f4", 2), "words": ("|u1", 1), "starts": ("<i8", 1), "table": ("<u4", 1)}
# Where the words of a .npy are looked for, one a line.
_WORD_LISTS = (".words", ".words.txt", ".txt", ".vocab")


def read_vectors(path: str) -> IndexedVectors:
    """Return the vectors of a file in any of the formats; which one, the file shows."""
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
    """Return vectors with a new index; of words that stand there twice, the first counts."""
    _check_words(words, starts, path or name)
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


def _check_words(words: Bytes, starts: npt.NDArray[np.int64], path: str) -> None:
    number = native.invalid_word(words, starts)
    if number >= 0:
        word = words[starts[number] : starts[number + 1]][:40].tobytes()
        raise DataError(
            f"{path}, word {number + 1}: {word!r} is not valid UTF-8; convert the file to UTF-8, "
            "or leave the word out"
        )


def digest(*paths: Path) -> str:
    """Return what tells the files from others."""
    return contents_hash(*paths)[:12]


def write_vectors(path: str, vectors: IndexedVectors) -> None:
    """Write the format that opens at once; the name stays, and so do signatures."""
    held = (vectors.matrix, vectors.word_bytes, vectors.word_starts, vectors.table)
    arrays = {
        name: np.ascontiguousarray(array, kind)
        for (name, (kind, _)), array in zip(_ARRAYS.items(), held, strict=True)
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
    """Refuse a file in our format that is not as it was written; it is read whole."""
    contents = hashlib.sha256()
    header, arrays = _converted(Path(path))
    for array in arrays.values():
        contents.update(np.ascontiguousarray(array).data if array.size else b"")
    if contents.hexdigest() != header["sha256"]:
        raise DataError(f"{path}: is damaged (its contents do not fit its hash); {_CONVERT}")


def _open_converted(file: Path) -> IndexedVectors:
    header, arrays = _converted(file)
    matrix, words, starts, table = arrays.values()
    found = IndexedVectors(header["name"], matrix, words, starts, table, path=str(file))
    with reading(file, "is damaged", _CONVERT):
        if len(matrix) != len(starts) - 1:
            raise ValueError(f"{len(matrix)} vectors for {len(starts) - 1} words")
        found.index  # noqa: B018 - made here, so that a bad table is refused before any work
    _check_words(words, starts, str(file))
    return found


def _converted(file: Path) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Return the header, and the arrays in the order of _ARRAYS."""
    data = _mapped(file)
    with reading(file, "has a header that cannot be read", _CONVERT):
        end = data[:_LONGEST_HEADER].tobytes().find(b"\n", len(_MAGIC)) + 1
        header = header_of(data[len(_MAGIC) : max(end, len(_MAGIC))].tobytes())
        if data.size != end + header["size"]:
            raise DataError(f"{file}: is cut; {_CONVERT}")
        if not isinstance(header["name"], str) or not isinstance(header["sha256"], str):
            raise ValueError("its name or hash is missing")
        arrays = {}
        for name, (kind, dimensions) in _ARRAYS.items():
            given, shape, at = header["arrays"][name]
            if given != np.dtype(kind).str or len(shape) != dimensions or type(at) is not int:
                raise ValueError(f"{name} is of another type or shape")
            arrays[name] = array_at(data[end:], kind, shape, at)
    return header, arrays


def _read_npy(file: Path) -> IndexedVectors:
    lists = [file.with_name(file.stem + ending) for ending in _WORD_LISTS]
    found = next((p for p in lists if p.is_file()), None)
    if found is None:
        raise DataError(f"{file}: its words are missing; put them, one a line, into {lists[0]}")
    words = found.read_bytes().split(b"\n")
    if words[-1] == b"":
        words.pop()
    with reading(file, "not a whole file of NumPy's", "save it again with numpy.save"):
        loaded = np.load(file, mmap_mode="r", allow_pickle=False)
    matrix = _checked(file, loaded, len(words), f"{found} has", " words")
    return _numbered(file, matrix, [word.rstrip(b"\r") for word in words], digest(file, found))


def _read_npz(file: Path) -> IndexedVectors:
    with (
        reading(file, "not a whole file of NumPy's", "save words and vectors with numpy.savez"),
        np.load(file, allow_pickle=False) as arrays,
    ):
        if not {"words", "vectors"} <= {*arrays.files}:
            held = ", ".join(arrays.files)
            raise DataError(f"{file}: has the arrays {held}; expected words (of str) and vectors")
        words, matrix = arrays["words"], arrays["vectors"]
    if words.ndim != 1 or words.dtype.kind != "U":
        raise DataError(f"{file}: words is an array of {words.dtype}; save it as an array of str")
    matrix = _checked(file, matrix, len(words), "its array words has", "")
    encoded = [str(word).encode("utf-8", "surrogatepass") for word in words]
    return _numbered(file, matrix, encoded, digest(file))


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
