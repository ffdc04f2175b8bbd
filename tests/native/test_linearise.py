"""The search for the best order of a tree, against all orders there are."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.orders import grammar_score, projective_orders, trigram_score

from nlgauge.kernels import native
from nlgauge.models.lexicon.ngram_model import BITS

WORDS = 7  # 0 and 1 are start and end


def tables(rng: np.random.Generator) -> dict[str, dict[tuple[int, ...], float]]:
    """Random n-grams, of which some are missing."""

    def some(order: int, share: float) -> dict[tuple[int, ...], float]:
        grams = np.ndindex(*[WORDS] * order)
        return {gram: float(-rng.random() * 5) for gram in grams if rng.random() < share}

    two = some(2, 0.5)
    return {
        "one": some(1, 1.1),
        "one_left": some(1, 1.1),
        "two": two,
        "two_left": {gram: float(-rng.random()) for gram in two},
        "three": some(3, 0.3),
    }


def trigrams(model: dict[str, dict[tuple[int, ...], float]]) -> native.Trigrams:
    def column(name: str) -> np.ndarray:
        return np.array([value for _, value in sorted(model[name].items())])

    def keys(name: str) -> np.ndarray:
        found = [sum(w << BITS * k for k, w in enumerate(gram[::-1])) for gram in model[name]]
        return np.array(sorted(found), np.int64)

    return native.Trigrams(
        column("one"), column("one_left"),
        keys("two"), column("two"), column("two_left"),
        keys("three"), column("three"),
    )  # fmt: skip


def search(model, words, heads, sides, pairs, *, beam=10_000, variants=10_000, best=1):
    """The best orders of one tree."""
    sisters = np.array(list(pairs), np.int32).reshape(-1, 2)
    weights = np.array(list(pairs.values()), np.float64).reshape(-1, 4)
    _, scores, nodes = model.orders(
        np.array(words, np.uint32), np.array(heads, np.int32), np.array(sides, np.float64),
        np.array([0, len(words)]), sisters, weights, np.array([0, len(sisters)]),
        start=0, end=1, beam=beam, variants=variants, best=best, threads=1,
    )  # fmt: skip
    return scores, nodes.reshape(len(scores), len(words))


@st.composite
def lattices(draw):
    """A tree, weights, and where random numbers start."""
    size = draw(st.integers(1, 6))
    heads = [-1] + [draw(st.integers(-1 if i > 3 else 0, i - 1)) for i in range(1, size)]
    return heads, draw(st.integers(0, 2**32 - 1)), draw(st.booleans())


@settings(max_examples=80, deadline=None)
@given(lattices())
def test_the_best_order_is_the_best_of_all(given_lattice) -> None:
    heads, seed, weighted = given_lattice
    rng = np.random.default_rng(seed)
    tables_ = tables(rng)
    model = trigrams(tables_)
    words = rng.integers(2, WORDS, len(heads)).tolist()
    sides = (-rng.random((len(heads), 2)) * 3 * weighted).tolist()
    sisters = [p for p in combinations(range(len(heads)), 2) if heads[p[0]] == heads[p[1]]]
    pairs = {pair: (-rng.random(4) * 3).tolist() for pair in sisters} if weighted else {}

    def score(order) -> float:
        return trigram_score([words[n] for n in order], tables_) + grammar_score(
            order, heads, sides, pairs
        )

    expected = sorted((score(order) for order in set(projective_orders(heads))), reverse=True)
    scores, orders = search(model, words, heads, sides, pairs, best=3)
    assert scores[0] == pytest.approx(expected[0], abs=1e-9)
    for found, order in zip(scores, orders.tolist(), strict=True):
        assert sorted(order) == list(range(len(heads)))
        assert score(order) == pytest.approx(found, abs=1e-9)
    # A narrow search finds some order, which is not better.
    narrow, _ = search(model, words, heads, sides, pairs, beam=1, variants=1)
    assert narrow[0] <= expected[0] + 1e-9


def test_log_probability_backs_off() -> None:
    tables_ = tables(np.random.default_rng(1))
    model = trigrams(tables_)
    for gram in np.ndindex(3, 3, 3):
        run = trigram_score([*gram[:2], gram[2]], tables_) - trigram_score(gram[:2], tables_)
        end = model.log_probability(gram[1], gram[2], 1) - model.log_probability(*gram[:2], 1)
        assert model.log_probability(*gram) == pytest.approx(run - end)


@pytest.mark.parametrize(
    ("heads", "message"),
    [([1, 0], "circle"), ([2, -1], "beyond"), ([-1, 1], "circle"), ([-2, -1], "beyond")],
)
def test_what_is_no_tree_is_refused(heads: list[int], message: str) -> None:
    model = trigrams(tables(np.random.default_rng(0)))
    with pytest.raises(ValueError, match=message):
        search(model, [2, 3], heads, [[0, 0]] * 2, {})


def test_bad_columns_are_refused() -> None:
    model = trigrams(tables(np.random.default_rng(0)))
    with pytest.raises(ValueError, match="vocabulary"):
        search(model, [WORDS], [-1], [[0, 0]], {})
    with pytest.raises(ValueError, match="finite"):
        search(model, [2], [-1], [[0, -np.inf]], {})
    with pytest.raises(ValueError, match="no sisters"):
        search(model, [2, 3], [-1, 0], [[0, 0]] * 2, {(0, 1): [0, 0, 0, 0]})
    with pytest.raises(ValueError, match="too many daughters"):
        search(model, [2] * 300, [-1] + [0] * 299, [[0, 0]] * 300, {})
