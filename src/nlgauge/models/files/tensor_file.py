"""Read and write files of safetensors: a JSON header, and arrays that stay on disk until used."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.io.write import atomic_binary
from nlgauge.models.files.artefacts import Bytes, array_at, header_of, reading

TYPES = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "I64": "<i8",
    "I32": "<i4",
    "I8": "i1",
    "U8": "u1",
}


def read_tensors(path: Path) -> tuple[dict[str, str], dict[str, npt.NDArray[Any]]]:
    """Return what the file says about itself, and its arrays; of other types than numbers, none."""
    with reading(path, "not a file of safetensors", "fetch the model again"):
        data = np.asarray(np.memmap(path, np.uint8, "r"))
        body = 8 + int.from_bytes(data[:8].tobytes(), "little")
        if len(data) < 8 or body > len(data):
            raise ValueError("its header is longer than the file")
        header = header_of(data[8:body].tobytes())
        about = header.pop("__metadata__", {})
        if not all(isinstance(text, str) for text in {**about}.values()):
            raise ValueError("what it says about itself is no text")
        _check_places([entry["data_offsets"] for entry in header.values()], len(data) - body)
        known = {
            name: entry for name, entry in header.items() if entry["dtype"] in (*TYPES, "BF16")
        }
        return about, {name: _array(data[body:], entry) for name, entry in known.items()}


def write_tensors(
    path: str | PathLike[str], about: Mapping[str, str], arrays: Mapping[str, npt.NDArray[Any]]
) -> None:
    """Write arrays, and what the file says about itself; the same contents are the same bytes."""
    names = {np.dtype(kind): name for name, kind in TYPES.items()}
    header: dict[str, Any] = {"__metadata__": dict(about)}
    at = 0
    blocks = []
    # Large numbers first, so that each array starts at a place it can be read from.
    for name, array in sorted(arrays.items(), key=lambda item: (-item[1].itemsize, item[0])):
        block = np.ascontiguousarray(array)
        places = [at, at + block.nbytes]
        header[name] = {
            "dtype": names[block.dtype],
            "shape": list(array.shape),
            "data_offsets": places,
        }
        blocks.append(block)
        at += block.nbytes
    text = json.dumps(header, ensure_ascii=False, allow_nan=False, sort_keys=True).encode()
    text += b" " * (-len(text) % 8)
    with atomic_binary(path) as stream:
        stream.write(len(text).to_bytes(8, "little") + text)
        for block in blocks:
            stream.write(block.tobytes())


def _check_places(places: Iterable[Any], size: int) -> None:
    """Refuse holes, overlaps and anything after the last array, which the format does not allow."""
    at = 0
    for start, end in sorted(places):
        if type(start) is not int or type(end) is not int or start != at or end < start:
            raise ValueError("its arrays overlap, or leave something out")
        at = end
    if at != size:
        raise ValueError(f"its arrays take up {at} bytes, and {size} follow the header")


def _array(data: Bytes, entry: Mapping[str, Any]) -> npt.NDArray[Any]:
    start, end = entry["data_offsets"]
    halves = entry["dtype"] == "BF16"  # the upper half of a number in single precision
    found = array_at(data, "<u2" if halves else TYPES[entry["dtype"]], entry["shape"], start)
    if found.nbytes != end - start:
        raise ValueError(f"an array of shape {entry['shape']} in {end - start} bytes")
    return (found.astype(np.uint32) << 16).view(np.float32) if halves else found
