"""Reads annotations: JSON objects, one per segment, with errors that say where they are wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError


@dataclass(frozen=True)
class Fields:
    """An object of an annotation, and how messages call it."""

    where: str
    values: Mapping[str, Any]

    def __contains__(self, key: str) -> bool:
        return self.values.get(key) is not None

    def items(self, key: str, expected: str = "a list") -> list[Any]:
        """Return the list of a key, which must be there."""
        value = self.values.get(key)
        if not isinstance(value, (list, tuple)):
            raise self.wrong(key, expected)
        return [*value]

    def objects(self, key: str, expected: str) -> list[Fields]:
        """Return the list of objects of a key."""
        items = self.items(key, expected)
        if not all(isinstance(item, Mapping) for item in items):
            raise self.wrong(key, expected)
        return [Fields(f"{self.where}, {key}[{i}]", item) for i, item in enumerate(items)]

    def names(self, key: str) -> list[str]:
        """Return the list of ids of a key; 3 and "3" are the same id."""
        return [self._name(key, item) for item in self.items(key, "a list of ids")]

    def name(self, key: str) -> str:
        """Return the id of a key."""
        return self._name(key, self.values.get(key))

    def _name(self, key: str, value: Any) -> str:
        if isinstance(value, (str, int)) and not isinstance(value, bool):
            return str(value)
        raise self.wrong(key, "ids that are texts or whole numbers")

    def text(self, key: str) -> str:
        """Return the text of a key."""
        value = self.values.get(key)
        if not isinstance(value, str):
            raise self.wrong(key, "a text")
        return value

    def flag(self, key: str) -> bool:
        """Return the true or false of a key."""
        value = self.values.get(key)
        if not isinstance(value, bool):
            raise self.wrong(key, "true or false")
        return value

    def number(self, key: str, *, low: float = 0.0) -> float:
        """Return the number of a key, of at least `low`."""
        value: Any = self.values.get(key)
        if type(value) not in (int, float) or not value >= low:
            raise self.wrong(key, f"a number of at least {low:g}")
        return float(value)

    def wrong(self, key: str, expected: str) -> DataError:
        """Return what to raise for an entry that is missing or not as expected."""
        value = self.values.get(key)
        found = "missing" if value is None else f"{type(value).__name__} {value!r:.60}"
        return DataError(f"{self.where}: {key!r} is {found}, expected {expected}")


def annotations_of(corpus: Corpus, metric: str) -> Iterator[Fields]:
    """Yield the annotation of every segment."""
    if corpus.annotations is None:
        raise DataError(f"{metric} needs annotations, and {corpus.name} has none")
    for i, annotation in enumerate(corpus.annotations):
        where = f"{corpus.name}, annotation of {corpus.segment_name(i)}"
        if not isinstance(annotation, Mapping):
            found = f"{type(annotation).__name__} {annotation!r:.60}"
            raise DataError(f"{where}: {found}, expected an object; see: nlgauge metrics {metric}")
        yield Fields(where, annotation)
