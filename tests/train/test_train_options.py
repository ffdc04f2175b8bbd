"""Options of Q-metrics and of METEOR are tuned by the trainer, and the spec is what it prints."""

from __future__ import annotations

import json

import numpy as np
import pytest

from nlgauge.cli import main
from nlgauge.core import registry
from nlgauge.errors import SpecError
from nlgauge.train.judged_rows import read_judged_rows
from nlgauge.train.recipes import recipe_of
from nlgauge.train.trainer import TrainSettings, train_metric
from nlgauge.train.tuning.tuning_recipe import search_coordinates

NAMES = "Ann Bob Carl Dora Emil Frida Gustav Hanna Ida Jonas Karl Lotte".split()
PLACES = "Bonn Lyon Oslo Rome Turin Ulm Vienna York".split()


@pytest.fixture(scope="module")
def questions(tmp_path_factory):
    """Write questions whose rating falls if the name is lost, and not if the place is."""
    rng = np.random.default_rng(0)
    path = tmp_path_factory.mktemp("questions") / "judged.jsonl"
    with path.open("w") as file:
        for k in range(80):
            name, place = rng.choice(NAMES), rng.choice(PLACES)
            ref = f"when did {name} number {k} leave the town of {place} ?"
            named, asked = bool(rng.integers(0, 2)), bool(rng.integers(0, 2))
            hyp = f"{'when did' if asked else 'did'} {name if named else ''} leave the town ?"
            record = {
                "id": k,
                "system": f"s{k % 2}",
                "hypothesis": hyp,
                "references": [ref],
                "human": {"answerability": 1 + 3 * named + asked + float(rng.normal(0, 0.1))},
            }
            file.write(json.dumps(record) + "\n")
    return str(path)


def test_coordinates_are_searched_until_none_is_better():
    def agreement(point):
        x, y = point
        return -((x - 3) ** 2) - (y - 2) ** 2

    best, highest, tried = search_coordinates([0.0, 0.0], [range(6), range(6)], agreement)
    assert (best, highest) == ([3, 2], 0)
    assert tried > 11


@pytest.mark.parametrize("name", ["q-bleu", "q-rouge"])
def test_weights_of_questions_are_tuned(questions, name):
    rows = read_judged_rows([questions])
    recipe = recipe_of(registry.metric(name))
    found = train_metric(recipe, rows, TrainSettings(folds=2, threads=1))
    assert found.header["tuned"] == registry.spec(found.metric)
    assert found.metric.entities > found.metric.content
    scores = found.metric.score(found.metric.rows(rows.corpus))
    predicted = recipe.predict(found.arrays, recipe.prepare(rows.corpus, threads=1))
    assert scores == pytest.approx(predicted, abs=1e-9)
    values = {figure.name: figure.value for figure in found.figures["folds"]}
    assert values["model"] > 0.7
    again = train_metric(recipe, rows, TrainSettings(folds=0, threads=2))
    assert again.metric == found.metric


def test_a_score_that_is_not_linear_is_not_tuned():
    with pytest.raises(SpecError, match="not linear"):
        recipe_of(registry.metric("q-bleu(profile=paper)"))


@pytest.mark.parametrize("agree", ["ratings", "pairs"])
def test_parameters_of_meteor_are_tuned(questions, agree):
    rows = read_judged_rows([questions])
    recipe = recipe_of(registry.metric("meteor-next"), agree=agree)
    found = train_metric(recipe, rows, TrainSettings(folds=2, threads=1))
    before, after = registry.metric("meteor-next"), found.metric

    def agreement(metric):
        scores = metric.score(metric.rows(rows.corpus))
        if agree == "ratings":
            return np.corrcoef(scores, rows.ratings)[0, 1]
        return np.mean(
            np.sign(np.subtract.outer(scores, scores))
            == np.sign(np.subtract.outer(rows.ratings, rows.ratings))
        )

    assert agreement(after) > agreement(before)
    assert after.weights[0] == 1.0
    assert after.task == "adq"


def test_the_command_prints_the_tuned_spec(questions, capsys):
    arguments = ["--folds", "2", "--threads", "1", "-f", "json"]
    assert (
        main(["train", "meteor-1.5", questions, "--set", "agree=ratings", "task=adq", *arguments])
        == 0
    )
    out, err = capsys.readouterr()
    header = json.loads(out)
    assert header["tuned"].startswith("meteor-1.5(task=adq,weights=1:")
    assert registry.metric(header["tuned"]).alpha is not None
    assert header["tuned"] in err
    assert main(["train", "q-bleu", questions, "--id-fields", "id", "--folds", "0"]) == 0
    assert "q-bleu(entities=" in capsys.readouterr().out
