"""Networks of replies give what their definitions give, whatever stands beside a row."""

from __future__ import annotations

import numpy as np
import pytest
from oracles import reply_networks as oracle

from nlgauge.models.networks.packed_layers import packed_arrays
from nlgauge.models.networks.reply_networks import Bilinear, GruReader, QuadraticScorer
from nlgauge.models.networks.turn_reader import TurnReader
from nlgauge.train.dialogue.neighbours import shapley_values, smoothed

WIDTH = 6
rng = np.random.default_rng(1)


def drawn(**shapes: tuple[int, ...]) -> dict[str, np.ndarray]:
    return {
        name.replace("_0_", ".0.").replace("_1_", ".1.").replace("__", "."): rng.normal(size=shape)
        for name, shape in shapes.items()
    }


QUADRATIC = packed_arrays(
    {
        **drawn(bilinear__weight=(WIDTH, WIDTH)),
        **drawn(layer_0_weight=(5, 2 * WIDTH + 1), layer_0_bias=(5,)),
        **drawn(layer_1_weight=(1, 5), layer_1_bias=(1,)),
        "gain": np.array([0.3]),
    }
)
GRU = packed_arrays(
    {
        f"{name}.{part}.{kind}": rng.normal(size=shape)
        for name in ("gru", "gru_back")
        for part, inputs in (("input", 3), ("recurrent", 4))
        for kind, shape in (("weight", (12, inputs)), ("bias", (12,)))
    }
)
TURNS = packed_arrays(
    {
        **drawn(projection__weight=(4, WIDTH), projection__bias=(4,)),
        **drawn(joined__weight=(4, 4), joined__bias=(4,)),
        **drawn(layer_0_weight=(3, 16), layer_0_bias=(3,)),
        **drawn(layer_1_weight=(1, 3), layer_1_bias=(1,)),
        **{
            f"{name}.{back}{part}": rng.normal(size=shape)
            for name in ("first", "second")
            for back in ("", "back_")
            for part, shape in (("input", (8, 4)), ("recurrent", (8, 2)), ("bias", (8,)))
        },
    }
)


def test_quadratic_scores() -> None:
    queries, replies = rng.normal(size=(2, 7, WIDTH))
    network, w = QuadraticScorer(QUADRATIC, WIDTH), oracle.weights(QUADRATIC)
    found = network.predict(queries, replies)
    expected = [oracle.quadratic(w, q, r) for q, r in zip(queries, replies, strict=True)]
    assert found == pytest.approx(expected, abs=1e-4)
    alone = [network.predict(queries[k : k + 1], replies[k : k + 1])[0] for k in range(7)]
    assert found.tolist() == alone


def test_words_are_read_in_both_directions() -> None:
    texts = [rng.normal(size=(n, 3)).astype(np.float32) for n in (3, 0, 1, 7, 3)]
    w = oracle.weights(GRU)
    reader = GruReader({name: array.astype(np.float32) for name, array in w.items()}, 3)
    found = reader(texts)
    for text, states in zip(texts, found, strict=True):
        assert states == pytest.approx(oracle.gru(w, text.astype(np.float64)), abs=1e-5)
    assert (reader(texts[3:4])[0] == found[3]).all()
    assert not found[1].any()


def test_turns_are_read_in_order() -> None:
    vectors = rng.normal(size=(5, WIDTH))
    turns, starts, replies = np.array([0, 1, 2, 2, 3]), np.array([0, 3, 5]), np.array([4, 0])
    found = TurnReader(TURNS, WIDTH).predict(vectors, turns, starts, replies)
    w = oracle.weights(TURNS)
    expected = [
        oracle.turn_reader(w, vectors[turns[a:b]], vectors[reply])
        for a, b, reply in zip(starts, starts[1:], replies, strict=False)
    ]
    assert found == pytest.approx(expected, abs=1e-4)


def test_matrices_of_another_width_are_refused() -> None:
    with pytest.raises(ValueError, match="vectors of 5 numbers"):
        Bilinear(oracle.weights(QUADRATIC), 5)


def test_shapley_values_are_those_of_the_definition() -> None:
    points = rng.normal(size=(7, 2))
    labels = np.array([True, False, True, True, False, False, True])
    found = shapley_values(points, labels, [2, 5], neighbours=2)
    assert found == pytest.approx(oracle.shapley(points, labels, [2, 5], 2))


def test_ratings_are_means_of_neighbours() -> None:
    points = np.array([[0.0], [1.0], [5.0], [6.5]])
    assert smoothed(points, np.array([1.0, 3.0, 5.0, 9.0]), 2).tolist() == [2.0, 2.0, 7.0, 7.0]
