"""Keep vectors that do not fit in memory: in a temporary file, or in a folder where they stay."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Mapping
from typing import Protocol

import numpy as np

from nlgauge.errors import DataError
from nlgauge.models.cache.database import Database
from nlgauge.models.encoders.encoder import States

Key = tuple[bytes, int]  # of a text, and the layer


class StateFile(Protocol):
    """A state file keeps vectors by text and layer."""

    def __contains__(self, key: Key) -> bool: ...

    def read(self, key: Key) -> States:
        """Return vectors as they were written: [pieces, width]."""

    def write(self, found: Mapping[Key, States]) -> None:
        """Add vectors that are not there yet."""


class TemporaryStates:
    """Temporary states are in a file that is gone with the process."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._file = tempfile.TemporaryFile(prefix="nlgauge-")  # noqa: SIM115
        weakref.finalize(self, self._file.close)
        self._places: dict[Key, tuple[int, int]] = {}  # where they start, and how many bytes

    def __contains__(self, key: Key) -> bool:
        return key in self._places

    def read(self, key: Key) -> States:
        """Read vectors from where they were put."""
        start, size = self._places[key]
        self._file.seek(start)
        return np.frombuffer(self._file.read(size), np.float32).reshape(-1, self._width)

    def write(self, found: Mapping[Key, States]) -> None:
        """Add vectors at the end of the file."""
        try:
            at = self._file.seek(0, 2)
            for key, vectors in found.items():
                self._file.write(vectors.tobytes())
                self._places[key] = (at, vectors.nbytes)
                at += vectors.nbytes
            self._file.flush()
        except OSError as error:
            raise DataError(
                f"{tempfile.gettempdir()}: vectors that do not fit in memory cannot be written "
                f"there ({error.strerror}); free some space, or set TMPDIR to another folder"
            ) from None


class KeptStates:
    """Kept states are in a folder, for other runs."""

    def __init__(self, folder: str, encoder: str, width: int) -> None:
        self._width = width
        self._database = Database(folder, "states", encoder)

    def __contains__(self, key: Key) -> bool:
        return _name(key) in self._database

    def read(self, key: Key) -> States:
        """Return vectors in single precision, as they were written."""
        (data,) = self._database.read([_name(key)])
        if data is None or len(data) % (4 * self._width):
            raise self._database.damaged("vectors of another width")
        return np.frombuffer(data, np.float32).reshape(-1, self._width)

    def write(self, found: Mapping[Key, States]) -> None:
        """Write all vectors at once, or none of them."""
        self._database.write((_name(key), vectors.tobytes()) for key, vectors in found.items())


def _name(key: Key) -> bytes:
    return key[0] + key[1].to_bytes(2, "little")
