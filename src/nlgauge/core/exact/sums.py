"""Add up rows exactly, so that neither their order nor the parts they come in show."""

from __future__ import annotations

import numpy as np

from nlgauge.kernels import Floats, native


def totals(rows: Floats) -> Floats:
    """Return the sums of the columns, exactly rounded: the order of the segments cannot change
    them.
    """
    return exact_totals(rows).rounded()


def exact_totals(rows: Floats) -> native.ColumnSums:
    """Return the exact sums of the columns; those of parts of a corpus can be merged in any order
    and are rounded once, to the same bits as the sums of the whole.
    """
    sums = native.ColumnSums([[]] * rows.shape[1])
    sums.add(np.ascontiguousarray(rows, np.float64))
    return sums
