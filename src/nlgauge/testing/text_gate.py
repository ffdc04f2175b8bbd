"""Assert in a test that outputs are good enough, and no worse than those of a baseline."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nlgauge.core import registry
from nlgauge.core.table import ScoreTable
from nlgauge.data import columns
from nlgauge.errors import DataError
from nlgauge.run.comparison import Comparison, compare
from nlgauge.run.gates import Margin, losses, missed_limits, worst_segments
from nlgauge.run.scoring import score
from nlgauge.testing.baseline_files import read_baseline, write_baseline

NEW, BASELINE = "new", "baseline"
MOST_SHOWN = 3  # segments that lost most


@dataclass(frozen=True)
class TextGate:
    """The fixture `nlgauge`: assertions about texts, whose scores go to the JUnit report."""

    baselines: Path = field(repr=False)
    update: bool = False
    properties: list[tuple[str, object]] = field(default_factory=list, repr=False)

    def assert_score(
        self,
        hypotheses: Iterable[str],
        references: Any = None,
        limits: Mapping[str, float] | None = None,
        *,
        threads: int | None = None,
        texts: Mapping[str, Any] | None = None,
        **named: float,
    ) -> ScoreTable:
        """Assert that no score misses its limit: `assert_score(hyps, refs, bleu=30, ter=55)`.

        Where lower is better, the limit is the highest allowed. Metrics whose names are no Python
        names go into `limits`; `texts` has further columns, such as sources.
        """
        __tracebackhide__ = True
        wanted = {**(limits or {}), **named}
        table = score(
            {NEW: hypotheses}, references, metrics=list(wanted), threads=threads, **(texts or {})
        )
        self._record(table)
        if missed := missed_limits(table, wanted):
            raise AssertionError("\n".join([*map(str, missed), "", str(table)]))
        return table

    def assert_not_worse(
        self,
        new: Iterable[str],
        baseline: Iterable[str] | str | os.PathLike[str],
        references: Any = None,
        *,
        metrics: registry.Metrics = ("bleu", "chrf"),
        p: float = 0.05,
        margin: Margin = 0.0,
        test: Any = "randomisation",
        texts: Mapping[str, Any] | None = None,
    ) -> Comparison | None:
        """Assert that new outputs are not significantly worse than a baseline by more than a
        margin, by any metric.

        `baseline` has outputs, or is the name of stored ones: `pytest --nlgauge-update` stores the
        new outputs under that name. `margin` is on the printed scale, for all metrics or by metric.
        """
        __tracebackhide__ = True
        outputs = list(columns.entries(NEW, new))
        if isinstance(baseline, str | os.PathLike):
            file = self.baselines / f"{os.fspath(baseline).removesuffix('.jsonl')}.jsonl"
            if self.update:
                write_baseline(file, outputs)
                return None
            baseline = _stored(file, len(outputs))
        systems = {NEW: outputs, BASELINE: baseline}
        table = score(systems, references, metrics=metrics, **(texts or {}))
        self._record(table)
        result = compare(table, pairs=[(NEW, BASELINE)], alpha=p, test=test)
        for found in result.differences:
            self.properties.append((f"nlgauge.{found.metric}.p", found.adjusted))
        if worse := losses(result, NEW, BASELINE, margin):
            said = [
                f"{NEW} is significantly worse than {BASELINE} by {found.metric}: "
                f"{found.difference:+.2f} (p = {found.adjusted:.4f})"
                for found in worse
            ]
            shown = _shown_segments(table, worse[0].metric)
            raise AssertionError("\n".join([*said, "", str(result), "", *shown]))
        return result

    def _record(self, table: ScoreTable) -> None:
        for (system, metric), value in table.printed().items():
            name = metric if system == NEW else f"{metric}.{system}"
            self.properties.append((f"nlgauge.{name}", value))


def _stored(file: Path, expected: int) -> list[str]:
    __tracebackhide__ = True
    remedy = "run: pytest --nlgauge-update"
    if not file.exists():
        raise AssertionError(f"{file}: there is no such baseline yet; {remedy}")
    outputs = read_baseline(file)
    if len(outputs) != expected:
        raise DataError(f"{file} has {len(outputs)} outputs, the test has {expected}; {remedy}")
    return outputs


def _shown_segments(table: ScoreTable, metric: str) -> list[str]:
    """Return the texts of the segments that lost most, one below the other."""
    suite, lines = table.suite, []
    if suite is None:
        return []
    for i in worst_segments(table, metric, NEW, BASELINE, MOST_SHOWN):
        new, old = suite.systems[NEW], suite.systems[BASELINE]
        scores = {name: table.segment_scores(name, metric)[i] for name in (BASELINE, NEW)}
        lines += [
            f"{new.segment_name(i)}: {metric} {scores[BASELINE]:.2f} → {scores[NEW]:.2f}",
            f"  - {old.hypotheses[i]}",
            f"  + {new.hypotheses[i]}",
            *(f"  = {reference}" for reference in new.references[i]),
        ]
    return ["Lost most (- baseline, + new, = reference):", *lines] if lines else []
