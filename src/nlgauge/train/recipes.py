"""The recipes of trained metrics, by the metric's name; each is imported when it is used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from nlgauge.core.metric import Metric
from nlgauge.errors import SpecError
from nlgauge.train.recipe import Recipe

RECIPES = {
    "beer": "nlgauge.train.beer_recipe:BeerRecipe",
    "blend": "nlgauge.train.feature_recipe:BlendRecipe",
    "gauge": "nlgauge.train.gauge_recipe:GaugeRecipe",
}


def recipe_of(metric: Metric, **chosen: str) -> Recipe[Any]:
    """Return the recipe by which a metric is trained; `chosen` has some of its `choices`."""
    return recipe_class(metric.info.name)(metric, **chosen)


def recipe_class(name: str) -> type[Recipe[Any]]:
    """Return the class of the recipe of a metric by its name."""
    if name not in RECIPES:
        raise SpecError(f"{name} cannot be trained; there are: {', '.join(RECIPES)}")
    module, _, cls = RECIPES[name].partition(":")
    found: type[Recipe[Any]] = getattr(import_module(module), cls)
    return found
