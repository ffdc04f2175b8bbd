"""Files that users hand to metrics: read with errors that name the option, known by their hash."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Any

from nlgauge.errors import DataError, ResourceMissing

_BLOCK = 1 << 20


def read_resource(option: str, path: str) -> bytes:
    """The contents; `option` is how messages call what the file was given as."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ResourceMissing(f"{option}={path}: {error.strerror}; check the path") from None


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
    """What tells the file's contents from others, for signatures."""
    return hashlib.sha256(read_resource(option, path)).hexdigest()[:16]


def contents_hash(*paths: Path) -> str:
    """Return the SHA-256 of files, one after the other; a file that stays is read once."""
    stamps = tuple((str(p), p.stat().st_mtime_ns, p.stat().st_size) for p in paths)
    found: str = _hashed(stamps).hexdigest()
    return found


@lru_cache(maxsize=16)
def _hashed(stamps: tuple[tuple[str, int, int], ...]) -> Any:
    """The hash object, which further files can be added to."""
    if not stamps:
        return hashlib.sha256()
    found = _hashed(stamps[:-1]).copy()
    with Path(stamps[-1][0]).open("rb") as stream:
        while block := stream.read(_BLOCK):
            found.update(block)
    return found
