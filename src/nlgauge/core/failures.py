"""Say which metric failed, at which step and, where it can be found, at which segment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError, MetricFailed, NlgaugeError
from nlgauge.kernels import Floats

if TYPE_CHECKING:
    from nlgauge.core.metric import Metric

MOST_TRIED = 10_000  # segments that are computed again, one by one, to find the one that fails


def is_own(metric: Metric) -> bool:
    """Return whether a metric comes with nlgauge; errors of those are bugs, and keep their type."""
    return (type(metric).__module__ or "").partition(".")[0] == "nlgauge"


def full_name(metric: Metric) -> str:
    """Return how messages call a metric that failed: its name and its class."""
    return f"{metric.info.name} ({type(metric).__module__}.{type(metric).__qualname__})"


@contextmanager
def guarded(metric: Metric, step: str, place: Callable[[], str] = str) -> Iterator[None]:
    """Turn what a third party's metric raises into MetricFailed, and add a note to what an own one
    does; `place` finds where it was.
    """
    try:
        yield
    except (NlgaugeError, Warning):
        raise
    except Exception as error:
        where = "" if isinstance(error, MemoryError) else place()
        if is_own(metric):
            _add_note(error, f"{full_name(metric)}: {step} failed{where}")
            raise
        raise MetricFailed(
            f"{full_name(metric)}: {step} raised {type(error).__name__}: {error}{where}; "
            "tell the metric's authors, or leave it out"
        ) from error


def _add_note(error: Exception, note: str) -> None:
    if hasattr(error, "add_note"):  # from Python 3.11 on
        error.add_note(note)


def refuse_no_numbers(metric: Metric, corpus: Corpus, rows: Floats) -> Floats:
    """Return the rows of one of nlgauge's metrics; raise DataError if any holds NaN, as they do
    where the numbers of a model's file are too large to be right.
    """
    bad = np.flatnonzero(np.isnan(rows).any(axis=1)) if is_own(metric) else np.zeros(0, np.intp)
    if not bad.size:
        return rows
    place = f"{corpus.segment_name(int(bad[0]))} of {corpus.name}"
    raise DataError(
        f"{metric.info.name}: the score of {place} is no number (NaN); if a file of yours holds "
        "the model, it is damaged: fetch or train it again"
    )


def failing_segment(corpus: Corpus, compute: Callable[[Corpus], object]) -> str:
    """Return, for a message, which of the segments is the first to fail alone."""
    for i in range(min(len(corpus), MOST_TRIED)):
        if _fails(compute, corpus.take([i])):
            return f" at {corpus.segment_name(i)} of {corpus.name}"
    return ""


def _fails(compute: Callable[[Corpus], object], corpus: Corpus) -> bool:
    try:
        compute(corpus)
    except Exception:
        return True
    return False
