"""Metrics that other packages bring, by entry points: name = "module:Class"."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from nlgauge.core.metric import Metric
from nlgauge.errors import SpecError

ENTRY_POINT_GROUP = "nlgauge.metrics"


@cache
def targets() -> dict[str, str]:
    """Return where each metric is said to be, by its name."""
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    return {e.name.lower(): e.value for e in entry_points(group=ENTRY_POINT_GROUP)}


def load(name: str, target: str) -> type[Metric]:
    """Return the class of an entry point, which is not ours and may be anything."""
    module, _, attribute = target.partition(":")
    try:
        cls: object = getattr(import_module(module), attribute)
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    else:
        if isinstance(cls, Metric):  # made of a function by `nlgauge.metric`
            return type(cls)
        if isinstance(cls, type) and issubclass(cls, Metric) and hasattr(cls, "info"):
            return cls
        problem = (
            "it is no metric: a class derived from nlgauge.core.Metric, with `info`, or a function "
            "below @nlgauge.metric()"
        )
    raise SpecError(
        f"metric {name!r}, entry point {ENTRY_POINT_GROUP} = {target}, cannot be loaded "
        f"({problem}); repair or uninstall the package that brings it"
    )
