"""Dendrograms of metrics."""

import numpy as np
import pytest
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform

from nlgauge import DataError, SpecError, score
from nlgauge.core.outputs import OutputScores
from nlgauge.meta.without_people.clustering import cluster_metrics, dendrogram

HYPS = ["a cat sat here", "the dog runs", "it rains a lot", "no", "so it is said here"]
REFS = ["the cat sat here", "a dog runs fast", "it rains", "not at all", "so they say"]


def test_groups_are_scipys_flat_clusters() -> None:
    points = np.random.default_rng(0).random((12, 2))
    distances = np.linalg.norm(points[:, None] - points, axis=2)
    tree = dendrogram([str(i) for i in range(12)], distances)
    linkage = hierarchy.linkage(squareform(distances, checks=False), "average")
    for count in (1, 3, 7, 12):
        flat = hierarchy.fcluster(linkage, count, "maxclust")
        expected = sorted(tuple(np.flatnonzero(flat == c).tolist()) for c in set(flat))
        assert tree.groups(count) == expected
    assert sorted(tree.order) == list(range(12))
    assert len(tree.groups(50)) == 12
    with pytest.raises(SpecError, match="clusters=0"):
        tree.groups(0)


def test_metrics_are_apart_by_correlation() -> None:
    metrics = ["chrf", "rouge-1", "ter", "rouge-9"]
    table = score(HYPS, REFS, metrics=metrics)
    scores = [table.segment_scores("system", name) for name in metrics]
    assert np.ptp(scores[3]) == 0  # no 9-gram in common: constant, so undefined
    tree = cluster_metrics(OutputScores.of_table(table))
    expected = 1 - np.abs(np.corrcoef(scores[:3]))
    assert tree.distances[:3, :3] == pytest.approx(expected, abs=1e-12)
    assert tree.distances[3].tolist() == [1, 1, 1, 0]
    assert tree.merges.shape == (3, 4)


def test_one_name_and_a_wrong_shape() -> None:
    assert dendrogram(["a"], np.zeros((1, 1))).groups(3) == [(0,)]
    with pytest.raises(DataError, match="for 2 names"):
        dendrogram(["a", "b"], np.zeros((3, 3)))
