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
from nlgauge.models.encoders.pair_pieces import PairPieces, pair_pieces
from nlgauge.models.files.trained_model import read_model, write_model
from nlgauge.train.changed_sentences import CHANGES, ChangedSentences, WordFilling
from nlgauge.train.cross_encoder_recipe import EARLY_STOPPING, SegmentPairs
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


def learnt_and_held_out(
    monkeypatch: pytest.MonkeyPatch, run: FitRun, name: str = "bert-mte"
) -> tuple[list[int], list[int], Any]:
    """Return the rows that a network is tuned to and judged by, and all that tuning gets; ratings
    are the numbers of rows.
    """
    pytest.importorskip("torch")
    from nlgauge.train.networks import fine_tuning

    given: Any = {}
    monkeypatch.setattr(
        fine_tuning, "tune", lambda _, pairs, *__, **named: given.update(named, pairs=pairs)
    )
    rows = len(run.kinds)
    pieces = [PairPieces(np.array([k, 0, 0], np.int32), 0) for k in range(rows)]
    prepared = SegmentPairs([[own] for own in pieces], [("", "")] * rows)
    recipe: Any = recipe_of(registry.metric_class(name)())
    recipe.tuned(prepared, np.arange(rows, dtype=float), run, None)
    held = given["held_out"]
    numbers = [
        [int(own.ids[0]) for own in some.pieces] if some else [] for some in (given["pairs"], held)
    ]
    return numbers[0], numbers[1], given["pairs"]


@needs_minilm
def test_few_rows_are_all_learnt_from(monkeypatch: pytest.MonkeyPatch) -> None:
    seen, held, _ = learnt_and_held_out(monkeypatch, run_of(200))
    assert seen == list(range(200)) and not held


@needs_minilm
def test_groups_that_end_training_are_not_learnt_from(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of(EARLY_STOPPING + 100, [None] * EARLY_STOPPING + ["empty"] * 100)
    seen, held, _ = learnt_and_held_out(monkeypatch, run)
    assert not set(run.groups[seen]) & set(run.groups[held])
    assert all(run.kinds[k] is None for k in held)
    assert len(held) == pytest.approx(0.1 * EARLY_STOPPING, rel=0.1)


@needs_minilm
def test_changed_references_have_limits_for_bleurt(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = ["identical", "negated", "shuffled", "disagreeing"]
    run = run_of(105, [*[None] * 101, *changed])
    _, _, rated = learnt_and_held_out(monkeypatch, run)
    assert rated.ratings.tolist() == list(range(105)) and not rated.sides.any()
    _, _, pairs = learnt_and_held_out(monkeypatch, run, "bleurt")
    # Of ratings from 0 to 100, shares are percentiles.
    np.testing.assert_allclose(pairs.ratings, [*range(101), 98, 20, 0, 30])
    assert pairs.sides.tolist() == [*[0] * 101, 1, -1, -1, -1]


@needs_minilm
def test_what_is_beyond_a_limit_teaches_nothing() -> None:
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    from nlgauge.train.networks.fine_tuning import RatedPairs, Tuning, tune
    from nlgauge.train.networks.loop import Steps

    bert: Any = find_encoder("minilm")
    pieces = pair_pieces(bert, [(text, SENTENCES[0]) for text in SENTENCES[:4]])

    def change(sides: list[int]) -> float:
        # The head says about 0 at first, which is above the low ratings and below the high ones.
        rated = RatedPairs(pieces, np.array([-9.0, -9.0, 9.0, 9.0]), np.array(sides))
        settings = Tuning(epochs=1, batch=4, steps=Steps(body=0.0))
        network = tune(bert, rated, settings, seed=1)
        return float(network.weights["head.rating.bias"].detach()[0])

    assert change([1, 1, -1, -1]) == 0.0
    assert change([1, 1, 0, 0]) > 0.0 > change([0, 0, -1, -1])
    assert change([-1, -1, 1, 1]) == change([0, 0, 0, 0])


@needs_minilm
def test_the_mean_of_networks_has_their_mean_weights() -> None:
    torch = pytest.importorskip("torch")
    from nlgauge.train.networks.pair_network import PairNetwork, mean_network

    bert: Any = find_encoder("minilm")
    networks = [PairNetwork(bert, {"rating": 1}, seed=seed) for seed in (1, 2, 3)]
    heads = torch.stack([n.weights["head.rating.weight"].detach().clone() for n in networks])
    layer = networks[0].weights["encoder.layer.0.output.dense.weight"].detach().clone()
    found = mean_network(networks).weights
    torch.testing.assert_close(found["head.rating.weight"].detach(), heads.mean(dim=0))
    torch.testing.assert_close(found["encoder.layer.0.output.dense.weight"].detach(), layer)


@needs_minilm
def test_tuned_networks_keep_half_of_what_they_started_from(monkeypatch) -> None:
    torch = pytest.importorskip("torch")
    from nlgauge.train.networks.pair_network import PairNetwork

    bert: Any = find_encoder("minilm")
    bias = "head.rating.bias"

    def network(value: float) -> Any:
        found = PairNetwork(bert, {"rating": 1}, seed=1)
        with torch.no_grad():
            found.weights[bias].fill_(value)
        return found

    recipe: Any = recipe_of(registry.metric_class("bleurt")(), networks="2")
    values = iter([1.0, 3.0])
    monkeypatch.setattr(recipe, "tuned", lambda *_: network(next(values)))
    monkeypatch.setattr(recipe, "start", lambda *_: network(6.0).arrays(bert, bits=8))
    prepared = SegmentPairs([], [])
    assert recipe.fit(prepared, np.zeros(3), run_of(3))[bias].tolist() == [4.0]
    values = iter([1.0, 3.0])
    monkeypatch.setattr(recipe, "start", lambda *_: None)
    assert recipe.fit(prepared, np.zeros(3), run_of(3))[bias].tolist() == [2.0]


@needs_minilm
def test_a_linear_model_rates_what_nobody_did() -> None:
    pytest.importorskip("torch")
    from nlgauge.train.networks.pre_training import signals_of

    outputs = [(f"{text} now", text) for text in SENTENCES[:40]]
    outputs[::2] = [(" ".join(text.split()[:-1]), text) for text in SENTENCES[:40:2]]
    signals = signals_of(outputs, [(SENTENCES[1], SENTENCES[1]), ("", SENTENCES[2])])
    assert signals.classes[:40].sum() == 0
    np.testing.assert_allclose(signals.classes[40:].sum(axis=1), 1)
    ratings = np.tile([-1.0, 1.0], 15)
    said = signals.rated_like(ratings, np.array([40])).ratings
    assert len(said) == 42 and said.min() >= -3 and said.max() <= 2.5
    assert said[40] == -1.0  # three tenths of the ratings are no better
    assert np.corrcoef(said[30:40], np.tile([-1.0, 1.0], 5))[0, 1] > 0.5  # of what was not rated


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
    from nlgauge.train.networks.fine_tuning import RatedPairs, Tuning, tune
    from nlgauge.train.networks.loop import Steps

    bert: Any = find_encoder("minilm")
    pieces = pair_pieces(bert, [(text, SENTENCES[0]) for text in SENTENCES[:8]])
    rated = RatedPairs(pieces, np.arange(8.0), np.zeros(8, np.int64))
    lines: list[str] = []
    # Without steps nothing gets better: training ends after the second epoch of five.
    settings = Tuning(epochs=5, batch=4, patience=1, steps=Steps(body=0.0, head=0.0))
    network = tune(bert, rated, settings, seed=1, held_out=rated, progress=lines.append)
    assert [line[:8] for line in lines if line.startswith("epoch")] == ["epoch 1:", "epoch 2:"]
    start = bert.weights["encoder.layer.0.output.dense.weight"]
    kept = network.weights["encoder.layer.0.output.dense.weight"].detach().numpy()
    np.testing.assert_array_equal(kept, start)
