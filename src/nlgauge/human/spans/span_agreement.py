"""Measure how far annotators, people and judges alike, mark the same errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from nlgauge.core.facts.defaults import CONFIDENCE, RESAMPLES, SEED
from nlgauge.core.results import Result
from nlgauge.data.error_spans import ErrorSpan, character_marks, severity_rank, weighted_sum
from nlgauge.data.judgements import Judgements
from nlgauge.data.labels import NONE
from nlgauge.errors import DataError
from nlgauge.human.spans.span_matching import SpanMatches, f1, match_spans
from nlgauge.kernels import Floats
from nlgauge.stats.agreement import krippendorff

ERRORS = "-errors"  # how criteria end whose rows are errors; without it, they are ratings
Output = tuple[str, str]  # item and system
Marked = dict[Output, dict[str, list[ErrorSpan]]]  # by annotator; an empty list: nothing is wrong


@dataclass(frozen=True, kw_only=True)
class SpanPair:
    """Two annotators agree so far on errors, over the outputs that both looked at; intervals are
    of resampled items. NaN: neither marked anything.
    """

    first: str
    second: str
    outputs: int
    spans: tuple[int, int]  # that each of them marked
    exact_f1: float
    overlap_f1: float
    character_f1: float
    severity_f1: float  # characters of another severity count half
    low: float  # of `character_f1`
    high: float


@dataclass(frozen=True, repr=False)
class SpanAgreement(Result):
    """This is how far all pairs of annotators agree on errors."""

    pairs: tuple[SpanPair, ...]
    outputs: int  # that two annotators looked at
    # Krippendorff's alpha over characters, by ordered severity; NaN without lengths of texts.
    character_alpha: float
    confidence: float
    resamples: int
    seed: int


def marked_errors(judgements: Judgements) -> Marked:
    """Return the errors that each annotator marked in each output they looked at.

    Who rated an output under a criterion whose errors are marked elsewhere, and marked nothing,
    found nothing wrong.
    """
    names = judgements.criterion.names
    errors = {name for name in names if name.endswith(ERRORS)}
    looked = errors | {name.removesuffix(ERRORS) for name in errors}
    found: Marked = {}
    for i, criterion in enumerate(judgements.criterion):
        item, system = judgements.item[i], judgements.system[i]
        if criterion not in looked or item is None:
            continue
        own = found.setdefault((item, system or ""), {})
        marks = own.setdefault(judgements.annotator[i] or "", [])
        if criterion in errors and judgements.severity.codes[i] != NONE:
            marks.append(_span(judgements, i))
    return found


def _span(judgements: Judgements, i: int) -> ErrorSpan:
    start, end = judgements.start[i], judgements.end[i]
    placed = not np.isnan(start)
    return ErrorSpan(
        start=int(start) if placed else None,
        end=int(end) if placed else None,
        severity=judgements.severity[i] or "",
        category=judgements.label[i] or "",
    )


def has_spans(judgements: Judgements) -> bool:
    """Return whether errors are marked in any text."""
    return bool((~np.isnan(judgements.start)).any())


def span_agreement(
    judgements: Judgements,
    *,
    lengths: Mapping[Output, int] | None = None,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
) -> SpanAgreement:
    """Compare every two annotators. `lengths` are characters of outputs, by item and system, for
    an agreement beyond chance.
    """
    marked = {output: own for output, own in marked_errors(judgements).items() if len(own) > 1}
    if not marked:
        raise DataError(
            "no output has errors marked by two annotators; give judgements of several, or of a "
            "judge beside those of people"
        )
    people = sorted({name for own in marked.values() for name in own})
    pairs = [
        pair
        for one, other in combinations(people, 2)
        if (pair := _pair(marked, one, other, resamples, confidence, seed)) is not None
    ]
    alpha = float("nan") if lengths is None else _alpha(marked, people, lengths)
    return SpanAgreement(tuple(pairs), len(marked), alpha, confidence, resamples, seed)


def _pair(
    marked: Marked, one: str, other: str, resamples: int, confidence: float, seed: int
) -> SpanPair | None:
    common = [(output, own) for output, own in marked.items() if one in own and other in own]
    if not common:
        return None
    by_item: dict[str, list[SpanMatches]] = {}
    for (item, _), own in common:
        by_item.setdefault(item, []).append(match_spans(own[one], own[other]))
    counts = np.array([np.sum(found, axis=0) for found in by_item.values()])  # [items, counts]
    total = SpanMatches(*counts.sum(axis=0).tolist())
    low, high = _interval(counts, resamples, confidence, seed)
    placed = [
        sum(error.place is not None for _, own in common for error in own[name])
        for name in (one, other)
    ]
    return SpanPair(
        first=one,
        second=other,
        outputs=len(common),
        spans=(placed[0], placed[1]),
        exact_f1=f1(total.exact, total.spans),
        overlap_f1=f1(total.overlapping, total.spans),
        character_f1=f1(total.characters, total.marked),
        severity_f1=f1(total.severe, total.marked),
        low=low,
        high=high,
    )


def _interval(counts: Floats, resamples: int, confidence: float, seed: int) -> tuple[float, float]:
    """Return an interval of the F1 of characters; NaN if there is but one item."""
    if resamples < 2 or len(counts) < 2:
        return float("nan"), float("nan")
    drawn = np.random.default_rng(seed).multinomial(
        len(counts), np.full(len(counts), 1 / len(counts)), resamples
    )
    sums = drawn @ counts
    places = [SpanMatches._fields.index(name) for name in ("characters", "marked")]
    matches, both = sums[:, places[0]], sums[:, places[1]]
    values = np.divide(2 * matches, both, out=np.full(resamples, np.nan), where=both > 0)
    values = values[~np.isnan(values)]
    if not len(values):
        return float("nan"), float("nan")
    tail = (1 - confidence) / 2
    low, high = np.quantile(values, (tail, 1 - tail))
    return float(low), float(high)


def _alpha(marked: Marked, people: list[str], lengths: Mapping[Output, int]) -> float:
    """Return Krippendorff's alpha of all characters that two annotators or more looked at."""
    place = {name: k for k, name in enumerate(people)}
    blocks = []
    for output, own in marked.items():
        if output not in lengths:
            raise DataError(f"no text of system {output[1]!r} for item {output[0]!r}")
        block = np.full((lengths[output], len(people)), np.nan)
        for name, errors in own.items():
            marks = character_marks(lengths[output], errors)
            block[:, place[name]] = [severity_rank(mark) if mark else 0 for mark in marks]
        blocks.append(block)
    return krippendorff(np.vstack(blocks), "ordinal")


def weighted_errors(judgements: Judgements, weights: Mapping[str, float]) -> Judgements:
    """Return what errors cost as ratings: minus the sum of the weights of their severities, for
    each output and annotator, under the criterion `weighted-errors`.
    """
    rows = list(_weighted(judgements, weights))
    if not rows:
        raise DataError("the judgements have no errors with a severity to weigh")
    return Judgements.build(rows)


def _weighted(
    judgements: Judgements, weights: Mapping[str, float]
) -> Iterator[dict[str, str | float]]:
    for (item, system), own in marked_errors(judgements).items():
        for annotator, errors in own.items():
            total = weighted_sum(errors, weights)
            names = {"item": item, "system": system, "annotator": annotator}
            kept: dict[str, str | float] = {key: name for key, name in names.items() if name}
            yield kept | {"criterion": "weighted-errors", "value": -total if total else 0.0}
