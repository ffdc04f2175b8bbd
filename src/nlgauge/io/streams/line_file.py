"""Read lines of a file that may be larger than memory, compressed or not, a block at a time."""

from __future__ import annotations

import codecs
import gzip
import sys
import zlib
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from nlgauge.data.paths import is_folder
from nlgauge.errors import DataError, ResourceMissing, fetch
from nlgauge.io.files import LONGEST_LINE, shown, warn
from nlgauge.io.request import STDIN
from nlgauge.kernels import native

_BLOCK = 1 << 22
_LF = 10
MOST_BYTES = 32 << 20  # of a block, unless a single line is longer


class LineFile:
    """A file of lines, from which blocks are taken; `line` is the number of the next one."""

    def __init__(self, path: str) -> None:
        self.path, self.line = path, 1
        stream = _opened(path)
        # A pipe is read as far as it is filled: whoever fills it may take a while for the rest.
        waits = path == STDIN or Path(path).is_fifo()
        self._read = stream.read1 if waits else stream.read
        self._left = b""
        self._warned = False

    def take(self, lines: int, *, most: int | None = MOST_BYTES) -> bytes:
        """Return the next lines as valid UTF-8: as many as asked for or, if `most` bytes are less
        than that, fewer; nothing at the end of the file.
        """
        parts: list[bytes] = []
        size, missing = 0, lines
        while missing and (block := self._next()):
            ends = np.flatnonzero(np.frombuffer(block, np.uint8) == _LF)
            full = most is not None and size + len(block) >= most and len(ends) > 0
            if len(ends) >= missing or full:
                cut = int(ends[min(missing, len(ends)) - 1]) + 1
                block, self._left = block[:cut], block[cut:]
            parts.append(block)
            size += len(block)
            missing = 0 if full else max(0, missing - len(ends))
            if size > LONGEST_LINE and len(ends) == 0:
                raise DataError(
                    f"{self._place()}: is longer than {LONGEST_LINE >> 20} MiB; put every segment "
                    "on a line of its own"
                )
        data = self._checked(b"".join(parts))
        self.line += data.count(b"\n")
        return data

    def _next(self) -> bytes:
        """Return what is left of the last block, or read another."""
        if self._left:
            block, self._left = self._left, b""
            return block
        try:
            found: bytes = self._read(_BLOCK)
        except (gzip.BadGzipFile, EOFError, zlib.error, OSError) as error:
            raise DataError(
                f"{self._place()} or after it: the file is cut off or damaged ({error}); fetch or "
                "compress it again"
            ) from None
        return found

    def _place(self) -> str:
        return f"{shown(self.path)}, line {self.line}"

    def _checked(self, data: bytes) -> bytes:
        if self.line == 1 and data.startswith(codecs.BOM_UTF8):
            warn(f"{shown(self.path)}: starts with a UTF-8 byte order mark, which is left out")
            data = data[len(codecs.BOM_UTF8) :]
        offset = native.find_invalid_utf8(data)
        if offset < len(data):
            line = self.line + data.count(b"\n", 0, offset)
            raise DataError(
                f"{shown(self.path)}, line {line}: byte 0x{data[offset]:02x} is not valid UTF-8; "
                f"convert the file, for example: iconv -f WINDOWS-1252 -t UTF-8 {self.path}"
            )
        if b"\r\n" in data:
            if not self._warned:
                warn(f"{shown(self.path)}: lines end in CRLF; the CR is left out")
                self._warned = True
            data = data.replace(b"\r\n", b"\n")
        return data


def _opened(path: str) -> Any:
    if path == STDIN:
        return sys.stdin.buffer
    if is_folder(path):
        raise DataError(f"{path}: is a folder, expected a file; name the file in it")
    try:
        if path.lower().endswith(".gz"):
            return gzip.open(path)
        if path.lower().endswith(".zst"):
            return pyarrow().input_stream(path)
        return Path(path).open("rb")
    except FileNotFoundError:
        raise DataError(f"{path}: no such file; check the path") from None
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read ({error})") from None


def pyarrow(module: str = "pyarrow") -> Any:
    """Import pyarrow, which reads Parquet and .zst, or say how to install it."""
    try:
        return import_module(module)
    except ImportError:
        raise ResourceMissing(
            "parquet and .zst: pyarrow is not installed", remedy=fetch("parquet")
        ) from None
