"""Make tables of the numbers behind pictures of similarities and frames."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlgauge.explain.traces import Frames, MarkedText, RoleSpan, TokenSimilarities, Trace
from nlgauge.report.pictures.words import joined
from nlgauge.report.tables.grid import Cell, Field, Grid

COUNTS = {"hyp": "hypothesis", "ref": "reference", "both": "both"}


def tables(trace: Trace) -> list[Grid]:
    """Return what a picture shows by colours and lines.

    Words tell it themselves and have no table.
    """
    if isinstance(trace, TokenSimilarities):
        return [_matches(trace)] if trace.matches else []
    if isinstance(trace, MarkedText):
        return [_errors(trace)] if trace.errors else []
    return [_roles(trace)] if isinstance(trace, Frames) and trace.pairs else []


def _errors(trace: MarkedText) -> Grid:
    """Return one row for each error that was marked."""
    rows: list[list[Cell]] = []
    for error in trace.errors:
        start, end = error.place or (None, None)
        words = None if start is None else trace.text[start:end]
        rows.append([error.severity, error.category or None, words, start, end])
    names = ("severity", "category", "words", "from", "to")
    return Grid("Errors", tuple(map(Field, names)), rows)


def _matches(trace: TokenSimilarities) -> Grid:
    """Return one row for each cell that counted."""
    moved = any(match.flow is not None for match in trace.matches)
    weights = [
        (name, values)
        for name, values in (
            ("weight in the hypothesis", trace.hyp_weights),
            ("weight in the reference", trace.ref_weights),
        )
        if values is not None
    ]
    rows: list[list[Cell]] = []
    for match in trace.matches:
        row: list[Cell] = [trace.hyp[match.hyp], trace.ref[match.ref]]
        row += [float(trace.matrix[match.hyp, match.ref])]
        row += [match.flow if moved else COUNTS[match.side]]
        row += [
            float(values[match.ref if name.endswith("reference") else match.hyp])
            for name, values in weights
        ]
        rows.append(row)
    heads = ["hypothesis", "reference", trace.measure, "moved" if moved else "best for"]
    fields = tuple(Field(name) for name in (*heads, *(name for name, _ in weights)))
    return Grid("Matched tokens", fields, rows)


def _roles(trace: Frames) -> Grid:
    """Return one row for each role of aligned frames; a dash where nothing is aligned with it."""
    rows: list[list[Cell]] = []
    for number, pair in enumerate(trace.pairs, 1):
        hyp, ref = trace.hyp_frames[pair.hyp], trace.ref_frames[pair.ref]
        texts = _filler(trace.hyp, hyp.predicate), _filler(trace.ref, ref.predicate)
        rows.append([number, hyp.predicate.label, *texts, pair.similarity])
        for roles in pair.roles:
            left, right = hyp.roles[roles.hyp], ref.roles[roles.ref]
            label = left.label if left.label == right.label else f"{left.label}/{right.label}"
            texts = _filler(trace.hyp, left), _filler(trace.ref, right)
            rows.append([number, label, *texts, roles.similarity])
        for k, role in enumerate(hyp.roles):
            if k not in {roles.hyp for roles in pair.roles}:
                rows.append([number, role.label, _filler(trace.hyp, role), None, np.nan])
        for k, role in enumerate(ref.roles):
            if k not in {roles.ref for roles in pair.roles}:
                rows.append([number, role.label, None, _filler(trace.ref, role), np.nan])
    names = ("frame", "role", "hypothesis", "reference", "similarity")
    return Grid("Aligned roles", tuple(map(Field, names)), rows)


def _filler(words: Sequence[str], role: RoleSpan) -> str:
    return joined(words[role.start : role.end])
