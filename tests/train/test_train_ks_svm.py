"""KS-SVM: its plane, what is taken for human, and fits that can be repeated to the last bit."""

from __future__ import annotations

import json

import numpy as np
import pytest

from nlgauge import Corpus
from nlgauge.core import registry
from nlgauge.errors import DataError
from nlgauge.train.fits import fit_margin
from nlgauge.train.human_recipe import _thirds
from nlgauge.train.judged_rows import read_judged_rows
from nlgauge.train.recipes import recipe_of
from nlgauge.train.trainer import TrainSettings, train_metric

WORDS = "the cat dog sat ran on under a red blue mat house and looked at it twice".split()


def judged(path, references):
    rng = np.random.default_rng(0)
    with path.open("w") as file:
        for k in range(120):
            ref = rng.permutation(WORDS).tolist()[:9]
            wrong = int(rng.integers(0, 8))
            hyp = [*rng.choice(WORDS, wrong).tolist(), *ref[wrong:]]
            others = [" ".join([*ref[:-1], "indeed", str(k)]), " ".join(["so", *ref, str(k)])]
            record = {
                "id": k,
                "system": f"s{k % 3}",
                "hypothesis": " ".join(hyp),
                "references": [f"{' '.join(ref)} {k}", *others][:references],
                "human": {"quality": 8 - wrong + float(rng.normal(0, 0.2))},
            }
            file.write(json.dumps(record) + "\n")
    return read_judged_rows([str(path)])


def test_the_plane_is_that_of_scikit_learn():
    svm = pytest.importorskip("sklearn.svm")
    rng = np.random.default_rng(1)
    x = np.vstack([rng.normal(0.6, 1, (60, 3)), rng.normal(-0.6, 1, (60, 3))])
    signs = np.repeat([1.0, -1.0], 60)
    fitted = fit_margin(x, signs, penalty=0.1)
    scaled = (x - x.mean(axis=0)) / x.std(axis=0)
    # Its loss is a sum over rows, ours a mean; its penalty 1/2, ours 0.05.
    peer = svm.LinearSVC(
        C=1 / (0.1 * 120), loss="squared_hinge", intercept_scaling=1e4, tol=1e-12, max_iter=10**6
    ).fit(scaled, signs)
    weights = peer.coef_[0] / np.linalg.norm(peer.coef_[0])
    assert fitted.weights == pytest.approx(weights, abs=1e-3)
    assert np.linalg.norm(fitted.weights) == pytest.approx(1)
    assert np.array_equal(fitted.weights, fit_margin(x, signs, penalty=0.1).weights)


@pytest.mark.parametrize(
    ("ratings", "expected"),
    [
        ([1, 2, 3, 4, 5, 6], [-1, -1, 0, 0, 1, 1]),
        ([1, 1, 1, 1, 1, 2], [-1, -1, -1, -1, -1, 1]),
        ([1, 2, 2, 2, 2, 2], [-1, -1, -1, -1, -1, -1]),
    ],
)
def test_thirds_of_ratings(ratings, expected):
    found = _thirds(np.array(ratings, float), np.zeros(6, int))
    assert found.tolist() == expected


@pytest.mark.parametrize("labels", ["ratings", "origin"])
def test_a_model_scores_as_it_was_trained_to(tmp_path, labels):
    rows = judged(tmp_path / "judged.jsonl", 3)
    recipe = recipe_of(registry.metric("ks-svm"), labels=labels)
    found = train_metric(recipe, rows, TrainSettings(folds=2, threads=1, synthetic=0.5))
    assert found.figures["folds"][0].value > 0.7
    path = tmp_path / "m.safetensors"
    found.write(str(path))
    metric = registry.metric(f"ks-svm(model={path})")
    predicted = recipe.predict(found.arrays, recipe.prepare(rows.corpus, threads=1))
    assert metric.score(metric.rows(rows.corpus)).tolist() == predicted.tolist()
    again = train_metric(recipe, rows, TrainSettings(folds=0, threads=2, synthetic=0.5))
    assert all(np.array_equal(again.arrays[k], v) for k, v in found.arrays.items())


def test_origin_needs_several_references(tmp_path):
    rows = judged(tmp_path / "judged.jsonl", 1)
    recipe = recipe_of(registry.metric("ks-svm"), labels="origin")
    with pytest.raises(DataError, match="use labels=ratings"):
        train_metric(recipe, rows, TrainSettings(folds=0, threads=1))


def test_what_ships_has_common_sense():
    metric = registry.metric("ks-svm")
    ref = "The committee will meet again on Tuesday to discuss the budget of the next year ."
    words = ref.split()
    texts = [ref, " ".join(words[::-1]), " ".join(words[:7]), "", "A dog barked at two cats ."]
    texts.append("On Tuesday the committee meets again to talk about the budget of next year .")
    same, *broken, good = metric.score(metric.rows(Corpus.build(texts, [[ref]] * len(texts))))
    assert same > good > max(broken)
