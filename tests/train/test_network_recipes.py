"""Networks of RUSE, ESIM and NUBIA are trained, go on from checkpoints, score as they trained."""

from pathlib import Path

import numpy as np
import pytest
from support.minilm import needs_minilm

from nlgauge import Corpus
from nlgauge.core import registry
from nlgauge.data.labels import Labels
from nlgauge.train.judged_rows import JudgedRows
from nlgauge.train.recipes import recipe_of
from nlgauge.train.trainer import TrainSettings, train_metric

torch = pytest.importorskip("torch")
pytestmark = needs_minilm
SPECS = ["ruse", "esim(width=8)", "nubia"]
SUBJECTS = ["The baker", "A doctor", "My neighbour", "The old king", "Our teacher", "One farmer"]
ENDS = ["sold three loaves today", "went home early", "read a long book", "saw the red house"]


def judged() -> JudgedRows:
    refs = [f"{subject} {end}." for subject in SUBJECTS for end in ENDS]
    hyps = [ref if k % 3 else refs[k - 1] for k, ref in enumerate(refs)]
    ratings = np.array([float(bool(k % 3)) + k / 100 for k in range(len(refs))])
    return JudgedRows(
        corpus=Corpus.build(hyps, [[ref] for ref in refs]),
        ratings=ratings,
        groups=np.arange(len(refs)),
        parts=Labels.build([""] * len(refs)),
        criterion="quality",
    )


def trained(spec: str, folder: Path | None = None, seed: int = 1, lines: list | None = None):
    settings = TrainSettings(seed=seed, folds=0, synthetic=1.0, threads=1, checkpoints=folder)
    told = [] if lines is None else lines
    recipe = recipe_of(registry.metric(spec))
    recipe.settings = type(recipe.settings)(**{**vars(recipe.settings), "epochs": 3})
    return train_metric(recipe, judged(), settings, progress=told.append)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("spec", SPECS)
def test_a_model_scores_as_it_was_trained(spec: str, tmp_path: Path) -> None:
    lines: list[str] = []
    found = trained(spec, lines=lines)
    assert any("epoch 1 of" in line for line in lines)
    path = tmp_path / "model.safetensors"
    found.write(str(path))
    rows = judged()
    recipe = recipe_of(registry.metric(spec))
    expected = recipe.predict(found.arrays, recipe.prepare(rows.corpus, threads=1))
    if not spec.startswith("nubia"):
        mean, deviation = found.arrays["ratings"]
        expected = mean + deviation * expected
    metric = registry.metric(f"{spec.partition('(')[0]}(model={path})")
    scores = metric.score(metric.rows(rows.corpus))
    assert scores == pytest.approx(expected, abs=1e-9)


@pytest.mark.filterwarnings("ignore")
def test_training_goes_on_from_a_checkpoint(tmp_path: Path) -> None:
    whole = trained("esim(width=8)")
    trained("esim(width=8)", tmp_path)
    lines: list[str] = []
    again = trained("esim(width=8)", tmp_path, lines=lines)
    assert not any("epoch 1 of" in line for line in lines)
    for name, array in whole.arrays.items():
        assert (again.arrays[name] == array).all()


@pytest.mark.filterwarnings("ignore")
def test_seeds_differ() -> None:
    one, other = (trained("ruse", seed=seed).arrays for seed in (1, 2))
    assert (one["layer.0.bias"] != other["layer.0.bias"]).any()


def test_a_mean_network_says_the_mean() -> None:
    from nlgauge.models.predictors.layered_predictor import LayeredPredictor
    from nlgauge.train.networks.regressors import LayeredNetwork, mean_network

    torch.manual_seed(5)
    networks = [LayeredNetwork(6, [4, 3], dropout=0.0, input_dropout=0.0) for _ in range(3)]
    rows = torch.randn(9, 6)
    with torch.no_grad():
        expected = torch.stack([network.eval()(rows) for network in networks]).mean(dim=0)
    scale = {"shift": np.zeros(6), "scale": np.ones(6)}
    arrays = mean_network([network.arrays() for network in networks])
    found = LayeredPredictor.from_arrays({**arrays, **scale}).predict(rows.double().numpy())
    assert found == pytest.approx(expected.numpy(), abs=1e-5)
