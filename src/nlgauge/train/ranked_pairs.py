"""Pairs of a better and a worse output, for what is learnt from ranks."""

from __future__ import annotations

import numpy as np

from nlgauge.data.labels import Codes
from nlgauge.kernels import Floats
from nlgauge.train.recipe import FitRun

EACH = 10  # others that an output is compared with, at most


def ranked_pairs(ratings: Floats, run: FitRun, *, each: int = EACH) -> tuple[Codes, Codes]:
    """Return the better and the worse row of pairs of rated rows, whose ratings these are.

    Where most rows have others of their group, such as of one source, these are compared with each
    other; else, as ratings on one scale allow it, with any of their part.
    """
    rated = run.rated
    groups, parts = run.groups[rated], run.parts.codes[rated]
    _, codes, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    shared = float(np.mean(sizes[codes] > 1)) > 0.5
    kept = codes if shared else parts
    rng = np.random.default_rng(run.seed)
    better, worse = [], []
    for k in np.unique(kept).tolist():
        rows = np.flatnonzero(kept == k)
        if len(rows) - 1 <= each:
            i, j = np.triu_indices(len(rows), 1)
        else:
            i = np.repeat(np.arange(len(rows)), each)
            j = (i + rng.integers(1, len(rows), len(i))) % len(rows)
        one, other = rows[i], rows[j]
        above = ratings[one] > ratings[other]
        differ = ratings[one] != ratings[other]
        better.append(np.where(above, one, other)[differ])
        worse.append(np.where(above, other, one)[differ])
    return np.concatenate(better), np.concatenate(worse)
