"""Lay the errors that people marked over the texts they marked them in."""

from __future__ import annotations

from nlgauge.core.outputs import Outputs
from nlgauge.data.judgements import Judgements
from nlgauge.explain.traces import MarkedText
from nlgauge.human.spans.span_agreement import has_spans, marked_errors

MOST_ANNOTATORS = 12  # that can be chosen one by one


def people_marks(outputs: Outputs, judgements: Judgements) -> dict[str, list[MarkedText | None]]:
    """Return the marked texts of each annotator, in the order of the outputs; None where they did
    not look.
    """
    if not has_spans(judgements):
        return {}
    marked = marked_errors(judgements)
    people = sorted({name for own in marked.values() for name in own})[:MOST_ANNOTATORS]
    places = list(zip(outputs.items, outputs.systems, outputs.corpus.hypotheses, strict=True))
    found: dict[str, list[MarkedText | None]] = {}
    for name in people:
        errors = [
            marked.get((item or "", system or ""), {}).get(name) for item, system, _ in places
        ]
        found[f"errors by {name or 'annotators'}"] = [
            None if own is None else MarkedText(text, tuple(own), note=f"errors that {name} marked")
            for own, (_, _, text) in zip(errors, places, strict=True)
        ]
    return found
