"""FERGUS and LR: what holds for any tree, what they learn, and clear errors."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlgauge import DataError, SpecError
from nlgauge.baselines import Fergus, LexemeTree, load_fergus, save_fergus
from nlgauge.baselines.realisation.accuracies import score_realisations
from nlgauge.baselines.realisation.fergus import METHODS, warn_of_unknown
from nlgauge.data.parses import Parse
from nlgauge.errors import NlgaugeWarning
from nlgauge.experiments.experiment import example
from nlgauge.io.annotations.conllu import read_conllu


def bank(name: str) -> list[Parse]:
    return [sentence.parse for sentence in read_conllu(example(name))]


@pytest.fixture(scope="module")
def realiser() -> Fergus:
    return Fergus.train(bank("treebank-train.conllu"))


@pytest.fixture(scope="module")
def held_out() -> list[Parse]:
    return bank("treebank-test.conllu")


def test_fergus_beats_both_baselines(realiser: Fergus, held_out: list[Parse]) -> None:
    trees = [LexemeTree.of(parse) for parse in held_out]
    realised = {m: [r[0].text for r in realiser.realise(trees, method=m)] for m in METHODS}
    table, _ = score_realisations(held_out, realised)
    for metric in ("ssa", "gsa", "sta", "gta"):
        lr, tree_lr, fergus = (table.score(method, metric).score for method in METHODS)
        assert lr < tree_lr < fergus


def test_the_example_of_a_noun_phrase(realiser: Fergus) -> None:
    tree = LexemeTree(("bridge", "the", "repaired", "old", "she", "."), (3, 1, 0, 1, 3, 3))
    assert realiser.realise([tree])[0][0].text == "she repaired the old bridge ."


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_orders_follow_from_the_tree_alone(data: st.DataObject, realiser: Fergus) -> None:
    words = data.draw(st.lists(st.sampled_from("the a old boat she saw zzz .".split()), min_size=1))
    heads = [0] + [data.draw(st.integers(0, i)) for i in range(1, len(words))]
    order = data.draw(st.permutations(range(len(words))))
    place = {node: k + 1 for k, node in enumerate(order)}
    tree = LexemeTree(tuple(words), tuple(heads))
    shuffled = LexemeTree(
        tuple(words[i] for i in order),
        tuple(place[heads[i] - 1] if heads[i] else 0 for i in order),
    )
    for method in METHODS:
        (found,), (other,) = (realiser.realise([t], method=method) for t in (tree, shuffled))
        assert found[0].text == other[0].text
        assert Counter(found[0].words) == Counter(words)


def test_best_orders_come_in_order(realiser: Fergus, held_out: list[Parse]) -> None:
    trees = [LexemeTree.of(parse) for parse in held_out[:10]]
    for found in realiser.realise(trees, best=5):
        scores = [each.score for each in found]
        assert scores == sorted(scores, reverse=True)
        assert len({each.text for each in found}) == len(found)
    one = realiser.realise(trees, threads=1)
    assert one == realiser.realise(trees, threads=3)


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (LexemeTree(("a", "b"), (2, 1)), "tree 1: 'a' depends on itself.*no cycles"),
        (LexemeTree(("a",), (1,)), "'a' depends on itself"),
        (LexemeTree(("a", "b"), (0, 3)), "the head of 'b' is 3"),
        (LexemeTree(("a", "b"), (0,)), "2 words and 1 heads"),
        (LexemeTree((), ()), "no words"),
        (LexemeTree(("a", " "), (0, 1)), "without a word"),
        (LexemeTree(("a",) * 300, (0, *(1,) * 299)), "'a' has 299 daughters.*split"),
    ],
)
def test_what_is_no_tree_is_refused(realiser: Fergus, tree: LexemeTree, message: str) -> None:
    with pytest.raises(DataError, match=message):
        realiser.realise([tree])


def test_unknown_words(realiser: Fergus) -> None:
    tree = LexemeTree(("quuxed", "she", "zorps"), (0, 1, 1))
    assert realiser.realise([tree])[0][0].words
    with pytest.raises(DataError, match="tree 1: the treebank does not have the word 'quuxed'"):
        realiser.realise([tree], unknown="refuse")
    with pytest.warns(NlgaugeWarning, match="2 of 3 words are not in the treebank.*'quuxed'"):
        warn_of_unknown(realiser, [tree])


@pytest.mark.parametrize("bad", [{"beam": 0}, {"best": 0}, {"least": 0.5}, {"weight": -1.0}])
def test_bad_options(realiser: Fergus, bad: dict[str, float]) -> None:
    with pytest.raises(SpecError, match=f"{next(iter(bad))}="):
        realiser.realise([LexemeTree(("a",), (0,))], **bad)


def test_treebanks_that_teach_nothing() -> None:
    with pytest.raises(DataError, match="bank: no sentences to learn from"):
        Fergus.train([], where="bank")
    bare = Parse(("a",), ("a",), ("_",), ("_",), (0,), ("root",))
    with pytest.raises(DataError, match="no word has a part of speech"):
        Fergus.train([bare])


def test_deep_and_flat_trees(realiser: Fergus) -> None:
    deep = LexemeTree(("the",) * 1500, tuple(range(1500)))
    assert len(realiser.realise([deep])[0][0].words) == 1500
    flat = LexemeTree(("saw",) + ("boat",) * 120, (0, *(1,) * 120))
    assert len(realiser.realise([flat])[0][0].words) == 121


def test_treebanks_of_single_words(tmp_path: Path) -> None:
    word = Parse(("yes",), ("yes",), ("INTJ",), ("UH",), (0,), ("root",))
    path = str(tmp_path / "small.safetensors")
    save_fergus(path, Fergus.train([word] * 3))
    (found,) = load_fergus(path).realise([LexemeTree(("yes", "no"), (0, 1))])
    assert sorted(found[0].words) == ["no", "yes"]


def test_files(realiser: Fergus, held_out: list[Parse], tmp_path: Path) -> None:
    path = str(tmp_path / "fergus.safetensors")
    save_fergus(path, realiser, [example("treebank-train.conllu")])
    trees = [LexemeTree.of(parse) for parse in held_out[:20]]
    again = load_fergus(path)
    for method in METHODS:
        assert again.realise(trees, method=method) == realiser.realise(trees, method=method)
    data = Path(path).read_bytes()
    Path(path).write_bytes(data[: len(data) // 2])
    with pytest.raises(DataError, match=r"fergus\.safetensors"):
        load_fergus(path)


def test_files_that_do_not_fit(realiser: Fergus, tmp_path: Path) -> None:
    path = str(tmp_path / "x.safetensors")
    for name, array in (("edges", realiser.tables.edges), ("sisters", realiser.tables.sisters)):
        array[0, 0] += 100_000
        save_fergus(path, realiser)
        array[0, 0] -= 100_000
        with pytest.raises(DataError, match=f"table {name} has numbers.*nlgauge baseline fergus"):
            load_fergus(path)
