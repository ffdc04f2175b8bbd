"""Rated outputs as training needs them: what must not be torn apart has one group."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from nlgauge.core.outputs import Outputs, OutputScores
from nlgauge.core.resources import contents_hash
from nlgauge.data.corpus import Corpus
from nlgauge.data.labels import Codes, Labels, Rows
from nlgauge.errors import DataError, NlgaugeWarning, SpecError
from nlgauge.kernels import Floats
from nlgauge.meta.correlation.paired_scores import PairedScores
from nlgauge.meta.correlation.reading import read_texts

TEXTS = "texts"  # the group of all that shares a source, a context or a reference
COLUMNS = {"source": "sources", "context": "contexts", "reference": "references"}
GROUPS = (TEXTS, "item", *COLUMNS)
LEAST = 10  # rated outputs


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgedRows:
    """These are rated outputs, one a row."""

    corpus: Corpus
    ratings: Floats
    groups: Codes  # rows of one group are held out together
    parts: Labels  # figures are means over these, such as language pairs
    criterion: str
    data: tuple[Mapping[str, Any], ...] = ()  # the files: name, sha256, licence, rows

    def __len__(self) -> int:
        return len(self.ratings)

    def take(self, rows: Rows) -> JudgedRows:
        """Return the given rows (indices, or a mask)."""
        chosen = np.arange(len(self))[rows]
        return replace(
            self,
            corpus=self.corpus.take(chosen.tolist()),
            ratings=self.ratings[chosen],
            groups=self.groups[chosen],
            parts=self.parts.take(chosen),
        )

    def check(self) -> None:
        """Refuse ratings that nothing can be learnt from."""
        if len(self) < LEAST:
            raise DataError(
                f"{self.criterion}: {len(self)} rated outputs; training needs {LEAST} at least"
            )
        if np.ptp(self.ratings) == 0:
            raise DataError(
                f"{self.criterion}: all {len(self)} ratings are {self.ratings[0]:g}; nothing can "
                "be learnt from ratings that do not differ"
            )


def read_judged_rows(
    paths: Sequence[str],
    *,
    criterion: str | None = None,
    group: str = TEXTS,
    split: str | None = None,
    licence: str | None = None,
    **texts: Any,
) -> JudgedRows:
    """Read rated outputs as `read_texts` does; outputs that nobody rated are left out.

    `group` is one of GROUPS: what tells which outputs belong together.
    """
    if group not in GROUPS:
        raise SpecError(f"group={group!r}: expected {', '.join(GROUPS)}")
    outputs, judgements = read_texts(paths, split=split, **texts)
    none = OutputScores(items=outputs.items, systems=outputs.systems, columns=(), rows=())
    paired = PairedScores(scores=none, judgements=judgements, groups=outputs.groups)
    criterion = choose_criterion(criterion, paired.criteria)
    ratings = paired.human(criterion)
    rated = np.flatnonzero(~np.isnan(ratings))
    if not rated.size:
        raise DataError(f"no output is rated by the criterion {criterion!r}")
    _warn_of_one_system(outputs)
    parts = outputs.groups.get(split or "", Labels.build([""] * len(outputs)))
    rows = JudgedRows(
        corpus=outputs.corpus,
        ratings=ratings,
        groups=groups_of(outputs, group),
        parts=parts,
        criterion=criterion,
        data=tuple(described(path, licence) for path in map(str, paths)),
    ).take(rated)
    rows.check()
    return rows


def groups_of(outputs: Outputs, group: str) -> Codes:
    """Return the group of each output; warn of texts that are in several."""
    if group == "item":
        found = outputs.items.codes
    else:
        names = list(COLUMNS) if group == TEXTS else [group]
        columns = [texts for name in names if (texts := _texts(outputs.corpus, name)) is not None]
        if not columns:
            raise DataError(f"group={group}: the outputs have no {' and no '.join(names)}")
        found = _connected(columns)
    leaks = [name for name in COLUMNS if _leaks(_texts(outputs.corpus, name), found)]
    if leaks:
        warnings.warn(
            f"group={group}: outputs of different groups have the same {' and '.join(leaks)}, so "
            f"what is held out is not new; group={TEXTS} keeps them together",
            NlgaugeWarning,
            stacklevel=2,
        )
    return found


def shared_texts(rows: JudgedRows, others: JudgedRows) -> int:
    """Return how many rows have a source, context or reference that is also among the others'."""
    leaking = np.zeros(len(rows), bool)
    for name in COLUMNS:
        own, theirs = _texts(rows.corpus, name), _texts(others.corpus, name)
        if own is not None and theirs is not None:
            known = {text for texts in theirs for text in texts}
            leaking |= [not known.isdisjoint(texts) for texts in own]
    return int(leaking.sum())


def _texts(corpus: Corpus, name: str) -> list[list[str]] | None:
    column = getattr(corpus, COLUMNS[name])
    if column is None:
        return None
    found = [list(texts) if name == "reference" else [texts] for texts in column]
    return found if any(text for texts in found for text in texts) else None


def _connected(columns: Iterable[Sequence[Sequence[str]]]) -> Codes:
    """Return groups of rows that share a text of a column, directly or through others."""
    columns = list(columns)
    parent = list(range(len(columns[0])))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = i = parent[parent[i]]
        return i

    for column in columns:
        first: dict[str, int] = {}
        for i, texts in enumerate(column):
            for text in filter(None, texts):
                one, other = sorted((root(first.setdefault(text, i)), root(i)))
                parent[other] = one
    return np.unique([root(i) for i in range(len(parent))], return_inverse=True)[1]


def _leaks(column: list[list[str]] | None, groups: Codes) -> bool:
    seen: dict[str, int] = {}
    pairs = zip(column or [], groups.tolist(), strict=column is not None)
    return any(seen.setdefault(text, g) != g for texts, g in pairs for text in texts if text)


def choose_criterion(wanted: str | None, there: Sequence[str]) -> str:
    """Return the criterion that is learnt, which must be named where there are several."""
    if wanted is None and len(there) == 1:
        return there[0]
    if wanted is None or wanted not in there:
        listing = ", ".join(there) or "none"
        what = "several" if wanted is None else f"no {wanted!r}"
        raise SpecError(f"--criterion: the ratings have {what}; say which of: {listing}")
    return wanted


def _warn_of_one_system(outputs: Outputs) -> None:
    if (
        len(outputs.items.names) * len(outputs.systems.names)
        == len(outputs)
        == len(outputs.items.names)
    ):
        warnings.warn(
            f"all outputs are of one system, {outputs.systems.names[0]!r}; figures say how well "
            "its outputs are told apart, not systems",
            NlgaugeWarning,
            stacklevel=3,
        )


def described(path: str, licence: str | None) -> dict[str, Any]:
    """Return what the header of a model says of a file that it learned from."""
    return {
        "name": Path(path).name,
        "sha256": contents_hash(Path(path)) if Path(path).is_file() else None,
        "licence": licence,
    }
