"""The result of scoring a part of a corpus, or a stream: exact sums, which can be merged."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from nlgauge.core.metric import Metric, Score
from nlgauge.core.signature import parse, reference_counts, signature_with, with_bootstrap
from nlgauge.core.table import Column, ScoreTable
from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError
from nlgauge.io.write import atomic_write
from nlgauge.kernels import Floats, native
from nlgauge.stats import resampling
from nlgauge.stats.poisson import (
    POISSON,
    PoissonInterval,
    PoissonSums,
    merged_sums,
    plain_sums,
    poisson_sums,
)
from nlgauge.version import __version__


@dataclass
class StreamScores:
    """Scores of a stream: what is added to and merged is exact, so that neither the cuts nor their
    order show in any number.
    """

    metrics: Mapping[str, Metric]  # by the names that they were asked for by
    resamples: int = 0
    seed: int = 0
    segments: int = 0
    references: tuple[int, int] | None = None  # the fewest and the most of a segment
    sums: dict[str, list[native.ColumnSums]] = field(default_factory=dict)  # system -> metrics
    drawn: dict[str, list[PoissonSums]] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)  # metrics that could not run, and why

    def add(self, suite: Suite, rows: Mapping[str, list[Floats]], first: int) -> None:
        """Add the rows of segments, the first of which has that number in the stream, from 0."""
        own = StreamScores(
            self.metrics, self.resamples, self.seed, len(suite), reference_counts(suite)
        )
        for system, tables in rows.items():
            own.sums[system] = [native.ColumnSums([[]] * table.shape[1]) for table in tables]
            for sums, table in zip(own.sums[system], tables, strict=True):
                sums.add(table)
        if self.resamples:
            own.drawn = self._drawn(rows, first)
        self.merge(own)

    def _drawn(self, rows: Mapping[str, list[Floats]], first: int) -> dict[str, list[PoissonSums]]:
        """Return the sums of resamples, which all systems and metrics share."""
        tables = [table for own in rows.values() for table in own]
        found = poisson_sums(tables, first=first, resamples=self.resamples, seed=self.seed)
        parts = iter(found)
        return {system: [next(parts) for _ in own] for system, own in rows.items()}

    def merge(self, other: StreamScores) -> None:
        """Add the scores of another part."""
        self._check(other)
        if not self.segments:
            self.sums, self.drawn = other.sums, other.drawn
        else:
            for system, tables in self.sums.items():
                for own, theirs in zip(tables, other.sums[system], strict=True):
                    own.merge(theirs)
            for system, draws in self.drawn.items():
                self.drawn[system] = [
                    merged_sums(a, b) for a, b in zip(draws, other.drawn[system], strict=True)
                ]
        both = [counts for counts in (self.references, other.references) if counts is not None]
        self.references = (min(a for a, _ in both), max(b for _, b in both)) if both else None
        self.segments += other.segments

    def _check(self, other: StreamScores) -> None:
        if self.metrics is not other.metrics and self.signatures() != other.signatures():
            raise DataError("parts that were scored by different metrics cannot be merged")
        if (self.resamples, self.seed) != (other.resamples, other.seed):
            raise DataError("parts with different seeds or numbers of resamples cannot be merged")
        if self.segments and other.segments and list(self.sums) != list(other.sums):
            raise DataError(f"parts of {list(self.sums)} and {list(other.sums)} cannot be merged")

    def signatures(self) -> dict[str, str]:
        """Return the signature of each metric, whatever the number of references."""
        return {name: signature_with(metric) for name, metric in self.metrics.items()}

    def corpus(self) -> dict[str, dict[str, Score]]:
        """Return the scores of the whole stream, by system and metric."""
        table = self.table()
        return {s: {name: table.score(s, name) for name in self.metrics} for s in self.sums}

    def table(self, *, paired: bool = False) -> ScoreTable:
        """Return the scores as a table, whose rows are the sums: what prints tables of segments
        prints those of a stream. With resamples it has intervals and, if asked for, p-values of
        each system against the first.
        """
        signed = {n: signature_with(m, self.references) for n, m in self.metrics.items()}
        if self.resamples:
            signed = {name: with_bootstrap(text, POISSON) for name, text in signed.items()}
        columns = tuple(Column(name, metric, signed[name]) for name, metric in self.metrics.items())
        rows = {s: tuple(sums.rounded()[None] for sums in own) for s, own in self.sums.items()}
        plain = ScoreTable(columns, rows, self.segments, left_out=self.left_out)
        intervals, p_values = resampling.summarised(plain, self.resampled(), seed=self.seed)
        named = {key: PoissonInterval(**vars(found)) for key, found in intervals.items()}
        return replace(plain, intervals=named, p_values=p_values if paired else {})

    def resampled(self) -> dict[tuple[str, str], Floats]:
        """Return the scores of resamples, on the printed scale, by system and metric."""
        return {
            (system, name): metric.score(plain_sums(sums)) * metric.info.scale
            for system, tables in self.drawn.items()
            for (name, metric), sums in zip(self.metrics.items(), tables, strict=True)
        }

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON: those of a `ScoreTable` of the same segments."""
        return self.table().to_dict()

    def state(self) -> dict[str, Any]:
        """Return plain values from which `restored` makes the same scores."""
        return {
            "nlgauge": __version__,
            "metrics": self.signatures(),
            "resamples": self.resamples,
            "seed": self.seed,
            "segments": self.segments,
            "references": self.references,
            "systems": {
                system: dict(zip(self.metrics, (t.parts() for t in tables), strict=True))
                for system, tables in self.sums.items()
            },
            "drawn": {
                system: dict(zip(self.metrics, (t.tolist() for t in tables), strict=True))
                for system, tables in self.drawn.items()
            },
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the exact sums, which `load` takes back; equal scores give equal bytes."""
        with atomic_write(path) as file:
            file.write(json.dumps(self.state(), allow_nan=False) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> StreamScores:
        """Read the scores that `save` wrote."""
        try:
            return cls.restored(json.loads(Path(path).read_bytes()))
        except OSError as error:
            raise DataError(f"{path}: cannot be read ({error.strerror})") from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DataError(f"{path}: is not what StreamScores.save wrote ({error})") from None

    @classmethod
    def restored(
        cls, state: Mapping[str, Any], metrics: Mapping[str, Metric] | None = None
    ) -> StreamScores:
        """Return the scores of `state`; by default with the metrics that it names."""
        return cls(
            {n: parse(s) for n, s in state["metrics"].items()} if metrics is None else metrics,
            state["resamples"],
            state["seed"],
            state["segments"],
            tuple(state["references"]) if state["references"] else None,
            {s: [native.ColumnSums(p) for p in t.values()] for s, t in state["systems"].items()},
            {s: [np.array(d, np.int64) for d in t.values()] for s, t in state["drawn"].items()},
        )
