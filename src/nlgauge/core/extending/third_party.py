"""Check what metrics return that are not nlgauge's own, and say which and where it is wrong."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nlgauge.core.failures import failing_segment, full_name, guarded, is_own
from nlgauge.core.metric import Metric, totals
from nlgauge.data.corpus import Corpus
from nlgauge.errors import MetricFailed
from nlgauge.kernels import Floats


def guarded_rows(metric: Metric, corpus: Corpus, compute: Callable[[Corpus], Floats]) -> Floats:
    """Return the rows of a metric. Those of a third party's are checked, and scored once: what it
    cannot do is known before the next metric starts.
    """
    if is_own(metric):
        return compute(corpus)
    with guarded(metric, "rows", lambda: failing_segment(corpus, compute)):
        computed = compute(corpus)
    rows = np.asarray(computed)
    if rows.ndim != 2 or len(rows) != len(corpus) or rows.dtype.kind not in "fiub":
        raise MetricFailed(
            f"{full_name(metric)}: rows returned {rows.dtype} of shape {rows.shape}; expected "
            f"numbers, a row for each of the {len(corpus)} segments"
        )
    rows = np.asarray(rows, np.float64)

    def scored(part: Corpus) -> Floats:
        return metric.score(compute(part))

    with guarded(metric, "score", lambda: failing_segment(corpus, scored)):
        scores = np.asarray(metric.score(rows), np.float64)
        metric.scored(totals(rows), "")
    if scores.shape != (len(corpus),):
        raise MetricFailed(
            f"{full_name(metric)}: score returned an array of shape {scores.shape} for "
            f"{len(corpus)} rows; expected a score for each"
        )
    bad = np.flatnonzero(~(np.isfinite(rows).all(axis=1) & np.isfinite(scores)))
    if bad.size:
        place = f"{corpus.segment_name(int(bad[0]))} of {corpus.name}"
        raise MetricFailed(
            f"{full_name(metric)}: not a finite number at {place}, one of {bad.size} such segments"
        )
    return rows
