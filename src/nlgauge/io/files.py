"""Opening, decompressing and decoding: every reader takes its bytes from here."""

from __future__ import annotations

import codecs
import gzip
import sys
import warnings
import zlib
from pathlib import Path

from nlgauge.errors import DataError, NlgaugeWarning
from nlgauge.io.request import STDIN
from nlgauge.kernels import Texts, native


def shown(path: str) -> str:
    """How messages call the file."""
    return "stdin" if path == STDIN else path


def warn(message: str) -> None:
    """Report something that was read in spite of a defect."""
    warnings.warn(message, NlgaugeWarning, stacklevel=3)


def read_bytes(path: str) -> bytes:
    """The contents of a file that is not empty, decompressed when it is called .gz."""
    if path == STDIN:
        data = sys.stdin.buffer.read()
    elif Path(path).is_dir():
        raise DataError(f"{path}: is a folder, expected a file; name the file in it")
    else:
        try:
            data = Path(path).read_bytes()
            if path.lower().endswith(".gz"):
                data = gzip.decompress(data)
        except FileNotFoundError:
            raise DataError(f"{path}: no such file; check the path") from None
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise DataError(
                f"{path}: is not a whole gzip file ({error}); fetch or compress it again, "
                "or rename it if it is not compressed"
            ) from None
        except OSError as error:
            raise DataError(f"{path}: cannot be read ({error.strerror or error})") from None
    if not data:
        raise DataError(f"{shown(path)}: is empty; check what should have written it")
    return data


def read_utf8(path: str, encoding: str = "utf-8", *, keep_line_ends: bool = False) -> bytes:
    """The contents as valid UTF-8, without byte order mark and, if not told to keep them, CRs
    before line feeds; it warns about both.
    """
    data = read_bytes(path)
    if codecs.lookup(encoding).name == "utf-8":
        _check_utf8(path, data)
    else:
        data = _recode(path, data, encoding)
    if data.startswith(codecs.BOM_UTF8):
        warn(f"{shown(path)}: starts with a UTF-8 byte order mark, which is left out")
        data = data[len(codecs.BOM_UTF8) :]
    ends = 0 if keep_line_ends else data.count(b"\r\n")
    if ends:
        warn(f"{shown(path)}: {ends} lines end in CRLF; the CR is left out")
        data = data.replace(b"\r\n", b"\n")
    if not data:
        raise DataError(f"{shown(path)}: holds a byte order mark and no text")
    return data


def read_lines(path: str, encoding: str = "utf-8") -> Texts:
    """One text per line; only a line feed ends a line."""
    return Texts.from_lines(read_utf8(path, encoding))


def count_lines(data: bytes) -> int:
    """As many lines as `Texts.from_lines` makes."""
    return data.count(b"\n") + (not data.endswith(b"\n"))


def line_at(data: bytes | str, offset: int) -> int:
    """The number, from 1, of the line that holds the offset."""
    # The types are told apart only for the type checker; both count line feeds.
    if isinstance(data, str):
        return data.count("\n", 0, offset) + 1
    return data.count(b"\n", 0, offset) + 1


def _check_utf8(path: str, data: bytes) -> None:
    offset = native.find_invalid_utf8(data)
    if offset == len(data):
        return
    if data.startswith(b"\x1f\x8b"):
        raise DataError(f"{shown(path)}: is compressed with gzip; rename it to end in .gz")
    name = shown(path)
    raise DataError(
        f"{name}, line {line_at(data, offset)}: byte 0x{data[offset]:02x} at offset {offset} of "
        "the file is not valid UTF-8; give its encoding=..., or convert it, for example: "
        f"iconv -f WINDOWS-1252 -t UTF-8 {name} > {Path(name).name}.utf8"
    )


def _recode(path: str, data: bytes, encoding: str) -> bytes:
    try:
        return data.decode(encoding).encode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(
            f"{shown(path)}, line {line_at(data, error.start)}: the byte at offset {error.start} "
            f"of the file is not valid {encoding}; give another encoding=..."
        ) from None
    except UnicodeEncodeError as error:
        raise DataError(
            f"{shown(path)}: {encoding} gives {error.object[error.start]!r}, which is no "
            "character; give another encoding=..."
        ) from None
