"""Write results so that a file is there whole or not at all."""

from __future__ import annotations

import errno
import io
import math
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, TextIO, cast

from nlgauge.errors import DataError
from nlgauge.io.request import STDIN as STDOUT

_FORMULA = re.compile("'*[=+@-]")
_PREFIX, _SUFFIX = ".nlgauge-", ".tmp"  # of a file that is being written
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # how systems say that there is no more space


@contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """Open a UTF-8 text file that takes the place of `path` only once it is complete and on disk.

    Compressed if the name ends in .gz; "-" is stdout. On an exception `path` is left as it was.
    """
    compress = os.fspath(path) != STDOUT and Path(path).resolve().suffix.lower() == ".gz"
    with atomic_binary(path) as stream, _text(stream, compress) as text:
        yield text


@contextmanager
def atomic_binary(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file for bytes that takes the place of `path` only once it is complete."""
    if os.fspath(path) == STDOUT:
        sys.stdout.flush()
        yield cast(BinaryIO, sys.stdout.buffer)
        return
    with _told(path):
        target = _target(path)
        if target.exists() and not target.is_file():
            # A pipe or device such as /dev/null must not be replaced by a file.
            with target.open("wb") as stream:
                yield stream
            return
        with _replacing(target) as stream:
            yield stream


@contextmanager
def _replacing(target: Path) -> Iterator[BinaryIO]:
    # A name of its own: that of the target may be as long as names can be.
    temporary = target.with_name(f"{_PREFIX}{os.urandom(8).hex()}{_SUFFIX}")
    try:
        with temporary.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o777)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def remove_unfinished(folder: str | os.PathLike[str]) -> None:
    """Remove what killed processes had begun to write in a folder that nothing else writes to."""
    for path in Path(folder).glob(f"{_PREFIX}*{_SUFFIX}"):
        path.unlink(missing_ok=True)


def check_file(path: str | os.PathLike[str]) -> None:
    """Refuse a path that could not be written: what can be known before there is anything to write.

    The folder must be there and take a file, and the disk a few bytes.
    """
    if os.fspath(path) == STDOUT:
        return
    with _told(path):
        target = _target(path)
        if target.exists() and not target.is_file():  # raises if the name is too long
            return
        _try(target)


def check_folder(path: str | os.PathLike[str]) -> None:
    """Refuse a folder that could neither be used nor be made."""
    with _told(path):
        folder = Path(path).resolve()
        while not folder.exists():
            folder = folder.parent
        if not folder.is_dir():
            raise DataError(f"{path}: {folder} is a file; name a folder")
        _try(folder / "x")


def _try(target: Path) -> None:
    with suppress(_Written), _replacing(target) as stream:
        stream.write(bytes(4096))
        stream.flush()
        os.fsync(stream.fileno())
        raise _Written


class _Written(Exception):  # noqa: N818
    """A sign that a trial has succeeded, and that its file can go."""


def _target(path: str | os.PathLike[str]) -> Path:
    if "\0" in os.fspath(path):
        raise DataError(f"{os.fspath(path)!r}: a NUL is in the name; name another file")
    target = Path(path).resolve()  # a link stays a link
    if target.is_dir():
        raise DataError(f"{path}: is a folder; name a file in it")
    return target


@contextmanager
def _told(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn what the system refuses into our error."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        remedy = "check that the folder exists and is writable"
        if error.errno in FULL:
            remedy = "free some space, or write to another disk"
        reason = error.strerror or error
        raise DataError(f"{path}: cannot be written ({reason}); {remedy}") from None


def write_jsonl(path: str | os.PathLike[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write one JSON object per line; numbers in full precision, never NaN."""
    with atomic_write(path) as file:
        for number, row in enumerate(rows, start=1):
            file.write(_line(f"{path}, line {number}", row))


def write_tsv(
    path: str | os.PathLike[str], header: Sequence[str], rows: Iterable[Sequence[object]]
) -> None:
    """Write tab-separated cells under a header row; numbers in full precision, never NaN."""
    with atomic_write(path) as file:
        for number, row in enumerate((header, *rows), start=1):
            if len(row) != len(header):
                raise DataError(
                    f"{path}, line {number}: {len(row)} cells for {len(header)} columns; "
                    "give one for each"
                )
            place = f"{path}, line {number}"
            cells = [_cell(place, name, cell) for name, cell in zip(header, row, strict=True)]
            file.write("\t".join(cells) + "\n")


@contextmanager
def _text(stream: BinaryIO, compress: bool) -> Iterator[TextIO]:
    """Write text on top of `stream`, which stays open; the same text gives the same bytes."""
    raw = stream
    if compress:
        import gzip

        raw = cast(BinaryIO, gzip.GzipFile("", "wb", fileobj=stream, mtime=0))
    # Half characters, as names of files may have them, become escapes; those of JSON are the same.
    text = io.TextIOWrapper(raw, "utf-8", errors="backslashreplace", newline="\n")
    try:
        yield text
    finally:
        text.detach()  # flushes
        if compress:
            raw.close()  # writes the checksum


def quoted(text: str) -> str:
    """Return a cell's text with a ' before what a spreadsheet would compute as a formula; numbers
    stay as they are, and `unquoted` takes it off again.
    """
    return f"'{text}" if _FORMULA.match(text) and not _is_number(text) else text


def unquoted(text: str) -> str:
    """Return the text that `quoted` was given."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _line(place: str, row: Mapping[str, Any]) -> str:
    try:
        return _json(row) + "\n"
    except (ValueError, TypeError) as error:
        bad = next((key for key, value in row.items() if not _is_json(value)), "?")
        raise DataError(
            f"{place}: field {bad!r} is {row.get(bad)!r:.60}, which JSON cannot hold ({error}); "
            "leave the field out, or write null"
        ) from None


def _json(value: object) -> str:
    import json  # late: most results are tables

    text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain)
    text.encode("utf-8")  # half a surrogate pair is refused here, before it is half written
    return text


def _is_json(value: object) -> bool:
    try:
        _json(value)
    except (ValueError, TypeError):
        return False
    return True


def _plain(value: Any) -> Any:
    """Return NumPy's numbers as Python's."""
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
        return value.item()
    raise TypeError(f"{type(value).__name__} is no JSON type")


def _cell(place: str, name: str, value: Any) -> str:
    if getattr(value, "ndim", None) == 0:
        value = _plain(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise DataError(f"{place}: column {name!r} is {value!r}; leave the row out")
        return repr(float(value))
    if isinstance(value, int):
        return str(value)
    if not isinstance(value, str):
        raise DataError(
            f"{place}: column {name!r} is {type(value).__name__} {value!r:.60}, expected text or a "
            "number; use jsonl"
        )
    if not value.isascii() and not _is_json(value):
        raise DataError(f"{place}: column {name!r} holds half a surrogate pair; correct the text")
    if any(character in value for character in "\t\n\r"):
        raise DataError(
            f"{place}: column {name!r} holds a tab or line break, which TSV cannot; use jsonl"
        )
    return quoted(value)
