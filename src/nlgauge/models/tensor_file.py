"""Files of safetensors: a JSON header, and arrays that stay on disk until used."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.errors import DataError

TYPES = {"F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I8": "i1", "U8": "u1"}


def read_tensors(path: Path) -> tuple[dict[str, str], dict[str, npt.NDArray[Any]]]:
    """What the file says about itself, and its arrays; of other types than numbers, none."""
    data = np.memmap(path, np.uint8, "r")
    try:
        body = 8 + int.from_bytes(data[:8].tobytes(), "little")
        header = json.loads(data[8:body].tobytes())
        about = header.pop("__metadata__", {})
        known = {
            name: entry for name, entry in header.items() if entry["dtype"] in (*TYPES, "BF16")
        }
        return about, {name: _array(data[body:], entry) for name, entry in known.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise DataError(f"{path}: not a file of safetensors; fetch the model again") from None


def _array(data: npt.NDArray[np.uint8], entry: Mapping[str, Any]) -> npt.NDArray[Any]:
    start, end = entry["data_offsets"]
    stored = np.asarray(data[start:end])
    if entry["dtype"] == "BF16":  # the upper half of a number in single precision
        found = (stored.view("<u2").astype(np.uint32) << 16).view(np.float32)
    else:
        found = stored.view(TYPES[entry["dtype"]])
    return found.reshape(entry["shape"])
