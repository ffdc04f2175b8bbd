"""Every instruction set that this processor has gives encoders the same numbers, in any company."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from oracles.bert import bert, random_weights

from nlgauge.kernels import native
from nlgauge.models.encoders.bert import Shape, native_bert

WIDTH, HEADS, LAYERS = 96, 2, 2  # heads of 48 numbers: tiles of 32 columns leave 16 over
LENGTHS = [
    1,
    2,
    3,
    5,
    6,
    7,
    11,
    12,
    13,
    17,
    31,
    33,
    60,
]  # tiles of 3, 6 and 12 rows, and what is left


def weights() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(3)
    return random_weights(rng, words=50, positions=64, width=WIDTH, inner=400, layers=LAYERS)


def texts() -> list[np.ndarray]:
    rng = np.random.default_rng(4)
    return [rng.integers(0, 50, n).astype(np.int32) for n in LENGTHS]


def encoded(model: native.Bert, given: list[np.ndarray], threads: int) -> list[np.ndarray]:
    starts = np.cumsum([0, *map(len, given)], dtype=np.int64)
    found = model.encode(np.concatenate(given), starts, [LAYERS], threads=threads)[0]
    return np.split(found, starts[1:-1])


def outputs() -> dict[str, np.ndarray]:
    """What the kernels of this process make of an encoder, a product and a recurrent network."""
    model, given = native_bert(weights(), LAYERS, Shape(HEADS, 1e-5)), texts()
    alone = [encoded(model, [text], 1)[0] for text in given]
    for threads in (1, 2, 3):
        for company in (given, given[::-1], given * 9):  # in order, reversed, in several groups
            for text, vectors in zip(company, encoded(model, company, threads), strict=True):
                place = next(i for i, other in enumerate(given) if other is text)
                assert np.array_equal(vectors, alone[place]), f"{threads} threads, text {place}"
    rng = np.random.default_rng(5)
    x = rng.standard_normal((137, 800)).astype(np.float32)
    weight, bias = rng.standard_normal((112, 800)), rng.standard_normal(112)
    project = native.Projection(weight.astype(np.float32), bias.astype(np.float32))
    whole = project(x, threads=2)
    for rows in range(1, 30):
        assert np.array_equal(project(x[:rows], threads=1), whole[:rows]), f"{rows} rows"
    gates = [rng.standard_normal((4 * 21, n)).astype(np.float32) for n in (24, 21, 24, 21)]
    biases = [rng.standard_normal(4 * 21).astype(np.float32) for _ in range(2)]
    lstm = native.BiLstm(gates[0], gates[1], biases[0], gates[2], gates[3], biases[1])
    rows = rng.standard_normal((60, 24)).astype(np.float32)
    starts = np.array([0, 1, 14, 60], np.int64)
    read = lstm(rows, starts, threads=2)
    for start, end in pairwise(starts):
        own = lstm(rows[start:end], np.array([0, end - start], np.int64), threads=1)
        assert np.array_equal(own, read[start:end])
    return {"encoded": np.concatenate(alone), "product": whole, "lstm": read}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, np.ndarray]]:
    """The outputs of each set of kernels, each from a process that compares companies."""
    folder = tmp_path_factory.mktemp("kernels")
    for name in native.available_kernels():
        environment = {
            **os.environ,
            "NLGAUGE_KERNELS": name,
            "PYTHONPATH": str(Path(__file__).parents[1]),
        }
        subprocess.run(
            [sys.executable, __file__, folder / f"{name}.npz"], env=environment, check=True
        )
    return {name: dict(np.load(folder / f"{name}.npz")) for name in native.available_kernels()}


@pytest.mark.parametrize("name", native.available_kernels())
def test_vectors_are_those_of_a_plain_encoder(name: str, found: dict) -> None:
    given = weights()
    plain = [bert(given, text, heads=HEADS, epsilon=1e-5)[LAYERS] for text in texts()]
    np.testing.assert_allclose(found[name]["encoded"], np.concatenate(plain), rtol=0, atol=2e-5)


@pytest.mark.parametrize("name", native.available_kernels())
def test_kernels_agree(name: str, found: dict) -> None:
    """To the last bit where fused, elsewhere to 5e-6 of the largest number."""
    best = found[native.available_kernels()[0]]
    for part, numbers in found[name].items():
        if name != "portable":
            assert np.array_equal(numbers, best[part]), part
        scale = np.abs(best[part]).max()
        np.testing.assert_allclose(numbers, best[part], rtol=0, atol=5e-6 * scale, err_msg=part)


def test_an_unknown_name_is_refused() -> None:
    environment = {**os.environ, "NLGAUGE_KERNELS": "sse9"}
    code = "import nlgauge.kernels"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert "NLGAUGE_KERNELS=sse9: this processor has " in done.stderr
    assert ", ".join(native.available_kernels()) in done.stderr


if __name__ == "__main__":
    assert native.kernels() == os.environ["NLGAUGE_KERNELS"]
    np.savez(sys.argv[1], **outputs())
