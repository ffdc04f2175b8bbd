"""Metrics that are not nlgauge's own: what they raise, or return wrongly, becomes an error that
names the metric and, where it can be found, the segment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from nlgauge.core.metric import Metric, totals
from nlgauge.data.corpus import Corpus
from nlgauge.errors import MetricFailed, NlgaugeError
from nlgauge.kernels import Floats

MOST_TRIED = 10_000  # segments that are computed again, one by one, to find the one that fails


def is_own(metric: Metric) -> bool:
    """Return whether a metric comes with nlgauge; errors of those are bugs, and stay as they
    are.
    """
    return type(metric).__module__.partition(".")[0] == "nlgauge"


@contextmanager
def guarded(metric: Metric, step: str, place: Callable[[], str] = str) -> Iterator[None]:
    """Turn what a third party's metric raises into MetricFailed; `place` finds where it was."""
    try:
        yield
    except NlgaugeError:
        raise
    except Exception as error:
        if is_own(metric):
            raise
        raise MetricFailed(
            f"{_called(metric)}: {step} raised {type(error).__name__}: {error}{place()}; "
            "tell the metric's authors, or leave it out"
        ) from error


def guarded_rows(metric: Metric, corpus: Corpus, compute: Callable[[Corpus], Floats]) -> Floats:
    """Return rows of a metric. Those of a third party's are checked, and scored once: what it
    cannot do is known before the next metric starts.
    """
    with guarded(metric, "rows", lambda: _failing(corpus, compute)):
        computed = compute(corpus)
    if is_own(metric):
        return computed
    rows = np.asarray(computed)
    if rows.ndim != 2 or len(rows) != len(corpus) or rows.dtype.kind not in "fiub":
        raise MetricFailed(
            f"{_called(metric)}: rows returned {rows.dtype} of shape {rows.shape}; expected "
            f"numbers, a row for each of the {len(corpus)} segments"
        )
    rows = np.asarray(rows, np.float64)
    with guarded(metric, "score", lambda: _failing(corpus, lambda c: metric.score(compute(c)))):
        scores = np.asarray(metric.score(rows), np.float64)
        metric.scored(totals(rows), "")
    if scores.shape != (len(corpus),):
        raise MetricFailed(
            f"{_called(metric)}: score returned an array of shape {scores.shape} for "
            f"{len(corpus)} rows; expected a score for each"
        )
    bad = np.flatnonzero(~(np.isfinite(rows).all(axis=1) & np.isfinite(scores)))
    if bad.size:
        place = f"{corpus.segment_name(int(bad[0]))} of {corpus.name}"
        raise MetricFailed(
            f"{_called(metric)}: not a finite number at {place}, one of {bad.size} such segments"
        )
    return rows


def _called(metric: Metric) -> str:
    return f"{metric.info.name} ({type(metric).__module__}.{type(metric).__qualname__})"


def _failing(corpus: Corpus, compute: Callable[[Corpus], Floats]) -> str:
    for i in range(min(len(corpus), MOST_TRIED)):
        if _fails(compute, corpus.take([i])):
            return f" at {corpus.segment_name(i)} of {corpus.name}"
    return ""


def _fails(compute: Callable[[Corpus], Floats], corpus: Corpus) -> bool:
    try:
        compute(corpus)
    except Exception:
        return True
    return False
