"""The trainer: rows, folds, figures, common sense, and what it refuses."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlgauge.core import registry
from nlgauge.core.facts.trainable import TRAINABLE, TUNABLE
from nlgauge.data.labels import Labels
from nlgauge.errors import DataError, NlgaugeWarning, SpecError
from nlgauge.models.files.trained_model import read_model
from nlgauge.models.predictors.kernel_predictor import KernelPredictor
from nlgauge.models.predictors.layered_predictor import LayeredPredictor
from nlgauge.models.predictors.linear_predictor import LinearPredictor
from nlgauge.models.predictors.predictor import Scaler
from nlgauge.train.fits import fit_common_sense, fit_ridge, fit_svr
from nlgauge.train.held_out import FigureMaker, folds_of, mean_pearson
from nlgauge.train.judged_rows import read_judged_rows, shared_texts
from nlgauge.train.recipes import RECIPES, recipe_of
from nlgauge.train.synthetic import KINDS, synthetic_rows
from nlgauge.train.trainer import TrainSettings, percentile, train_metric

WORDS = "the cat dog sat ran on under a red blue mat house and looked at it twice".split()


def judged(path, rows=60, seed=0, **changes):
    """Write rated outputs: some words of references are wrong, and the rating tells how many."""
    rng = np.random.default_rng(seed)
    with path.open("w") as file:
        for k in range(rows):
            ref = rng.choice(WORDS, 8).tolist()
            wrong = int(rng.integers(0, 7))
            hyp = [*rng.choice(WORDS, wrong).tolist(), *ref[wrong:]]
            record = {
                "id": k,
                "system": f"s{k % 3}",
                "hypothesis": " ".join(hyp),
                "references": [f"{' '.join(ref)} {k // 2}"],
                "human": {"quality": float(8 - wrong + rng.normal(0, 0.3))},
                **changes,
            }
            file.write(json.dumps(record) + "\n")
    return str(path)


def test_rows_are_grouped_by_what_they_share(tmp_path):
    rows = read_judged_rows([judged(tmp_path / "a.jsonl")])
    assert len(rows) == 60
    assert rows.criterion == "quality"
    assert len(set(rows.groups.tolist())) == 60  # references differ in their words
    (record,) = rows.data
    assert record["name"] == "a.jsonl"
    assert len(record["sha256"]) == 64
    assert shared_texts(rows, rows) == 60


def test_groups_are_connected_through_others(tmp_path):
    path = tmp_path / "g.jsonl"
    shared = [("a", "x"), ("a", "y"), ("b", "y"), ("c", "z"), ("d", "w"), ("e", "v")] * 2
    with path.open("w") as file:
        for k, (source, ref) in enumerate(shared):
            record = {"id": k, "source": source, "hypothesis": "h", "references": [ref]}
            file.write(json.dumps({**record, "system": str(k % 2), "human": {"q": k}}) + "\n")
    rows = read_judged_rows([str(path)])
    first = rows.groups[:6].tolist()
    assert first[0] == first[1] == first[2]
    assert len({first[0], *first[3:]}) == 4
    with pytest.warns(NlgaugeWarning, match="different groups have the same reference"):
        read_judged_rows([str(path)], group="source")


@pytest.mark.parametrize(
    ("changes", "options", "error", "said"),
    [
        ({}, {"criterion": "fluency"}, SpecError, "no 'fluency'; say which of: quality"),
        ({"human": {"a": 1, "b": 2}}, {}, SpecError, "several; say which of: a, b"),
        ({"human": {"quality": 3}}, {}, DataError, "all 60 ratings are 3"),
        ({}, {"group": "image"}, SpecError, "group='image'"),
        ({}, {"group": "context"}, DataError, "no context"),
    ],
)
def test_bad_ratings_are_refused(tmp_path, changes, options, error, said):
    path = judged(tmp_path / "bad.jsonl", **changes)
    with pytest.raises(error, match=said):
        read_judged_rows([path], **options)


def test_few_rows_are_refused(tmp_path):
    with pytest.raises(DataError, match="9 rated outputs; training needs 10"):
        read_judged_rows([judged(tmp_path / "few.jsonl", rows=9)])


def test_one_system_is_warned_of(tmp_path):
    with pytest.warns(NlgaugeWarning, match="one system"):
        read_judged_rows([judged(tmp_path / "one.jsonl", system="s")])


@given(st.lists(st.integers(0, 20), min_size=10, max_size=60), st.integers(2, 5), st.integers())
def test_folds_keep_groups_together(groups, folds, seed):
    codes = np.array(groups)
    seed = abs(seed)
    if folds > len(set(groups)):
        with pytest.raises(SpecError, match="folds="):
            folds_of(codes, folds, seed)
        return
    found = folds_of(codes, folds, seed)
    assert set(found.tolist()) == set(range(folds))
    assert all(len(set(found[codes == g].tolist())) == 1 for g in set(groups))
    largest = max(groups.count(g) for g in set(groups))
    sizes = np.bincount(found, minlength=folds)
    assert sizes.max() - sizes.min() <= largest


def test_ridge_solves_its_equation():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(50, 4)) * [1, 10, 0.1, 1] + 3, rng.normal(size=50)
    fitted = fit_ridge(x, y, penalty=2.0)
    scaled = (x - x.mean(axis=0)) / x.std(axis=0)
    # The gradient of squared error and penalty is zero.
    residual = y - y.mean() - scaled @ fitted.weights
    assert np.allclose(scaled.T @ residual, 2.0 * fitted.weights)
    assert np.allclose(fitted.predict(x), y.mean() + scaled @ fitted.weights)
    assert np.array_equal(fit_ridge(x, y).weights, fit_ridge(x, y).weights)


def test_svr_predicts_as_scikit_learn_does():
    svm = pytest.importorskip("sklearn.svm")
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(80, 5)), rng.normal(size=80)
    fitted = fit_svr(x, y)
    low, high = x.min(axis=0), x.max(axis=0)
    scaled = ((x - (low + high) / 2) / ((high - low) / 2)).astype(np.float32).astype(float)
    peer = svm.SVR(C=1.0, gamma=1 / 5, epsilon=0.1).fit(scaled, y)
    assert np.allclose(fitted.predict(x), peer.predict(scaled), atol=1e-6)
    again = KernelPredictor.from_arrays(fitted.arrays())
    assert np.array_equal(again.predict(x), fitted.predict(x))


@pytest.mark.parametrize("kind", [LinearPredictor, KernelPredictor, LayeredPredictor])
def test_predictions_do_not_depend_on_neighbours(kind):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(37, 6))
    scaler = Scaler.standard(x)
    predictor = {
        LinearPredictor: lambda: LinearPredictor(scaler, rng.normal(size=6), 0.5),
        KernelPredictor: lambda: KernelPredictor(
            scaler, rng.normal(size=(9, 6)), rng.normal(size=9), 0.1, 0.2
        ),
        LayeredPredictor: lambda: LayeredPredictor(
            scaler, [(rng.normal(size=(7, 6)), rng.normal(size=7)), (np.ones((1, 7)), np.ones(1))]
        ),
    }[kind]()
    whole = predictor.predict(x)
    assert all(predictor.predict(x[k : k + 1])[0] == whole[k] for k in range(len(x)))
    assert np.array_equal(predictor.predict(x[::-1])[::-1], whole)
    assert kind.from_arrays(predictor.arrays()).predict(x) == pytest.approx(whole, rel=1e-5)


def test_layers_that_do_not_fit_are_refused():
    arrays = {"shift": np.zeros(2), "scale": np.ones(2)}
    layer = {"layer.0.weight": np.ones((1, 3)), "layer.0.bias": np.ones(1)}
    with pytest.raises(DataError, match=r"\(1, 3\) weights"):
        LayeredPredictor.from_arrays({**arrays, **layer})
    with pytest.raises(DataError, match="outputs, not one"):
        LayeredPredictor.from_arrays(
            {**arrays, "layer.0.weight": np.ones((2, 2)), "layer.0.bias": np.ones(2)}
        )


def test_common_sense_tells_what_is_broken():
    rng = np.random.default_rng(4)
    written, broken = rng.normal(0, 1, (300, 3)), rng.normal(-6, 1, (60, 3))
    identical = np.full((60, 3), 4.0)
    features = np.vstack([written, identical, broken])
    classes = ["written"] * 300 + ["identical"] * 60 + ["broken"] * 60
    sense = fit_common_sense(features, classes)
    probable = sense.probabilities(features)
    assert np.allclose(probable.sum(axis=1), 1)
    assert np.abs(sense.corrected(np.zeros(300), written)).mean() < 0.05
    assert sense.corrected(np.zeros(60), broken).mean() < -2.2
    assert sense.corrected(np.zeros(60), identical).mean() > 2.2
    # What is worse or better already stays what it is.
    assert np.array_equal(sense.corrected(np.full(60, -9.0), broken)[:5], np.full(5, -9.0))


def test_percentile_of_ties_is_their_middle():
    among = np.array([1.0, 2.0, 2.0, 3.0])
    assert percentile(np.array([2.0]), among) == 50
    assert percentile(np.array([0.0, 9.0]), among) == 50
    assert percentile(np.array([9.0]), among) == 100


def test_figures_are_means_over_parts():
    rng = np.random.default_rng(5)
    ratings, predicted = rng.normal(size=40), rng.normal(size=40)
    predicted[:20] = ratings[:20]
    parts = Labels.build(["a"] * 20 + ["b"] * 20)
    other = np.corrcoef(predicted[20:], ratings[20:])[0, 1]
    assert mean_pearson(predicted, ratings, parts) == pytest.approx((1 + other) / 2)
    maker = FigureMaker(ratings, parts, np.arange(40), seed=1)
    figure = maker.figure("model", predicted)
    assert figure.low < figure.value < figure.high
    same = maker.figure("none", predicted, predicted)
    assert (same.value, same.low, same.high) == (0, 0, 0)


def test_synthetic_rows_are_of_all_kinds(tmp_path):
    rows = read_judged_rows([judged(tmp_path / "a.jsonl", rows=120)])
    found = synthetic_rows(rows, share=0.5, seed=3)
    by_kind = {kind: found.kinds.count(kind) for kind in KINDS}
    assert by_kind["identical"] == by_kind["empty"] == by_kind["shuffled"] == 10
    for text, origin, kind in zip(found.texts, found.origins, found.kinds, strict=True):
        ref = rows.corpus.references[origin][0]
        words = text.split()
        assert (text == ref) == (kind == "identical")
        if kind == "shuffled":
            assert sorted(words) == sorted(ref.split())
        if kind == "halved":
            assert ref.startswith(text)
            assert len(words) == len(ref.split()) // 2
    rated = {k: found.ratings[[kind == k for kind in found.kinds]] for k in KINDS}
    assert set(rated["identical"]) == {rows.ratings.max()}
    assert set(rated["empty"]) == {rows.ratings.min()}


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    pytest.importorskip("sklearn")
    folder = tmp_path_factory.mktemp("trained")
    rows = read_judged_rows([judged(folder / "a.jsonl", rows=150)])
    test = read_judged_rows([judged(folder / "t.jsonl", rows=60, seed=9)])
    recipe = recipe_of(registry.metric("blend"))
    found = train_metric(recipe, rows, TrainSettings(folds=3, threads=1), test=test)
    path = str(folder / "blend.safetensors")
    found.write(path)
    return found, path, folder


def test_a_trained_metric_agrees_with_its_raters(trained):
    found, path, folder = trained
    figures = {figure.name: figure.value for figure in found.figures["test"]}
    assert figures["model"] > 0.9  # ratings follow the number of wrong words
    assert found.sense["identical"] > 90
    assert found.sense["empty"] < 10
    test = read_judged_rows([str(folder / "t.jsonl")])
    metric = registry.metric(f"blend(model={path})")
    rows = metric.rows(test.corpus)
    scored = mean_pearson(metric.score(rows), test.ratings, test.parts)
    assert scored == pytest.approx(figures["model"], abs=1e-3)  # NIST looks at the test set
    assert "blend.safetensors" in metric.signature()


def test_training_again_gives_the_same_bytes(trained):
    _, path, folder = trained
    rows = read_judged_rows([str(folder / "a.jsonl")])
    recipe = recipe_of(registry.metric("blend"))
    again = train_metric(recipe, rows, TrainSettings(folds=0, threads=2))
    first = read_model(path, "blend")
    assert all(np.array_equal(again.arrays[k], first.arrays[k]) for k in first.arrays)


def test_a_model_of_other_inputs_is_refused(trained):
    _, path, _ = trained
    said = r"trained with inputs=lexical; say so, blend\(.*,inputs=lexical\); train"
    with pytest.raises(DataError, match=said):
        registry.metric(f"blend(model={path},inputs=match)").check_resources()


def test_leaking_test_rows_are_warned_of(trained):
    _, _, folder = trained
    rows = read_judged_rows([str(folder / "a.jsonl")])
    recipe = recipe_of(registry.metric("blend"))
    with pytest.warns(NlgaugeWarning, match="150 of 150 test rows have a source"):
        train_metric(recipe, rows, TrainSettings(folds=0, threads=1), test=rows)


def test_more_features_than_rows_are_warned_of(tmp_path):
    pytest.importorskip("sklearn")
    rows = read_judged_rows([judged(tmp_path / "a.jsonl", rows=20)])
    recipe = recipe_of(registry.metric("blend"))
    with pytest.warns(NlgaugeWarning, match="20 rated outputs for .. features"):
        train_metric(recipe, rows, TrainSettings(folds=2, threads=1))


def test_what_cannot_be_trained_is_refused():
    with pytest.raises(SpecError, match="bleu cannot be trained"):
        recipe_of(registry.metric("bleu"))


def test_every_recipe_is_listed_for_the_command():
    assert list(RECIPES) == [*TRAINABLE, *TUNABLE]
    assert all(name in registry.METRICS for name in RECIPES)
