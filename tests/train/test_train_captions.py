"""COMPOSITE and NNEVAL learn what people write, and their networks follow their gradients."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from oracles.feature_models import layered

from nlgauge import Corpus
from nlgauge.core import registry
from nlgauge.errors import DataError, SpecError
from nlgauge.train.judged_rows import read_judged_rows
from nlgauge.train.layered_fit import LayerSettings, fit_classes
from nlgauge.train.recipes import recipe_of
from nlgauge.train.trainer import TrainSettings, train_metric

THINGS = "dog cat man woman child horse bird car boat tree house ball".split()
PLACES = "park street garden river beach field kitchen road hill lake".split()
INPUTS = "inputs=meteor:cider:bleu-1"


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    rng = np.random.default_rng(0)
    path = tmp_path_factory.mktemp("captions") / "judged.jsonl"
    with path.open("w") as file:
        for k in range(90):
            thing, other = rng.choice(THINGS, 2, replace=False)
            place, elsewhere = rng.choice(PLACES, 2, replace=False)
            refs = [
                f"a {thing} in the {place} {k}",
                f"there is a {thing} near {place} {k}",
                f"the {thing} of number {k} is at the {place}",
            ]
            right = int(rng.integers(0, 3))
            hyp = f"a {thing if right else other} in the {place if right == 2 else elsewhere}"
            record = {
                "id": k,
                "system": f"s{k % 2}",
                "hypothesis": hyp,
                "references": refs,
                "human": {"quality": 1 + right},
            }
            file.write(json.dumps(record) + "\n")
    return str(path)


def test_a_network_learns_what_is_not_linear():
    rng = np.random.default_rng(1)
    x = rng.uniform(-1, 1, (400, 2))
    wanted = (x[:, 0] * x[:, 1] > 0).astype(float)
    fitted = fit_classes(x, wanted, seed=1, settings=LayerSettings(epochs=80, rate=0.01))
    assert ((fitted.predict(x) > 0) == (wanted > 0.5)).mean() > 0.95
    again = fit_classes(x, wanted, seed=1, settings=LayerSettings(epochs=80, rate=0.01))
    assert np.array_equal(fitted.predict(x), again.predict(x))
    arrays = fitted.arrays()
    assert fitted.predict(x[:5]) == pytest.approx(
        [layered(row.tolist(), arrays) for row in x[:5]], rel=1e-4, abs=1e-4
    )


@pytest.mark.parametrize("labels", ["ratings", "origin"])
@pytest.mark.parametrize("name", ["composite", "nneval"])
def test_a_model_scores_as_it_was_trained_to(judged, tmp_path, name, labels):
    rows = read_judged_rows([judged])
    recipe = recipe_of(registry.metric(f"{name}({INPUTS})"), labels=labels)
    found = train_metric(recipe, rows, TrainSettings(folds=2, threads=1, synthetic=0.5))
    assert found.figures["folds"][0].value > 0.5
    path = tmp_path / "m.safetensors"
    found.write(str(path))
    metric = registry.metric(f"{name}({INPUTS},model={path})")
    predicted = recipe.predict(found.arrays, recipe.prepare(rows.corpus, threads=1))
    assert metric.score(metric.rows(rows.corpus)).tolist() == predicted.tolist()
    assert ((predicted >= 0) & (predicted <= 1)).all()
    with pytest.raises(DataError, match="it was trained with inputs="):
        registry.metric(f"{name}(inputs=meteor,model={path})").check_resources()


def test_one_reference_is_enough(judged, tmp_path):
    path = tmp_path / "single.jsonl"
    with Path(judged).open() as lines, path.open("w") as file:
        for line in lines:
            record = json.loads(line)
            file.write(json.dumps({**record, "references": record["references"][:1]}) + "\n")
    rows = read_judged_rows([str(path)])
    recipe = recipe_of(registry.metric(f"composite({INPUTS})"))
    assert np.isnan(recipe.prepare(rows.corpus, threads=1).people).all()
    assert train_metric(recipe, rows, TrainSettings(folds=0, threads=1)).arrays


@pytest.mark.parametrize("inputs", ["fid", "meteor:meteor"])
def test_inputs_are_checked(inputs):
    with pytest.raises(SpecError, match="inputs"):
        registry.metric(f"composite(inputs={inputs})")


@pytest.mark.parametrize("name", ["composite", "nneval"])
def test_what_ships_prefers_what_a_picture_shows(name):
    metric = registry.metric(name)
    refs = [
        "A brown dog runs through the high grass .",
        "a dog is running in a field",
        "The dog runs across a meadow .",
        "A happy dog runs outside .",
    ]
    texts = ["a dog runs through the grass", "a man cooks in a kitchen", "", refs[0]]
    good, other, empty, same = metric.score(metric.rows(Corpus.build(texts, [refs] * 4)))
    assert min(good, same) > 0.5 > max(other, empty)


def test_frequencies_that_ship_let_one_caption_score():
    corpus = Corpus.build(["a dog runs in the grass"], [["a dog runs on a beach", "the dog runs"]])
    metric = registry.metric("cider(df=flickr8k)")
    assert metric.evaluate(corpus).score > 0
    assert "df" in metric.resources()
