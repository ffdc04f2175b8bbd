"""A ledger of fuzzed batches, so that a run goes on where another was ended.

A line is a batch: of which metric, from which seed, of how many segments, and by which code. What
other code did is not counted, and a batch that broke is run again.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import nlgauge
from nlgauge import _native

HERE = Path(__file__).parent


@dataclass(frozen=True, kw_only=True)
class Batch:
    """What came of one draw of options."""

    spec: str
    seed: int
    number: int
    size: int
    slow: bool  # in these options
    seconds: float
    broken: list[str]


@dataclass
class Coverage:
    """Counts of a metric's segments, in options that are fast and in those that are slow."""

    is_slow: bool = False  # as it is
    fast: int = 0
    slow: int = 0
    seconds: float = 0.0

    def add(self, batch: Batch) -> None:
        """Count a batch; the first has the metric's defaults."""
        if batch.number == 0:
            self.is_slow = batch.slow
        if batch.slow:
            self.slow += batch.size
        else:
            self.fast += batch.size
        self.seconds += batch.seconds

    def share(self, fast: int, slow: int) -> float:
        """Return how much of what is wanted has been done."""
        return (self.fast + self.slow) / slow if self.is_slow else self.fast / fast


@cache
def code() -> str:
    """Return a hash of the package, its native module, and of what draws and checks batches."""
    package = Path(nlgauge.__file__).parent
    files = [*sorted(package.rglob("*.py")), *sorted(HERE.glob("*.py")), HERE.parent / "fuzz.py"]
    digest = hashlib.sha256()
    for path in (Path(_native.__file__), *files):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


@dataclass(frozen=True)
class Ledger:
    """A file that only grows: several processes may write to it."""

    path: Path

    def write(self, batch: Batch) -> None:
        """Add a batch that has come to its end."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"code": code(), **asdict(batch)}) + "\n")

    def batches(self, seed: int) -> dict[tuple[str, int], Batch]:
        """Return the batches without a fault that this code has done, by metric and number."""
        found = {}
        for line in self.path.read_text("utf-8").splitlines() if self.path.exists() else ():
            try:
                record = json.loads(line)
            except ValueError:  # the process was ended while it wrote
                continue
            if record.pop("code") == code() and record["seed"] == seed and not record["broken"]:
                batch = Batch(**record)
                found[batch.spec, batch.number] = batch
        return found

    def coverage(self, seed: int) -> dict[str, Coverage]:
        """Return the counts of each metric."""
        found: dict[str, Coverage] = {}
        for batch in self.batches(seed).values():
            found.setdefault(batch.spec, Coverage()).add(batch)
        return found
