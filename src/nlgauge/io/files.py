"""Open, decompress and decode files: every reader takes its bytes from here."""

from __future__ import annotations

import codecs
import io
import sys
import warnings
from pathlib import Path

from nlgauge.data.paths import is_file, is_folder
from nlgauge.errors import DataError, NlgaugeWarning
from nlgauge.io.request import STDIN
from nlgauge.kernels import Texts, native

# What real files never meet. Text is packed to a third or a tenth of its size, one repeated line to
# a thousandth; such a file is taken for an attack or an accident, unless it is small.
MOST_PACKED = 50  # bytes that a byte of a .gz file may become
ALWAYS_UNPACKED = 256 << 20  # bytes that are unpacked in any case
LONGEST_LINE = 64 << 20  # bytes of a segment or record; most metrics need its square in steps
_BLOCK = 1 << 22
_CONTROLS = bytes(c for c in range(32) if c not in b"\t\n\r")
_ENCODING = "--encoding"  # what it is called on the command line; in Python it is encoding=...


def shown(path: str) -> str:
    """Return how messages call the file."""
    return "stdin" if path == STDIN else path


def warn(message: str) -> None:
    """Report something that was read in spite of a defect."""
    warnings.warn(message, NlgaugeWarning, stacklevel=3)


def read_bytes(path: str) -> bytes:
    """Read a file that is not empty, decompressed when it is called .gz."""
    if path == STDIN:
        if sys.stdin.buffer.isatty():
            warn("the outputs are read from the terminal, and Ctrl-D ends them; files are -i FILE")
        data = sys.stdin.buffer.read()
    elif is_folder(path):
        raise DataError(f"{path}: is a folder, expected a file; name the file in it")
    else:
        try:
            data = unpacked(path) if path.lower().endswith(".gz") else Path(path).read_bytes()
        except FileNotFoundError:
            raise DataError(f"{path}: no such file; check the path") from None
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            reason = getattr(error, "strerror", None) or error
            raise DataError(f"{path}: cannot be read ({reason})") from None
        except MemoryError:
            raise DataError(f"{path}: does not fit in memory; divide the file") from None
    if not data:
        raise empty(path)
    return data


def empty(path: str) -> DataError:
    """Return the error about a file without a byte."""
    if path == STDIN:
        return DataError("stdin: is empty; pipe the outputs in, or name their files (-i FILE)")
    return DataError(f"{path}: is empty; check what should have written it")


def read_start(path: str, size: int = 2048) -> bytes:
    """Return the first bytes of a file, unpacked; nothing if it cannot be read."""
    import gzip

    try:
        with gzip.open(path) if path.lower().endswith(".gz") else Path(path).open("rb") as file:
            return file.read(size)
    except (OSError, EOFError):
        return b""


def unpacked(path: str) -> bytes:
    """Unpack a .gz file, in no more memory than its contents take."""
    import gzip
    import zlib

    limit = unpacked_limit(Path(path).stat().st_size)
    found = io.BytesIO()
    try:
        with gzip.open(path) as stream:
            while block := stream.read(_BLOCK):
                if found.tell() + len(block) > limit:
                    raise packed_too_much(
                        path, limit, f"unpack it yourself and give the result: gunzip -k {path}"
                    )
                found.write(block)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DataError(
            f"{path}: is not a whole gzip file ({error}); fetch or compress it again, "
            "or rename it if it is not compressed"
        ) from None
    return found.getvalue()


def unpacked_limit(size: int) -> int:
    """Return how many bytes a packed file of that size may become."""
    return max(ALWAYS_UNPACKED, MOST_PACKED * size)


def packed_too_much(path: str, limit: int, remedy: str) -> DataError:
    """Return the error about a file that becomes larger than text does."""
    return DataError(
        f"{path}: unpacks to more than {limit >> 20} MiB and {MOST_PACKED} times its size, which "
        f"text does not; if that is right, {remedy}"
    )


def check_lines(path: str, data: bytes) -> None:
    """Refuse a line that is too long for a segment or record."""
    start = 0
    while len(data) - start > LONGEST_LINE:
        end = data.rfind(b"\n", start, start + LONGEST_LINE + 1)
        if end < 0:
            raise _too_long(path, line_at(data, start))
        start = end + 1


def _warn_of_returns(path: str, data: bytes) -> None:
    """Warn if carriage returns seem to end lines, as on old Macs."""
    returns = data.count(b"\r")
    if returns >= max(2, data.count(b"\n")):
        warn(
            f"{shown(path)}: has {returns} carriage returns (CR), as old Macs end lines, but only "
            "line feeds end a line here; convert it: tr '\\r' '\\n'"
        )


def refuse_long_lines(path: str) -> None:
    """Refuse a line that is too long before the file is in memory; compressed ones are not seen."""
    if path == STDIN or path.lower().endswith(".gz") or not is_file(path):
        return
    if Path(path).stat().st_size <= LONGEST_LINE:
        return
    number, run = 1, 0
    with Path(path).open("rb") as file:
        while block := file.read(_BLOCK):
            first = block.find(b"\n")
            run += len(block) if first < 0 else first
            if run > LONGEST_LINE:
                raise _too_long(path, number)
            if first >= 0:
                number += block.count(b"\n")
                run = len(block) - block.rfind(b"\n") - 1


def _too_long(path: str, line: int) -> DataError:
    return DataError(
        f"{shown(path)}, line {line}: is longer than {LONGEST_LINE >> 20} MiB; put every segment "
        "on a line of its own"
    )


def read_utf8(path: str, encoding: str = "utf-8", *, keep_line_ends: bool = False) -> bytes:
    """Read a file as valid UTF-8, without byte order mark and, if not told to keep them, CRs before
    line feeds; warn about both.
    """
    data = read_bytes(path)
    _refuse_other_kinds(path, data)
    if codecs.lookup(encoding).name == "utf-8":
        _check_utf8(path, data)
    else:
        data = recode(path, data, encoding)
    if data.startswith(codecs.BOM_UTF8):
        warn(f"{shown(path)}: starts with a UTF-8 byte order mark, which is left out")
        data = data[len(codecs.BOM_UTF8) :]
    ends = 0 if keep_line_ends else data.count(b"\r\n")
    if ends:
        warn(f"{shown(path)}: {ends} lines end in CRLF; the CR is left out")
        data = data.replace(b"\r\n", b"\n")
    if b"\r" in data and not keep_line_ends:
        _warn_of_returns(path, data)
    if not data:
        raise DataError(f"{shown(path)}: holds a byte order mark and no text")
    return data


def read_lines(path: str, encoding: str = "utf-8") -> Texts:
    """Read one text per line; only a line feed ends a line."""
    return Texts.from_lines(read_line_bytes(path, encoding))


def read_line_bytes(path: str, encoding: str = "utf-8") -> bytes:
    """Read a file whose lines are segments or records, as `read_utf8` does."""
    refuse_long_lines(path)
    data = read_utf8(path, encoding)
    check_lines(path, data)
    return data


def count_lines(data: bytes) -> int:
    """Count the lines that `Texts.from_lines` makes."""
    return data.count(b"\n") + (not data.endswith(b"\n"))


def line_at(data: bytes | str, offset: int) -> int:
    """Return the number, from 1, of the line that holds the offset."""
    # The types are told apart only for the type checker; both count line feeds.
    if isinstance(data, str):
        return data.count("\n", 0, offset) + 1
    return data.count(b"\n", 0, offset) + 1


# How files begin that are often given in place of texts: in any encoding, they have no meaning.
_OTHER_KINDS = {
    b"\x1f\x8b": "is compressed with gzip; rename it to end in .gz",
    b"BZh": "is compressed with bzip2; unpack it: bunzip2 -k",
    b"\xfd7zXZ\0": "is compressed with xz; unpack it: unxz -k",
    b"\x28\xb5\x2f\xfd": "is compressed with Zstandard; unpack it: unzstd",
    b"PK\x03\x04": "is a zip archive, as are files of Word and NumPy; give the text that is in it "
    "(tables of Excel must be called .xlsx)",
    b"PAR1": "is a Parquet file; rename it to end in .parquet",
    b"SQLite format 3\0": "is a SQLite database; export a table of it as CSV, with a header",
    b"\x93NUMPY": "is an array of NumPy; write its texts to a text file, one a line",
    b"%PDF-": "is a PDF; extract its text: pdftotext",
}


def _refuse_other_kinds(path: str, data: bytes) -> None:
    kind = next((told for start, told in _OTHER_KINDS.items() if data.startswith(start)), None)
    if kind is not None and (b"\0" in data or native.find_invalid_utf8(data) < len(data)):
        raise DataError(f"{shown(path)}: {kind}")


# Encodings of one or two bytes a character, by the languages that are written in them.
_LEGACY = {
    "Chinese": ("gb18030", "big5"),
    "Japanese": ("shift_jis", "euc-jp"),
    "Korean": ("euc-kr",),
    "Russian": ("cp1251",),
    "Arabic": ("cp1256",),
    "Thai": ("cp874",),
    "western Europe": ("cp1252", "latin-1"),
}


def _check_utf8(path: str, data: bytes) -> None:
    offset = native.find_invalid_utf8(data)
    name = shown(path)
    wide = _wide_encoding(data)
    if wide is not None:
        raise DataError(
            f"{name}: is {wide.upper()}, not UTF-8 (its characters take several bytes each); give "
            f"{_ENCODING} {wide}"
        )
    if offset == len(data):
        return
    if b"\0" in data:  # which no encoding below has
        raise DataError(f"{name}: holds NUL bytes, so it is no text; give a text file")
    raise DataError(
        f"{name}, line {line_at(data, offset)}: byte 0x{data[offset]:02x} at offset {offset} of "
        f"the file is not valid UTF-8; give its encoding: {_ENCODING} {_possible(data)}"
    )


def _possible(data: bytes) -> str:
    """List the encodings that bytes may be in, by what is written in them; people know which."""
    found = []
    for languages, names in _LEGACY.items():
        fitting = [name for name in names if _decodes(data[: 1 << 16], name)]
        if fitting:
            found.append(f"{' or '.join(fitting)} ({languages})")
    return ", ".join(found)


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(data)
    except UnicodeDecodeError:
        return False
    return True


def _wide_encoding(data: bytes) -> str | None:
    """Tell UTF-16 or UTF-32, by a byte order mark or, of letters up to U+07FF, by where NULs are:
    as UTF-8 such text may be valid, each NUL a character of its own.
    """
    for mark, name in (
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF32_BE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return name
    sample = data[: 1 << 16]
    count = len(sample) // 2  # of characters, if they have two bytes
    nuls = sample.count(0)
    if len(data) % 2 or nuls < 4 or len(sample.translate(None, _CONTROLS)) > 0.75 * len(sample):
        return None
    if len(data) % 4 == 0:
        at = [sample[k::4].count(0) for k in range(4)]
        for name, zeros in (("utf-32-le", at), ("utf-32-be", at[::-1])):
            if zeros[0] == 0 and zeros[3] == len(sample) // 4 and 2 * zeros[2] > zeros[3]:
                return name
    for name, first, second in (("utf-16-le", 0, 1), ("utf-16-be", 1, 0)):
        if sample[first::2].count(0) == 0 and (nuls >= 8 or sample[second::2].count(0) == count):
            return name
    return None


def _warn_of_utf8(path: str, data: bytes, encoding: str) -> None:
    own = codecs.lookup(encoding).name.startswith(("utf", "ascii"))
    if not own and not data.isascii() and native.find_invalid_utf8(data) == len(data):
        warn(
            f"{shown(path)}: is read as {encoding}, but it is valid UTF-8, too, with characters "
            f"beyond ASCII; {_ENCODING} holds for all files, so convert those in {encoding}: "
            f"iconv -f {encoding} -t utf-8"
        )


def recode(path: str, data: bytes, encoding: str) -> bytes:
    """Return text of another encoding in UTF-8; warn if it looks as if it were UTF-8 already."""
    try:
        _warn_of_utf8(path, data, encoding)
        return data.decode(encoding).encode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(
            f"{shown(path)}, line {line_at(data, error.start)}: the byte at offset {error.start} "
            f"of the file is not valid {encoding}; give another {_ENCODING}"
        ) from None
    except UnicodeEncodeError as error:
        raise DataError(
            f"{shown(path)}: {encoding} gives {error.object[error.start]!r}, which is no "
            f"character; give another {_ENCODING}"
        ) from None
    except (LookupError, ValueError) as error:
        raise DataError(
            f"{shown(path)}: {encoding} cannot be read ({error}); convert the file to UTF-8"
        ) from None
