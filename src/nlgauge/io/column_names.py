"""Say which columns of a table hold what, where they are not called as nlgauge calls them.

The same holds for files (`--columns hypothesis=summary,reference=target`) and for data frames
(`nlgauge.score(frame, hypothesis="summary", references=["ref1", "ref2"])`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from nlgauge.data.columns import cell
from nlgauge.errors import SpecError, did_you_mean

if TYPE_CHECKING:
    from nlgauge.io.fields import FieldMeaning, RecordPlace

# What may be said of a column, with the plural that Python's arguments have.
FIELDS = {
    "hypothesis": "hypothesis",
    "reference": "reference",
    "references": "reference",
    "system": "system",
    "id": "id",
    "source": "source",
    "context": "context",
    "table": "table",
    "annotation": "annotation",
    "human": "human",
}
SEVERAL = ("hypothesis", "reference", "human")  # may have more than one column


class ColumnNames(NamedTuple):
    """The columns that hold each field; a field that is not named here has its usual names."""

    given: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @classmethod
    def build(cls, names: Mapping[str, str | Iterable[str] | None]) -> ColumnNames:
        """Take the columns of each field, one name or several; None is what was not said."""
        found: dict[str, tuple[str, ...]] = {}
        for field, columns in names.items():
            if field not in FIELDS:
                hint = did_you_mean(field, FIELDS, f"there is: {', '.join(FIELDS)}")
                raise SpecError(f"columns: no field {field!r}; {hint}")
            if columns is None:
                continue
            listed = (columns,) if isinstance(columns, str) else tuple(columns)
            if not listed or not all(isinstance(name, str) for name in listed):
                raise SpecError(f"{field}={columns!r:.60}: give the name of a column, or several")
            kind = FIELDS[field]
            listed = found.get(kind, ()) + listed
            if len(listed) > 1 and kind not in SEVERAL:
                raise SpecError(f"{field}={' '.join(listed)}: give one column")
            found[kind] = listed
        return cls(tuple(found.items()))

    @classmethod
    def of(cls, given: GivenColumns) -> ColumnNames:
        """Take them as they are, or from a mapping such as {"hypothesis": "summary"}."""
        return given if isinstance(given, ColumnNames) else cls.build(given)

    @classmethod
    def parse(cls, texts: Iterable[str]) -> ColumnNames:
        """Read arguments such as hypothesis=summary,reference=target."""
        found: dict[str, list[str]] = {}
        for pair in (pair for text in texts for pair in text.split(",") if pair):
            field, equals, column = pair.partition("=")
            if not equals or not column:
                raise SpecError(f"--columns {pair}: write FIELD=COLUMN, such as reference=target")
            found.setdefault(field, []).append(column)
        return cls.build(found)

    def meaning(self, name: str) -> FieldMeaning | None:
        """Return what a column of this name holds."""
        from nlgauge.io.fields import FieldMeaning, role_of

        for kind, columns in self.given:
            if name in columns:
                return FieldMeaning(kind)
        known = role_of(name)
        taken = {kind for kind, _ in self.given}
        return None if known is None or _kind(known) in taken else known

    def renamed(
        self, place: RecordPlace, fields: Mapping[str, Any], keep: Collection[str] = ()
    ) -> dict[str, Any]:
        """Return a record under the usual names of its fields. Columns that hold none are left
        out, but for those to `keep`.
        """
        if not self.given:
            return dict(fields)
        named = {name for _, columns in self.given for name in columns}
        made = {
            name: value
            for name, value in fields.items()
            if name in keep or (name not in named and self.meaning(name) is not None)
        }
        for kind, columns in self.given:
            made |= _field(kind, {name: cell(str(place), fields, name) for name in columns})
        return made


def _kind(meaning: FieldMeaning) -> str:
    return {"references": "reference", "hypotheses": "hypothesis"}.get(meaning.kind, meaning.kind)


def _field(kind: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a record that these columns become."""
    ((first, value), *others) = values.items()
    if kind == "human":
        if not others and isinstance(value, Mapping):
            return {kind: value}
        rated = {name: number for name, number in values.items() if number is not None}
        return {kind: rated or None}
    if kind == "reference":
        texts: list[Any] = []
        for column in values.values():
            several = column.get("text") if isinstance(column, dict) else column  # SQuAD's answers
            texts += several if isinstance(several, list | tuple) else [column]
        return {"references": texts}
    if kind == "hypothesis" and others:
        return {f"hyp:{name}": text for name, text in values.items()}
    return {kind: values[first]}


# What functions take: columns by the field that they hold.
GivenColumns = ColumnNames | Mapping[str, str | Iterable[str] | None]
