"""Files that users hand to metrics: read with errors that name the option, known by their hash."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from nlgauge.core.file_cache import FileCache
from nlgauge.errors import DataError, ResourceMissing

_BLOCK = 1 << 20


def read_resource(option: str, path: str) -> bytes:
    """Return the contents of a file; `option` is how messages call what it was given as."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise _missing(option, path, error) from None


def read_text(option: str, path: str) -> str:
    """Return the contents of a file in UTF-8."""
    data = read_resource(option, path)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"{option}={path}, line {line}: byte 0x{data[error.start]:02x} is not valid UTF-8; "
            "convert the file to UTF-8"
        ) from None


def digest(option: str, path: str) -> str:
    """Return what tells the contents of a file from others, for signatures."""
    try:
        return contents_hash(Path(path))[:16]
    except OSError as error:
        raise _missing(option, path, error) from None


def _missing(option: str, path: str, error: OSError) -> ResourceMissing:
    return ResourceMissing(f"{option}={path}: {error.strerror}; check the path")


def contents_hash(*paths: Path) -> str:
    """Return the SHA-256 of files, one after the other; a file that stays is read once."""
    found: str = _hashes.get(paths, *paths).hexdigest()
    return found


def _hashed(*paths: Path) -> Any:
    """The hash object, which further files can be added to."""
    if not paths:
        return hashlib.sha256()
    found = _hashes.get(paths[:-1], *paths[:-1]).copy()
    with paths[-1].open("rb") as stream:
        while block := stream.read(_BLOCK):
            found.update(block)
    return found


_hashes: FileCache[Any, Any] = FileCache(_hashed, most=32)
