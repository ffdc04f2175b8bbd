"""Draws options of metrics within their limits, from a source of random numbers."""

from __future__ import annotations

import dataclasses
import math
import typing
from random import Random
from typing import Any, Literal

from nlgauge import Metric, NlgaugeError
from nlgauge.core import options
from nlgauge.text.preparation import TOKENIZERS
from nlgauge.text.stem import STEMMINGS
from nlgauge.text.tokenizers.sentence_pieces import KEPT as USERS_OWN
from nlgauge.text.word_lists import STOP_LISTS

# Texts that name something; all others are files and stay as they are.
NAMES: dict[str, tuple[str, ...]] = {
    "tokenizer": tuple(
        name for name in TOKENIZERS if not name.endswith("-mecab") and name not in USERS_OWN
    ),
    "stem": tuple(STEMMINGS),
    "stop": tuple(STOP_LISTS),
    "stages": ("exact", "stem", "synonym", "wn_stem"),
    "modules": ("exact", "stem", "synonym"),
}
# Names whose code is Python: it takes fifty times as long, so that they are drawn less often.
IN_PYTHON = {name for name, one in TOKENIZERS.items() if one.native is None} | {
    name for name, one in STEMMINGS.items() if one.language
}
# What takes long or needs what may not be installed, and is worth a test of its own.
KEPT = {"language", "layer", "matches", "device", "model", "preprocess", "parser", "batch_size"}
# Tuples of annotators, which texts do not have; gensim and the authors' program of WMD_O find
# texts without words, or of one word, infinitely far, as documented.
KEPT_OF = {
    "spice": {"graphs"},
    "spider": {"graphs"},
    "leic": {"context"},  # a branch for images is trained by those who have some
    "wmd": {"profile"},
    "wmd-o": {"profile"},
}
COSTLY = {"max_length": 12, "beam": 60, "max_steps": 10**6, "size": 600}  # drawn up to here


def is_number(hint: Any) -> bool:
    """Whether a field may hold a number, or a list of them."""
    kinds = options._alternatives(hint)
    inner = [typing.get_args(k)[0] for k in kinds if typing.get_origin(k) is tuple]
    return any(kind in (int, float) for kind in (*kinds, *inner))


def draw_metric(rng: Random, base: Metric, *, tries: int = 20) -> Metric:
    """The metric with other options; those that differ from their defaults already are kept."""
    kept = KEPT | KEPT_OF.get(base.info.name, set())
    for _ in range(tries):
        changes = {
            f.name: _value(rng, f.name, f, options.types_of(type(base))[f.name])
            for f in dataclasses.fields(base)
            if getattr(base, f.name) == f.default and f.name not in kept and rng.random() < 0.4
        }
        try:
            drawn = dataclasses.replace(base, **changes)
            drawn.resources()
        except NlgaugeError:  # options that do not go together, a resource that is not here
            continue
        return drawn
    return base


def _value(rng: Random, name: str, f: dataclasses.Field[Any], hint: Any) -> Any:
    kind = rng.choice(options._alternatives(hint))
    origin = typing.get_origin(kind)
    if kind is type(None):
        return None
    if origin is Literal:
        return rng.choice(typing.get_args(kind))
    if kind is bool:
        return rng.random() < 0.5
    if origin is tuple:
        inner = typing.get_args(kind)[0]
        count = rng.randint(1, 4)
        if inner is str:
            return tuple(rng.sample(NAMES[name], min(count, len(NAMES[name]))))
        return tuple(_number(rng, name, f, inner) for _ in range(count))
    if kind in (int, float):
        return _number(rng, name, f, kind)
    if name not in NAMES:
        return f.default
    often = rng.random() < 0.9
    return rng.choice([one for one in NAMES[name] if not (often and one in IN_PYTHON)])


def _number(rng: Random, name: str, f: dataclasses.Field[Any], kind: type) -> float:
    """A limit, a number between them, or one near the lower one."""
    low, high = f.metadata["low"], min(f.metadata["high"], 1e12)
    if rng.random() < 0.9:
        high = min(high, COSTLY.get(name, high))
    near = low + min(high - low, 3.0) * rng.random()
    steep = math.exp(rng.uniform(math.log(max(low, 1e-9)), math.log(max(high, 1e-9))))
    value = rng.choice((low, high, near, near, low + (high - low) * rng.random(), steep))
    value = min(max(value, low), high)
    return round(value) if kind is int else float(value)
