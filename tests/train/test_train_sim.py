"""The paraphrase encoder: its gradient, its file, its command."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nlgauge import DataError, SpecError
from nlgauge.cli import main
from nlgauge.core import registry
from nlgauge.models.encoders.paraphrase_encoder import (
    ParaphraseEncoder,
    features,
    find_paraphrase_encoder,
)
from nlgauge.train.adam import Adam
from nlgauge.train.paraphrase import TrainingSettings, _step, correlation, train, untrained

PAIRS = [
    ("the cat sat", "a cat was sitting"),
    ("prices rose", "prices went up"),
    ("he left", "he went away"),
    ("big dogs bark", "large dogs are loud"),
]


def test_features_are_words_and_their_trigrams() -> None:
    assert features(["ab", "c"]) == ["w ab", "c #ab", "c ab#", "w c", "c #c#"]


def loss(
    table: np.ndarray, left: list[np.ndarray], right: list[np.ndarray], margin: float
) -> float:
    """Of all texts, with the hardest wrong one of the batch; written out."""
    texts = [*left, *right]
    means = [table[rows].mean(axis=0) for rows in texts]
    size = len(left)

    def cosine(i: int, j: int) -> float:
        return means[i] @ means[j] / np.linalg.norm(means[i]) / np.linalg.norm(means[j])

    total = 0.0
    for i in range(2 * size):
        partner = (i + size) % (2 * size)
        wrong = max(cosine(i, j) for j in range(2 * size) if j not in (i, partner))
        total += max(0.0, margin - cosine(i, partner) + wrong)
    return total / (2 * size)


def test_the_first_step_goes_down_the_gradient() -> None:
    rng = np.random.default_rng(3)
    table = rng.standard_normal((12, 5)).astype(np.float32)
    left = [np.array([0, 1]), np.array([2, 3, 3]), np.array([4])]
    right = [np.array([5, 6]), np.array([7]), np.array([8, 9, 10])]
    settings = TrainingSettings(margin=3.0, rate=0.01)  # so wide that every text counts
    optimiser = Adam(table.copy(), settings.rate)
    assert _step(optimiser, left, right, settings, rng) == pytest.approx(
        loss(table.astype(np.float64), left, right, settings.margin), rel=1e-5
    )
    # Adam's first step is the sign of the gradient times the rate.
    for row in range(11):
        for column in range(5):
            around = []
            for step in (1e-5, -1e-5):
                moved = table.astype(np.float64)
                moved[row, column] += step
                around.append(loss(moved, left, right, settings.margin))
            slope = (around[0] - around[1]) / 2e-5
            change = optimiser.table[row, column] - table[row, column]
            assert change == pytest.approx(-settings.rate * np.sign(slope), rel=0.05), slope
    assert (optimiser.table[11] == table[11]).all()


def test_training_brings_paraphrases_together() -> None:
    rated = [(a, b, 1.0) for a, b in PAIRS]
    rated += [(PAIRS[i][0], PAIRS[i - 1][1], 0.0) for i in range(len(PAIRS))]
    settings = TrainingSettings(width=20, epochs=15, batch=4, rate=0.01)
    before = correlation(untrained(PAIRS, settings), rated)
    model = train(PAIRS, settings, rated)
    assert correlation(model, rated) > max(before, 0.95)
    assert model.record["pearson_on_dev_by_epoch"][0] == pytest.approx(before)


def test_the_same_seed_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("one", "other"):
        train(PAIRS, TrainingSettings(width=8, epochs=2, batch=2)).write(str(tmp_path / name))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    again = find_paraphrase_encoder(str(tmp_path / "one"))
    assert again.record["pairs"]["count"] == len(PAIRS)
    other = train(PAIRS, TrainingSettings(width=8, epochs=2, batch=2, seed=2))
    assert not np.allclose(other.table, again.table)


def test_unknown_words_are_known_by_their_letters() -> None:
    table = np.eye(3, dtype=np.float32)
    encoder = ParaphraseEncoder(("c #ca", "c at#", "w dog"), table, {})
    assert encoder.encode(["cat", "zzz"]).tolist() == [[0.5, 0.5, 0], [0, 0, 0]]


def test_the_command_and_the_metric(tmp_path: Path, capsys) -> None:
    pairs, dev, out = (tmp_path / name for name in ("pairs.tsv", "dev.tsv", "sim.npz"))
    pairs.write_text("".join(f"{a}\t{b}\n" for a, b in PAIRS))
    dev.write_text("".join(f"{a}\t{b}\t{i}\n" for i, (a, b) in enumerate(PAIRS)))
    command = f"train sim --pairs {pairs} --dev {dev} --out {out} --width 10 --epochs 2 --batch 2"
    assert main(command.split()) == 0
    printed = capsys.readouterr()
    assert "from 4 pairs" in printed.out
    assert "epoch 2" in printed.err
    metric = registry.metric("simile", path=str(out))
    assert metric.sentence_score("the cat sat", ["the cat sat"]).value == pytest.approx(1)
    assert "sim.npz" in metric.signature()


@pytest.mark.parametrize("line", ["one text", "a\t ", ""])
def test_lines_that_are_no_pairs(tmp_path: Path, capsys, line: str) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(f"a\tb\n{line}\nc\td\n")
    assert main(f"train sim --pairs {path} --out {tmp_path / 'out'}".split()) == 3
    assert "line 2" in capsys.readouterr().err


def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    path.write_bytes(b"something else")
    with pytest.raises(DataError, match="nlgauge train sim"):
        find_paraphrase_encoder(str(path))


def test_settings_that_cannot_be() -> None:
    with pytest.raises(SpecError, match="batch"):
        TrainingSettings(batch=1)
