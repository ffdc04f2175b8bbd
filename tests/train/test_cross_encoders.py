"""Training of networks that read two texts at once: what is known without torch, and with it."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.minilm import needs_minilm

from nlgauge import Corpus, ResourceMissing
from nlgauge.core import registry
from nlgauge.data.labels import Labels
from nlgauge.models.encoders.encoder import find_encoder
from nlgauge.models.encoders.pair_encoder import PairEncoder
from nlgauge.models.files.trained_model import read_model, write_model
from nlgauge.train.changed_sentences import CHANGES, ChangedSentences, WordFilling
from nlgauge.train.cross_encoder_recipe import EARLY_STOPPING, _split
from nlgauge.train.recipe import FitRun
from nlgauge.train.recipes import recipe_of

SENTENCES = [
    f"{who} {does} {what} {when}."
    for who in ("The old mayor", "A young doctor", "My sister")
    for does in ("bought", "did not sell", "painted")
    for what in ("three houses", "the red car", "an island")
    for when in ("in 1998", "last summer", "with Peter Smith")
]


def run_of(rows: int, kinds: list[str | None] | None = None, **given: Any) -> FitRun:
    return FitRun(
        seed=1,
        groups=np.arange(rows) // 2,
        parts=Labels.build([""] * rows),
        kinds=kinds or [None] * rows,
        progress=lambda _: None,
        **given,
    )


def test_words_are_filled_in_from_the_same_neighbours() -> None:
    filling = WordFilling(["a dog runs", "a cat runs", "a cat sleeps"])
    rng = np.random.default_rng(1)
    assert filling.draw("a", "runs", "cat", rng) == "dog"
    assert filling.draw("a", "sleeps", "cat", rng) in ("dog", "runs")  # beside one of them only
    assert filling.draw("x", "y", "old", rng) == "old"


def test_changes_are_drawn_from_a_seed() -> None:
    first, again, other = (
        ChangedSentences(SENTENCES, seed=seed).pairs(SENTENCES * 5) for seed in (1, 1, 2)
    )
    assert first == again != other
    assert [text for (_, text), _ in first] == SENTENCES * 5
    kinds = Counter(kind for _, kind in first)
    assert set(kinds) <= set(CHANGES) and len(kinds) > 12
    for (changed, text), kind in first:
        assert changed == text or kind != "identical"
        assert (changed == "") == (kind == "empty")


def test_few_rows_are_all_learnt_from() -> None:
    seen, held = _split(run_of(200))
    assert len(seen) == 200 and len(held) == 0


def test_groups_that_end_training_are_not_learnt_from() -> None:
    rows = EARLY_STOPPING + 100
    run = run_of(rows, [None] * EARLY_STOPPING + ["empty"] * 100)
    seen, held = _split(run)
    assert not set(run.groups[seen]) & set(run.groups[held])
    assert all(run.kinds[k] is None for k in held)
    assert len(held) == pytest.approx(0.1 * EARLY_STOPPING, rel=0.1)


@needs_minilm
@pytest.mark.parametrize("name", ["bert-mte", "bleurt"])
def test_training_without_torch_says_what_to_install(name: str, monkeypatch) -> None:
    recipe = recipe_of(registry.metric_class(name)())
    corpus = Corpus.build(["a", "b"], [["a", "c"], ["b"]])
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(set_num_threads=lambda _: None))
    assert [len(pairs) for pairs in recipe.prepare(corpus, threads=1).pieces] == [2, 1]
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ResourceMissing, match=r"pip install 'nlgauge\[train\]'"):
        recipe.prepare(corpus, threads=1)


@needs_minilm
def test_torch_and_the_native_core_say_the_same(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from nlgauge.train.networks.pair_network import PairNetwork

    bert: Any = find_encoder("minilm")
    network = PairNetwork(bert, {"rating": 2}, seed=3)
    header = {"metric": "bert-mte", "options": {}, "features": [], "data": [], "split": {}}
    path = str(tmp_path / "model.safetensors")
    write_model(path, {**header, "figures": [], "encoder": bert.name}, network.arrays(bert))
    native = PairEncoder(read_model(path, "bert-mte"))
    pieces = native.pieces([("", "a dog"), (SENTENCES[0], SENTENCES[9]), ("x " * 300, "y " * 40)])
    np.testing.assert_allclose(
        native.predict(pieces, "rating"), network.predict(pieces, "rating"), atol=2e-5
    )


@needs_minilm
def test_an_interrupted_training_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    from nlgauge.models.encoders.pair_pieces import pair_pieces
    from nlgauge.train.networks.loop import Steps, run
    from nlgauge.train.networks.pair_network import PairNetwork
    from nlgauge.train.networks.torch_bert import Dropout

    bert: Any = find_encoder("minilm")
    pieces = pair_pieces(bert, [(text, SENTENCES[0]) for text in SENTENCES[:8]])

    def trained(stop: int | None, checkpoint: Path) -> PairNetwork:
        torch.manual_seed(1)
        network, done = PairNetwork(bert, {"rating": 1}, seed=1), 0

        def loss(rows):
            nonlocal done
            done += 1
            if done == stop:
                raise KeyboardInterrupt
            said = network.outputs([pieces[i] for i in rows], ["rating"], Dropout(0.1, True))[0]
            return (said**2).mean()

        steps = Steps(save_every=0.0)
        batches = [[0, 1], [2, 3], [4, 5], [6, 7]]
        run(network, batches, loss, steps, progress=lambda _: None, checkpoint=checkpoint)
        return network

    whole = trained(None, tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        trained(3, tmp_path / "part")
    resumed = trained(None, tmp_path / "part")
    assert not list(tmp_path.iterdir())
    for name, tensor in whole.weights.items():
        assert torch.equal(tensor, resumed.weights[name]), name


@needs_minilm
def test_the_best_epoch_is_kept() -> None:
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    from nlgauge.models.encoders.pair_pieces import pair_pieces
    from nlgauge.train.networks.fine_tuning import RatedPairs, Tuning, tune
    from nlgauge.train.networks.loop import Steps

    bert: Any = find_encoder("minilm")
    pieces = pair_pieces(bert, [(text, SENTENCES[0]) for text in SENTENCES[:8]])
    rated = RatedPairs(pieces, np.arange(8.0))
    lines: list[str] = []
    # Without steps nothing gets better: training ends after the second epoch of five.
    settings = Tuning(epochs=5, batch=4, patience=1, steps=Steps(body=0.0, head=0.0))
    network = tune(bert, rated, settings, seed=1, held_out=rated, progress=lines.append)
    assert [line[:8] for line in lines if line.startswith("epoch")] == ["epoch 1:", "epoch 2:"]
    start = bert.weights["encoder.layer.0.output.dense.weight"]
    kept = network.weights["encoder.layer.0.output.dense.weight"].detach().numpy()
    np.testing.assert_array_equal(kept, start)
