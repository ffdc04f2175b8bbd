"""How far annotators agree, for every criterion, with bootstrap intervals over items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np

from nlgauge.core.facts.choices import ValueScale
from nlgauge.core.facts.defaults import CONFIDENCE, RESAMPLES, SEED
from nlgauge.core.results import Result
from nlgauge.data.judgements import Judgements
from nlgauge.data.labels import NONE, Codes, Labels
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats
from nlgauge.stats import agreement as stats
from nlgauge.stats.correlation import pearson

Kind = Literal["ratings", "labels", "sets", "comparisons"]
_MANY_VALUES = 500  # from here on values are measurements, not categories
_MANY_PAIRS = 100  # of annotators; their mean gets no interval then


@dataclass(frozen=True)
class Measure:
    """A measure is a coefficient with its interval, over so many outputs."""

    name: str
    value: float
    low: float
    high: float
    outputs: int


@dataclass(frozen=True)
class PairAgreement:
    """Two annotators agree by Cohen's κ: plain, linear and quadratic."""

    first: str
    second: str
    outputs: int
    kappa: float
    linear: float
    quadratic: float


@dataclass(frozen=True)
class AnnotatorAgreement:
    """An annotator stands beside the others: how much they rated, their scale, and agreement with
    the rest, as correlation with the mean of the others, and mean κ (quadratic for numbers).
    """

    annotator: str
    outputs: int
    mean: float
    deviation: float
    correlation: float
    kappa: float


@dataclass(frozen=True, kw_only=True)
class CriterionAgreement:
    """This is all that was found about one criterion; `headline` is the measure that fits its
    scale.
    """

    criterion: str | None
    kind: Kind
    level: str
    why: str
    headline: str
    outputs: int  # with at least two annotators
    annotators: tuple[str, ...]
    ratings: int
    measures: tuple[Measure, ...]
    pairs: tuple[PairAgreement, ...] = ()
    each: tuple[AnnotatorAgreement, ...] = ()
    notes: tuple[str, ...] = ()

    def measure(self, name: str) -> Measure:
        """Return the measure of that name."""
        for measure in self.measures:
            if measure.name == name:
                return measure
        raise SpecError(f"no {name!r}; there is: {', '.join(m.name for m in self.measures)}")


@dataclass(frozen=True, repr=False)
class Agreement(Result):
    """This is what `agreement` found of all criteria."""

    criteria: tuple[CriterionAgreement, ...]
    left_out: tuple[str, ...]  # criteria without two annotators of one output
    confidence: float
    resamples: int
    seed: int


@dataclass(frozen=True)
class _Table:
    """A table has what was said of each output by each annotator."""

    kind: Kind
    matrix: Floats  # [outputs, annotators]; codes of labels
    names: tuple[str, ...]  # of the annotators
    draws: Floats  # [1 + resamples, outputs]; the first has each output once
    repeats: int
    sets: dict[tuple[int, int], set[int]]  # (output, annotator) -> labels


def agreement(
    judgements: Judgements,
    *,
    criterion: str | Sequence[str] | None = None,
    level: ValueScale = "auto",
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
) -> Agreement:
    """Measure agreement on all criteria, or on those named. `level` is how far values may be
    trusted, for the headline; by default the values tell. Items are resampled with all their
    outputs.
    """
    if resamples < 0 or not 0 < confidence < 1:
        raise SpecError(
            f"resamples={resamples}, confidence={confidence}: expected >= 0, and 0 to 1"
        )
    if level not in ("auto", *stats.LEVELS):
        raise SpecError(f"level={level!r}: there are auto, {', '.join(stats.LEVELS)}")
    wanted: Sequence[str | None] = [criterion] if isinstance(criterion, str) else criterion or ()
    if not wanted:
        used = judgements.criterion.used()
        wanted = [*used.names, *([None] if (used.codes == NONE).any() else [])]
    found, left_out = [], []
    for name in wanted:
        table = _table(judgements.where(criterion=name), resamples, seed)
        if table is None:
            left_out.append(name or "no criterion")
        else:
            found.append(_criterion(name, table, level, confidence))
    if not found:
        raise DataError(
            f"no output was judged by two annotators ({', '.join(left_out)}); agreement needs the "
            "field `annotator`, or lists with one number per annotator"
        )
    return Agreement(tuple(found), tuple(left_out), confidence, resamples, seed)


def _table(given: Judgements, resamples: int, seed: int) -> _Table | None:
    given = given.take((given.annotator.codes != NONE) & (given.item.codes != NONE))
    compared = given.against.codes != NONE
    rated = ~np.isnan(given.value)
    kind: Kind = "ratings"
    if compared.any():
        kind, given = "comparisons", one_way(given.take(compared))
    elif rated.any():
        given = given.take(rated)
    else:
        kind, given = "labels", given.take(given.label.codes != NONE)
    if not len(given):
        return None
    columns = np.stack([given.item.codes, given.system.codes, given.against.codes])
    keys, output = np.unique(columns, axis=1, return_inverse=True)
    output = output.reshape(-1)
    annotators = given.annotator.used()
    cells, first = np.unique(output * len(annotators.names) + annotators.codes, return_index=True)
    repeats = len(given) - len(cells)
    sets: dict[tuple[int, int], set[int]] = {}
    if kind == "labels":
        for o, a, code in zip(output, annotators.codes, given.label.codes, strict=True):
            sets.setdefault((int(o), int(a)), set()).add(int(code))
        if any(len(marked) > 1 for marked in sets.values()):
            kind, repeats = "sets", 0
    values = given.label.codes.astype(np.float64) if kind in ("labels", "sets") else given.value
    matrix = np.full((keys.shape[1], len(annotators.names)), np.nan)
    matrix[output[first], annotators.codes[first]] = values[first]
    if not ((~np.isnan(matrix)).sum(axis=1) >= 2).any():
        return None
    return _Table(kind, matrix, annotators.names, _draws(keys[0], resamples, seed), repeats, sets)


def one_way(given: Judgements) -> Judgements:
    """Return judgements whose comparisons have the two systems of a pair in the same order."""
    names = sorted({*given.system.names, *given.against.names})
    first, second = given.system.recoded(names), given.against.recoded(names)
    turned = (first > second) & (second != NONE)
    return replace(
        given,
        system=Labels(tuple(names), np.where(turned, second, first)),
        against=Labels(tuple(names), np.where(turned, first, second)),
        value=np.where(turned, 1 - given.value, given.value),
    )


def _draws(items: Codes, resamples: int, seed: int) -> Floats:
    """Return how often each output is in the data, and in each resample of the items."""
    names, places = np.unique(items, return_inverse=True)
    rng = np.random.default_rng(seed)
    n = len(names)
    drawn = rng.multinomial(n, np.full(n, 1 / n), size=resamples).astype(np.float64)
    return np.vstack([np.ones(n), drawn])[:, places]


def _criterion(
    criterion: str | None, table: _Table, level: ValueScale, confidence: float
) -> CriterionAgreement:
    matrix = table.matrix
    paired = (~np.isnan(matrix)).sum(axis=1) >= 2
    values = np.unique(matrix[paired & ~np.isnan(matrix).all(axis=1)])
    values = values[~np.isnan(values)]
    found, why = _level(table.kind, values, level)
    measures: list[tuple[str, Floats, int]] = []
    pairs: list[PairAgreement] = []
    notes = []
    if table.repeats:
        notes.append(f"{table.repeats} repeated ratings by the same annotator are left out")
    if table.kind == "sets":
        headline = "Jaccard"
        measures += _sets(table)
    else:
        levels: list[stats.Level] = ["nominal"]
        if table.kind == "ratings":
            levels += ["ordinal", "interval"]
            levels += ["ratio"] if values[0] >= 0 else []
        if values.size > _MANY_VALUES:
            levels = ["ordinal", "interval"]
            notes.append(f"{values.size} distinct values are no categories: no kappas")
        if found not in levels:
            raise SpecError(
                f"level={found!r} does not fit the values of {criterion or 'the judgements'}, from "
                f"{values[0]:g} to {values[-1]:g}; there are {', '.join(levels)}"
            )
        headline = f"Krippendorff α ({found})"
        for name in levels:
            alphas = stats.krippendorff_resampled(matrix, table.draws, name)
            measures.append((f"Krippendorff α ({name})", alphas, int(paired.sum())))
        if values.size <= _MANY_VALUES:
            measures.append(_fleiss(table))
            if measures[-1][2] < paired.sum():
                notes.append("Fleiss κ: only outputs with the most usual number of ratings")
            pairs, means = _cohen(table, values)
            measures += means
    if values.size == 1:
        notes.append(
            "all ratings are equal, so chance-corrected agreement is undefined; it is given as 1, "
            "because everybody agrees"
        )
    return CriterionAgreement(
        criterion=criterion,
        kind=table.kind,
        level=found,
        why=why,
        headline=headline,
        outputs=int(paired.sum()),
        annotators=table.names,
        ratings=int((~np.isnan(matrix)).sum()),
        measures=tuple(_measure(*given, confidence) for given in measures),
        pairs=tuple(pairs),
        each=_each(table, pairs),
        notes=tuple(notes),
    )


def _level(kind: Kind, values: Floats, level: ValueScale) -> tuple[str, str]:
    if kind == "sets":
        return "nominal", "several labels for one output are compared as sets"
    if kind in ("labels", "comparisons"):
        return "nominal", f"{kind} have no order to measure"
    if level != "auto":
        return level, "as asked for"
    if values.size <= 2:
        return "nominal", "two values are a yes or no"
    if values.size <= 11 and (values % 1 == 0).all():
        return "ordinal", f"{values.size} whole numbers are steps of a scale"
    return "interval", "values are measured on a continuous scale"


def _measure(name: str, coefficients: Floats, outputs: int, confidence: float) -> Measure:
    drawn = coefficients[1:][~np.isnan(coefficients[1:])]
    low, high = np.nan, np.nan
    if drawn.size:
        low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Measure(name, float(coefficients[0]), float(low), float(high), outputs)


def _fleiss(table: _Table) -> tuple[str, Floats, int]:
    """Compute Fleiss' κ over the outputs with the usual number of ratings, since it needs the same
    for all.
    """
    counts, _ = stats.counts_of(table.matrix)
    raters = counts.sum(axis=1)
    sizes, frequency = np.unique(raters[raters >= 2], return_counts=True)
    usual = raters == sizes[frequency.argmax()]
    kappas = stats.fleiss_resampled(counts[usual], table.draws[:, usual])
    return "Fleiss κ", kappas, int(usual.sum())


def _cohen(
    table: _Table, values: Floats
) -> tuple[list[PairAgreement], list[tuple[str, Floats, int]]]:
    kinds: tuple[stats.Weights, ...] = ("none", "linear", "quadratic")
    # Ranks between used values only where the scale is not whole numbers.
    scale = values
    if table.kind == "ratings" and (values % 1 == 0).all():
        scale = np.arange(values[0], values[-1] + 1)
    known = ~np.isnan(table.matrix)
    chosen = [
        (i, j)
        for i, j in combinations(range(len(table.names)), 2)
        if (known[:, i] & known[:, j]).any()
    ]
    draws = table.draws if len(chosen) <= _MANY_PAIRS else table.draws[:1]
    pairs, all_kappas = [], []
    for i, j in chosen:
        a, b = table.matrix[:, i], table.matrix[:, j]
        kappas = np.stack(
            [stats.cohen_resampled(a, b, draws, kind, categories=scale) for kind in kinds]
        )
        shared = int((known[:, i] & known[:, j]).sum())
        pairs.append(PairAgreement(table.names[i], table.names[j], shared, *kappas[:, 0].tolist()))
        all_kappas.append(kappas)
    kappas = np.stack(all_kappas)  # [pairs, kinds, resamples]
    defined = (~np.isnan(kappas)).sum(axis=0)  # two annotators may share nothing in a resample
    means = np.nansum(kappas, axis=0) / np.where(defined > 0, defined, np.nan)
    outputs = int((known.sum(axis=1) >= 2).sum())
    named = ["Cohen κ"]
    if table.kind == "ratings" and values.size > 2:
        named += ["Cohen κ (linear)", "Cohen κ (quadratic)"]
    return pairs, [(name, row, outputs) for name, row in zip(named, means, strict=False)]


def _sets(table: _Table) -> list[tuple[str, Floats, int]]:
    marked: dict[int, list[set[int]]] = {}
    for (output, _), labels in table.sets.items():
        marked.setdefault(output, []).append(labels)
    several = {output: sets for output, sets in marked.items() if len(sets) > 1}
    draws = table.draws[:, list(several)]
    total = draws.sum(axis=1)
    result = []
    for name, measure in (("Jaccard", stats.jaccard), ("F1", stats.f1)):
        values = np.array([measure(sets) for sets in several.values()])
        shares = np.divide(draws @ values, total, out=np.full(len(total), np.nan), where=total > 0)
        result.append((name, shares, len(several)))
    return result


def _each(table: _Table, pairs: Sequence[PairAgreement]) -> tuple[AnnotatorAgreement, ...]:
    if table.kind == "sets":
        return ()
    numbers = table.kind == "ratings"
    result = []
    for i, name in enumerate(table.names):
        own = table.matrix[:, i]
        given = own[~np.isnan(own)]
        rest = np.delete(table.matrix, i, axis=1)
        counts = (~np.isnan(rest)).sum(axis=1)
        others = np.divide(
            np.nansum(rest, axis=1), counts, out=np.full(len(own), np.nan), where=counts > 0
        )
        kappas = [p.quadratic if numbers else p.kappa for p in pairs if name in (p.first, p.second)]
        known = [kappa for kappa in kappas if not np.isnan(kappa)]
        result.append(
            AnnotatorAgreement(
                annotator=name,
                outputs=given.size,
                mean=float(given.mean()) if numbers else np.nan,
                deviation=float(given.std()) if numbers else np.nan,
                correlation=pearson(own, others) if numbers else np.nan,
                kappa=float(np.mean(known)) if known else np.nan,
            )
        )
    return tuple(result)
