"""The best set of similarities for QARLA: clusters of like ones, then all sets of their best.

KING of all sets comes from one histogram of the exact set of metrics that each triple of texts
passes: the count of a set is the sum over its supersets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.core.results import Result
from nlgauge.data.labels import Codes
from nlgauge.data.topic_similarities import TopicSimilarities
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats
from nlgauge.meta.without_people.clustering import ClusterTree, dendrogram
from nlgauge.meta.without_people.qarla import MetricSet, Topic, assess, usable

CLUSTERS = 10  # as in the paper
MOST = 16  # metrics of which all sets are tried
LISTED = 5  # sets shown in full
Counts = npt.NDArray[np.int32]
CELLS = 4_000_000  # counts of all sets held at a time


@dataclass(frozen=True, eq=False, kw_only=True)
class Cluster:
    """A cluster has similarities that accept the same texts, and names the one of highest KING."""

    metrics: tuple[str, ...]
    best: str
    king: float


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Qarla(Result):
    """This is what QARLA says of similarities, sets of them, and systems."""

    peers: tuple[str, ...]
    models: tuple[str, ...]
    topics: tuple[str, ...]
    used: int  # topics with three models or more
    strict: bool
    single: tuple[MetricSet, ...]  # every metric alone
    tree: ClusterTree  # of the metrics; they are 1 − sim(x, x') apart
    clusters: tuple[Cluster, ...]
    searched: tuple[str, ...]  # the best of each cluster
    kings: Floats  # [2 ** searched]: of the set with metric i for each bit i; that of none is NaN
    top: tuple[MetricSet, ...]  # the sets of highest KING, best first; of equals the smaller
    given: tuple[MetricSet, ...]  # those that were asked for
    signatures: tuple[str, ...] = ()

    @property
    def best(self) -> MetricSet:
        """Return the set of highest KING."""
        return self.top[0]

    def record(self) -> dict[str, Any]:
        """Return the results as plain values, for JSON; without those of single topics."""
        return {
            "systems": self.peers,
            "references": self.models,
            "segments": {"given": len(self.topics), "used": self.used},
            "strict": self.strict,
            "metrics": [self._of(one) for one in self.single],
            "clusters": [vars(cluster) for cluster in self.clusters],
            "tree": {"merges": self.tree.merges, "order": self.tree.order},
            "sets_tried": len(self.kings) - 1,
            "best": self._of(self.best),
            "top": [self._of(one) for one in self.top],
            "sets": [self._of(one) for one in self.given],
            "signatures": self.signatures,
        }

    def _of(self, one: MetricSet) -> dict[str, Any]:
        names = self.peers + self.models
        queens = dict(zip(names, one.queens.tolist(), strict=True))
        return {"metrics": one.metrics, "king": one.king, "jack": one.jack, "queen": queens}


def qarla(
    given: TopicSimilarities,
    *,
    sets: Sequence[Sequence[str]] = (),
    clusters: int = CLUSTERS,
    strict: bool = True,
) -> Qarla:
    """Assess each similarity and each of `sets`, cluster the similarities, and find the set of
    cluster representatives with the highest KING.
    """
    if not 1 <= clusters <= MOST:
        raise SpecError(f"clusters={clusters}: 1 to {MOST}, as all their sets are tried")
    single = assess(given, [[name] for name in given.metrics], strict=strict)
    tree = dendrogram(given.metrics, 1 - agreement(given))
    found = []
    for group in tree.groups(clusters):
        best = max(group, key=lambda i: (single[i].king, -i))
        members = tuple(given.metrics[i] for i in group)
        found.append(Cluster(metrics=members, best=given.metrics[best], king=single[best].king))
    chosen = [cluster.best for cluster in found]
    kings = search(given, chosen, strict=strict)
    ranked = sorted(range(1, len(kings)), key=lambda s: (-kings[s], s.bit_count(), s))
    top = [[m for i, m in enumerate(chosen) if mask >> i & 1] for mask in ranked[:LISTED]]
    return Qarla(
        peers=given.peers,
        models=given.models,
        topics=given.topics,
        used=sum(1 for _ in usable(given)),
        strict=strict,
        single=tuple(single),
        tree=tree,
        clusters=tuple(found),
        searched=tuple(chosen),
        kings=kings,
        top=tuple(assess(given, top, strict=strict)),
        given=tuple(assess(given, sets, strict=strict)) if sets else (),
        signatures=given.signatures,
    )


# Bits that are set in each byte: counting them takes no BLAS, whose threads may be busy.
ONES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(1, dtype=np.uint8)


def agreement(given: TopicSimilarities) -> Floats:
    """Return how often two similarities say the same of x(a, m) ≥ x(m', m''), over all peers a and
    triples of models: [metrics, metrics].
    """
    n = len(given.metrics)
    both, total = np.zeros((n, n)), 0
    for topic in usable(given):
        models = len(topic.texts) - topic.peers
        total += topic.peers * models * models * (models - 1)
        for part, tests in topic.tests(range(n)):
            # Those with m' = m'' are false, and so add nothing.
            said = tests[:, : max(0, topic.peers - part.start)].reshape(n, -1)
            packed = np.packbits(said, axis=1)
            for i in range(n):
                both[i, i:] += ONES[packed[i] & packed[i:]].sum(1)
    both += np.triu(both, 1).T
    true = both.diagonal()
    same: Floats = 1 - (true[:, None] + true[None, :] - 2 * both) / total
    return same


def search(given: TopicSimilarities, metrics: Sequence[str], *, strict: bool = True) -> Floats:
    """Return KING of every set of the metrics: that of number s has metric i if bit i of s is
    set.
    """
    if len(metrics) > MOST:
        raise SpecError(f"{len(metrics)} metrics have too many sets; choose {MOST} at most")
    order = [given.positions([name])[0] for name in metrics]
    kings, models = np.zeros(1 << len(metrics)), 0
    for topic in usable(given):
        own, best = _passed(topic, order)
        kings += (own > best if strict else own >= best).sum(1)
        models += own.shape[1]
    kings /= models
    kings[0] = np.nan
    return kings


def _passed(topic: Topic, metrics: list[int]) -> tuple[Counts, Counts]:
    """Count triples without model m that pass with every set: those of m itself, and the most that
    a peer has: [sets, models] each.
    """
    sets, models = 1 << len(metrics), len(topic.texts) - topic.peers
    own, best = (np.zeros((sets, models), np.int32) for _ in range(2))
    for part, tests in topic.tests(metrics):
        # Which metrics each triple passes, as bits: [texts, m, m', m''].
        passed = np.zeros(tests.shape[1:], np.intp)
        for i, test in enumerate(tests):
            passed += test.astype(np.intp) << i
        step = max(1, CELLS // (models * sets))
        for start in range(0, len(passed), step):
            counts = _supersets(_without(passed[start : start + step], sets))
            for text in range(counts.shape[1]):
                m = part.start + start + text - topic.peers
                if m < 0:
                    np.maximum(best, counts[:, text], out=best)
                else:
                    own[:, m] = counts[:, text, m]
    return own, best


def _without(passed: Codes, sets: int) -> Counts:
    """Count how many triples without model m pass exactly each set: [sets, texts, models]."""
    texts, n = passed.shape[:2]
    model = np.arange(n)
    passed = passed * (texts * n) + (np.arange(texts) * n)[:, None, None, None]

    def counted(codes: Codes) -> Counts:
        found = np.bincount(codes.ravel(), minlength=sets * texts * n)
        return found.reshape(sets, texts, n).astype(np.int32)

    once = sum(
        counted(passed + model.reshape(shape)) for shape in ((n, 1, 1), (1, n, 1), (1, 1, n))
    )
    # Those with m' = m'' pass nothing, so only m may be the same as m' or m''.
    twice = counted(np.einsum("aiij->aij", passed) + model[:, None])
    twice += counted(np.einsum("aiji->aij", passed) + model[:, None])
    return counted(passed)[..., :1] - once + twice


def _supersets(held: Counts) -> Counts:
    """Turn counts of exact sets into counts of sets with at least these members, along the first
    axis: one addition for each member.
    """
    size = 1
    while size < len(held):
        halves = held.reshape(-1, 2, size, *held.shape[1:])
        halves[:, 0] += halves[:, 1]
        size *= 2
    return held
