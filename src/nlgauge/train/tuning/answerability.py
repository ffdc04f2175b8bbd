"""Tune the weights of Q-metrics to ratings of questions (Nema and Khapra, 2018).

The score is linear in what is weighted where profile=public, so that all points of a grid can be
tried at once: over the simplex of the classes' weights, and over delta.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from nlgauge.errors import DataError
from nlgauge.kernels import Floats


@dataclass(frozen=True)
class AnswerabilityWeights:
    """The options of a Q-metric that were found best, and how well they did on average."""

    entities: float
    question: float
    content: float
    function: float
    delta: float
    correlation: float  # mean of the best correlations in the bootstrap samples

    def options(self) -> dict[str, float]:
        """Return the weights under the names of a metric's options."""
        names = ("entities", "question", "content", "function", "delta")
        return {name: getattr(self, name) for name in names}


def tune_answerability(
    classes: Floats,
    base: Floats,
    ratings: Floats,
    *,
    steps: int = 10,
    samples: int = 100,
    seed: int = 1,
) -> AnswerabilityWeights:
    """Return the mean of the best points of the grid, by Pearson's r, in bootstrap samples.

    `classes` is [segments, 4], the score of each class by itself, `base` the other metric's scores.
    """
    if len(ratings) < 2 or np.ptp(ratings) == 0:
        raise DataError("answerability: ratings that differ are needed to tune weights")
    if classes.shape != (len(ratings), 4) or base.shape != ratings.shape:
        raise DataError(f"answerability: {len(ratings)} ratings need as many scores of 4 classes")
    points = _grid(steps)
    weights, delta = points[:, :4], points[:, 4]
    scores = (classes @ weights.T) * delta + base[:, None] * (1 - delta)
    draws = np.random.default_rng(seed).multinomial(
        len(ratings), np.full(len(ratings), 1 / len(ratings)), size=samples
    )
    found = _correlations(scores, ratings, draws.astype(np.float64))
    entities, question, content, function, share = (
        points[found.argmax(axis=1)].mean(axis=0).tolist()
    )
    return AnswerabilityWeights(
        entities=entities,
        question=question,
        content=content,
        function=function,
        delta=share,
        correlation=float(found.max(axis=1).mean()),
    )


def _grid(steps: int) -> Floats:
    """Return all points of the grid: four weights that sum to 1, and delta."""
    counts = [c for c in product(range(steps + 1), repeat=3) if sum(c) <= steps]
    simplex = np.array([(*c, steps - sum(c)) for c in counts], np.float64) / steps
    delta = np.linspace(0, 1, steps + 1)
    return np.column_stack([np.repeat(simplex, len(delta), axis=0), np.tile(delta, len(simplex))])


def _correlations(scores: Floats, ratings: Floats, draws: Floats) -> Floats:
    """Return Pearson's r of every column with the ratings in every sample; -1 where a sample has
    no variance.
    """
    x, y = scores - scores.mean(axis=0), ratings - ratings.mean()
    n = draws.sum(axis=1, keepdims=True)
    mean_x, mean_y = draws @ x / n, (draws @ y)[:, None] / n
    both = draws @ (x * y[:, None]) / n - mean_x * mean_y
    spread = (draws @ x**2 / n - mean_x**2) * ((draws @ y**2)[:, None] / n - mean_y**2)
    root = np.sqrt(np.maximum(spread, 0.0))
    found: Floats = np.divide(both, root, out=np.full(both.shape, -1.0), where=root > 1e-12)
    return found
