"""Scores beside judgements of the same outputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from nlgauge.errors import DataError
from nlgauge.human.judgements import Judgements
from nlgauge.kernels import Floats
from nlgauge.labels import NONE, Codes, Labels, Rows
from nlgauge.outputs import OutputScores


@dataclass(frozen=True, eq=False, kw_only=True)
class Paired:
    """What metrics and people gave to the same outputs; `groups` split them, as language pairs."""

    scores: OutputScores
    judgements: Judgements
    groups: Mapping[str, Labels]

    def human(self, criterion: str) -> Floats:
        """The mean rating of each output, [outputs]; NaN where nobody rated it."""
        ratings = self.judgements.where(criterion=criterion).ratings()
        systems = ratings.system.recoded(self.scores.systems.names)
        items = ratings.item.recoded(self.scores.items.names)
        known = (systems != NONE) & (items != NONE)
        where = systems[known] * len(self.scores.items.names) + items[known]
        own = self.scores.systems.codes * len(self.scores.items.names) + self.scores.items.codes
        return _means(where, ratings.value[known], own)

    def human_systems(self, criterion: str) -> Floats:
        """The rating of each system, [systems]: what was said of it as a whole, otherwise the mean
        over its outputs.
        """
        ratings = self.judgements.where(criterion=criterion).ratings()
        systems = ratings.system.recoded(self.scores.systems.names)
        whole = (ratings.item.codes == NONE) & (systems != NONE)
        every = np.arange(len(self.scores.systems.names))
        if whole.any():
            return _means(systems[whole], ratings.value[whole], every)
        human = self.human(criterion)
        rated = ~np.isnan(human)
        return _means(self.scores.systems.codes[rated], human[rated], every)

    @property
    def criteria(self) -> list[str]:
        """Those that were rated."""
        return list(self.judgements.ratings().criterion.used().names)

    def take(self, rows: Rows) -> Paired:
        """The given outputs (indices, or a mask)."""
        groups = {name: labels.take(rows).used() for name, labels in self.groups.items()}
        return Paired(scores=self.scores.take(rows), judgements=self.judgements, groups=groups)

    def split(self, group: str) -> dict[str, Paired]:
        """One part for each name in a column of `groups`."""
        if group not in self.groups:
            known = ", ".join(self.groups) or "none"
            raise DataError(f"no field {group!r} to split by; there is: {known}")
        labels = self.groups[group]
        return {name: self.take(labels.codes == i) for i, name in enumerate(labels.names)}


def _means(codes: Codes, values: Floats, wanted: Codes) -> Floats:
    """The mean value of each wanted code; NaN if it does not occur."""
    known, places = np.unique(codes, return_inverse=True)
    sums = np.bincount(places, values, len(known)) / np.maximum(np.bincount(places), 1)
    at = np.searchsorted(known, wanted)
    found = np.isin(wanted, known)
    result = np.full(len(wanted), np.nan)
    result[found] = sums[at[found]]
    return result
