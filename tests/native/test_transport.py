"""Exact transport against linear programming, and what every solution has in common."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import linear_sum_assignment, linprog

from nlgauge import Corpus
from nlgauge.core import registry
from nlgauge.kernels import transport


def by_linear_programming(left: np.ndarray, right: np.ndarray, costs: np.ndarray) -> float:
    n, m = costs.shape
    rows = sparse.kron(sparse.eye(n), np.ones((1, m)))
    columns = sparse.kron(np.ones((1, n)), sparse.eye(m))
    found = linprog(
        costs.ravel(),
        A_eq=sparse.vstack([rows, columns]).tocsr()[:-1],  # the last follows from the others
        b_eq=np.concatenate([left / left.sum(), right / right.sum()])[:-1],
        method="highs",
    )
    return float(found.fun)


def solved(left, right, costs) -> tuple[float, np.ndarray]:
    arrays = (np.asarray(x, np.float64) for x in (left, right, costs))
    (cost,), (flow,) = transport(*([x] for x in arrays), flows=True)
    return float(cost), flow


@st.composite
def problems(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    n, m = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    masses = draw(st.sampled_from(["equal", "counts", "any", "tiny and large"]))
    make = {
        "equal": lambda k: np.ones(k),
        "counts": lambda k: rng.integers(1, 4, k).astype(float),
        "any": lambda k: rng.random(k) + 1e-3,
        "tiny and large": lambda k: 10.0 ** rng.integers(-2, 3, k),
    }[masses]
    kind = draw(st.sampled_from(["distances", "ties", "any sign"]))
    if kind == "distances":
        points = rng.normal(size=(n + m, 3))
        costs = np.linalg.norm(points[:n, None] - points[None, n:], axis=2)
    elif kind == "ties":
        costs = rng.integers(0, 3, (n, m)).astype(float)
    else:
        costs = rng.normal(size=(n, m))
    return make(n), make(m), costs


@given(problem=problems())
@settings(max_examples=25)
def test_the_least_cost(problem) -> None:
    left, right, costs = problem
    cost, flow = solved(*problem)
    assert cost == pytest.approx(by_linear_programming(*problem), abs=1e-7)
    assert cost == pytest.approx((flow * costs).sum(), abs=1e-12)
    assert (flow >= 0).all()
    assert flow.sum(axis=1) == pytest.approx(left / left.sum(), abs=1e-12)
    assert flow.sum(axis=0) == pytest.approx(right / right.sum(), abs=1e-12)


@given(problem=problems(), seed=st.integers(0, 100))
@settings(max_examples=30)
def test_order_and_direction_change_nothing(problem, seed: int) -> None:
    left, right, costs = problem
    cost, _ = solved(*problem)
    rng = np.random.default_rng(seed)
    i, j = rng.permutation(len(left)), rng.permutation(len(right))
    size = np.abs(costs).max() + 1
    assert solved(left[i], right[j], costs[np.ix_(i, j)])[0] == pytest.approx(
        cost, abs=1e-11 * size
    )
    assert solved(right, left, costs.T.copy())[0] == pytest.approx(cost, abs=1e-11 * size)
    assert solved(3 * left, right / 7, costs)[0] == pytest.approx(cost, abs=1e-11 * size)


@pytest.mark.parametrize("size", [1, 2, 17, 60, 150])
def test_equal_masses_are_an_assignment(size: int) -> None:
    rng = np.random.default_rng(size)
    costs = rng.random((size, size))
    i, j = linear_sum_assignment(costs)
    cost, flow = solved(np.ones(size), np.ones(size), costs)
    assert cost == pytest.approx(costs[i, j].mean(), abs=1e-14)
    assert np.argwhere(flow > 0).tolist() == np.stack([i, j], axis=1).tolist()


def test_many_points() -> None:
    rng = np.random.default_rng(5)
    left, right = rng.integers(1, 5, 60).astype(float), rng.integers(1, 5, 80).astype(float)
    points = rng.normal(size=(140, 20))
    costs = np.linalg.norm(points[:60, None] - points[None, 60:], axis=2)
    cost, flow = solved(left, right, costs)
    assert flow.sum(axis=1) == pytest.approx(left / left.sum())
    assert cost == pytest.approx(by_linear_programming(left, right, costs), abs=1e-9)


def test_batches_threads_and_nothing_to_move() -> None:
    rng = np.random.default_rng(1)
    sizes = [(0, 3), (2, 0), *((int(n), int(m)) for n, m in rng.integers(1, 30, (60, 2)))]
    left = [rng.random(n) for n, _ in sizes]
    right = [rng.random(m) for _, m in sizes]
    costs = [rng.random(size) for size in sizes]
    one, _ = transport(left, right, costs)
    several, flows = transport(left, right, costs, threads=3, flows=True)
    assert np.isnan(one[:2]).all()
    assert one[2:].tolist() == several[2:].tolist()
    assert [flow.shape for flow in flows] == sizes
    zeros = [np.append(masses, 0.0) for masses in left]
    padded = [np.vstack([c, np.zeros((1, c.shape[1]))]) for c in costs]
    assert transport(zeros, right, padded)[0][2:].tolist() == one[2:].tolist()


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
def test_masses_and_costs_are_checked(bad: float) -> None:
    fine = np.ones(2)
    with pytest.raises(ValueError, match="masses must be finite and not negative"):
        transport([np.array([1.0, bad])], [fine], [np.ones((2, 2))])
    if not np.isfinite(bad):
        with pytest.raises(ValueError, match="costs must be finite"):
            transport([fine], [fine], [np.full((2, 2), bad)])
    with pytest.raises(ValueError, match="a cost for every pair"):
        transport([fine], [fine], [np.ones((2, 3))])


WORDS = ("alpha", "beta", "gamma", "delta", "one", "two", "three")


@given(texts=st.tuples(*[st.lists(st.sampled_from(WORDS), min_size=1, max_size=8)] * 2))
@settings(max_examples=25)
def test_word_movers_distance_is_the_linear_program(texts) -> None:
    from support.golden_files import GOLDEN

    path = GOLDEN / "models" / "words.txt"
    rows = (line.split(" ") for line in path.read_text(encoding="utf-8").splitlines())
    vectors = {word: np.array([float(np.float32(x)) for x in numbers]) for word, *numbers in rows}
    hyp, ref = map(Counter, texts)
    costs = np.array([[np.linalg.norm(vectors[a] - vectors[b]) for b in ref] for a in hyp])
    expected = by_linear_programming(
        *(np.array(list(b.values()), float) for b in (hyp, ref)), costs
    )
    metric = registry.metric("wmd", vectors=str(path))
    found = metric.evaluate(Corpus.build([" ".join(texts[0])], [[" ".join(texts[1])]])).value
    assert found == pytest.approx(expected, abs=1e-9)
    back = metric.evaluate(Corpus.build([" ".join(texts[1])], [[" ".join(texts[0])]])).value
    assert back == pytest.approx(found, abs=1e-12)


@pytest.mark.parametrize("spec", ["wmd-o", "we-wpi(weights=uniform)"])
@pytest.mark.parametrize("cells", [1, 7, 30])
def test_blocks_of_costs_change_nothing(spec: str, cells: int, monkeypatch) -> None:
    """Segments are independent of each other, so that alone each has the score it has among all."""
    from support.golden_files import GOLDEN

    from nlgauge.metrics.embedding import cost_blocks

    metric = registry.metric(spec, vectors=str(GOLDEN / "models" / "words.txt"))
    rng = np.random.default_rng(1)
    hyps, refs = ([" ".join(rng.choice(WORDS, n)) for n in rng.integers(1, 9, 12)] for _ in "hr")
    alone = [metric.sentence_score(h, [r]).value for h, r in zip(hyps, refs, strict=True)]
    monkeypatch.setattr(cost_blocks, "CELLS", cells)
    together = metric.score(metric.rows(Corpus.build(hyps, refs)))
    assert together.tolist() == pytest.approx(alone, abs=1e-12)


def test_masses_of_zero_are_left_out() -> None:
    costs = np.array([[5.0, 1.0, 3.0], [9.0, 9.0, 9.0], [2.0, 7.0, 4.0]])
    (least,), _ = transport([np.array([1.0, 0.0, 1.0])], [np.array([1.0, 1.0, 0.0])], [costs])
    assert least == (1.0 + 2.0) / 2
