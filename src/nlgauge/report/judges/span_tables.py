"""Make tables of how far annotators mark the same errors."""

from __future__ import annotations

from nlgauge.human.spans.span_agreement import SpanAgreement
from nlgauge.report.tables.grid import Cell, Estimate, Field, Grid


def span_grid(result: SpanAgreement) -> Grid:
    """Return the agreement of every two annotators on errors."""
    rows: list[list[Cell]] = [
        [
            p.first, p.second, p.outputs, *p.spans, p.exact_f1, p.overlap_f1,
            p.character_f1 if p.low != p.low else Estimate(p.character_f1, p.low, p.high),
            p.severity_f1,
        ]
        for p in result.pairs
    ]  # fmt: skip
    names = ("annotator", "other", "outputs", "errors", "of other")
    measures = ("exact F1", "overlap F1", "character F1", "with severity")
    fields = (*map(Field, names), *(Field(name, ".3f") for name in measures))
    notes = [
        "exact F1: errors with the same first and last character; overlap F1: errors that share a "
        "character, each matched once",
        "character F1: characters that both marked; with severity: those of another severity count "
        "half",
        f"intervals: {result.confidence:.0%}, {result.resamples} resamples of items, seed "
        f"{result.seed}",
    ]
    if result.character_alpha == result.character_alpha:
        notes.append(
            f"Krippendorff's alpha of characters by severity: {result.character_alpha:.3f}"
        )
    return Grid("Marked errors", fields, rows, tuple(notes))


def span_grids(result: SpanAgreement) -> list[Grid]:
    """Return all tables of an agreement on errors."""
    return [span_grid(result)]
