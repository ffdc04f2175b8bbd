"""Content units that people marked in summaries: pyramids, factoids and sentence utilities."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats
from nlgauge.metrics.content.annotations import Fields, annotations_of


@dataclass(frozen=True, kw_only=True)
class _Labelled(Mean):
    """A score that the annotation alone decides; hypotheses are not looked at and may be empty."""

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the score, 1."""
        labels = annotations_of(corpus, self.info.name)
        return np.array([[self.label_score(label), 1.0] for label in labels])

    @abstractmethod
    def label_score(self, labels: Fields) -> float:
        """Return the score of one segment."""


@dataclass(frozen=True, kw_only=True)
class Pyramid(_Labelled):
    """Weight of the content units of a summary, over the most that as many units can weigh.

    Annotation: {"peer": ["a", "c"], "models": [["a", "b"], ["a", "c"]]}, the content units (ids)
    of the scored summary and of each model summary; or, in place of the models' units, their
    weights {"peer": [...], "weights": {"a": 2, "b": 1}, "models": 2}, where only variant=modified
    needs `models`, the number of model summaries. A unit of the peer that no model has weighs 0.
    """

    info: ClassVar[Info] = Info(
        name="pyramid",
        title="Pyramid score",
        family="content",
        cell="human-annotated",
        tasks=("AS",),
        criteria=("content",),
        bounds=(0.0, math.inf),  # a peer of more units than the models have on average
        scale=1.0,
        needs=("annotations",),
        paper="Nenkova and Passonneau (2004), Evaluating content selection in summarization: the "
        "pyramid method",
        checked_against="sacrerouge (0ca5202)",
    )

    variant: Literal["original", "modified"] = option(
        "original", "compare with as many units as the peer has, or as the models have on average"
    )
    jackknife: bool = option(False, "mean over the pyramids that leave out one model summary each")

    def label_score(self, labels: Fields) -> float:
        """Score one pyramid, or return the mean over those with a model left out."""
        peer = set(labels.names("peer"))
        if "weights" in labels and not self.jackknife:
            count = labels.number("models", low=1) if self.variant == "modified" else 1
            return self._score(peer, _weights(labels), count)
        models = [set(model) for model in _lists(labels, "models")]
        if not self.jackknife:
            return self._score(peer, _counts(models), len(models))
        if len(models) < 2:
            raise labels.wrong("models", "two model summaries or more, so that one can be left out")
        rest = [models[:k] + models[k + 1 :] for k in range(len(models))]
        return math.fsum(self._score(peer, _counts(r), len(r)) for r in rest) / len(rest)

    def _score(self, peer: set[str], weights: Mapping[str, float], models: float) -> float:
        # As sacrerouge does, the models' mean number of units is rounded up.
        units = (
            len(peer) if self.variant == "original" else math.ceil(sum(weights.values()) / models)
        )
        best = sum(sorted(weights.values(), reverse=True)[:units])
        return sum(weights.get(unit, 0) for unit in peer) / best if best > 0 else 0.0


@dataclass(frozen=True, kw_only=True)
class Factoid(_Labelled):
    """Share of the factoids of the consensus that a summary has.

    Annotation: {"peer": ["a", "c"], "models": [["a", "b"], ["a", "c"]]}, the factoids (ids) of the
    scored summary and of each human summary.
    """

    info: ClassVar[Info] = Info(
        name="factoid",
        title="Factoid consensus score",
        family="content",
        cell="human-annotated",
        tasks=("AS",),
        criteria=("informativeness",),
        scale=1.0,
        needs=("annotations",),
        paper="van Halteren and Teufel (2003), Examining the consensus between human summaries",
        checked_against="hand calculation",
    )

    threshold: float = option(
        0.3,
        "share of the human summaries that makes a factoid part of the consensus",
        low=0,
        high=1,
    )
    weighted: bool = option(False, "factoids count by the number of human summaries that have them")

    def label_score(self, labels: Fields) -> float:
        """Return the recall of the consensus."""
        models = _lists(labels, "models")
        counts = _counts([set(model) for model in models])
        # In whole numbers where the share is one, so that 3 of 10 make 0.3.
        needed = math.ceil(round(self.threshold * len(models), 9))
        consensus = {f: n if self.weighted else 1 for f, n in counts.items() if n >= needed}
        found = sum(consensus.get(factoid, 0) for factoid in set(labels.names("peer")))
        return found / sum(consensus.values()) if consensus else 0.0


@dataclass(frozen=True, kw_only=True)
class RelativeUtility(_Labelled):
    """Utility of the sentences of an extract, over the best that as many sentences can have.

    Annotation: {"chosen": ["s1", "s4"], "utilities": {"s1": 9, "s2": [3, 4], ...}}, the sentences
    (ids) of the extract, and what each sentence of the source is worth, to one judge or to several.
    """

    info: ClassVar[Info] = Info(
        name="rel-util",
        title="Relative utility",
        family="content",
        cell="human-annotated",
        tasks=("AS",),
        criteria=("content",),
        scale=1.0,
        needs=("annotations",),
        paper="Radev and Tam (2003), Single-document and multi-document summary evaluation via "
        "relative utility",
        checked_against="hand calculation",
    )

    def label_score(self, labels: Fields) -> float:
        """Add the judges' utilities, and return the share of the best sum."""
        expected = "an object {sentence: utility, or a list of them, one per judge}"
        given = labels.values.get("utilities")
        if not isinstance(given, Mapping):
            raise labels.wrong("utilities", expected)
        utilities: dict[str, float] = {}
        for sentence, value in given.items():
            judges = value if isinstance(value, (list, tuple)) else (value,)
            if not all(type(u) in (int, float) and u >= 0 for u in judges):
                raise labels.wrong("utilities", f"{expected}, none below 0")
            utilities[sentence] = sum(judges)
        chosen = set(labels.names("chosen"))
        if not chosen <= utilities.keys():
            raise labels.wrong("chosen", "sentences that have a utility")
        best = sum(sorted(utilities.values(), reverse=True)[: len(chosen)])
        return sum(utilities[sentence] for sentence in chosen) / best if best > 0 else 0.0


def _lists(labels: Fields, key: str) -> list[list[str]]:
    expected = "a list of lists of ids, one per human summary"
    lists = labels.items(key, expected)
    if not lists:
        raise labels.wrong(key, f"{expected}, at least one")
    return [
        Fields(labels.where, {f"{key}[{i}]": ids}).names(f"{key}[{i}]")
        for i, ids in enumerate(lists)
    ]


def _counts(models: list[set[str]]) -> Counter[str]:
    return Counter(unit for model in models for unit in model)


def _weights(labels: Fields) -> dict[str, float]:
    given = labels.values["weights"]
    expected = "an object {unit: number of model summaries that have it}"
    if not isinstance(given, Mapping):
        raise labels.wrong("weights", expected)
    weights = Fields(f"{labels.where}, weights", given)
    return {unit: weights.number(unit) for unit in given}
