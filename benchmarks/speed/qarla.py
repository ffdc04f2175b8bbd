"""QARLA on random similarities: QUEEN, KING and JACK of each metric, clusters, and all sets.

python benchmarks/speed/qarla.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import scipy.cluster.hierarchy  # noqa: F401  # not to be timed

from nlgauge.data.topic_similarities import TopicSimilarities
from nlgauge.meta.without_people.metric_sets import agreement, qarla, search
from nlgauge.meta.without_people.qarla import assess

SIZES = (  # metrics, peers, topics, models, clusters
    (10, 50, 50, 4, 10),
    (16, 50, 10, 4, 16),
    (58, 18, 50, 10, 10),
)


def similarities(metrics: int, peers: int, topics: int, models: int) -> TopicSimilarities:
    """Models are a little more alike than peers."""
    texts = peers + models
    values = np.random.default_rng(12345).random((metrics, topics, texts, texts))
    values[:, :, peers:, peers:] += 0.1
    values[:, :, np.arange(texts), np.arange(texts)] = np.nan
    return TopicSimilarities(
        metrics=tuple(f"x{i}" for i in range(metrics)),
        peers=tuple(f"a{i}" for i in range(peers)),
        models=tuple(f"m{i}" for i in range(models)),
        topics=tuple(map(str, range(topics))),
        values=values,
    )


def seconds(work: Callable[[], object], reps: int = 2) -> float:
    """The best of several runs."""
    times = []
    for _ in range(reps):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    print("| metrics × systems × topics × models | each metric | clusters | all sets | together |")
    print("|---|---:|---:|---:|---:|")
    for *size, clusters in SIZES:
        given = similarities(*size)
        chosen = given.metrics[:clusters]
        steps = (
            lambda given=given: assess(given, [[name] for name in given.metrics]),
            lambda given=given: agreement(given),
            lambda given=given, chosen=chosen: search(given, chosen),
            lambda given=given, clusters=clusters: qarla(given, clusters=clusters),
        )
        cells = [f"{seconds(step):.2f} s" for step in steps]
        cells[2] += f" (2^{len(chosen)})"
        print(f"| {' × '.join(map(str, size))} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
