"""Gauge: what its members say is added up as its file has it, fits are the same again, and an
explanation adds up to the score.
"""

import re
from pathlib import Path

import numpy as np
import pytest
from support.minilm import needs_minilm

from nlgauge import Corpus
from nlgauge.core import registry
from nlgauge.data.labels import Labels
from nlgauge.metrics.trained.feature_model import FeatureModel
from nlgauge.models.predictors.ensemble_predictor import EnsemblePredictor
from nlgauge.train.feature_recipe import SUMMARY_FOLDS, SUMMARY_SEED, fit_summary
from nlgauge.train.fits import VECTORS
from nlgauge.train.held_out import folds_of
from nlgauge.train.judged_rows import JudgedRows
from nlgauge.train.recipe import FitRun
from nlgauge.train.recipes import recipe_of
from nlgauge.train.trainer import TrainSettings, train_metric

pytest.importorskip("sklearn")
pytestmark = [needs_minilm, pytest.mark.filterwarnings("ignore")]
SUBJECTS = ["The baker", "A doctor", "My neighbour", "The old king", "Our teacher"]
ENDS = ["sold three loaves today", "went home early", "read a long book", "saw the red house"]


def judged() -> JudgedRows:
    refs = [f"{subject} {end}." for subject in SUBJECTS for end in ENDS]
    hyps = [ref if k % 3 else refs[k - 1] for k, ref in enumerate(refs)]
    return JudgedRows(
        corpus=Corpus.build(hyps, [[ref] for ref in refs]),
        ratings=np.array([float(bool(k % 3)) + k / 100 for k in range(len(refs))]),
        groups=np.arange(len(refs)),
        parts=Labels.build([""] * len(refs)),
        criterion="quality",
    )


@pytest.fixture(scope="module")
def trained():
    recipe = recipe_of(registry.metric("gauge(inputs=shared)"))
    rows = judged()
    found = train_metric(recipe, rows, TrainSettings(folds=0, synthetic=1.0, threads=1))
    columns = recipe.prepare(rows.corpus, threads=1)
    own = {n.removeprefix("sentences."): a for n, a in found.arrays.items()}
    vectors = columns[:, -len(own["weights"]) :]
    summary = (vectors - own["shift"]) / own["scale"] @ own["weights"] + own["intercept"]
    return found, recipe, np.column_stack([columns[:, : -len(own["weights"])], summary])


def test_members_are_added_up_as_the_file_has_them(trained) -> None:
    found, _, features = trained
    model = FeatureModel.from_arrays(found.arrays, EnsemblePredictor)
    ensemble = model.predictor
    assert [member.kind for member in ensemble.members] == ["linear", "kernel"]
    assert [member.weight for member in ensemble.members] == [0.5, 0.5]
    total = np.zeros(len(features))
    for k, member in enumerate(ensemble.members):
        arrays = {n.removeprefix(f"member.{k}."): a for n, a in found.arrays.items()}
        x = (features[:, member.columns] - arrays["shift"]) / arrays["scale"]
        if member.kind == "linear":
            said = x @ arrays["weights"] + arrays["intercept"]
        else:
            intercept, gamma = arrays["constants"]
            squares = ((x[:, None] - arrays["vectors"][None]) ** 2).sum(axis=2)
            said = np.exp(-gamma * squares) @ arrays["weights"] + intercept
        total += member.weight * (said - member.mean) / member.deviation
    expected = found.arrays["slope"] * total
    assert ensemble.predict(features) == pytest.approx(expected, abs=1e-6)


def test_fitting_again_gives_the_same_bits(trained) -> None:
    found, recipe, _ = trained
    again = train_metric(recipe, judged(), TrainSettings(folds=0, synthetic=1.0, threads=2))
    assert found.arrays.keys() == again.arrays.keys()
    assert all(np.array_equal(found.arrays[k], again.arrays[k]) for k in found.arrays)


def test_a_note_says_what_kinds_of_features_add(trained, tmp_path: Path) -> None:
    found, _, _ = trained
    path = tmp_path / "gauge.safetensors"
    found.write(str(path))
    metric = registry.metric(f"gauge(inputs=shared,model={path})")
    note = metric.trace("The baker went home.", "A doctor went home early.").note
    assert re.match(r"added to the usual score: lexical [+-]\d", note)
    assert all(kind in note for kind in ("matches", "sentences", "strongest: "))


@pytest.mark.parametrize("inputs", ["shared", "all"])
def test_the_models_that_ship_know_better_from_worse(inputs: str) -> None:
    reference = "The council postponed its decision on the new bridge until spring."
    texts = [
        reference,
        "The council put off its decision about the new bridge until spring.",
        "The council was postpone decision of new bridge to spring time.",
        "bridge spring decision until council the new its postponed on.",
        "",
    ]
    metric = registry.metric(f"gauge(inputs={inputs})")
    corpus = Corpus.build(texts, [[reference]] * len(texts))
    scores = metric.score(metric.rows(corpus, threads=1)).tolist()
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores)


@pytest.mark.parametrize("inputs", ["shared", "all"])
def test_a_copy_is_the_best_output_however_short_it_is(inputs: str) -> None:
    changed = {"house": "houses", "1994": "1995", "Paris": "London", "x" * 300: "x" * 299 + "é"}
    references = [*changed, *changed]
    metric = registry.metric(f"gauge(inputs={inputs})")
    corpus = Corpus.build([*changed, *changed.values()], [["other", ref] for ref in references])
    scores = metric.score(metric.rows(corpus, threads=1)).tolist()
    assert min(scores[: len(changed)]) > max(scores[len(changed) :])


def test_vectors_are_summed_up_by_fits_that_did_not_see_the_row() -> None:
    rng = np.random.default_rng(1)
    columns, ratings = rng.standard_normal((40, 5)), rng.standard_normal(40)
    groups = np.repeat(np.arange(20), 2)
    kinds = [None] * 36 + ["halved"] * 4
    run = FitRun(seed=1, groups=groups, parts=Labels.build([""] * 40), kinds=kinds, progress=str)
    summary, joined = fit_summary(columns, 2, ratings, run)
    assert np.array_equal(joined[:, :2], columns[:, :2])
    folds = folds_of(groups, SUMMARY_FOLDS, SUMMARY_SEED)
    rated = np.arange(40) < 36
    for fold in range(SUMMARY_FOLDS):
        held = folds == fold
        expected = ridge_by_hand(columns[:, 2:], ratings, rated & ~held)[held]
        assert joined[held, 2] == pytest.approx(expected)
    everything = ridge_by_hand(columns[:, 2:], ratings, rated)
    assert summary.joined(columns)[:, 2] == pytest.approx(everything)
    assert summary.joined(columns[7:8])[0, 2] == summary.joined(columns)[7, 2]


def ridge_by_hand(vectors: np.ndarray, ratings: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return a ridge regression's predictions by least squares with one more row a weight."""
    x = (vectors - vectors[rows].mean(axis=0)) / vectors[rows].std(axis=0)
    y = ratings - ratings[rows].mean()
    more = np.sqrt(VECTORS) * np.eye(x.shape[1])
    weights = np.linalg.lstsq(np.vstack([x[rows], more]), np.r_[y[rows], np.zeros(len(more))])[0]
    return x @ weights + ratings[rows].mean()
