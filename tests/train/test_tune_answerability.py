"""The weights of Q-metrics are found again in ratings that were made with them."""

from __future__ import annotations

import numpy as np
import pytest

from nlgauge import Corpus
from nlgauge.core import registry
from nlgauge.errors import DataError
from nlgauge.train.tuning.answerability import tune_answerability

WEIGHTS = ("entities", "question", "content", "function")


def test_planted_weights_are_found() -> None:
    random = np.random.default_rng(5)
    classes, base = random.random((300, 4)), random.random(300)
    ratings = 1 + 4 * (0.8 * classes @ np.array([0.5, 0.2, 0.3, 0.0]) + 0.2 * base)
    found = tune_answerability(classes, base, ratings, samples=20)
    expected = {"entities": 0.5, "question": 0.2, "content": 0.3, "function": 0.0, "delta": 0.8}
    assert found.options() == pytest.approx(expected)
    assert found.correlation == pytest.approx(1)
    assert found == tune_answerability(classes, base, ratings, samples=20)


def test_what_is_tuned_is_what_the_metric_computes() -> None:
    corpus = Corpus.build(
        ["Who is Ann ?", "where did Bob go", "Why ?"],
        [["Who was Ann ?"], ["Where did Bob Hale go ?"], ["Why did it rain ?"]],
    )

    def scores(**options: float) -> np.ndarray:
        metric = registry.metric("q-bleu", **options)
        return metric.score(metric.rows(corpus))

    alone = [scores(delta=1.0, **{w: float(w == one) for w in WEIGHTS}) for one in WEIGHTS]
    mixed = 0.7 * (np.array([0.6, 0.2, 0.1, 0.1]) @ np.array(alone)) + 0.3 * scores(delta=0.0)
    assert scores() == pytest.approx(mixed)


@pytest.mark.parametrize("ratings", [[], [1.0], [2.0, 2.0, 2.0]])
def test_ratings_must_differ(ratings: list[float]) -> None:
    count = len(ratings)
    with pytest.raises(DataError, match="ratings that differ"):
        tune_answerability(np.ones((count, 4)), np.ones(count), np.array(ratings))


def test_every_rating_needs_its_scores() -> None:
    with pytest.raises(DataError, match="3 ratings"):
        tune_answerability(np.ones((2, 4)), np.ones(3), np.array([1.0, 2.0, 3.0]))
