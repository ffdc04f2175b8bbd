"""Files that users hand to metrics: read with errors that name the option, known by their hash."""

from __future__ import annotations

import hashlib
from pathlib import Path

from nlgauge.errors import ResourceMissing


def read_resource(option: str, path: str) -> bytes:
    """The contents; `option` is how messages call what the file was given as."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ResourceMissing(f"{option}={path}: {error.strerror}; check the path") from None


def digest(option: str, path: str) -> str:
    """What tells the file's contents from others, for signatures."""
    return hashlib.sha256(read_resource(option, path)).hexdigest()[:16]
