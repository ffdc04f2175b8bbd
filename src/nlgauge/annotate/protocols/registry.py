"""The one table of protocols: names and presets. The study file, docs and tests read it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, cast

from nlgauge.annotate.forms.protocol import Protocol
from nlgauge.core.options import types_of
from nlgauge.errors import SpecError

PROTOCOLS = {
    name: f"nlgauge.annotate.protocols.{module}"
    for name, module in {
        "likert": "likert:Likert",
        "slider": "slider:Slider",
        "magnitude-estimation": "magnitude:MagnitudeEstimation",
        "pairwise": "pairwise:Pairwise",
        "ranking": "ranking:RankOutputs",
        "best-worst": "best_worst:BestWorstScaling",
        "mqm": "error_spans:MultidimensionalQuality",
        "esa": "error_spans:ErrorSpanAnnotation",
        "answer-correctness": "answer_correctness:AnswerCorrectness",
        "nuggets": "nuggets:Nuggets",
        "content-units": "content_units:ContentUnits",
        "factoids": "content_units:Factoids",
        "pyramid": "pyramid_building:PyramidBuilding",
        "coverage": "coverage:UnitCoverage",
        "meeting": "meeting:MeetingQuestionnaire",
        "relevance-prediction": "relevance_judgement:RelevancePredicted",
        "ldc-agreement": "relevance_judgement:LdcAgreement",
        "cross-comprehension": "cross_comprehension:CrossComprehensionTest",
        "post-editing": "post_editing:PostEditing",
    }.items()
}
# Names with a protocol behind them and the options it gets.
PRESETS: dict[str, tuple[str, dict[str, Any]]] = {
    **{
        criterion.replace(" ", "-"): ("likert", {"criterion": criterion})
        for criterion in (
            "adequacy",
            "fluency",
            "naturalness",
            "understandability",
            "writing quality",
        )
    },
    "direct-assessment": ("slider", {"criterion": "adequacy"}),
}


@cache
def protocol_class(name: str) -> type[Protocol]:
    """Return the class of a protocol, which is imported now."""
    if name not in PROTOCOLS:
        raise SpecError(
            f"no protocol is called {name!r}; there are {', '.join([*PROTOCOLS, *PRESETS])}"
        )
    module, _, cls = PROTOCOLS[name].partition(":")
    return cast(type[Protocol], getattr(import_module(module), cls))


def protocol(name: str, given: Mapping[str, Any]) -> Protocol:
    """Return a protocol with the options that a study file gives it."""
    base, preset = PRESETS.get(name, (name, {}))
    cls = protocol_class(base)
    known = types_of(cast(Any, cls))
    if unknown := [key for key in given if key not in known]:
        raise SpecError(f"{name} has no option {unknown[0]!r}; there are {', '.join(known)}")
    values = {key: tuple(v) if isinstance(v, list) else v for key, v in given.items()}
    return cls(**{**preset, **values})
