"""The recipes of trained metrics, by the metric's name; each is imported when it is used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from nlgauge.core.metric import Metric
from nlgauge.errors import SpecError
from nlgauge.train.recipe import Recipe

RECIPES = {
    "blend": "nlgauge.train.feature_recipe:BlendRecipe",
    "gauge": "nlgauge.train.gauge_recipe:GaugeRecipe",
}


def recipe_of(metric: Metric) -> Recipe[Any]:
    """Return the recipe by which a metric is trained."""
    name = metric.info.name
    if name not in RECIPES:
        raise SpecError(f"{name} cannot be trained; there are: {', '.join(RECIPES)}")
    module, _, cls = RECIPES[name].partition(":")
    found: Recipe[Any] = getattr(import_module(module), cls)(metric)
    return found
