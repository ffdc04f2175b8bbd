"""The recipes of trained metrics, by the metric's name; each is imported when it is used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from nlgauge.core.metric import Metric
from nlgauge.errors import ResourceMissing, SpecError
from nlgauge.train.recipe import Recipe

RECIPES = {
    "beer": "nlgauge.train.beer_recipe:BeerRecipe",
    "bert-mte": "nlgauge.train.cross_encoder_recipe:CrossEncoderRecipe",
    "blend": "nlgauge.train.feature_recipe:BlendRecipe",
    "bleurt": "nlgauge.train.cross_encoder_recipe:BleurtRecipe",
    "composite": "nlgauge.train.human_recipe:CaptionRecipe",
    "nneval": "nlgauge.train.human_recipe:CaptionRecipe",
    "gauge": "nlgauge.train.gauge_recipe:GaugeRecipe",
    "ks-svm": "nlgauge.train.human_recipe:KsSvmRecipe",
    "ruse": "nlgauge.train.networks.vector_recipe:RuseRecipe",
    "nubia": "nlgauge.train.networks.nubia_recipe:NubiaRecipe",
    "esim": "nlgauge.train.networks.vector_recipe:EsimRecipe",
    "ruber": "nlgauge.train.dialogue.reply_recipe:RuberRecipe",
    "ruber-bert": "nlgauge.train.dialogue.reply_recipe:RuberBertRecipe",
    "ssrem": "nlgauge.train.dialogue.reply_recipe:SsremRecipe",
    "maude": "nlgauge.train.dialogue.reply_recipe:MaudeRecipe",
    "adem": "nlgauge.train.dialogue.rated_recipes:AdemRecipe",
    "roberta-eval": "nlgauge.train.dialogue.rated_recipes:RobertaEvalRecipe",
    "gan-d": "nlgauge.train.dialogue.turn_recipes:GanRecipe",
    "cmade": "nlgauge.train.dialogue.turn_recipes:CmadeRecipe",
    "leic": "nlgauge.train.dialogue.caption_recipe:LeicRecipe",
    "meteor-1.5": "nlgauge.train.tuning.meteor_recipe:MeteorRecipe",
    **{
        f"q-{name}": "nlgauge.train.tuning.answerability_recipe:AnswerabilityRecipe"
        for name in ("bleu", "meteor", "nist", "rouge")
    },
}


def recipe_of(metric: Metric, **chosen: str) -> Recipe[Any]:
    """Return the recipe by which a metric is trained; `chosen` has some of its `choices`."""
    return recipe_class(metric.info.name)(metric, **chosen)


def recipe_class(name: str) -> type[Recipe[Any]]:
    """Return the class of the recipe of a metric by its name."""
    if name not in RECIPES:
        raise SpecError(f"{name} cannot be trained; there are: {', '.join(RECIPES)}")
    module, _, cls = RECIPES[name].partition(":")
    try:
        found: type[Recipe[Any]] = getattr(import_module(module), cls)
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise ResourceMissing(
            f"{name} is trained by torch, which is not installed",
            remedy="pip install 'nlgauge[train]'",
        ) from None
    return found
