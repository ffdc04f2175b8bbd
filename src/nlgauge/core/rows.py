"""Compute the rows of many metrics at once; those that prepare texts alike share one pass."""

from __future__ import annotations

from collections.abc import Sequence
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
    result: dict[int, Floats] = {}
    alike: dict[Any, dict[int, tuple[KernelMetric, Any]]] = {}
    for i, (metric, state) in enumerate(fitted):
        if isinstance(metric, KernelMetric) and is_own(metric):
            alike.setdefault(metric.preparation(), {})[i] = (metric, state)
        elif is_own(metric):
            result[i] = metric.rows(corpus, state, threads=threads)
        else:
            from nlgauge.core.third_party import guarded_rows

            compute = partial(metric.rows, state=state, threads=threads)
            result[i] = guarded_rows(metric, corpus, compute)
    for group in alike.values():
        result.update(zip(group, _rows_alike(list(group.values()), corpus, threads), strict=True))
    return [result[i] for i in range(len(fitted))]


def _rows_alike(
    fitted: list[tuple[KernelMetric, Any]], corpus: Corpus, threads: int
) -> list[Floats]:
    """Compute rows in one pass; if that fails, let each metric say by itself what is wrong."""
    try:
        return rows_of(fitted, corpus, threads=threads)
    except (NlgaugeError, Warning):
        raise
    except Exception:
        for metric, state in fitted:
            metric.rows(corpus, state, threads=threads)
        raise
