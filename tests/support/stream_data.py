"""Texts of three systems, and runs in shards over them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from nlgauge.io.streams.shards import stream_request
from nlgauge.run.streams.files import score_files
from nlgauge.run.streams.folder import RunFolder

WORDS = "a the of cat dog sat on mat river bank ran über 東京 slowly again".split()


def texts(seed: int, size: int) -> list[str]:
    """Random texts of up to fourteen words."""
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, rng.integers(1, 15))) for _ in range(size)]


def changed(refs: list[str], seed: int, share: float) -> list[str]:
    """References of which a share of the words was exchanged."""
    rng = np.random.default_rng(seed)
    return [
        " ".join(rng.choice(WORDS) if rng.random() < share else word for word in ref.split())
        for ref in refs
    ]


def write_records(path: Path, systems: dict[str, list[str]], refs: list[str]) -> str:
    """Write JSON lines with an id, a reference and the outputs of systems."""
    with path.open("w") as file:
        for i, ref in enumerate(refs):
            outputs = {f"hyp:{name}": hyps[i] for name, hyps in systems.items()}
            file.write(json.dumps({"id": f"s{i}", "ref": ref, **outputs}) + "\n")
    return str(path)


def run_folder(
    path: Path, data: str, metrics: list[str], *, rows: int, format: str = "parquet", **how: object
) -> str:
    """Score a file in shards, and return the folder of the run."""
    folder = RunFolder(str(path), format)
    score_files(stream_request([data]), metrics, folder=folder, rows=rows, **how)
    return str(path)
