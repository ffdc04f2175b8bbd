"""Scores of metrics stand here beside judgements of the same outputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from nlgauge.core.outputs import OutputScores
from nlgauge.data.judgements import Judgements
from nlgauge.data.labels import NONE, Codes, Labels, Rows
from nlgauge.errors import DataError
from nlgauge.kernels import Floats


@dataclass(frozen=True, eq=False, kw_only=True)
class PairedScores:
    """Metrics and people gave these scores to the same outputs; `groups` split them, as language
    pairs.
    """

    scores: OutputScores
    judgements: Judgements
    groups: Mapping[str, Labels]

    def human(self, criterion: str) -> Floats:
        """Return the mean rating of each output, [outputs]; NaN where nobody rated it."""
        ratings = self.judgements.where(criterion=criterion).ratings()
        systems = ratings.system.recoded(self.scores.systems.names)
        items = ratings.item.recoded(self.scores.items.names)
        known = (systems != NONE) & (items != NONE)
        where = systems[known] * len(self.scores.items.names) + items[known]
        own = self.scores.systems.codes * len(self.scores.items.names) + self.scores.items.codes
        return _means(where, ratings.value[known], own)

    def human_systems(self, criterion: str) -> Floats:
        """Return the rating of each system, [systems]: what was said of it as a whole, otherwise
        the mean over its outputs.
        """
        ratings = self.judgements.where(criterion=criterion).ratings()
        systems = ratings.system.recoded(self.scores.systems.names)
        whole = (ratings.item.codes == NONE) & (systems != NONE)
        every = np.arange(len(self.scores.systems.names))
        if whole.any():
            _refuse_pooled(ratings.take(whole))
            return _means(systems[whole], ratings.value[whole], every)
        human = self.human(criterion)
        rated = ~np.isnan(human)
        return _means(self.scores.systems.codes[rated], human[rated], every)

    @property
    def criteria(self) -> list[str]:
        """Return the criteria that were rated."""
        return list(self.judgements.ratings().criterion.used().names)

    def take(self, rows: Rows) -> PairedScores:
        """Return the given outputs (indices, or a mask) alone."""
        groups = {name: labels.take(rows).used() for name, labels in self.groups.items()}
        return PairedScores(
            scores=self.scores.take(rows), judgements=self.judgements, groups=groups
        )

    def split(self, group: str) -> dict[str, PairedScores]:
        """Return one part for each name in a column of `groups`, with its own judgements."""
        if group not in self.groups:
            known = ", ".join(self.groups) or "none"
            raise DataError(f"no field {group!r} to split by; there is: {known}")
        labels = self.groups[group]
        parts = {name: self.take(labels.codes == i) for i, name in enumerate(labels.names)}
        self._refuse_ambiguous(group, parts)
        return {name: own._about(name) for name, own in parts.items()}

    def _about(self, part: str) -> PairedScores:
        """Leave out judgements that are about another part."""
        own = self.judgements.part.recoded([part]) != NONE
        rows = own | (self.judgements.part.codes == NONE)
        return replace(self, judgements=self.judgements.take(rows))

    def _refuse_ambiguous(self, group: str, parts: Mapping[str, PairedScores]) -> None:
        """Refuse ratings of whole systems that name no part, if several parts have the system."""
        rows = self.judgements
        unplaced = rows.take((rows.item.codes == NONE) & (rows.part.codes == NONE))
        for system in unplaced.system.used().names:
            having = [name for name, own in parts.items() if system in own.scores.systems.names]
            if len(having) > 1:
                raise DataError(
                    f"system {system!r} is rated as a whole, and {', '.join(having)} have a system "
                    f"of that name; add the field {group!r} to the judgements"
                )


def _refuse_pooled(ratings: Judgements) -> None:
    """Refuse ratings of whole systems that are about several parts."""
    pairs = np.unique(np.stack([ratings.system.codes, ratings.part.codes]), axis=1)
    systems, counts = np.unique(pairs[0], return_counts=True)
    if (counts > 1).any():
        system = ratings.system.names[systems[counts > 1][0]]
        parts = ", ".join(ratings.part.used().names)
        raise DataError(
            f"system {system!r} is rated as a whole in several parts ({parts}); give the field "
            "that tells them apart in the texts as split (--split lang_pair)"
        )


def _means(codes: Codes, values: Floats, wanted: Codes) -> Floats:
    """Return the mean value of each wanted code; NaN if it does not occur."""
    known, places = np.unique(codes, return_inverse=True)
    sums = np.bincount(places, values, len(known)) / np.maximum(np.bincount(places), 1)
    at = np.searchsorted(known, wanted)
    found = np.isin(wanted, known)
    result = np.full(len(wanted), np.nan)
    result[found] = sums[at[found]]
    return result
