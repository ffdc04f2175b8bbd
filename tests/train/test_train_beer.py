"""BEER is fitted to ranks and to ratings, and the fits can be repeated to the last bit."""

from __future__ import annotations

import json

import numpy as np
import pytest

from nlgauge import Corpus
from nlgauge.cli import main
from nlgauge.core import registry
from nlgauge.data.labels import Labels
from nlgauge.errors import DataError, SpecError
from nlgauge.metrics.trained.beer1_features import FIRST_FEATURES, first_features
from nlgauge.train.beer_recipe import BeerRecipe
from nlgauge.train.fits import fit_ranking
from nlgauge.train.judged_rows import read_judged_rows
from nlgauge.train.ranked_pairs import ranked_pairs
from nlgauge.train.recipe import FitRun
from nlgauge.train.recipes import recipe_of
from nlgauge.train.trainer import TrainSettings, train_metric

WORDS = "the cat dog sat ran on under a red blue mat house and looked at it twice".split()


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    rng = np.random.default_rng(0)
    path = tmp_path_factory.mktemp("beer") / "judged.jsonl"
    with path.open("w") as file:
        for k in range(160):
            ref = rng.permutation(WORDS).tolist()[:10]
            wrong = int(rng.integers(0, 8))
            hyp = [*rng.choice(WORDS, wrong).tolist(), *ref[wrong:]]
            record = {
                "id": k,
                "system": f"s{k % 3}",
                "hypothesis": " ".join(hyp),
                "references": [" ".join(ref), "something else"],
                "human": {"quality": float(8 - wrong + rng.normal(0, 0.3))},
                "source": f"source {k // 2}",
            }
            file.write(json.dumps(record) + "\n")
    return str(path)


def trained(judged, **chosen):
    rows = read_judged_rows([judged], group="source")
    recipe = recipe_of(registry.metric("beer"), **chosen)
    return rows, train_metric(recipe, rows, TrainSettings(folds=2, threads=1, synthetic=0.5))


@pytest.mark.parametrize("learn", ["ranking", "regression"])
@pytest.mark.parametrize("features", ["all", "beer-2.0"])
@pytest.mark.filterwarnings("ignore::nlgauge.errors.NlgaugeWarning")
def test_a_model_scores_as_it_was_trained_to(judged, tmp_path, learn, features):
    rows, found = trained(judged, learn=learn, features=features)
    assert found.figures["folds"][0].value > 0.9
    assert found.sense["identical"] > 85  # some outputs are identical, too
    assert found.sense["empty"] == 0
    path = tmp_path / "beer.safetensors"
    found.write(str(path))
    metric = registry.metric(f"beer(model={path})")
    own = recipe_of(registry.metric("beer"), learn=learn, features=features)
    predicted = own.predict(found.arrays, own.prepare(rows.corpus, threads=1))
    assert metric.score(metric.rows(rows.corpus)).tolist() == predicted.tolist()
    again = trained(judged, learn=learn, features=features)[1]
    assert all(np.array_equal(again.arrays[k], v) for k, v in found.arrays.items())
    assert bool(metric.english_only()) == (features == "all")
    with pytest.raises(DataError, match="give these options"):
        registry.metric(f"beer(model={path},lowercase=yes)").resources()


def test_ranking_weights_have_no_slope_left():
    rng = np.random.default_rng(1)
    better, worse = rng.normal(0.3, 1, (200, 4)), rng.normal(0, 1, (200, 4))
    weights = fit_ranking(better, worse, penalty=0.1)
    differences = better - worse
    shares = 1 / (1 + np.exp(differences @ weights))
    assert differences.T @ shares / 200 == pytest.approx(0.1 * weights, abs=1e-6)


@pytest.mark.parametrize("own", [True, False])
def test_pairs_are_of_one_group_or_of_one_part(own):
    groups = np.repeat(np.arange(10), 4) if own else np.arange(40)
    parts = Labels.build(["a", "b"] * 20)
    run = FitRun(seed=1, groups=groups, parts=parts, kinds=[None] * 40, progress=print)
    ratings = np.random.default_rng(2).integers(0, 5, 40).astype(float)
    better, worse = ranked_pairs(ratings, run, each=3)
    assert (ratings[better] > ratings[worse]).all()
    kept = groups if own else parts.codes
    assert (kept[better] == kept[worse]).all()


def test_features_of_the_first_beer():
    (row,) = first_features(["the cat sat on mats"], ["the cat ran on the mats"])
    found = dict(zip(FIRST_FEATURES, row.tolist(), strict=True))
    assert found["function_p"] == 1  # the, on
    assert found["function_r"] == 2 / 3
    assert found["content_p"] == found["content_r"] == 2 / 3 == found["content_f"]
    assert found["order_kendall"] == 1
    assert found["order_runs"] == 1 / 3  # of four links, only the first two stand together
    (row,) = first_features(["", "a"][:1], ["a b"])
    assert not row.any()


def test_what_cannot_be_chosen_is_refused():
    with pytest.raises(SpecError, match="learn=guess: expected ranking, regression"):
        BeerRecipe(registry.metric("beer"), learn="guess")
    with pytest.raises(SpecError, match="expected nothing"):
        BeerRecipe(registry.metric("beer"), speed="high")


def test_the_command_takes_ways_to_train(judged, tmp_path, capsys):
    model = tmp_path / "beer.safetensors"
    options = ["--set", "learn=regression", "features=beer-2.0", "lowercase=yes", "--folds", "0"]
    assert main(["train", "beer", judged, "-o", str(model), *options, "--threads", "1"]) == 0
    assert "lowercase=yes" in capsys.readouterr().err
    assert main(["train", "card", str(model), "-f", "json"]) == 0
    header = json.loads(capsys.readouterr().out)
    assert header["settings"] == {"learn": "regression", "features": "beer-2.0"}
    assert len(header["features"]) == 92


def test_the_model_that_ships_has_common_sense():
    metric = registry.metric("beer-wmt15")
    ref = "The committee will meet again on Tuesday to discuss the budget of the next year ."
    words = ref.split()
    texts = [ref, " ".join(words[::-1]), " ".join(words[:7]), "", "A dog barked at two cats ."]
    texts.append("On Tuesday the committee meets again to talk about the budget of next year .")
    same, mixed, half, empty, other, good = metric.score(
        metric.rows(Corpus.build(texts, [[ref]] * len(texts)))
    )
    assert same > good > max(mixed, half, empty, other)
    assert empty == 0
