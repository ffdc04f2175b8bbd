"""Hold what is scored: a `Corpus` of one system's outputs, a `Suite` of several systems."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from nlgauge.data import columns
from nlgauge.data.memo import Memo
from nlgauge.data.run_context import RunContext
from nlgauge.data.text_lists import TextLists
from nlgauge.errors import DataError
from nlgauge.kernels import Texts

if TYPE_CHECKING:
    from nlgauge.data.contexts import Context

T = TypeVar("T")


class References(TextLists):
    """The references of every segment can be any number: `references[i]` is a list of str."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Corpus:
    """A corpus is one system's outputs with all that metrics may look at, one entry per segment."""

    hypotheses: Texts
    references: References
    ids: Sequence[str] | None = None
    sources: Texts | None = None
    contexts: Context | None = None
    tables: Sequence[Any] | None = None
    annotations: Sequence[Any] | None = None  # labels and keys, of a shape that each metric defines
    reference_weights: npt.NDArray[np.float64] | None = None  # one per text of references.flat
    name: str = "system"
    context: RunContext = RunContext()  # of the run that looks at these texts
    # Shared by all systems of a suite, and by the same texts in other contexts.
    memo: Memo = field(default_factory=Memo, repr=False)

    @classmethod
    def build(
        cls,
        hypotheses: Iterable[str],
        references: Iterable[str] | Iterable[Iterable[str]] | References | None = None,
        *,
        reference_sets: Iterable[Iterable[str | None]] | None = None,
        ids: Iterable[str | int] | None = None,
        sources: Iterable[str] | None = None,
        contexts: Iterable[Any] | Context | None = None,
        tables: Iterable[Any] | None = None,
        annotations: Iterable[Any] | None = None,
        reference_weights: Iterable[Iterable[float]] | None = None,
        name: str = "system",
    ) -> Corpus:
        """Check and pack columns of texts. `references` has one str or list of str per segment;
        `reference_sets` is the transposed layout, one list over all segments per reference, with
        None where one is missing. `contexts` has what `Context.build` takes as turns, or is a
        `Context` with facts, features and documents beside.

        Columns may be lists, tuples, arrays, generators, or columns of pandas, polars or pyarrow;
        sets, dictionaries and whole tables are refused. Whole numbers as ids become str.
        """
        hyps = columns.texts("hypotheses", hypotheses)
        refs = _references(len(hyps), references, reference_sets)
        corpus = cls(
            hypotheses=hyps,
            references=refs,
            ids=None if ids is None else columns.ids(ids),
            sources=None if sources is None else columns.texts("sources", sources),
            contexts=_contexts(contexts),
            tables=_listed("tables", tables),
            annotations=_listed("annotations", annotations),
            reference_weights=_weights(reference_weights, refs),
            name=name,
        )
        corpus._validate()
        return corpus

    def __len__(self) -> int:
        return len(self.hypotheses)

    def segment_name(self, i: int) -> str:
        """Return how messages call segment `i`: by its id, or by its number from 1."""
        return f"segment {self.ids[i]!r}" if self.ids is not None else f"segment {i + 1}"

    def find(self, segment: str) -> int:
        """Return the position of the segment with that id or, failing that, that number from 1."""
        if self.ids is not None and segment in self.ids:
            return list(self.ids).index(segment)
        if segment.isdecimal() and 1 <= int(segment) <= len(self):
            return int(segment) - 1
        known = f"ids like {self.ids[0]!r} and " if self.ids else ""
        raise DataError(
            f"{self.name}: no segment {segment!r}; it has {known}numbers 1 to {len(self)}"
        )

    @property
    def turns(self) -> TextLists | None:
        """Return what was said before each segment; without contexts, the lines of its source."""
        if self.contexts is not None:
            return self.contexts.turns
        if self.sources is None:
            return None
        sources = self.sources
        from nlgauge.data.contexts import turns_of_texts

        return self.once("turns", sources, lambda: turns_of_texts(sources))

    @property
    def facts(self) -> TextLists | None:
        """Return the facts or persona lines of each segment, if there are any."""
        return None if self.contexts is None else self.contexts.facts

    @property
    def features(self) -> npt.NDArray[np.float32] | None:
        """Return a row of features of each segment's image or the like, if there are any."""
        return None if self.contexts is None else self.contexts.features

    @property
    def documents(self) -> TextLists | None:
        """Return the documents that each segment was written from, if there are any."""
        return None if self.contexts is None else self.contexts.documents

    def once(self, what: Hashable, source: Any, compute: Callable[[], T]) -> T:
        """Return `compute()`, or its earlier result for an equal `what` and the same `source`."""
        return self.memo.once(what, source, compute)

    def within(self, context: RunContext) -> Corpus:
        """Return the same texts for a run with these settings; what is known of them is shared."""
        return replace(self, context=context)

    def with_texts(self, hypotheses: Texts, flat_references: Texts) -> Corpus:
        """Return the same segments with other texts, as a tokeniser leaves them."""
        references = References(flat_references, self.references.starts)
        return replace(self, hypotheses=hypotheses, references=references)

    def with_hypotheses(self, name: str, hypotheses: Texts) -> Corpus:
        """Return the same segments with the outputs of another system."""
        return replace(self, name=name, hypotheses=hypotheses)

    def take(self, rows: Sequence[int]) -> Corpus:
        """Return the given segments, in the given order."""
        weights = None
        if self.reference_weights is not None:
            starts = self.references.starts
            weights = [list(self.reference_weights[starts[i] : starts[i + 1]]) for i in rows]
        taken = Corpus.build(
            [self.hypotheses[i] for i in rows],
            [self.references[i] for i in rows],
            ids=None if self.ids is None else [self.ids[i] for i in rows],
            sources=None if self.sources is None else [self.sources[i] for i in rows],
            contexts=None if self.contexts is None else self.contexts.take(rows),
            tables=None if self.tables is None else [self.tables[i] for i in rows],
            annotations=None if self.annotations is None else [self.annotations[i] for i in rows],
            reference_weights=weights,
            name=self.name,
        )
        return taken.within(self.context)

    def _validate(self) -> None:
        n = len(self)
        if n == 0:
            raise DataError(f"{self.name}: there are no segments to score")
        for what in ("references", "ids", "sources", "contexts", "tables", "annotations"):
            column = getattr(self, what)
            if column is not None and len(column) != n:
                raise DataError(
                    f"{self.name}: {n} hypotheses but {len(column)} {what}; "
                    "each segment needs exactly one entry"
                )
        if self.ids is not None:
            _check_unique(self.ids, self.name)


@dataclass(frozen=True, eq=False)
class Suite:
    """A suite has several systems over the same segments, which share references and sources."""

    systems: Mapping[str, Corpus]

    @classmethod
    def build(
        cls,
        systems: Mapping[str, Iterable[str]],
        *args: Any,
        annotations: Iterable[Any] | Mapping[str, Iterable[Any] | None] | None = None,
        **others: Any,
    ) -> Suite:
        """Check and pack several systems. `systems` maps names to hypotheses, and so may
        `annotations`, which can belong to one system's outputs; everything else is as for
        `Corpus.build`.
        """
        if isinstance(systems, Mapping) and not systems:
            raise DataError("no system to score; give at least one list of hypotheses")
        if not isinstance(systems, Mapping) or not all(isinstance(name, str) for name in systems):
            raise DataError("systems: give a dict from names (str) to lists of hypotheses")
        packed = {name: columns.texts(f"{name}: hypotheses", h) for name, h in systems.items()}
        sizes = {name: len(hyps) for name, hyps in packed.items()}
        if len(set(sizes.values())) > 1:
            listing = ", ".join(f"{name}: {size}" for name, size in sizes.items())
            raise DataError(f"the systems differ in their number of segments ({listing})")
        labels: Mapping[str, Any]
        if isinstance(annotations, Mapping):
            labels = {name: _listed("annotations", column) for name, column in annotations.items()}
        else:
            labels = dict.fromkeys(packed, _listed("annotations", annotations))
        name, hyps = next(iter(packed.items()))
        first = Corpus.build(hyps, *args, name=name, annotations=labels.get(name), **others)
        corpora = {}
        for name, hyps in packed.items():
            corpora[name] = replace(first, hypotheses=hyps, annotations=labels.get(name), name=name)
            corpora[name]._validate()
        return cls(corpora)

    def __len__(self) -> int:
        """Return how many segments each system has."""
        return len(next(iter(self.systems.values())))

    def within(self, context: RunContext) -> Suite:
        """Return the same systems for a run with these settings."""
        return Suite({name: corpus.within(context) for name, corpus in self.systems.items()})

    def __iter__(self) -> Iterator[Corpus]:
        return iter(self.systems.values())


def _references(n: int, references: Any, reference_sets: Any) -> References:
    if references is not None and reference_sets is not None:
        raise DataError("give either references or reference_sets, not both")
    if reference_sets is not None:
        return _transpose(n, reference_sets)
    if references is None:
        return References(Texts([]), np.zeros(n + 1, np.int64))
    if isinstance(references, References):
        return references
    refs = columns.nested_entries("references", references)
    if len(refs) != n:
        if refs and all(isinstance(row, list | tuple) and len(row) == n for row in refs):
            raise DataError(
                f"references: {len(refs)} lists of {n} for {n} hypotheses look transposed; "
                "pass them as reference_sets=..., or one list of references per segment"
            )
        raise DataError(f"{n} hypotheses but references for {len(refs)} segments")
    try:
        if refs and isinstance(refs[0], str):
            return References.single(refs if isinstance(refs, Texts) else Texts(refs))
        return References.build(refs)
    except TypeError as error:
        raise DataError(
            f"references: {columns.fault(refs) or _mixed(refs) or error}; give a list of str for "
            "every segment, or a str for every segment"
        ) from None


def _mixed(refs: columns.Column) -> str:
    """Say which segment has a str where the first has a list, or the other way round."""
    first = isinstance(refs[0], str)
    other = next((i for i, row in enumerate(refs, 1) if isinstance(row, str) != first), None)
    kinds = ("a str", "a list") if first else ("a list", "a str")
    return "" if other is None else f"segment 1 has {kinds[0]}, but segment {other} {kinds[1]}"


def _transpose(n: int, given: Any) -> References:
    sets = []
    for k, refs in enumerate(columns.entries("reference_sets", given), 1):
        if isinstance(refs, str) or len(column := columns.entries(f"reference set {k}", refs)) != n:
            size = "a single str" if isinstance(refs, str) else f"{len(column)} entries"
            raise DataError(
                f"reference_sets: set {k} has {size}, expected one for each of {n} hypotheses"
            )
        sets.append(column)
    if len(sets) == 1 and (isinstance(sets[0], Texts) or None not in sets[0]):
        return References.single(columns.texts("reference set 1", sets[0]))
    rows = zip(*sets, strict=True)
    try:
        return References.build([r for r in row if r is not None] for row in rows)
    except TypeError as error:
        faults = (f"set {k}: {found}" for k, refs in enumerate(sets, 1) if (found := _odd(refs)))
        raise DataError(f"reference_sets: {next(faults, error)}") from None


def _odd(refs: columns.Column) -> str:
    """Say which entry of a reference set is no text; None stands for no reference."""
    return columns.fault(["" if text is None else text for text in refs])


def _weights(given: Any, references: References) -> npt.NDArray[np.float64] | None:
    if given is None:
        return None
    counts = references.counts
    weights = columns.nested_entries("reference_weights", given)
    if len(weights) != len(counts):
        raise DataError(f"reference_weights for {len(weights)} segments, expected {len(counts)}")
    for i, (row, count) in enumerate(zip(weights, counts, strict=True), 1):
        if not isinstance(row, list | tuple) or not all(isinstance(w, Real) for w in row):
            raise DataError(
                f"reference_weights: segment {i} has {row!r:.60}; give a list of numbers, one for "
                "each of its references"
            )
        if len(row) != count:
            raise DataError(f"reference_weights: segment {i} has {len(row)} for {count} references")
    flat = np.asarray([w for row in weights for w in row], np.float64)
    if flat.size and not (np.abs(flat) <= 1).all():
        raise DataError("reference_weights must lie in [-1, 1]; rescale the ratings")
    return flat


def _contexts(given: Any) -> Context | None:
    if given is None:
        return None
    from nlgauge.data.contexts import Context

    return given if isinstance(given, Context) else Context.build(turns=given)


def _listed(what: str, given: Iterable[Any] | None) -> list[Any] | None:
    return None if given is None else list(columns.entries(what, given))


def _check_unique(ids: Sequence[str], where: str) -> None:
    seen: dict[str, int] = {}
    for i, name in enumerate(ids):
        if name in seen:
            raise DataError(
                f"{where}: id {name!r} is given to segments {seen[name] + 1} and {i + 1}"
            )
        seen[name] = i
