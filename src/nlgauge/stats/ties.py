"""Values that are equal up to rounding count as equal.

Two ways to add the same numbers can differ in the last bits. Such scores are ties to people, and
rank coefficients must not tell them apart.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nlgauge.kernels import Floats

Flags = npt.NDArray[np.bool_]

# Gaps of up to this share of a value are rounding: eight times the spacing of double precision.
ROUNDING = 8 * float(np.finfo(np.float64).eps)


def is_constant(values: Floats) -> Flags:
    """Tell along the last axis whether values are all equal up to rounding; NaN is passed over."""
    low = np.fmin.reduce(values, axis=-1, initial=np.inf)
    high = np.fmax.reduce(values, axis=-1, initial=-np.inf)
    with np.errstate(invalid="ignore"):  # inf − inf, where there is no value at all
        constant: Flags = high - low <= ROUNDING * np.maximum(np.abs(low), np.abs(high))
    return constant


def tie_rounding(values: Floats) -> Floats:
    """Return the values with those along the last axis that are equal up to rounding made equal.

    Each takes the lowest of its run; NaN and infinities stay what they are.
    """
    if values.shape[-1] < 2:
        return values
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, -1)
    with np.errstate(invalid="ignore"):
        apart = np.diff(ordered, axis=-1) > ROUNDING * np.abs(ordered[..., 1:])
    apart |= ~np.isfinite(ordered[..., 1:])
    if apart.all():
        return values
    starts = np.zeros(ordered.shape, np.intp)
    starts[..., 1:] = np.where(apart, np.arange(1, ordered.shape[-1]), 0)
    starts = np.maximum.accumulate(starts, axis=-1)
    result = np.empty_like(values)
    np.put_along_axis(result, order, np.take_along_axis(ordered, starts, -1), -1)
    return result
