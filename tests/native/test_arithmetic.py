"""Where products and sums are rounded once, and where twice (CMakeLists.txt, floats.hpp)."""

from __future__ import annotations

import numpy as np

from nlgauge.kernels import native


def inputs(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x, weight = rng.standard_normal((7, 96)), rng.standard_normal((32, 96))
    return x.astype(np.float32), weight.astype(np.float32), np.zeros(32, np.float32)


def product(x: np.ndarray, weight: np.ndarray, *, fused: bool) -> np.ndarray:
    """The sum of products from the first to the last, in single precision."""
    sums = np.zeros((len(x), len(weight)), np.float32)
    for k in range(x.shape[1]):
        # A product of two singles is exact in double precision.
        exact = np.multiply.outer(x[:, k].astype(np.float64), weight[:, k].astype(np.float64))
        rounded = exact if fused else exact.astype(np.float32)
        sums = (rounded + sums).astype(np.float32)
    return sums


def test_encoders_round_once_where_the_processor_can() -> None:
    """Encoders say so themselves, and both ways differ in last digits only."""
    x, weight, bias = inputs(1)
    found = native.Projection(weight, bias)(x, threads=1)
    one, other = product(x, weight, fused=True), product(x, weight, fused=False)
    assert not np.array_equal(one, other)
    assert np.array_equal(found, other if native.kernels() == "portable" else one)
    np.testing.assert_allclose(one, other, rtol=0, atol=1e-5)


def test_everything_else_rounds_twice() -> None:
    """In double precision no compiler may join a product and a sum: the same on every machine."""
    rng = np.random.default_rng(2)
    points = rng.standard_normal((2, 3)).astype(np.float32)
    words = np.array([0, 1], np.int32)
    starts = np.array([0, 1, 2], np.int64)
    left, right = np.array([0], np.int64), np.array([1], np.int64)
    differ = 0
    for _ in range(200):
        points = rng.standard_normal((2, 3)).astype(np.float32)
        found = native.word_movers(points, words, starts, left, right, threads=1)[0]
        steps = [float(a) - float(b) for a, b in zip(points[0], points[1], strict=True)]
        twice = once = 0.0
        for step in steps:
            twice = twice + step * step
            once = float(np.longdouble(step) * np.longdouble(step) + np.longdouble(once))
        assert found == np.sqrt(twice)
        differ += np.sqrt(once) != np.sqrt(twice)
    assert differ > 0  # the case can tell the two apart
