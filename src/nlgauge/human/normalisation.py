"""Annotators use scales differently: their ratings brought onto a common one."""

from __future__ import annotations

import numpy as np

from nlgauge.core.facts.choices import Deviation
from nlgauge.data.judgements import Judgements
from nlgauge.data.labels import NONE, Codes
from nlgauge.errors import DataError, SpecError
from nlgauge.human.scales import RatingScale
from nlgauge.kernels import Floats


def normalise(judgements: Judgements, *, deviation: Deviation = "population") -> Judgements:
    """Return z-scores: each rating less the mean of its annotator for that criterion, over the
    standard deviation; 0 where an annotator always gave the same. It helps comparing outputs; means
    of systems are relative to the one campaign afterwards.
    """
    if deviation not in ("population", "sample"):
        raise SpecError(f"deviation={deviation!r}: there are population and sample")
    rated = np.flatnonzero(~np.isnan(judgements.value) & (judgements.against.codes == NONE))
    value = judgements.value.copy()
    x = value[rated]
    # Rows without an annotator or a criterion make a group of their own.
    annotators, criteria = (
        judgements.annotator.codes[rated] + 1,
        judgements.criterion.codes[rated] + 1,
    )
    groups = annotators * (len(judgements.criterion.names) + 1) + criteria
    value[rated] = _z_scores(x, groups, 1 if deviation == "sample" else 0)
    return judgements.with_values(value)


def _z_scores(x: Floats, groups: Codes, lost: int) -> Floats:
    _, group = np.unique(groups, return_inverse=True)
    sizes = np.bincount(group)
    centred = x - (np.bincount(group, x) / sizes)[group]
    variance = np.bincount(group, centred**2) / np.maximum(sizes - lost, 1)
    spread = np.sqrt(variance)[group]
    # Of equal values rounding may leave a spread of its own size.
    spread[spread <= 1e-12 * np.abs(x)] = 0
    return np.divide(centred, spread, out=np.zeros_like(x), where=spread > 0)


def rescale(judgements: Judgements, low: float, high: float) -> Judgements:
    """Return ratings from `low` to `high` as shares of the scale: adequacy 4 of 1 to 5 is 0.75."""
    if not low < high:
        raise SpecError(f"low={low}, high={high}: a scale needs low < high")
    rated = ~np.isnan(judgements.value) & (judgements.against.codes == NONE)
    x = judgements.value[rated]
    if outside := x[~RatingScale("rescaled", "continuous", low, high).accepted(x)].tolist():
        raise DataError(f"rating {outside[0]:g} is not on the scale from {low:g} to {high:g}")
    value = judgements.value.copy()
    value[rated] = (x - low) / (high - low)
    return judgements.with_values(value)
