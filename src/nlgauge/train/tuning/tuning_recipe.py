"""Recipes that find options of a metric: what comes out is a spec, not a file."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence

from nlgauge.core.metric import Metric
from nlgauge.models.predictors.predictor import Arrays
from nlgauge.train.recipe import Prepared, Recipe

LEAST = 1e-9  # by which a setting must be better to be taken


class TuningRecipe(Recipe[Prepared]):
    """A tuning recipe fits options, so that the metric needs no model."""

    @abstractmethod
    def tuned(self, arrays: Arrays) -> Metric:
        """Return the metric with the options that were found."""


def search_coordinates(
    start: Sequence[float],
    grids: Sequence[Sequence[float]],
    agreement: Callable[[Sequence[float]], float],
) -> tuple[list[float], float, int]:
    """Return the best point, how well it agrees, and how many were tried.

    One coordinate after the other takes each value of its grid, from the start on, until no value
    of any agrees better.
    """
    best, highest = list(start), agreement(start)
    tried, better = 1, True
    while better:
        better = False
        for k, grid in enumerate(grids):
            for value in grid:
                if value == best[k]:
                    continue
                point = [*best[:k], float(value), *best[k + 1 :]]
                tried += 1
                if (found := agreement(point)) > highest + LEAST:
                    best, highest, better = point, found, True
    return best, highest, tried
