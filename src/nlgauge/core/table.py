"""The result of scoring: systems × metrics × segments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from nlgauge.core.metric import Interval, Metric, Score, totals
from nlgauge.core.results import Result
from nlgauge.data.corpus import Suite
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats

if TYPE_CHECKING:
    from nlgauge.data.judgements import Judgements


class Column(NamedTuple):
    """A column is a metric of a table, under the name it was asked for by, with its signature."""

    name: str
    metric: Metric
    signature: str


@dataclass(frozen=True, repr=False)
class ScoreTable(Result):
    """A table has sufficient statistics of every system, metric and segment; all else follows from
    them.
    """

    columns: tuple[Column, ...]
    rows: Mapping[str, tuple[Floats, ...]]  # system -> one [segments, k] per column
    segments: int
    ids: Sequence[str] | None = None
    intervals: Mapping[tuple[str, str], Interval] = field(default_factory=dict)
    # Of each system against the first.
    p_values: Mapping[tuple[str, str], float] = field(default_factory=dict)
    p_test: str = "paired bootstrap"
    # Metrics of a group that could not run on this corpus, and why.
    left_out: Mapping[str, str] = field(default_factory=dict)
    # What was scored, and what people said of it, as far as that is known.
    suite: Suite | None = field(default=None, compare=False)
    judgements: Judgements | None = field(default=None, compare=False)
    # Whether systems have segments of their own, and not all the same ones.
    apart: bool = False

    @property
    def systems(self) -> list[str]:
        """Return names of systems, in the order given."""
        return list(self.rows)

    def column(self, name: str) -> Column:
        """Return the column of that name."""
        for column in self.columns:
            if column.name == name:
                return column
        known = ", ".join(column.name for column in self.columns)
        raise SpecError(f"no metric {name!r} in this table; it has {known}")

    def rows_of(self, system: str, name: str) -> Floats:
        """Return sufficient statistics of one system and metric."""
        if system not in self.rows:
            raise SpecError(f"no system {system!r}; there are {', '.join(self.rows)}")
        return self.rows[system][self.columns.index(self.column(name))]

    def score(self, system: str, name: str) -> Score:
        """Return the corpus score of a system by a metric."""
        column = self.column(name)
        found = column.metric.scored(totals(self.rows_of(system, name)), column.signature)
        key = (system, name)
        return replace(
            found, name=name, interval=self.intervals.get(key), p_value=self.p_values.get(key)
        )

    def printed(self) -> dict[tuple[str, str], float]:
        """Return every corpus score on the printed scale, by system and metric."""
        return {(s, c.name): self.score(s, c.name).score for s in self.rows for c in self.columns}

    def segment_scores(self, system: str, name: str) -> Floats:
        """Return one score per segment, on the printed scale."""
        metric = self.column(name).metric
        scores: Floats = metric.score(self.rows_of(system, name)) * metric.info.scale
        return scores

    def __getitem__(self, key: str | tuple[str, str]) -> Score:
        """Return a score: `table["bleu"]` for a single system, `table["system", "bleu"]` always."""
        if isinstance(key, tuple):
            return self.score(*key)
        if len(self.rows) != 1:
            raise SpecError(f"several systems: write table[system, {key!r}]")
        return self.score(self.systems[0], key)

    def __iter__(self) -> Iterator[Score]:
        for system in self.rows:
            for column in self.columns:
                yield self.score(system, column.name)

    def best(self, name: str) -> list[str]:
        """Return the systems with the best score; several if they tie."""
        sign = 1 if self.column(name).metric.info.higher_is_better else -1
        scores = {system: sign * self.score(system, name).value for system in self.rows}
        top = max(scores.values())
        return [system for system, value in scores.items() if value == top]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        return {
            "segments": self.segments,
            "left_out": dict(self.left_out),
            "systems": {
                system: {c.name: self.score(system, c.name).to_dict() for c in self.columns}
                for system in self.rows
            },
        }

    @property
    def segment_ids(self) -> Sequence[str]:
        """Return ids of the segments; their numbers from 1 if they have none of their own."""
        return self.ids or [str(i + 1) for i in range(self.segments)]

    def segment(self, segment: str | int, system: str | None = None) -> dict[str, Any]:
        """Return the scores of a segment, by its id or its number from 1, by metric; of several
        systems, by system first.
        """
        ids = list(self.segment_ids)
        name = str(segment)
        if name in ids:
            i = ids.index(name)
        elif name.isdecimal() and 1 <= int(name) <= self.segments:
            i = int(name) - 1
        else:
            raise SpecError(
                f"no segment {segment!r}; there are numbers 1 to {self.segments}, and ids like "
                f"{ids[0]!r}"
            )
        found = {
            own: {c.name: float(self.segment_scores(own, c.name)[i]) for c in self.columns}
            for own in ([system] if system is not None else self.systems)
        }
        return next(iter(found.values())) if len(found) == 1 else found

    def by_segment(self) -> SegmentScores:
        """Return the scores of all segments, to be printed or turned into a data frame."""
        return SegmentScores(self)

    def records(self) -> Iterator[dict[str, Any]]:
        """Return one record per system and segment: scores and parts of every metric."""
        for system, tables in self.rows.items():
            scores = [self.segment_scores(system, c.name).tolist() for c in self.columns]
            for i, segment_id in enumerate(self.segment_ids):
                metrics = {
                    column.name: {"score": values[i], **column.metric.parts(rows[i])}
                    for column, values, rows in zip(self.columns, scores, tables, strict=True)
                }
                yield {"system": system, "id": segment_id, "scores": metrics}


@dataclass(frozen=True, repr=False)
class SegmentScores(Result):
    """These are the scores of a table, with a row for each system and segment."""

    table: ScoreTable

    def to_dict(self) -> dict[str, Any]:
        """Return one record per system and segment: scores and parts of every metric."""
        return {"segments": list(self.table.records())}
