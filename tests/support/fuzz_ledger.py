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
from nlgauge.core import registry

HERE = Path(__file__).parent
# What turns texts in memory into scores. Readers of files, explanations and all that stands above
# metrics (import-linter knows) may change without a batch being run again.
SCORING = (
    *("__init__.py", "_native*", "errors.py", "kernels.py", "lazy.py"),
    *(f"{name}/**/*.py" for name in ("core", "data", "metrics", "models", "text")),
)
# Families whose metrics look at others, but no others at them, and what they alone use.
LEARNED = ("trained", "dialogue")
OF_LEARNED = tuple(
    f"{folder}/**/*.py"
    for folder in ("metrics/trained", "metrics/dialogue", "models/networks", "models/predictors")
)


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


def code(spec: str) -> str:
    """Return a hash of all that a metric scores with, and of what draws and checks batches."""
    return _code(registry.metric_class(spec.partition("(")[0]).info.family in LEARNED)


@cache
def _code(learned: bool) -> str:
    package = Path(nlgauge.__file__).parent
    files = {path for pattern in SCORING for path in package.glob(pattern)}
    if not learned:
        files -= {path for pattern in OF_LEARNED for path in package.glob(pattern)}
    files |= {Path(_native.__file__), HERE.parent / "fuzz.py", *HERE.glob("*.py")}
    hashes = sorted(hashlib.sha256(path.read_bytes()).digest() for path in files)
    return hashlib.sha256(b"".join(hashes)).hexdigest()[:16]


@dataclass(frozen=True)
class Ledger:
    """A file that only grows: several processes may write to it."""

    path: Path

    def write(self, batch: Batch) -> None:
        """Add a batch that has come to its end."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"code": code(batch.spec), **asdict(batch)}) + "\n")

    def batches(self, seed: int) -> dict[tuple[str, int], Batch]:
        """Return the batches without a fault that this code has done, by metric and number."""
        found = {}
        for line in self.path.read_text("utf-8").splitlines() if self.path.exists() else ():
            try:
                record = json.loads(line)
            except ValueError:  # the process was ended while it wrote
                continue
            known = record.pop("code")
            batch = Batch(**record)
            if batch.seed == seed and not batch.broken and known == code(batch.spec):
                found[batch.spec, batch.number] = batch
        return found

    def coverage(self, seed: int) -> dict[str, Coverage]:
        """Return the counts of each metric."""
        found: dict[str, Coverage] = {}
        for batch in self.batches(seed).values():
            found.setdefault(batch.spec, Coverage()).add(batch)
        return found
