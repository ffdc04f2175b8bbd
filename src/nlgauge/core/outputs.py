"""Outputs of several systems where not every system answered every item, and their scores.

A `Suite` holds what every system made of the same segments. Judged data is often not like that:
each item may have the outputs of other systems, or of one only. Here each row is one output.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from nlgauge.core.metric import totals
from nlgauge.core.table import Column, ScoreTable
from nlgauge.data.contexts import Context
from nlgauge.data.corpus import Corpus, Suite
from nlgauge.data.labels import NONE, Labels, Rows
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class Outputs:
    """Outputs are texts by item and system, one per row of `corpus`; `groups` are further columns
    by which results can be split, such as language pairs.
    """

    corpus: Corpus
    items: Labels
    systems: Labels
    groups: Mapping[str, Labels] = field(default_factory=dict)

    @classmethod
    def of_suite(cls, suite: Suite) -> Outputs:
        """Collect every system's outputs, one system after the other."""
        first = next(iter(suite))
        ids = first.ids or [str(i + 1) for i in range(len(suite))]
        columns = {
            name: [value for corpus in suite for value in getattr(corpus, name)]
            for name in ("sources", "tables", "annotations")
            if all(getattr(corpus, name) is not None for corpus in suite)
        }
        contexts = [corpus.contexts for corpus in suite if corpus.contexts is not None]
        return cls(
            corpus=Corpus.build(
                [text for corpus in suite for text in corpus.hypotheses],
                [refs for corpus in suite for refs in corpus.references],
                name="outputs",
                contexts=Context.join(contexts) if len(contexts) == len(suite.systems) else None,
                **columns,
            ),
            items=Labels.build(name for _ in suite for name in ids),
            systems=Labels.build(corpus.name for corpus in suite for _ in ids),
        )

    def __len__(self) -> int:
        return len(self.corpus)

    def take(self, rows: Sequence[int]) -> Outputs:
        """Return the given rows alone."""
        return Outputs(
            corpus=self.corpus.take(rows),
            items=self.items.take(rows).used(),
            systems=self.systems.take(rows).used(),
            groups={name: labels.take(rows) for name, labels in self.groups.items()},
        )

    def distinct_items(self) -> Corpus:
        """Return one row per item: what metrics that look at the whole test set are fitted on."""
        _, first = np.unique(self.items.codes, return_index=True)
        if len(first) == len(self):
            return self.corpus
        return self.corpus.take(sorted(first.tolist()))


@dataclass(frozen=True, eq=False, kw_only=True)
class StreamSample:
    """This is known of a stream of outputs too long to be held, of which only some are here."""

    segments: int
    numbers: Mapping[str, int]  # of items in the stream, from 0
    scores: Mapping[tuple[str, str], float]  # of all outputs, by system and metric, as printed


@dataclass(frozen=True, eq=False, kw_only=True)
class OutputScores:
    """Every output has sufficient statistics of every metric."""

    items: Labels
    systems: Labels
    columns: tuple[Column, ...]
    rows: tuple[Floats, ...]  # one [outputs, k] per column
    # Metrics of a group that could not run on these outputs, and why.
    left_out: Mapping[str, str] = field(default_factory=dict)
    sample: StreamSample | None = None  # if there are more outputs than these

    @classmethod
    def of_table(cls, table: ScoreTable) -> OutputScores:
        """Take the scores of systems that answered every item from a table."""
        ids = list(table.segment_ids)
        return cls(
            items=Labels.build(ids * len(table.systems)),
            systems=Labels.build(name for name in table.systems for _ in ids),
            columns=table.columns,
            rows=tuple(
                np.vstack([table.rows_of(system, column.name) for system in table.systems])
                for column in table.columns
            ),
        )

    def __len__(self) -> int:
        return len(self.items)

    @property
    def names(self) -> list[str]:
        """Return the names of the metrics, in column order."""
        return [column.name for column in self.columns]

    def column(self, name: str) -> Column:
        """Return the column of that name."""
        return self.columns[self._position(name)]

    def rows_of(self, name: str) -> Floats:
        """Return the statistics of one metric: [outputs, k]."""
        return self.rows[self._position(name)]

    def _position(self, name: str) -> int:
        if name not in self.names:
            raise SpecError(f"no metric {name!r} here; there is: {', '.join(self.names)}")
        return self.names.index(name)

    def segment_scores(self, name: str) -> Floats:
        """Return one score per output, on the printed scale."""
        metric = self.column(name).metric
        scores: Floats = metric.score(self.rows_of(name)) * metric.info.scale
        return scores

    def system_scores(self, name: str, scored: npt.NDArray[np.bool_] | None = None) -> Floats:
        """Return one score per system on the printed scale, over its outputs or those among them
        that are `scored`; NaN for a system that has none of these.
        """
        metric, rows = self.column(name).metric, self.rows_of(name)
        codes = self.systems.codes if scored is None else np.where(scored, self.systems.codes, NONE)
        sums = [totals(rows[codes == i]) for i in range(len(self.systems.names))]
        scores: Floats = metric.score(np.stack(sums)) * metric.info.scale
        scores[~np.isin(np.arange(len(sums)), codes)] = np.nan
        return scores

    def grid(self, values: Floats) -> Floats:
        """Arrange values of outputs as [systems, items]; NaN where a system has no output."""
        result = np.full((len(self.systems.names), len(self.items.names)), np.nan)
        result[self.systems.codes, self.items.codes] = values
        return result

    def take(self, rows: Rows) -> OutputScores:
        """Return the given outputs (indices, or a mask), with only the items and systems they
        have.
        """
        return replace(
            self,
            items=self.items.take(rows).used(),
            systems=self.systems.take(rows).used(),
            rows=tuple(table[rows] for table in self.rows),
        )

    def joined(self, other: OutputScores) -> OutputScores:
        """Add the metrics of `other` for the same outputs, in whatever order they are there."""
        found = {key: row for row, key in enumerate(zip(other.systems, other.items, strict=True))}
        order = []
        for system, item in zip(self.systems, self.items, strict=True):
            if (system, item) not in found:
                raise DataError(
                    f"no score of {', '.join(other.names)} for system {system!r}, item {item!r}; "
                    "give one for every output"
                )
            order.append(found[system, item])
        if twice := set(self.names) & set(other.names):
            raise SpecError(f"metric {', '.join(sorted(twice))} is given twice; rename one")
        return replace(
            self,
            columns=self.columns + other.columns,
            rows=self.rows + tuple(table[order] for table in other.rows),
        )

    def table(self) -> ScoreTable:
        """Return a table of systems over the same segments; every system must have every item."""
        where = self.grid(np.arange(len(self), dtype=np.float64))
        if np.isnan(where).any():
            system, item = np.argwhere(np.isnan(where))[0]
            raise DataError(
                f"system {self.systems.names[system]!r} has no output for item "
                f"{self.items.names[item]!r}; comparing systems needs every output of each"
            )
        order = where.astype(np.intp)
        return ScoreTable(
            columns=self.columns,
            rows={
                name: tuple(table[order[i]] for table in self.rows)
                for i, name in enumerate(self.systems.names)
            },
            segments=len(self.items.names),
            ids=self.items.names,
        )
