"""Relevance-Prediction and LDC-Agreement (Dorr et al., 2005): does a summary, headline or other
surrogate let people judge a document's relevance as they would from its full text?

Rows: `item` the document, `system` the kind of surrogate or the full text, `annotator` the subject,
`criterion` the event, `label` relevant or "not relevant" (or `value` 1 or 0), `seconds`. Rows by
the annotator called gold are the labels of the corpus. Rows without an annotator are scores of
surrogates, such as ROUGE.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nlgauge.data.judgements import Judgements
from nlgauge.errors import DataError
from nlgauge.stats.agreement import cohen

_RELEVANT = {"relevant": True, "rel": True, "r": True, "yes": True} | dict.fromkeys(
    ("not relevant", "nonrelevant", "non-relevant", "nonrel", "irrelevant", "n", "no"), False
)
# What was said of the surrogate / of the full text.
_CELLS = {
    "Rel/Rel": (True, True),
    "Rel/NonRel": (True, False),
    "NonRel/Rel": (False, True),
    "NonRel/NonRel": (False, False),
}


@dataclass(frozen=True)
class Relevance:
    """Relevance counts what subjects said of one kind of surrogate, for one event or all: surrogate
    / full text.
    """

    surrogate: str
    event: str | None
    judged: int  # of the surrogate by subjects who judged the full text, too
    both: int  # Rel/Rel
    false_positives: int  # Rel/NonRel
    false_negatives: int  # NonRel/Rel
    neither: int  # NonRel/NonRel
    prediction: float  # Relevance-Prediction: share judged like the full text by the same subject
    kappa: float
    gold_agreement: float  # LDC-Agreement: share equal to the corpus label
    seconds: float  # mean time of a decision
    time_saved: float  # against the full text
    scores: Mapping[str, Mapping[str, float]] = field(
        default_factory=dict
    )  # metric -> cell -> mean


@dataclass(frozen=True)
class RelevancePrediction:
    """The prediction is given overall and by event, and for the full text itself."""

    surrogates: tuple[Relevance, ...]
    events: tuple[Relevance, ...]
    full_gold_agreement: float
    full_seconds: float
    unpaired: int  # judgements of surrogates without one of the full text by the same subject


@dataclass(frozen=True)
class _Decision:
    document: str
    surrogate: str
    event: str | None
    relevant: bool
    full: bool | None
    gold: bool | None
    seconds: float


def relevance_prediction(
    judgements: Judgements,
    *,
    full: str = "full",
    gold: str = "gold",
    leave_out: Collection[str] = (),
) -> RelevancePrediction:
    """Analyse judgements of relevance; `full` is the `system` of the full text, `gold` the
    `annotator` of the corpus labels, `leave_out` names events that do not count, such as the one
    for practice.
    """
    rows = [r for r in judgements.records() if r.get("criterion") not in leave_out]
    scored = [r for r in rows if "annotator" not in r and "value" in r]
    labels = {_document(r): _relevant(r) for r in rows if r.get("annotator") == gold}
    people = [r for r in rows if r.get("annotator") not in (None, gold)]
    texts = [r for r in people if r.get("system") == full]
    if not texts:
        raise DataError(
            f"no judgement of the full text, that is, with the system {full!r}; name the one it is "
            "(full=..., --full)"
        )
    read = {(*_document(r), r["annotator"]): r for r in texts}
    decisions = []
    for r in people:
        if r.get("system") not in (None, full):
            whole = read.get((*_document(r), r["annotator"]))
            decisions.append(
                _Decision(
                    _document(r)[0],
                    r["system"],
                    r.get("criterion"),
                    _relevant(r),
                    None if whole is None else _relevant(whole),
                    labels.get(_document(r)),
                    r.get("seconds", np.nan),
                )
            )
    scores: dict[str, dict[tuple[str, str], float]] = {}
    for r in scored:
        scores.setdefault(r.get("criterion", "score"), {})[_document(r)[0], r["system"]] = r[
            "value"
        ]
    full_seconds = _mean(r.get("seconds", np.nan) for r in texts)
    kinds = dict.fromkeys(d.surrogate for d in decisions)
    events = dict.fromkeys(d.event for d in decisions)

    def table(surrogate: str, event: str | None, chosen: list[_Decision]) -> Relevance:
        return _table(surrogate, event, chosen, full_seconds, scores)

    return RelevancePrediction(
        surrogates=tuple(
            table(kind, None, [d for d in decisions if d.surrogate == kind]) for kind in kinds
        ),
        events=tuple(
            table(kind, event, chosen)
            for kind in kinds
            for event in events
            if (chosen := [d for d in decisions if (d.surrogate, d.event) == (kind, event)])
        ),
        full_gold_agreement=_mean(
            _relevant(r) == labels[_document(r)] for r in texts if _document(r) in labels
        ),
        full_seconds=full_seconds,
        unpaired=sum(d.full is None for d in decisions),
    )


def _table(
    surrogate: str,
    event: str | None,
    decisions: list[_Decision],
    full_seconds: float,
    scores: Mapping[str, Mapping[tuple[str, str], float]],
) -> Relevance:
    paired = [d for d in decisions if d.full is not None]
    cells = {
        name: [d for d in paired if (d.relevant, d.full) == pattern]
        for name, pattern in _CELLS.items()
    }
    seconds = _mean(d.seconds for d in decisions)
    means = {
        metric: {
            name: _mean(of.get((d.document, d.surrogate), np.nan) for d in chosen)
            for name, chosen in (*cells.items(), ("all", paired))
        }
        for metric, of in scores.items()
    }
    return Relevance(
        surrogate,
        event,
        len(paired),
        both=len(cells["Rel/Rel"]),
        false_positives=len(cells["Rel/NonRel"]),
        false_negatives=len(cells["NonRel/Rel"]),
        neither=len(cells["NonRel/NonRel"]),
        prediction=_mean(d.relevant == d.full for d in paired),
        kappa=cohen([d.relevant for d in paired], [bool(d.full) for d in paired]),
        gold_agreement=_mean(d.relevant == d.gold for d in decisions if d.gold is not None),
        seconds=seconds,
        time_saved=1 - seconds / full_seconds if full_seconds > 0 else np.nan,
        scores=means,
    )


def _document(row: Mapping[str, Any]) -> tuple[str, str | None]:
    if "item" not in row:
        raise DataError("a judgement of relevance has no item; it is the document judged")
    return row["item"], row.get("criterion")


def _relevant(row: Mapping[str, Any]) -> bool:
    given = row.get("label", row.get("value"))
    if given in (0, 1):
        return bool(given)
    found = _RELEVANT.get(str(given).lower())
    if found is None:
        raise DataError(
            f"document {row['item']!r}: {given!r} says neither relevant nor not; the judgement is "
            'binary: label "relevant" or "not relevant", or value 1 or 0'
        )
    return found


def _mean(values: Iterable[float]) -> float:
    known = [float(v) for v in values if v == v]
    return float(np.mean(known)) if known else float("nan")
