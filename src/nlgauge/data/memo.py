"""Remember results that are derived from texts, so that each is computed once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class Memo:
    """A memo remembers what was derived from texts, for all metrics and systems of a run."""

    def __init__(self) -> None:
        # The source is kept beside the result, so that its identity stays its own.
        self._known: dict[tuple[Hashable, int], tuple[Any, Any]] = {}

    def __reduce__(self) -> tuple[type[Memo], tuple[()]]:
        """Leave behind what is known when texts go to another process: it can be derived again."""
        return Memo, ()

    def once(self, what: Hashable, source: Any, compute: Callable[[], T]) -> T:
        """Return `compute()`, or its earlier result for an equal `what` and the same `source`."""
        key = (what, id(source))
        if key not in self._known:
            self._known[key] = (source, compute())
        found: T = self._known[key][1]
        return found
