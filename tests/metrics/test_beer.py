"""BEER: its counts, its models, and the totals of segments."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.piece_counts import counts

from nlgauge import Corpus, DataError, kernels
from nlgauge.core import options, registry
from nlgauge.core.best_reference import ReferencePairs
from nlgauge.kernels import native
from nlgauge.metrics import BEER
from nlgauge.metrics.trained.beer_features import FEATURES, BeerText, pair_features
from nlgauge.metrics.trained.beer_model import SHIPPED, find_beer_model

TEXTS = st.text("ab é\U0001f600\U0001f601", max_size=40)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5))
@settings(max_examples=150)
def test_counts_equal_those_of_dictionaries(drawn: list[tuple[str, str]]) -> None:
    read = BeerText()
    corpus = Corpus.build([read(h) for h, _ in drawn], [[read(r)] for _, r in drawn])
    found = kernels.rows(corpus, [native.Beer()])[0]
    assert found.tolist() == [counts(read_back(h), read_back(r)) for h, r in drawn]


def read_back(text: str) -> str:
    """Blanks alone are no text."""
    return text if text.strip(" ") else ""


def test_counts_of_long_texts() -> None:
    rng = np.random.default_rng(7)
    hyp, ref = (" ".join(map(str, rng.integers(0, 30, 700))) for _ in range(2))
    found = kernels.rows(Corpus.build([hyp], [[ref]]), [native.Beer()])[0]
    assert found[0].tolist() == counts(hyp, ref)


def test_features_have_names_and_stand_in_the_order_of_pairs() -> None:
    corpus = Corpus.build(["a b c", "d e"], [["a b", "a b c"], ["d e"]])
    found = BEER().features(corpus)
    assert found.shape == (len(ReferencePairs.of(corpus.references).hyps), len(FEATURES))
    one = dict(zip(FEATURES, found[0].tolist(), strict=True))
    assert one["word1_p"] == 3 / 5  # a, b and the start
    assert one["word1_r"] == 3 / 4
    assert one["skip_min"] == 1 / 3
    assert one["length_words"] == 0.5
    assert np.array_equal(found[1:2], pair_features(["a b c"], ["a b c"]))


def test_the_official_total_counts_one_segment_too_many() -> None:
    corpus = Corpus.build(["a b c d", "a b c"], [["a b c d"], ["a c"]])
    mean, official = BEER(), BEER(average="official")
    scores = mean.score(mean.rows(corpus))
    assert official.score(official.rows(corpus)).tolist() == scores.tolist()
    assert mean.evaluate(corpus).score == pytest.approx(scores.sum() / 2, abs=1e-15)
    assert official.evaluate(corpus).score == pytest.approx(scores.sum() / 3, abs=1e-15)
    assert mean.evaluate(corpus).parts["official_total"] == official.evaluate(corpus).score


@pytest.mark.parametrize("name", SHIPPED)
def test_models_that_ship(name: str) -> None:
    model = find_beer_model(name)
    assert len(model.features) == 62
    assert model.about["licence"] == "Apache-2.0"


GOOD: dict[str, Any] = {
    "kind": "nlgauge BEER model",
    "intercept": 0.25,
    "slope": 0.5,
    "features": [{"name": "word1_p", "low": 0, "high": 1, "weight": 1}],
}


def spec_of(path: Path, record: Any) -> str:
    path.write_text(json.dumps(record), encoding="utf-8")
    return f"beer(model={options.encode(str(path))})"


def test_a_model_of_the_users(tmp_path: Path) -> None:
    metric = registry.metric(spec_of(tmp_path / "own.json", GOOD))
    score = metric.sentence_score("a b c", ["a b"])
    assert score.score == pytest.approx(0.25 + 0.5 * 3 / 5, abs=1e-15)
    assert score.parts["word1_p"] == 3 / 5
    assert metric.resources()["model"] in score.signature


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "nlgauge linear model"}, "no BEER model"),
        ({"features": []}, "at least one"),
        ({"features": [{"name": "char7_f", "low": 0, "high": 1, "weight": 1}]}, "char7_f"),
        ({"features": [{"name": ["f"], "low": 0, "high": 1, "weight": 1}]}, "no feature"),
        ({"features": [{"name": "word1_p", "low": 1, "high": 1, "weight": 1}]}, "not below"),
        ({"features": [{"name": "word1_p", "low": 0, "high": 1}]}, "needs the numbers"),
        ({"features": GOOD["features"] * 2}, "twice"),
        ({"slope": "steep"}, "must be numbers"),
    ],
)
def test_a_file_that_does_not_fit(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    metric = registry.metric(spec_of(tmp_path / "own.json", GOOD | change))
    with pytest.raises(DataError, match=message) as error:
        metric.sentence_score("a", ["a"])
    assert "own.json" in str(error.value)
