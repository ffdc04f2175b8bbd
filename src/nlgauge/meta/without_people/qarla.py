"""QARLA measures systems, similarities and test sets without human judgements.

QUEEN tells how far a text passes for one of the models (human texts), KING how well a set of
similarities tells models from peers (systems), JACK how reliable that is for these peers.
Amigó et al. (2005), QARLA: a framework for the evaluation of text summarization systems.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from nlgauge.data.labels import Codes
from nlgauge.data.topic_similarities import Bools, TopicSimilarities
from nlgauge.errors import DataError
from nlgauge.kernels import Floats

CHUNK = 20_000_000  # comparisons held at a time


@dataclass(frozen=True, eq=False, kw_only=True)
class MetricSet:
    """A set of similarities comes with what QARLA says by it. NaN: no such text, or not defined."""

    metrics: tuple[str, ...]
    queen: Floats  # [topics, texts], peers before models; that of a model is by the other models
    kings: Floats  # [topics, models]: 1 if no peer comes up to the model, otherwise 0
    jacks: Floats  # [topics, models]: 1 if two peers, unlike each other, resemble the model

    @property
    def king(self) -> float:
        """Return KING, the mean over the models of all topics."""
        return float(mean(self.kings))

    @property
    def jack(self) -> float:
        """Return JACK, the mean over the models of all topics; NaN if the peers were not compared
        with each other.
        """
        return float(mean(self.jacks))

    @property
    def queens(self) -> Floats:
        """Return QUEEN of each peer and model, the mean over topics: [texts]."""
        return mean(self.queen, axis=0)


def mean(values: Floats, axis: int | None = None) -> Floats:
    """Return the mean without the undefined; NaN if nothing is left."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of NumPy, about nothing being left
        return np.asarray(np.nanmean(values, axis=axis))


def assess(
    given: TopicSimilarities, sets: Sequence[Sequence[str]], *, strict: bool = True
) -> list[MetricSet]:
    """Compute QUEEN, KING and JACK with each of several sets of similarities.

    QUEEN(a) is the share of triples of models (m, m', m''), m' ≠ m'', with x(a, m) ≥ x(m', m'') for
    every x of the set. KING is the share of models with a QUEEN, by the other models, above that of
    every peer; not `strict`, as in Asiya: not below that of any.
    """
    groups = [given.positions(names) for names in sets]
    shape = len(sets), len(given.topics)
    queen = np.full((*shape, len(given.texts)), np.nan)
    kings, jacks = (np.full((*shape, len(given.models)), np.nan) for _ in range(2))
    with_pairs = given.has_pairs_of_peers
    for topic in usable(given):
        texts, models = topic.texts, topic.texts[topic.peers :] - len(given.peers)
        counts, without = _counts(topic, groups)
        own = without[:, topic.peers :].diagonal(axis1=1, axis2=2)
        best = without[:, : topic.peers].max(1)
        n = len(models)
        queen[:, topic.number, texts[: topic.peers]] = counts[:, : topic.peers] / triples(n)
        queen[:, topic.number, texts[topic.peers :]] = own / triples(n - 1)
        kings[:, topic.number, models] = own > best if strict else own >= best
        if with_pairs:
            jacks[:, topic.number, models] = _jack(topic, groups, counts[:, : topic.peers] > 0)
    return [
        MetricSet(
            metrics=tuple(given.metrics[i] for i in group), queen=queen[k], kings=kings[k],
            jacks=jacks[k],
        )
        for k, group in enumerate(groups)
    ]  # fmt: skip


def triples(models: int) -> int:
    """Return all triples (m, m', m'') with m' ≠ m''."""
    return models * models * (models - 1)


@dataclass(frozen=True, eq=False)
class Topic:
    """A topic has the texts that exist, peers before models."""

    number: int
    texts: Codes
    peers: int  # of the texts
    values: Floats  # [metrics, texts, texts]

    def tests(self, metrics: Sequence[int]) -> Iterator[tuple[slice, Bools]]:
        """Test x(a, m) ≥ x(m', m'') by some texts a at a time: [metrics, texts, m, m', m'']. A text
        is not compared with itself: False.
        """
        values = self.values[metrics][:, :, self.peers :]
        models = values[:, None, None, self.peers :]
        step = max(1, CHUNK // models.size // models.shape[-1])
        for start in range(0, len(self.texts), step):
            part = slice(start, start + step)
            yield part, values[:, part, :, None, None] >= models


def usable(given: TopicSimilarities) -> Iterator[Topic]:
    """Return topics with three models or more, and a peer."""
    first, found = len(given.peers), False
    for number, exists in enumerate(given.exists):
        peers = int(exists[:first].sum())
        if peers and exists.sum() - peers >= 3:
            found = True
            texts = np.flatnonzero(exists)
            yield Topic(number, texts, peers, given.values[:, number][:, texts][:, :, texts])
    if not found:
        known = ~np.isnan(given.values[..., first:]).all((0, 2))
        raise too_few(int(known.sum(1).max()))


def too_few(models: int) -> DataError:
    """Return what to say of a test set that QARLA cannot use."""
    return DataError(
        "QARLA compares references with each other, so a segment needs three or more; here none "
        f"has more than {models}. `nlgauge orange` needs two"
    )


def _counts(topic: Topic, groups: list[list[int]]) -> tuple[Floats, Floats]:
    """Count triples that each text passes: [sets, texts], and without those of one model each:
    [sets, texts, models].
    """
    every = sorted({i for group in groups for i in group})
    rows = [[every.index(i) for i in group] for group in groups]
    n = len(topic.texts) - topic.peers
    total = np.zeros((len(groups), len(topic.texts)))
    without = np.zeros((*total.shape, n))
    for part, tests in topic.tests(every):
        for k, group in enumerate(rows):
            passed = tests[group[0]] if len(group) == 1 else tests[group].all(0)
            bits = passed.view(np.uint8)
            second = np.einsum("aijk->aij", bits, dtype=np.int32)
            third = np.einsum("aijk->aik", bits, dtype=np.int32)
            total[k, part] = every_triple = second.sum((1, 2))
            # Those with m' = m'' never pass, so only m may be the same as m' or m''.
            once = second.sum(2) + second.sum(1) + third.sum(1)
            twice = np.einsum("aii->ai", second) + np.einsum("aii->ai", third)
            without[k, part] = every_triple[:, None] - once + twice
    return total, without


def _jack(topic: Topic, groups: list[list[int]], passing: Bools) -> Floats:
    """Return whether each model has two peers that are closer to it than to each other: [sets,
    models].
    """
    peers = topic.values[:, : topic.peers]
    result = np.zeros((len(groups), len(topic.texts) - topic.peers))
    for k, group in enumerate(groups):
        good = np.flatnonzero(passing[k])
        chosen = peers[group][:, good]
        closer: Bools = np.all(
            chosen[:, :, good, None] <= chosen[:, :, None, topic.peers :], axis=0
        )
        result[k] = (closer & closer.swapaxes(0, 1)).any((0, 1))
    return result


def queen(given: TopicSimilarities, metrics: Sequence[str] | None = None) -> Floats:
    """Return QUEEN with a set of similarities, of all if None: [topics, peers and models]."""
    return assess(given, [metrics or given.metrics])[0].queen


def king(
    given: TopicSimilarities, metrics: Sequence[str] | None = None, *, strict: bool = True
) -> float:
    """Return KING of a set of similarities, of all if None; `strict` as in `assess`."""
    return assess(given, [metrics or given.metrics], strict=strict)[0].king


def jack(given: TopicSimilarities, metrics: Sequence[str] | None = None) -> float:
    """Return JACK with a set of similarities, of all if None."""
    return assess(given, [metrics or given.metrics])[0].jack
