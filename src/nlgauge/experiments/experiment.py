"""Define what an experiment is given, and what it returns: our figures beside the paper's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nlgauge.core.facts.defaults import SEED
from nlgauge.errors import ResourceMissing, SpecError
from nlgauge.kernels import native
from nlgauge.run.comparison import SystemScore


@dataclass(frozen=True)
class OurFigure:
    """A figure is a number that we found, with its interval if there is one."""

    value: float
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, found: SystemScore, scale: float = 1.0) -> OurFigure:
        """Return the score of a system with its interval, divided by a scale."""
        if found.interval is None:
            return cls(found.score / scale)
        bounds = found.interval.low / scale, found.interval.high / scale
        return cls(found.score / scale, *bounds)


Ours = OurFigure | float | str | None
Papers = float | str | None


@dataclass(frozen=True)
class ComparedRow:
    """A row has a label, our figures and the paper's, one for each column of its table."""

    label: str
    ours: tuple[Ours, ...]
    paper: tuple[Papers, ...]


@dataclass(frozen=True)
class ComparedTable:
    """A table of our figures beside the paper's says how numbers are written, and what is known
    about them.
    """

    title: str
    ours: tuple[str, ...]  # names of columns
    paper: tuple[str, ...]
    rows: Sequence[ComparedRow]
    notes: tuple[str, ...] = ()
    format: str = ".3f"
    label: str = "metric"  # what the rows are


@dataclass(frozen=True)
class DataNeed:
    """An experiment needs some files: a name for them, what they hold, and the examples we have."""

    name: str
    help: str
    examples: tuple[str, ...] = ()
    optional: bool = False


@dataclass(frozen=True, kw_only=True)
class ExperimentData:
    """This is what an experiment is given: files by name, and settings of the run."""

    files: Mapping[str, Sequence[str]] = field(default_factory=dict)
    criterion: str | None = None  # in place of the paper's
    seed: int = SEED
    threads: int | None = None

    def filled(self, needs: Sequence[DataNeed]) -> ExperimentData:
        """Return the same with our examples for files that were not given.

        Who gives some files gives all: examples do not fit other data.
        """
        known = {need.name: need for need in needs}
        for name in self.files:
            if name not in known:
                raise SpecError(f"no data {name!r}; the experiment takes {', '.join(known)}")
        if self.files:
            for need in needs:
                if need.name not in self.files and not need.optional:
                    raise SpecError(f"no data {need.name!r}; give {need.help}")
            return self
        found = {need.name: [example(name) for name in need.examples] for need in needs}
        return ExperimentData(
            files={name: paths for name, paths in found.items() if paths},
            criterion=self.criterion,
            seed=self.seed,
            threads=self.threads,
        )


def example(name: str) -> str:
    """Return the path of a file of the examples, beside the sources or as they were installed."""
    homes = (Path(__file__).parents[3], Path(native.__file__).parent)
    for home in homes:
        path = home / "examples" / name
        if path.is_file():
            return str(path)
    raise ResourceMissing(f"examples/{name}: not installed; give data of your own with --data")
