"""From names and specs to metrics; CLI, docs and tests ask here what there is."""

from __future__ import annotations

import dataclasses
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from nlgauge.core import options
from nlgauge.core.extending import plugins
from nlgauge.core.facts.metric_names import ALIASES as ALIASES
from nlgauge.core.facts.metric_names import ELSEWHERE as ELSEWHERE
from nlgauge.core.facts.metric_names import GROUPS as GROUPS
from nlgauge.core.facts.metric_names import METRICS as METRICS
from nlgauge.core.facts.metric_names import PRESETS as PRESETS
from nlgauge.core.facts.metric_names import SETS as SETS
from nlgauge.core.metric import Metric
from nlgauge.errors import NlgaugeWarning, SpecError, did_you_mean

Metrics = str | Metric | Iterable[str | Metric]  # one, or several; each by name or as an object

_SPEC = re.compile(r"([^()\s]+)\s*(?:\((.*)\))?", re.DOTALL)

# Metrics that were made of functions in this process.
_MADE: dict[str, type[Metric]] = {}


def register(name: str, cls: type[Metric]) -> None:
    """Let a metric that was made in this process be known by its name."""
    key = _canonical(name)
    if key in METRICS or key in PRESETS or not _SPEC.fullmatch(key) or "(" in key or "|" in key:
        raise SpecError(f"a metric cannot be called {name!r}: the name is taken, or is no word")
    _MADE[key] = cls  # a cell of a notebook may be run again
    metric_class.cache_clear()


def names() -> list[str]:
    """Return the names of all metrics, without presets and aliases."""
    return [
        *METRICS,
        *plugins.targets(),
        *(name for name in _MADE if name not in plugins.targets()),
    ]


def homes() -> dict[str, list[str]]:
    """Return the metric classes that each module of `nlgauge.metrics` defines."""
    found: dict[str, list[str]] = {}
    for target in METRICS.values():
        module, _, name = target.partition(":")
        found.setdefault(module, []).append(name)
    return found


def _canonical(name: str) -> str:
    key = name.strip().lower().replace("_", "-")
    return ALIASES.get(key, key)


@cache
def metric_class(name: str) -> type[Metric]:
    """Return the class registered under a name or alias."""
    key = _canonical(name)
    if key in PRESETS:
        key = _split(PRESETS[key])[0]
    if key in _MADE:
        return _MADE[key]
    target = METRICS.get(key) or plugins.targets().get(key)
    if target is None and any(re.match(rf"{known}(?![a-z])", key) for known in ELSEWHERE):
        raise SpecError(
            f"{name} is no part of nlgauge; compute it with its own program, and give its segment "
            f"scores: --scores {key}.tsv for compare and meta (nlgauge.compare and meta_evaluate "
            "take them as columns of a data frame)"
        )
    if target is None:
        hint = did_you_mean(key, [*names(), *PRESETS, *ALIASES], "see: nlgauge metrics")
        raise SpecError(f"no metric is called {name!r}; {hint}")
    if key not in METRICS:
        return plugins.load(key, target)
    module, _, attribute = target.partition(":")
    cls: type[Metric] = getattr(import_module(module), attribute)
    return cls


def _split(spec: str) -> tuple[str, dict[str, str]]:
    """Split `name(a=1,b=2)` into the name and the options as written."""
    match = _SPEC.fullmatch(spec.strip())
    if match is None:
        raise SpecError(f"metric {spec!r}: write name or name(option=value,...)")
    name, inner = match.groups()
    given: dict[str, str] = {}
    for entry in filter(None, (part.strip() for part in (inner or "").split(","))):
        key, equals, value = (part.strip() for part in entry.partition("="))
        if not equals:
            raise SpecError(f"metric {spec!r}: {entry!r} is not of the form option=value")
        if key in given:
            raise SpecError(f"metric {spec!r}: option {key!r} is given twice")
        given[key] = value
    return name, given


def metric(spec: str, **overrides: object) -> Metric:
    """Return a metric from a spec such as `bleu(tokenizer=zh)`, a preset, an alias or a
    signature.
    """
    if "|" in spec:
        from nlgauge.core.signature import parse

        return changed(parse(spec), overrides)
    name, given = _split(spec)
    key = _canonical(name)
    cls = metric_class(name)
    if key in PRESETS:
        given = {**_split(PRESETS[key])[1], **given}
    hints = options.types_of(cls)
    _check_options(key, given, hints)
    values = {k: options.decode(v, hints[k], f"{key}({k}") for k, v in given.items()}
    options.check_values(cls, values, key)
    return changed(cls(**values), overrides)


def given_options(spec: str | Metric) -> frozenset[str]:
    """Return the names of the options that a spec sets, or its preset; those of a signature are
    all set.
    """
    if isinstance(spec, Metric):
        return frozenset()
    if "|" in spec:
        return frozenset(options.types_of(type(metric(spec))))
    name, given = _split(spec)
    return frozenset({**_split(PRESETS.get(_canonical(name), "none"))[1], **given})


def changed(metric: Metric, overrides: Mapping[str, object]) -> Metric:
    """Return the metric with some options set otherwise."""
    _check_options(metric.info.name, overrides, options.types_of(type(metric)))
    return dataclasses.replace(metric, **overrides) if overrides else metric


def _check_options(name: str, given: Iterable[str], known: Mapping[str, object]) -> None:
    for option in given:
        if option not in known:
            hint = did_you_mean(option, list(known), f"it has {', '.join(known) or 'none'}")
            raise SpecError(f"{name} has no option {option!r}; {hint}")


def spec(metric: Metric) -> str:
    """Return the shortest spec that gives this metric: its name and what differs from the
    defaults.
    """
    hints = options.types_of(type(metric))
    changed = [
        f"{f.name}={options.encode(getattr(metric, f.name), hints[f.name])}"
        for f in dataclasses.fields(metric)
        if getattr(metric, f.name) != f.default
    ]
    return f"{metric.info.name}({','.join(changed)})" if changed else metric.info.name


def listed(metrics: Metrics) -> list[str | Metric]:
    """Return metrics as a list; one alone may be given as such."""
    if isinstance(metrics, str | Metric):
        return [metrics]
    if not isinstance(metrics, Iterable) and not isinstance(metrics, type):
        raise SpecError(f"metrics={metrics!r:.60}: give names or metrics, such as ['bleu', 'chrf']")
    found: list[Any] = [metrics] if isinstance(metrics, type) else list(metrics)
    for given in found:
        if isinstance(given, type) and issubclass(given, Metric):
            raise SpecError(
                f"{given.__name__} is a class; give a metric, such as {given.__name__}()"
            )
        if callable(given) and not isinstance(given, str | Metric):
            raise SpecError(
                f"metrics: {given!r:.60} is a function; write @nlgauge.metric() above it, and it "
                "is a metric"
            )
        if not isinstance(given, str | Metric):
            raise SpecError(
                f"metrics: {type(given).__name__} {given!r:.60} is neither a metric nor the name "
                "of one; see: nlgauge metrics"
            )
    return found


def classes() -> Iterator[type[Metric]]:
    """Return every registered metric class; a third party's that cannot be loaded is passed over,
    with a warning that names it.
    """
    yield from map(metric_class, METRICS)
    for name in names()[len(METRICS) :]:
        if (cls := _loaded(name)) is not None:
            yield cls


def _loaded(plugin: str) -> type[Metric] | None:
    try:
        return metric_class(plugin)
    except SpecError as error:
        warnings.warn(str(error), NlgaugeWarning, stacklevel=3)
        return None


def members(group: str) -> list[str] | None:
    """Return the metrics of a group or set; None if that is no name of one."""
    if group in SETS:
        return list(SETS[group])
    families = GROUPS.get(group)
    if families is None:
        return None
    return [c.info.name for c in classes() if c.info.family in families]


def presets_of(name: str) -> dict[str, str]:
    """Return the presets of a metric and their specs."""
    return {preset: text for preset, text in PRESETS.items() if _split(text)[0] == name}


def aliases_of(name: str) -> dict[str, str]:
    """Return other names of a metric or of its presets."""
    meant = {name, *presets_of(name)}
    return {alias: target for alias, target in ALIASES.items() if target in meant}
