"""ORANGE: does a metric prefer human texts to those of systems? (Lin and Och, 2004)

Every reference in turn is scored by the others, and so are the systems: it should come first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlgauge.core.metric import Metric
from nlgauge.core.results import Result
from nlgauge.data.corpus import Suite
from nlgauge.data.topic_similarities import TopicSimilarities
from nlgauge.errors import DataError
from nlgauge.kernels import Floats
from nlgauge.meta.without_people.qarla import mean
from nlgauge.meta.without_people.similarities import oriented, score_pairs, topics_of


@dataclass(frozen=True, eq=False, kw_only=True)
class LeaveOneOutScores:
    """Scores are by all references but one, of that one and of the systems; more is better. NaN:
    there is no such text, or no other reference.
    """

    metrics: tuple[str, ...]
    peers: tuple[str, ...]
    models: tuple[str, ...]
    topics: tuple[str, ...]
    own: Floats  # [metrics, topics, models]
    others: Floats  # [metrics, topics, models, peers]
    signatures: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for scores in (self.own, self.others):
            unknown = np.isnan(scores)
            if (lacking := unknown & ~unknown.all(0)).any():
                metric, topic, *_ = np.argwhere(lacking)[0]
                raise DataError(
                    f"{self.metrics[metric]} is undefined for a text of {self.topics[topic]}; "
                    "leave the metric or the segment out"
                )


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Orange(Result):
    """This is how well metrics tell references from systems."""

    metrics: tuple[str, ...]
    peers: tuple[str, ...]
    models: tuple[str, ...]
    topics: tuple[str, ...]
    used: int  # topics with two references or more
    ranks: Floats  # [metrics, topics, models]: of each reference among the systems, from 1
    lengths: Floats  # [topics, models]: of the lists, a reference and the systems
    orange: Floats  # [metrics]: mean rank by length of the list; less is better
    probability: Floats  # [metrics]: of a reference being scored no lower than a system (Asiya)
    king: Floats  # [metrics]: share of references that no system beats (Asiya's KING of a metric)
    signatures: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return the results as plain values, for JSON; without those of single topics."""
        names = ("orange", "probability", "king")
        columns = [getattr(self, name).tolist() for name in names]
        return {
            "systems": self.peers,
            "references": self.models,
            "segments": {"given": len(self.topics), "used": self.used},
            "metrics": {
                metric: dict(zip(names, values, strict=True))
                for metric, *values in zip(self.metrics, *columns, strict=True)
            },
            "signatures": self.signatures,
        }


def orange(given: LeaveOneOutScores | TopicSimilarities) -> Orange:
    """Compute ORANGE from scores by all references but one; from similarities, by the most similar
    of those.
    """
    scores = of_similarities(given) if isinstance(given, TopicSimilarities) else given
    known = ~np.isnan(scores.others)
    usable = ~np.isnan(scores.own) & known.any(3)
    if not usable.any():
        raise DataError("ORANGE needs two references or more for a segment, and a system")
    own = scores.own[..., None]
    above, equal = (scores.others > own).sum(3), (scores.others == own).sum(3)
    systems = known.sum(3)
    ranks = np.where(usable, 1 + above + equal / 2, np.nan)
    lengths = np.where(usable, 1.0 + systems, np.nan)
    pairs = np.where(usable, systems, 0).sum((1, 2))
    return Orange(
        metrics=scores.metrics,
        peers=scores.peers,
        models=scores.models,
        topics=scores.topics,
        used=int(usable[0].any(1).sum()),
        ranks=ranks,
        lengths=lengths[0],
        orange=mean(mean(ranks / lengths, axis=2), axis=1),
        probability=1 - np.where(usable, above, 0).sum((1, 2)) / pairs,
        king=np.where(usable, above == 0, False).sum((1, 2)) / usable.sum((1, 2)),
        signatures=scores.signatures,
    )


def leave_one_out(
    suite: Suite,
    metrics: Iterable[str | Metric],
    *,
    shared_options: Mapping[str, object] | None = None,
    threads: int | None = None,
) -> LeaveOneOutScores:
    """Score every reference of a suite, and all systems, with the other references."""
    references = next(iter(suite)).references
    places, texts = [], []
    for topic in range(len(suite)):
        refs = references[topic]
        hyps = [corpus.hypotheses[topic] for corpus in suite]
        for model in range(len(refs) if len(refs) > 1 else 0):
            rest = refs[:model] + refs[model + 1 :]
            for k, text in enumerate([refs[model], *hyps]):
                places.append((topic, model, k))
                texts.append((topic, text, rest))
    if not texts:
        raise DataError("ORANGE needs two references or more for a segment, and there is only one")
    scores = score_pairs(suite, texts, metrics, shared_options=shared_options, threads=threads)
    most = int(references.counts.max())
    values = np.full((len(scores.columns), len(suite), most, 1 + len(suite.systems)), np.nan)
    where = tuple(np.array(places).T)
    for k, name in enumerate(scores.names):
        values[k][where] = oriented(scores, name)
    return LeaveOneOutScores(
        metrics=tuple(scores.names),
        peers=tuple(suite.systems),
        models=tuple(f"reference {k + 1}" for k in range(most)),
        topics=topics_of(suite),
        own=values[..., 0],
        others=values[..., 1:],
        signatures=tuple(column.signature for column in scores.columns),
    )


def of_similarities(given: TopicSimilarities) -> LeaveOneOutScores:
    """Return the similarity to the most similar of the other models."""
    first, models = len(given.peers), len(given.models)
    to_models = given.values[..., first:]  # [metrics, topics, texts, models]
    own = np.full((*to_models.shape[:2], models), np.nan)
    others = np.full((*own.shape, first), np.nan)
    exists = given.exists[:, first:]
    for m in range(models):
        best = np.fmax.reduce(np.delete(to_models, m, axis=3), axis=3, initial=np.nan)
        own[..., m] = best[..., first + m]
        others[..., m, :] = np.where(exists[:, m, None], best[..., :first], np.nan)
    return LeaveOneOutScores(
        metrics=given.metrics,
        peers=given.peers,
        models=given.models,
        topics=given.topics,
        own=own,
        others=others,
        signatures=given.signatures,
    )
