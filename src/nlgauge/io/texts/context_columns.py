"""Make a `Context` of the fields of records, or of files beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.data.contexts import Context, turns_of_texts
from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError, SpecError
from nlgauge.io.files import read_lines, shown
from nlgauge.io.request import Request

CONTEXT = ("turns", "facts", "persona", "features", "documents")  # fields of records
LISTS = ("facts", "persona", "documents")  # a record without one of these has none of its texts


def filled(name: str, column: list[Any]) -> list[Any]:
    """Return a field of all records, with empty lists where texts of a context are missing that
    other records have.
    """
    if name not in LISTS or all(value is None for value in column):
        return column
    return [[] if value is None else value for value in column]


def context_of(columns: Mapping[str, Sequence[Any] | None]) -> Context | None:
    """Return the context that columns of records hold, if any; persona lines follow facts."""
    given = {name: column for name in CONTEXT if (column := columns.get(name)) is not None}
    persona = given.pop("persona", None)
    if persona is not None:
        facts = given.get("facts", [[]] * len(persona))
        given["facts"] = [[*own, *lines] for own, lines in zip(facts, persona, strict=True)]
    return Context.build(**given) if given else None


def with_context_files(suite: Suite, request: Request) -> Suite:
    """Return a suite with the turns and features that files beside the data hold."""
    first = next(iter(suite))
    own = first.contexts
    given: dict[str, Any] = {}
    if request.contexts is not None:
        if own is not None and own.turns is not None:
            raise DataError(
                f"{shown(request.contexts)}: the data has contexts of its own; give only one"
            )
        lines = read_lines(request.contexts, request.encoding)
        if len(lines) != len(suite):
            raise DataError(
                f"{shown(request.contexts)} has {len(lines)} lines for {len(suite)} segments; each "
                "segment needs exactly one line"
            )
        given["turns"] = turns_of_texts(lines, request.turn_separator)
    if request.features is not None:
        if first.ids is None:
            raise SpecError(f"features={request.features}: found by id, and the data has no ids")
        given["features"] = read_features(request.features, first.ids)
    if not given:
        return suite
    contexts = Context(**given) if own is None else replace(own, **given)
    return Suite(
        {name: replace(corpus, contexts=contexts) for name, corpus in suite.systems.items()}
    )


def read_features(path: str, ids: Sequence[str]) -> npt.NDArray[np.float32]:
    """Read a row of numbers for each id from an .npz file, which holds an array of each id's name,
    or the two arrays `ids` and `features`.
    """
    from zipfile import BadZipFile

    try:
        with np.load(path, allow_pickle=False) as arrays:
            if {"ids", "features"} <= set(arrays.files):
                names, rows = map(str, arrays["ids"].ravel().tolist()), arrays["features"]
                known = dict(zip(names, rows, strict=True))
            else:
                known = {name: arrays[name] for name in dict.fromkeys(ids) if name in arrays.files}
    except FileNotFoundError:
        raise DataError(f"{path}: no such file") from None
    except (OSError, ValueError, KeyError, BadZipFile, EOFError) as error:
        raise DataError(f"{path}: no usable .npz of features ({error})") from None
    missing = [name for name in ids if name not in known]
    if missing:
        raise DataError(
            f"{path}: no features of {len(missing)} of {len(ids)} ids, such as {missing[0]!r}; "
            "name an array after each id, or give the arrays `ids` and `features`"
        )
    try:
        found = Context.build(features=[known[name].ravel() for name in ids]).features
    except DataError as error:
        raise DataError(f"{path}: {error}") from None
    assert found is not None
    return found
