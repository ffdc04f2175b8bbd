"""Store outputs of a baseline, one to a line, so that a change of them can be read in a diff."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from nlgauge.errors import DataError
from nlgauge.io.write import atomic_write


def write_baseline(file: Path, outputs: Sequence[str]) -> None:
    """Store outputs, and make the folder if it is not there."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(file) as stream:
        for number, text in enumerate(outputs, 1):
            record = {"id": str(number), "hypothesis": text}
            stream.write(json.dumps(record, ensure_ascii=False) + "\n")


def read_baseline(file: Path) -> list[str]:
    """Return the outputs that were stored."""
    outputs = []
    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n")[:-1], 1):
        try:
            text = json.loads(line)["hypothesis"]
        except (ValueError, KeyError, TypeError):
            text = None
        if not isinstance(text, str):
            raise DataError(
                f'{file}, line {number}: expected {{"id": ..., "hypothesis": ...}}; restore the '
                "file, or store it anew with: pytest --nlgauge-update"
            )
        outputs.append(text)
    return outputs
