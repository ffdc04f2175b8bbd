"""Hold what a segment was written in answer to: turns of a dialogue, facts, features, documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.data import columns
from nlgauge.data.labels import Labels
from nlgauge.data.text_lists import TextLists
from nlgauge.errors import DataError
from nlgauge.kernels import Texts

Features = npt.NDArray[np.float32]
SEPARATOR = "\n"  # of the turns of a context that is one string
MACHINES = frozenset({"bot", "chatbot", "machine", "system", "assistant"})  # names of speakers


@dataclass(frozen=True, eq=False, kw_only=True)
class Context(Sequence[str]):
    """A context has, for every segment, whatever of turns, facts, features and documents is given.

    `context[i]` is the one-string view, the turns of segment i on a line each. A segment may be a
    whole dialogue: its turns are all there is to score, and its hypothesis is empty.
    """

    turns: TextLists | None = None
    speakers: Labels | None = None  # by text of turns.flat; a turn may have none
    facts: TextLists | None = None  # of the world, or lines of a persona
    features: Features | None = None  # [segments, width]: of an image, say
    documents: TextLists | None = None

    @classmethod
    def build(
        cls,
        *,
        turns: Iterable[Any] | None = None,
        facts: Iterable[Any] | None = None,
        features: Any = None,
        documents: Iterable[Any] | None = None,
    ) -> Context:
        """Check and pack columns. An entry of `turns` is one string with a turn on each line, or a
        list of turns; a turn is a text, a pair of speaker and text, or a mapping with `speaker` and
        `text`. `facts` and `documents` have a text or a list of texts for every segment; `features`
        has a row of numbers for each, all of one width.
        """
        said, speakers = (None, None) if turns is None else _turns(turns)
        found = cls(
            turns=said,
            speakers=speakers,
            facts=None if facts is None else _lists("facts", facts),
            features=None if features is None else _features(features),
            documents=None if documents is None else _lists("documents", documents),
        )
        found._check()
        return found

    def __len__(self) -> int:
        return len(self._column())

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        if not -len(self) <= i < len(self):
            raise IndexError(i)
        return "" if self.turns is None else SEPARATOR.join(self.turns[i])

    def speakers_of(self, i: int) -> list[str | None]:
        """Return who said each turn of segment i; None where that is not known."""
        if self.turns is None:
            return []
        places = range(self.turns.starts[i], self.turns.starts[i + 1])
        return [None if self.speakers is None else self.speakers[k] for k in places]

    def spoken(self, i: int) -> list[tuple[str | None, str]] | None:
        """Return who said what in the turns of segment i; None without turns."""
        if self.turns is None:
            return None
        return list(zip(self.speakers_of(i), self.turns[i], strict=True))

    def take(self, rows: Sequence[int]) -> Context:
        """Return the contexts of the given segments, in the given order."""
        speakers = None
        if self.turns is not None and self.speakers is not None:
            speakers = self.speakers.take(self.turns.places(rows))
        return Context(
            turns=_taken(self.turns, rows),
            speakers=speakers,
            facts=_taken(self.facts, rows),
            features=None if self.features is None else self.features[list(rows)],
            documents=_taken(self.documents, rows),
        )

    @classmethod
    def join(cls, contexts: Sequence[Context]) -> Context:
        """Return several contexts as one, the segments of the first before those of the second;
        what one of them lacks, all do.
        """
        turns, facts, documents = (
            _joined([getattr(context, name) for context in contexts])
            for name in ("turns", "facts", "documents")
        )
        speakers = None
        if turns is not None and any(context.speakers is not None for context in contexts):
            speakers = Labels.build(
                name
                for context in contexts
                for i in range(len(context))
                for name in context.speakers_of(i)
            )
        rows = [context.features for context in contexts if context.features is not None]
        if len({part.shape[1] for part in rows}) > 1:
            widths = " and ".join(str(part.shape[1]) for part in rows)
            raise DataError(f"features: rows of {widths} numbers cannot be joined")
        return cls(
            turns=turns,
            speakers=speakers,
            facts=facts,
            features=np.concatenate(rows) if len(rows) == len(contexts) else None,
            documents=documents,
        )

    def _column(self) -> Any:
        for field in fields(self):
            column = getattr(self, field.name)
            if column is not None and field.name != "speakers":
                return column
        raise DataError("a context needs turns, facts, features or documents")

    def _check(self) -> None:
        size = len(self)
        for name in ("turns", "facts", "features", "documents"):
            column = getattr(self, name)
            if column is not None and len(column) != size:
                raise DataError(
                    f"context: {name} of {len(column)} segments beside others of {size}; each "
                    "segment needs an entry, which may be an empty list"
                )


def turns_of_texts(texts: Iterable[str], separator: str = SEPARATOR) -> TextLists:
    """Split each text into turns at a separator; an empty text has none."""
    return TextLists.build([text.split(separator) if text else [] for text in texts])


def turns_of(where: str, given: Any) -> list[tuple[str | None, str]]:
    """Return the turns of one segment as pairs of speaker, or None, and text; `where` is how errors
    call the segment.
    """
    if isinstance(given, str):
        return [(None, text) for text in given.split(SEPARATOR)] if given else []
    if not isinstance(given, list | tuple):
        raise DataError(f"{where}: {type(given).__name__} {given!r:.60}, expected a list of turns")
    return [_turn(f"{where}, turn {k}", turn) for k, turn in enumerate(given, 1)]


def _turn(where: str, turn: Any) -> tuple[str | None, str]:
    speaker: Any = None
    text = turn
    if isinstance(turn, Mapping):
        speaker, text = turn.get("speaker"), turn.get("text")
    elif isinstance(turn, list | tuple) and len(turn) == 2:
        speaker, text = turn
    if not isinstance(text, str):
        raise DataError(
            f"{where}: {turn!r:.60}, expected a text, or a speaker and a text such as "
            '{"speaker": "A", "text": "..."}'
        )
    if type(speaker) is int:
        speaker = str(speaker)
    if speaker is not None and not isinstance(speaker, str):
        raise DataError(f"{where}: its speaker is {speaker!r:.60}, expected a name")
    return speaker or None, text


def _turns(given: Iterable[Any]) -> tuple[TextLists, Labels | None]:
    entries = columns.nested_entries("contexts", given)
    listed = [turns_of(f"contexts, segment {i}", entry) for i, entry in enumerate(entries, 1)]
    speakers = Labels.build(speaker for turns in listed for speaker, _ in turns)
    found = TextLists.build([[text for _, text in turns] for turns in listed])
    return found, speakers if speakers.names else None


def _lists(what: str, given: Iterable[Any]) -> TextLists:
    entries = columns.nested_entries(what, given)
    try:
        return TextLists.build([[row] if isinstance(row, str) else row for row in entries])
    except TypeError as error:
        raise DataError(
            f"{what}: {columns.fault(entries) or error}; give a list of str for every segment"
        ) from None


def _features(given: Any) -> Features:
    rows = list(given)
    for i, row in enumerate(rows, 1):
        if np.size(row) != np.size(rows[0]):
            raise DataError(
                f"features: segment {i} has {np.size(row)} numbers and segment 1 has "
                f"{np.size(rows[0])}; all need the same width"
            )
    try:
        found = np.array(rows, np.float32)
    except (TypeError, ValueError) as error:
        raise DataError(f"features: {error}; give a row of numbers for every segment") from None
    if found.ndim != 2 or not found.size:
        raise DataError(f"features of shape {found.shape}; give a row of numbers for every segment")
    bad = np.flatnonzero(~np.isfinite(found).all(axis=1))
    if bad.size:
        raise DataError(f"features: segment {bad[0] + 1} has a number that is not finite")
    return found


def _taken(lists: TextLists | None, rows: Sequence[int]) -> TextLists | None:
    return None if lists is None else TextLists.build([lists[i] for i in rows])


def _joined(parts: Sequence[TextLists | None]) -> TextLists | None:
    given = [part for part in parts if part is not None]
    if len(given) < len(parts):
        return None
    flat = Texts([text for part in given for text in part.flat])
    counts = np.concatenate([part.counts for part in given])
    return TextLists(flat, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))
