"""Read documents with the sentences that people extracted from them, as JSON lines.

    {"id": "m1", "sentences": ["...", "..."], "extract": [0, 1], "references": ["..."]}

`extract` has a mark for each sentence, 1 if it was extracted; `extracts` a list of such lists, one
for each annotator. References are summaries of the document in other words, if there are any. A
document may be given as `source`, a text that is split into sentences. Prosody stands in a file of
its own: tab-separated, with the id, the number of the sentence from 1, and a column for each of
PROSODY.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from nlgauge.errors import DataError
from nlgauge.io.files import read_utf8, shown
from nlgauge.io.request import Request
from nlgauge.io.texts.jsonl import rows
from nlgauge.io.texts.tables import split_tsv
from nlgauge.kernels import Floats
from nlgauge.text.sentences import sentences as split_sentences

PROSODY = ("f0_mean", "f0_sd", "energy_mean", "energy_sd", "duration_mean", "duration_sd")


@dataclass(frozen=True, eq=False)
class MarkedDocument:
    """A marked document has sentences, and which of them each annotator extracted."""

    name: str
    sentences: tuple[str, ...]
    extracts: tuple[tuple[bool, ...], ...] = ()
    references: tuple[str, ...] = ()
    prosody: Floats | None = field(default=None, repr=False)  # [sentences, 6]

    @property
    def summaries(self) -> list[str]:
        """Return what summaries are held against: the references or, without any, the extracts."""
        if self.references:
            return list(self.references)
        return [
            " ".join(s.strip() for s, kept in zip(self.sentences, marks, strict=True) if kept)
            for marks in self.extracts
        ]


def read_marked(
    paths: Sequence[str], *, encoding: str = "utf-8", prosody: str | None = None
) -> list[MarkedDocument]:
    """Read documents of all files, and the prosody of their sentences from another file."""
    found: dict[str, MarkedDocument] = {}
    for number, (place, record) in enumerate(
        rows(Request("jsonl", tuple(paths), encoding=encoding)), start=1
    ):
        document = _document(record, str(place), str(record.get("id", number)))
        if document.name in found:
            raise DataError(f"{place}: the id {document.name!r} is given twice; rename one")
        found[document.name] = document
    if prosody is None:
        return list(found.values())
    columns = read_prosody(prosody, {name: len(d.sentences) for name, d in found.items()}, encoding)
    return [replace(d, prosody=columns[name]) for name, d in found.items()]


def _document(record: Mapping[str, Any], place: str, name: str) -> MarkedDocument:
    given = record.get("sentences")
    if given is None and isinstance(record.get("source"), str):
        given = split_sentences(record["source"])
    if not isinstance(given, list) or not all(isinstance(s, str) for s in given) or not given:
        raise DataError(f"{place}: no sentences; give `sentences`, a list of texts, or `source`")
    if not all(s.strip() for s in given):
        raise DataError(f"{place}: a sentence is empty; leave it out, and its mark")
    extracts = record.get("extracts", [] if "extract" not in record else [record["extract"]])
    if not isinstance(extracts, list):
        raise DataError(f"{place}: extracts is {type(extracts).__name__}, expected a list of lists")
    references = record.get("references", [])
    if not isinstance(references, list) or not all(isinstance(r, str) for r in references):
        raise DataError(f"{place}: references must be a list of texts")
    marks = tuple(_marks(each, len(given), place) for each in extracts)
    return MarkedDocument(name, tuple(given), marks, tuple(references))


def _marks(given: Any, size: int, place: str) -> tuple[bool, ...]:
    if not isinstance(given, list) or any(mark not in (0, 1) for mark in given):
        raise DataError(f"{place}: an extract is a list of 0 and 1, one mark for each sentence")
    if len(given) != size:
        raise DataError(f"{place}: {len(given)} marks for {size} sentences; give one for each")
    if not any(given):
        raise DataError(f"{place}: an extract has no sentence; mark one at least, or leave it out")
    return tuple(map(bool, given))


def read_prosody(path: str, sizes: Mapping[str, int], encoding: str) -> dict[str, Floats]:
    """Read the prosody of all sentences of the documents with these sizes; more is no error."""
    place = shown(path)
    lines = iter(split_tsv(place, read_utf8(path, encoding)))
    header = tuple(next(lines)[1])
    if header != ("id", "sentence", *PROSODY):
        names = ", ".join(("id", "sentence", *PROSODY))
        raise DataError(f"{place}, line 1: expected the columns {names}")
    found = {name: np.full((size, len(PROSODY)), math.nan) for name, size in sizes.items()}
    for number, cells in lines:
        if len(cells) != len(header):
            raise DataError(f"{place}, line {number}: {len(cells)} columns, not {len(header)}")
        name, sentence, *values = cells
        if name not in found:
            continue
        try:
            numbers = [float(value) for value in values]
            if not all(map(math.isfinite, numbers)):
                raise ValueError
            at = int(sentence)
        except ValueError:
            raise DataError(
                f"{place}, line {number}: expected finite numbers after the id"
            ) from None
        if not 1 <= at <= sizes[name]:
            raise DataError(
                f"{place}, line {number}: sentence {at} of {name!r}, which has {sizes[name]}"
            )
        found[name][at - 1] = numbers
    for name, rows_ in found.items():
        missing = np.flatnonzero(np.isnan(rows_).any(axis=1))
        if len(missing):
            raise DataError(f"{place}: no row for sentence {missing[0] + 1} of {name!r}; add it")
    return found
