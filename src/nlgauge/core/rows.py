"""Compute the rows of many metrics at once; those that prepare texts alike share one pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from nlgauge.core.failures import is_own
from nlgauge.core.metric import KernelMetric, Metric, rows_of
from nlgauge.data.corpus import Corpus
from nlgauge.errors import NlgaugeError
from nlgauge.kernels import Floats


def rows_of_all(
    fitted: Sequence[tuple[Metric, Any]], corpus: Corpus, *, threads: int
) -> list[Floats]:
    """Return the rows of all metrics, each of which comes with what its `fit` returned."""
    for metric, _ in fitted:
        if is_own(metric):
            metric.announce(corpus)
    alone: dict[int, tuple[Metric, Any]] = {}
    alike: dict[Any, dict[int, tuple[KernelMetric, Any]]] = {}
    for i, (metric, state) in enumerate(fitted):
        if isinstance(metric, KernelMetric) and is_own(metric):
            alike.setdefault(metric.preparation(), {})[i] = (metric, state)
        else:
            alone[i] = (metric, state)
    result: dict[int, Floats] = {}
    progress = _Progress(corpus, len(alone) + len(alike))
    for i, (metric, state) in alone.items():
        if is_own(metric):
            result[i] = metric.rows(corpus, state, threads=threads)
        else:
            from nlgauge.core.extending.third_party import guarded_rows

            compute = partial(metric.rows, state=state, threads=threads)
            result[i] = guarded_rows(metric, corpus, compute)
        progress.step()
    for group in alike.values():
        found = _rows_alike(list(group.values()), corpus, threads, progress.hears)
        result.update(zip(group, found, strict=True))
        progress.step()
    return [result[i] for i in range(len(fitted))]


class _Progress:
    """How much of a system's work is done: metrics one by one, and in them segments."""

    def __init__(self, corpus: Corpus, steps: int) -> None:
        self._tell, self._segments = corpus.context.on_share, len(corpus)
        self._done, self._steps = 0, steps

    def step(self) -> None:
        """Tell that one of the steps is done."""
        self._done += 1
        self._rows(0)

    @property
    def hears(self) -> Callable[[int], None] | None:
        """Return what hears of rows in a step, if anybody wants to know."""
        return None if self._tell is None else self._rows

    def _rows(self, rows: int) -> None:
        if self._tell is not None:
            self._tell((self._done + rows / self._segments) / self._steps)


def _rows_alike(
    fitted: list[tuple[KernelMetric, Any]],
    corpus: Corpus,
    threads: int,
    on_rows: Callable[[int], None] | None,
) -> list[Floats]:
    """Compute rows in one pass; if that fails, let each metric say by itself what is wrong."""
    try:
        return rows_of(fitted, corpus, threads=threads, on_rows=on_rows)
    except (NlgaugeError, Warning):
        raise
    except Exception:
        for metric, state in fitted:
            metric.rows(corpus, state, threads=threads)
        raise
