"""From ratings by several annotators to one rating of an output, and of a system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from nlgauge.core.facts.choices import Deviation
from nlgauge.data.judgements import Judgements
from nlgauge.data.labels import NONE, Codes, Labels
from nlgauge.errors import DataError, SpecError
from nlgauge.human.normalisation import normalise, rescale
from nlgauge.kernels import Floats
from nlgauge.stats.correlation import pearson

Weighting = Literal["equal", "agreement"] | Mapping[str, float]


def aggregate(judgements: Judgements, *, weights: Weighting = "equal") -> Judgements:
    """Return one rating for each output and criterion: the mean over annotators, weighted by given
    weights or by how far each agrees with the others (`agreement_weights`).
    """
    ratings = judgements.ratings()
    if not len(ratings):
        raise DataError("there are no ratings to average; labels and comparisons have no mean")
    weight = _weights(ratings, weights)
    columns = np.stack([ratings.item.codes, ratings.system.codes, ratings.criterion.codes])
    _, first, place = np.unique(columns, axis=1, return_index=True, return_inverse=True)
    place = place.reshape(-1)
    total = np.bincount(place, weight)
    value = np.bincount(place, weight * ratings.value) / np.where(total > 0, total, np.nan)
    nobody = Labels((), np.full(len(first), NONE, np.intp))
    mean = replace(ratings.take(first), value=value, annotator=nobody, label=nobody)
    unknown = np.full(len(first), np.nan)
    return replace(mean, seconds=unknown, propensity=unknown)


def _weights(ratings: Judgements, weights: Weighting) -> Floats:
    if weights == "equal":
        return np.ones(len(ratings))
    result = np.zeros(len(ratings))
    if isinstance(weights, Mapping):
        for name in ratings.annotator.used().names:
            if name not in weights or not weights[name] >= 0:
                raise SpecError(f"annotator {name!r} needs a weight of 0 or more")
        for i, annotator in enumerate(ratings.annotator):
            result[i] = 1.0 if annotator is None else weights[annotator]
        return result
    if weights != "agreement":
        raise SpecError(
            f"weights={weights!r}: there are equal, agreement, or {{annotator: weight}}"
        )
    for code in np.unique(ratings.criterion.codes):
        chosen = ratings.criterion.codes == code
        found = agreement_weights(ratings.take(chosen))
        result[chosen] = [1.0 if a is None else found[a] for a in ratings.take(chosen).annotator]
    return result


def agreement_weights(ratings: Judgements) -> dict[str, float]:
    """Return a weight of each annotator of one criterion: the correlation with the mean of the
    others on the same outputs, or 0 if it is negative or undefined; all 1 if nobody agrees with
    anybody.
    """
    annotators = ratings.annotator.used()
    columns = np.stack([ratings.item.codes, ratings.system.codes])
    keys, output = np.unique(columns, axis=1, return_inverse=True)
    output = output.reshape(-1)
    known = annotators.codes != NONE
    sums = np.zeros((keys.shape[1], len(annotators.names)))
    counts = np.zeros_like(sums)
    np.add.at(sums, (output[known], annotators.codes[known]), ratings.value[known])
    np.add.at(counts, (output[known], annotators.codes[known]), 1)
    own = sums / np.where(counts > 0, counts, np.nan)
    weights = {}
    for i, name in enumerate(annotators.names):
        rest = np.delete(own, i, axis=1)
        rated = (~np.isnan(rest)).sum(axis=1)
        others = np.nansum(rest, axis=1) / np.where(rated > 0, rated, np.nan)
        r = pearson(own[:, i], others)
        weights[name] = max(r, 0.0) if r == r else 0.0
    return weights if any(weights.values()) else dict.fromkeys(weights, 1.0)


@dataclass(frozen=True)
class RatedSystem:
    """A rated system has means over its outputs: of the ratings, of z-scores, weighted by
    agreement, and as share of the scale (None if no scale is given).
    """

    criterion: str | None
    system: str | None
    outputs: int
    ratings: int
    mean: float
    z: float
    weighted: float
    share: float | None


@dataclass(frozen=True)
class RatedSystems:
    """These are the systems that `rate_systems` rated."""

    systems: tuple[RatedSystem, ...]
    weights: Mapping[str, Mapping[str, float]]  # criterion -> annotator -> weight
    deviation: str


def rate_systems(
    judgements: Judgements,
    *,
    scale: tuple[float, float] | None = None,
    deviation: Deviation = "population",
) -> RatedSystems:
    """Average ratings over systems, for every criterion; outputs count alike, however often
    rated.
    """
    given = judgements.ratings()
    forms = {
        "mean": aggregate(given),
        "z": aggregate(normalise(given, deviation=deviation)),
        "weighted": aggregate(given, weights="agreement"),
    }
    if scale is not None:
        forms["share"] = aggregate(rescale(given, *scale))
    rows = forms["mean"]  # the forms have the same outputs in the same order
    weights = {
        name or "": agreement_weights(given.where(criterion=name))
        for name in dict.fromkeys(rows.criterion)
    }
    keys, first, group = np.unique(
        np.stack([rows.criterion.codes, rows.system.codes]),
        axis=1,
        return_index=True,
        return_inverse=True,
    )
    counted = np.bincount(_places(given, keys), minlength=keys.shape[1])
    systems = []
    for k in np.lexsort((first, keys[0])):
        of = {name: _mean(form.value[group.reshape(-1) == k]) for name, form in forms.items()}
        systems.append(
            RatedSystem(
                criterion=rows.criterion[first[k]],
                system=rows.system[first[k]],
                outputs=int((group == k).sum()),
                ratings=int(counted[k]),
                mean=of["mean"],
                z=of["z"],
                weighted=of["weighted"],
                share=of.get("share"),
            )
        )
    return RatedSystems(tuple(systems), weights, deviation)


def _places(given: Judgements, keys: Codes) -> Codes:
    """Return which of the sorted pairs of criterion and system each rating belongs to."""
    size = len(given.system.names) + 1
    own = (given.criterion.codes + 1) * size + given.system.codes + 1
    return np.searchsorted((keys[0] + 1) * size + keys[1] + 1, own)


def _mean(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else float("nan")
