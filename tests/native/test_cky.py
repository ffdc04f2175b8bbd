"""The best tree and the best arguments, against all there are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.spans import binary_trees, disjoint_sets

from nlgauge.kernels import native

SEEDS = st.integers(0, 2**32 - 1)


def spans(n: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(n) for j in range(i + 1, n + 1)]


def best_sum(scores: np.ndarray, n: int) -> float:
    """Of all trees and all labels of their spans; the whole must have one, others need not."""
    values = dict(zip(spans(n), scores[:, 1:].max(axis=1) - scores[:, 0], strict=True))
    return max(
        sum(values[s] if s == (0, n) else max(0.0, values[s]) for s in tree)
        for tree in binary_trees(0, n)
    )


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.lists(st.integers(1, 7), min_size=1, max_size=6), st.integers(2, 5))
def test_best_tree_is_the_best_of_all(seed: int, sizes: list[int], labels: int) -> None:
    rng = np.random.default_rng(seed)
    rows = sum(n * (n + 1) // 2 for n in sizes)
    scores = rng.normal(size=(rows, labels)).astype(np.float32)
    lengths = np.array(sizes, np.int64)
    chosen = native.best_trees(scores, lengths, threads=1)
    assert np.array_equal(chosen, native.best_trees(scores, lengths, threads=3))
    at = 0
    for n in sizes:
        count = n * (n + 1) // 2
        own, mine = scores[at : at + count].astype(float), chosen[at : at + count]
        found = {s: label for s, label in zip(spans(n), mine, strict=True) if label}
        assert (0, n) in found
        # Spans of a tree lie within each other or apart.
        assert all(
            b[0] >= a[1] or b[1] <= a[0] or (a[0] <= b[0] and b[1] <= a[1]) or
            (b[0] <= a[0] and a[1] <= b[1])
            for a in found for b in found
        )  # fmt: skip
        total = sum(own[k, label] - own[k, 0] for k, label in enumerate(mine) if label)
        assert total == pytest.approx(best_sum(own, n), abs=1e-5)
        at += count


def span_scores(left: np.ndarray, right: np.ndarray, weight: np.ndarray, bias: np.ndarray):
    n = len(left) - 1
    hidden = np.array([np.maximum(0, left[i] + right[j]) for i, j in spans(n)])
    return (hidden @ weight.T + bias).astype(np.float32)


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.lists(st.integers(1, 9), min_size=1, max_size=5))
def test_trees_by_the_ends_of_spans(seed: int, sizes: list[int]) -> None:
    rng = np.random.default_rng(seed)
    weight, bias = rng.normal(size=(7, 32)), rng.normal(size=7)
    left, right = (
        [rng.normal(size=(n + 1, 32)).astype(np.float32) for n in sizes] for _ in range(2)
    )
    scorer = native.SpanScores(weight.astype(np.float32), bias.astype(np.float32))
    lengths = np.array(sizes, np.int64)
    found = scorer.trees(np.concatenate(left), np.concatenate(right), lengths, threads=2)
    for k, n in enumerate(sizes):
        scores = span_scores(left[k], right[k], weight, bias)
        chosen = native.best_trees(scores, lengths[k : k + 1], threads=1)
        expected = {(*s, label) for s, label in zip(spans(n), chosen, strict=True) if label}
        assert {tuple(row[1:]) for row in found.tolist() if row[0] == k} == expected


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.integers(1, 5))
def test_arguments_are_the_best_of_all(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    weight, bias = rng.normal(size=(4, 16)), rng.normal(size=4)
    left, right = (rng.normal(size=(n + 1, 16)).astype(np.float32) for _ in range(2))
    predicate, verb = int(rng.integers(n)), 2
    scorer = native.SpanScores(weight.astype(np.float32), bias.astype(np.float32))
    size, at = np.array([n], np.int64), np.array([predicate], np.int64)
    found = scorer.arguments(left, right, size, at, verb=verb, threads=1)
    scores = dict(zip(spans(n), span_scores(left, right, weight, bias).astype(float), strict=True))

    def value(span: tuple[int, int]) -> float:
        own = span[0] <= predicate < span[1]
        row = scores[span]
        return (row[verb] if own else max(row[1], row[3])) - row[0]

    def total(some: frozenset[tuple[int, int]]) -> float:
        return sum(map(value, some))

    with_verb = [s for s in disjoint_sets(n) if any(i <= predicate < j for i, j in s)]
    picked = frozenset((i, j) for _, i, j, _ in found.tolist())
    assert total(picked) == pytest.approx(max(map(total, with_verb)), abs=1e-4)
    assert sum(label == verb for *_, label in found.tolist()) == 1


def test_sizes_are_checked() -> None:
    with pytest.raises(ValueError, match="one row for each span"):
        native.best_trees(np.zeros((4, 2), np.float32), np.array([2], np.int64), threads=1)
    with pytest.raises(ValueError, match="at least one label"):
        native.best_trees(np.zeros((3, 1), np.float32), np.array([2], np.int64), threads=1)
    nothing = native.best_trees(np.zeros((0, 2), np.float32), np.array([0], np.int64), threads=1)
    assert len(nothing) == 0
