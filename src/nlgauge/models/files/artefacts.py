"""Read binary files that models come in; nothing they say is believed before it is checked."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.errors import DataError, NlgaugeError

Bytes = npt.NDArray[np.uint8]


@contextmanager
def reading(path: str | PathLike[str], what: str, remedy: str) -> Iterator[None]:
    """Turn whatever goes wrong while a damaged file is read into a DataError.

    Parsers of headers, archives and arrays raise nearly anything for bytes that nobody wrote:
    ValueError, KeyError, RecursionError, MemoryError, zlib's and zipfile's own classes.
    """
    try:
        yield
    except NlgaugeError:
        raise
    except Exception as error:
        reason = str(error) or type(error).__name__
        raise DataError(f"{path}: {what} ({reason:.200}); {remedy}") from None


def header_of(data: bytes | str) -> dict[str, Any]:
    """Parse the JSON object that describes a model or says where its arrays are."""
    found = json.loads(data)
    if not isinstance(found, dict):
        raise ValueError("its header is no JSON object")
    return found


def array_at(data: Bytes, kind: str, shape: Sequence[int], start: int) -> npt.NDArray[Any]:
    """Return the array of this type and shape that starts at a byte.

    It is copied only where it starts at a place that the native core cannot read such numbers from.
    """
    if not all(type(n) is int and n >= 0 for n in (*shape, start)):
        raise ValueError(f"an array of shape {shape!r:.80} at {start!r:.40}")
    size = math.prod(shape)
    if start + size * np.dtype(kind).itemsize > len(data):
        raise ValueError("an array reaches beyond the end of the file")
    return np.require(np.frombuffer(data, kind, size, start).reshape(shape), requirements="A")


def check_starts(starts: npt.NDArray[Any], size: int) -> None:
    """Refuse places that do not divide up `size` items."""
    if not len(starts) or starts[0] != 0 or starts[-1] != size or (starts[1:] < starts[:-1]).any():
        raise ValueError("places that are not in order")


def check_finite(arrays: Mapping[str, npt.NDArray[Any]], path: str | PathLike[str]) -> None:
    """Refuse NaN and infinity in arrays of floats; the error names the array."""
    for name, array in arrays.items():
        # Both ends tell, and no second array of the same size is made for it.
        ends = (array.min(), array.max()) if array.size and array.dtype.kind == "f" else ()
        if not np.isfinite(ends).all():
            raise DataError(
                f"{path}: {name} holds a number that is not finite; fetch or train it again"
            )
