"""Recognise data frames, in all shapes that people have them, where a function takes several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from nlgauge.data.columns import entries, is_frame
from nlgauge.errors import DataError, SpecError


def as_frame(given: Any, names: Mapping[str, Any]) -> Any | None:
    """Return a frame that `DataFrame.read` takes; None of what is no frame.

    `names` are the columns that were named. A mapping is a frame only if they are in it, or if it
    has outputs and references by known names: it could be one of systems otherwise. What an index
    of pandas holds is a column, too, if it is named or called as such columns are.
    """
    if type(given).__name__ == "LazyFrame":
        raise SpecError("a LazyFrame has no rows yet; give frame.collect()")
    named = [name for value in names.values() for name in _listed(value)]
    if isinstance(given, Mapping):
        known = any(name in given for name in named) or _has_known_columns(given, names)
        return _records(given) if known else None
    if not is_frame(given):
        return None
    index = getattr(getattr(given, "index", None), "names", ())
    levels = [name for name in index if name and isinstance(name, str)]
    if not levels:
        return given
    from nlgauge.io.fields import role_of  # late, so that scoring lists does not load readers

    missing = [
        name for name in levels if (name in named or role_of(name)) and name not in given.columns
    ]
    return given.reset_index(level=missing) if missing else given


def _has_known_columns(given: Mapping[Any, Any], names: Mapping[str, Any]) -> bool:
    """Return whether names of a mapping say that it has outputs and references, where no references
    are given beside it: it has columns then, and not systems.
    """
    if names.get("references") is not None or not all(isinstance(name, str) for name in given):
        return False
    from nlgauge.io.fields import role_of

    kinds = {role.kind for name in given if (role := role_of(name))}
    return "hypothesis" in kinds and bool(kinds & {"reference", "references"})


def _listed(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    several = isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)
    return list(value) if several else []


def _records(given: Mapping[str, Iterable[Any]]) -> list[dict[str, Any]]:
    """Return the rows of a mapping of columns."""
    columns = {name: entries(f"column {name!r}", column) for name, column in given.items()}
    sizes = {name: len(column) for name, column in columns.items()}
    if len(set(sizes.values())) > 1:
        listing = ", ".join(f"{name}: {size}" for name, size in sizes.items())
        raise DataError(f"the columns differ in their number of rows ({listing})")
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
