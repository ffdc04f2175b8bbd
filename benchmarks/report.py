"""Lines of the result, on the terminal and in RESULTS.md."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from peers import versions

import nlgauge
from nlgauge.run.doctor import examine

RESULTS = Path(__file__).parent / "RESULTS.md"
COLUMNS = ("comparison", "nlgauge", "against", "theirs", "result", "bar", "")
METHOD = """\
Written by `python benchmarks/run.py --write`.

- Corpora are synthetic (`benchmarks/corpora.py`): about 24 words per segment, Zipfian vocabulary of
  60,000 types; hypotheses differ from the reference by 26 % substitutions, 8 % deletions, 8 %
  insertions and a moved block in 60 % of the segments.
- The tools of a comparison take turns in one process; times are medians of {reps} repetitions or
  more, after a round to warm up. sacreBLEU's caches of tokenised lines are emptied before each.
- Comparisons of metrics are in CPU time with one thread, from the same lists of `str` to the score;
  nlgauge's time includes packing the texts. Slow tools get the first segments of the same corpus
  (numbers in brackets), and time per segment is compared.
- Before anything is timed, nlgauge's statistics of every segment have to equal sacreBLEU's, and the
  scores have to agree within 1e-9.
- fastchrf computes segment scores of each hypothesis with each reference, not corpus scores.
- Memory is the peak resident size of the command line, less that of the same command on ten lines,
  as a multiple of the size of the texts read. Start-up times are wall time of a fresh process.
"""


@dataclass(frozen=True)
class Bar:
    """What a result has to reach."""

    limit: float
    unit: str = "×"
    at_least: bool = True

    def __str__(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {self.limit:g}{self.unit}"

    def met(self, value: float) -> bool:
        """Whether a value reaches it."""
        return value >= self.limit if self.at_least else value <= self.limit


@dataclass(frozen=True)
class Line:
    """One comparison; `value` is what the bar is for."""

    comparison: str
    ours: str
    value: float
    unit: str = "×"
    bar: Bar | None = None
    peer: str = ""
    theirs: str = ""

    def cells(self) -> tuple[str, ...]:
        """As printed."""
        digits = 0 if abs(self.value) >= 100 else 1 if abs(self.value) >= 10 else 2
        verdict = "" if self.bar is None else "met" if self.bar.met(self.value) else "missed"
        result = f"{self.value:.{digits}f}{self.unit}"
        bar = "" if self.bar is None else str(self.bar)
        return (self.comparison, self.ours, self.peer, self.theirs, result, bar, verdict)


def show(lines: Iterable[Line]) -> None:
    """Print a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(*COLUMNS, box=None, padding=(0, 2, 0, 0))
    colours = {"met": "green", "missed": "bold red", "": ""}
    for line in lines:
        *cells, verdict = line.cells()
        table.add_row(*cells, f"[{colours[verdict]}]{verdict}[/]" if verdict else "")
    Console(width=None if sys.stdout.isatty() else 140).print(table)


def write(lines: Iterable[Line], notes: Iterable[str], reps: int) -> None:
    """Replace RESULTS.md."""
    rows = [COLUMNS, ("---",) * len(COLUMNS), *(line.cells() for line in lines)]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    facts = "\n".join(f"- {name}: {value}" for name, value in machine().items())
    remarks = "".join(f"- {note}\n" for note in notes)
    RESULTS.write_text(
        f"# Benchmark results\n\n{table}\n\n## Checks and notes\n\n{remarks}\n"
        f"## How it was measured\n\n{METHOD.format(reps=reps)}\n## Machine\n\n{facts}\n",
        encoding="utf-8",
    )


def machine() -> dict[str, str]:
    """What the numbers depend on."""
    facts = examine()["machine"]
    return {
        "processor": f"{_processor()}, {facts['processors']} cores, vectors: {facts['vectors']}",
        "system": f"{platform.system()} {platform.machine()}, "
        f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB memory",
        "Python": platform.python_version(),
        "NumPy": np.__version__,
        "nlgauge": nlgauge.__version__,
        **versions(),
    }


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()
