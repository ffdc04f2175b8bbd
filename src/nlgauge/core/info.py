"""The facts about a metric that hold whatever its options are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nlgauge.core.facts.cells import check_cell
from nlgauge.core.facts.tasks import check_facts
from nlgauge.core.families import check_family

Input = Literal[
    "references",
    "reference_weights",
    "sources",
    "contexts",
    "tables",
    "annotations",
    # Of contexts; turns may also be the lines of sources.
    "turns",
    "facts",
    "features",
    "documents",
]


@dataclass(frozen=True, kw_only=True)
class Info:
    """Facts about a metric that do not depend on its options.

    What is not one of the known families, cells, tasks or criteria is refused when the metric's
    class is made.
    """

    name: str
    title: str
    family: str
    cell: str  # of the survey's taxonomy, such as CF·U·word-ngram: see `core/facts/cells.py`
    tasks: tuple[str, ...]
    criteria: tuple[str, ...] = ()
    higher_is_better: bool = True
    bounds: tuple[float, float] = (0.0, 1.0)  # of scores with the default options
    scale: float = 100.0  # what the official tool multiplies scores by when it prints them
    needs: tuple[Input, ...] = ("references",)
    uses: tuple[Input, ...] = ()  # what it looks at where it is given, and can do without
    extras: tuple[str, ...] = ()  # pip extras without which the metric cannot run
    # Whether a text of some length reaches the better bound when it is the only reference, too,
    perfect_on_itself: bool = False
    perfect_among_many: bool = False  # and when it is one of several references.
    slow_on_long_lines: bool = False  # a line of 100,000 characters takes more than a few seconds
    # Seconds for each word of a hypothesis and each of a reference, where time grows with both and
    # nothing bounds it: docs/reference/limits.md.
    pair_seconds: float = 0.0
    paper: str
    checked_against: str
    revision: int = 1  # raised when a number moves

    def __post_init__(self) -> None:
        check_facts(self.name, self.tasks, self.criteria)
        check_cell(self.name, self.cell)
        check_family(self.name, self.family)
