"""Long short-term memory of the native core, against a plain version."""

import numpy as np
import pytest
from oracles.lstm import bilstm, random_lstm

from nlgauge.kernels import native


@pytest.mark.parametrize("width", [3, 8, 20])
@pytest.mark.parametrize("threads", [1, 2])
def test_it_equals_a_plain_version(width: int, threads: int) -> None:
    rng = np.random.default_rng(width)
    weights = random_lstm(rng, 5, width)
    lengths = [4, 1, 0, 9, 4, *rng.integers(1, 6, 120).tolist()]
    texts = [rng.normal(size=(n, 5)).astype(np.float32) for n in lengths]
    starts = np.cumsum([0, *lengths], dtype=np.int64)
    found = native.BiLstm(*weights.values())(np.concatenate(texts), starts, threads=threads)
    assert found.shape == (starts[-1], 2 * width)
    for text, rows in zip(texts, np.split(found, starts[1:-1]), strict=True):
        if len(text):
            np.testing.assert_allclose(rows, bilstm(weights, text), atol=1e-5)


def test_a_text_does_not_depend_on_others() -> None:
    rng = np.random.default_rng(7)
    lstm = native.BiLstm(*random_lstm(rng, 16, 24).values())
    texts = [rng.normal(size=(n, 16)).astype(np.float32) for n in (5, 17, 2, 9)]
    starts = np.cumsum([0, 5, 17, 2, 9], dtype=np.int64)
    together = lstm(np.concatenate(texts), starts, threads=1)
    for k, text in enumerate(texts):
        alone = lstm(text, np.array([0, len(text)]), threads=1)
        assert (alone == together[starts[k] : starts[k + 1]]).all()


def test_sizes_that_do_not_fit_are_refused() -> None:
    weights = random_lstm(np.random.default_rng(1), 5, 3)
    lstm = native.BiLstm(*weights.values())
    with pytest.raises(ValueError, match="another width"):
        lstm(np.zeros((2, 4), np.float32), np.array([0, 2]), threads=1)
    with pytest.raises(ValueError, match="do not fit"):
        lstm(np.zeros((2, 5), np.float32), np.array([0, 3]), threads=1)
    for name in weights:
        broken = {**weights, name: weights[name][:-1]}
        with pytest.raises(ValueError, match="another s"):
            native.BiLstm(*broken.values())
