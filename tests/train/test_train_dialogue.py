"""Metrics of dialogue are trained on dialogues: what is learnt from, and what comes of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.minilm import needs_minilm

from nlgauge.core import registry
from nlgauge.data import Context, Corpus
from nlgauge.data.labels import Labels
from nlgauge.errors import DataError, NlgaugeWarning, SpecError
from nlgauge.train.dialogue.dialogues import Dialogue, read_dialogues
from nlgauge.train.dialogue.negatives import NegativeReplies, reply_rows
from nlgauge.train.judged_rows import JudgedRows

torch = pytest.importorskip("torch")

from nlgauge.train.dialogue.modules import RuberModule, whitening  # noqa: E402
from nlgauge.train.dialogue.reply_recipe import with_others  # noqa: E402
from nlgauge.train.recipes import recipe_of  # noqa: E402
from nlgauge.train.trainer import TrainSettings, train_metric  # noqa: E402

SAID = [
    ("Do you like tea?", "Yes, green tea most of all.", "With sugar?", "Never, only plain."),
    ("Where were you?", "At the sea with my sister.", "Did you swim?", "The water was too cold."),
    ("What is your job?", "I bake bread in a small shop.", "Is it hard?", "Only early mornings."),
    ("Seen any films?", "A very long one about trains.", "Any good?", "The ending was."),
]


def dialogues(persons: bool = True) -> list[Dialogue]:
    return [
        Dialogue(
            str(k),
            texts,
            ("user", "bot") * 2,
            {"user": f"w{k % 2}", "bot": "north"} if persons else {},
            f"w{k}",
            {"overall": float(k)},
        )
        for k, texts in enumerate(SAID * 3)
    ]


def write(path: Path, *records: dict) -> str:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(path)


def test_dialogues_that_share_an_utterance_are_left_out(tmp_path: Path) -> None:
    turns = [["A", "Hi!"], {"speaker": "B", "text": "I bake bread every day, sir."}]
    records = [{"turns": turns}, {"turns": ["Hi!", "Oh."]}, {"turns": ["x"]}]
    path = write(tmp_path / "d.jsonl", *records)
    test = write(tmp_path / "t.jsonl", {"source": "I BAKE bread every day sir", "hypothesis": "x"})
    with pytest.warns(NlgaugeWarning) as told:
        found = read_dialogues([path], without=[test])
    assert [dialogue.texts for dialogue in found] == [("Hi!", "Oh.")]
    messages = " ".join(str(warning.message) for warning in told)
    assert "left out 1 dialogues of fewer than two turns" in messages
    assert "left out 1 of 2 dialogues that share an utterance of 6 words" in messages


def test_a_record_without_turns_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"d.jsonl, line 1: no field `turns`"):
        read_dialogues([write(tmp_path / "d.jsonl", {"text": "x"})])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"human": {"overall": "good"}}, "field 'human', 'overall': 'good', expected an object"),
        ({"human": [3, 4]}, r"field 'human' is list \[3, 4\], expected an object"),
        ({"speakers": ["w1", "w2"]}, "field 'speakers' is .*, expected who is behind each speaker"),
    ],
)
def test_what_is_wrong_in_a_dialogue_is_named(given: dict, said: str, tmp_path: Path) -> None:
    good = {"turns": ["Hi!", "Oh."]}
    path = write(tmp_path / "d.jsonl", good, {**good, **given})
    with pytest.raises(DataError, match=f"d.jsonl, line 2: {said}"):
        read_dialogues([path])


def test_ratings_that_are_missing_are_left_out(tmp_path: Path) -> None:
    human = {"fun": [None, 3, 4], "topic": None}
    record = {"turns": ["Hi!", "Oh."], "human": human, "speakers": {"A": 5}}
    (found,) = read_dialogues([write(tmp_path / "d.jsonl", record)])
    assert found.ratings == {"fun": 3.5} and found.persons == {"A": "5"}


def test_one_criterion_of_dialogues_is_learnt() -> None:
    recipe = recipe_of(registry.metric("cmade"))
    ratings = ({"fun": 1.0, "robotic": 5.0}, {"fun": 2.0}, {"robotic": 3.0})
    rated = [Dialogue("1", ("a", "b"), ("A", "B"), ratings=own) for own in ratings]
    with pytest.raises(SpecError, match="have several; say which of: fun, robotic"):
        recipe.rows(rated, 1)
    with pytest.warns(NlgaugeWarning, match="left out 1 dialogues without ratings"):
        rows = recipe.rows(rated, 1, "fun")
    assert rows.ratings.tolist() == [1.0, 2.0] and rows.criterion == "fun"


def test_negatives_come_from_where_they_should() -> None:
    found = dialogues()[:4]
    drawn = NegativeReplies(found, np.random.default_rng(1))
    for _ in range(20):
        assert drawn.draw("conversation", 0, 1) == found[0].texts[3]
        said = [d.texts[k] for d in found for k in (1, 3)]
        assert drawn.draw("speaker", 0, 1) in said
        assert drawn.draw("partner", 0, 1) in [d.texts[k] for d in found[::2] for k in (1, 3)]
        assert drawn.draw("random", 0, 1) not in found[0].texts
    assert sorted(drawn.draw("shuffled", 0, 1).split()) == sorted(found[0].texts[1].split())
    assert len(drawn.draw("dropped", 0, 1).split()) < 6 < len(drawn.draw("repeated", 0, 1).split())
    assert not any(drawn.missing.values())
    apart = [replace(d, file=str(k % 2)) for k, d in enumerate(found)]
    others = NegativeReplies(apart, np.random.default_rng(1))
    assert {others.draw("file", 0, 1) for _ in range(40)} == set(found[2].texts)
    with pytest.raises(SpecError, match="'wrong' is not one of random, conversation"):
        drawn.draw("wrong", 0, 1)


def test_unknown_speakers_are_counted() -> None:
    with pytest.warns(NlgaugeWarning, match="36 of 36 replies have no other of the same partner"):
        rows = reply_rows(dialogues(persons=False), ["partner"], per_dialogue=9, seed=1)
    assert rows.ratings.tolist() == [1.0, 0.0] * 36
    assert len(np.unique(rows.groups)) == 12


def test_true_replies_of_a_batch_are_wrong_ones_for_others() -> None:
    examples = np.array([[0, 1], [2, 3], [4, 5]])
    assert with_others(examples, 0).tolist() == examples.tolist()
    assert with_others(examples, 1).tolist() == [[0, 1, 2], [2, 3, 4], [4, 5, 0]]
    # A reply never stands as a wrong one of itself, however few there are.
    assert with_others(examples, 9).tolist() == [[0, 1, 2, 4], [2, 3, 4, 0], [4, 5, 0, 2]]
    assert with_others(examples[:1], 9).tolist() == [[0, 1]]


def test_words_are_learnt_from_uncorrelated_and_read_as_they_are() -> None:
    rng = np.random.default_rng(1)
    words = rng.normal(size=(500, 3)) @ np.array([[2, 1, 0], [0, 1, 0], [0, 0, 3]]) + 5
    shift, spread = whitening(words)
    covariance = np.cov((words - shift) @ spread, rowvar=False)
    assert covariance == pytest.approx(np.eye(3), abs=0.2)
    torch.manual_seed(1)
    module = RuberModule(words, 4, (3,), dropout=0.5).eval()
    arrays = module.arrays()
    plain = torch.nn.GRU(3, 4, bidirectional=True, batch_first=True)
    with torch.no_grad():
        for name, end in (("gru", ""), ("gru_back", "_reverse")):
            for part, own in (("input", "ih"), ("recurrent", "hh")):
                for kind in ("weight", "bias"):
                    given = torch.from_numpy(arrays[f"{name}.{part}.{kind}"])
                    getattr(plain, f"{kind}_{own}_l0{end}").copy_(given)
        text = torch.tensor(words[:6], dtype=torch.float32)
        expected = plain(text[None])[1][:, 0].ravel()
        assert module.read([text])[0] == pytest.approx(expected, abs=1e-5)


def trained(spec: str, rows: JudgedRows, recipe=None):  # type: ignore[no-untyped-def]
    recipe = recipe or recipe_of(registry.metric(spec))
    recipe.settings = type(recipe.settings)(**{**vars(recipe.settings), "epochs": 1})
    return recipe, train_metric(recipe, rows, TrainSettings(folds=0, synthetic=0.0, threads=1))


def check(recipe, found, rows: JudgedRows, path: Path, options: str = "") -> None:  # type: ignore[no-untyped-def]
    found.write(str(path))
    expected = recipe.predict(found.arrays, recipe.prepare(rows.corpus, threads=1))
    metric = registry.metric(f"{recipe.metric.info.name}(model={path}{options})")
    said = metric.read(rows.corpus, threads=1)
    assert metric.replies_scored(said, threads=1) == pytest.approx(expected, abs=1e-9)


@needs_minilm
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "spec", ["ruber", "ruber-bert(pooling=max)", "ssrem", "maude", "gan-d", "cmade"]
)
def test_a_model_scores_as_it_was_trained(spec: str, tmp_path: Path) -> None:
    recipe = recipe_of(registry.metric(spec))
    rows = recipe.rows(dialogues(), 1)
    recipe, found = trained(spec, rows, recipe)
    check(recipe, found, rows, tmp_path / "m.safetensors", ",pooling=max" if "max" in spec else "")


def judged() -> JudgedRows:
    texts = [(list(d.texts[:k]), d.texts[k]) for d in dialogues() for k in (1, 3)]
    return JudgedRows(
        corpus=Corpus.build([reply for _, reply in texts], contexts=[turns for turns, _ in texts]),
        ratings=np.arange(len(texts)) % 3.0,
        groups=np.arange(len(texts)),
        parts=Labels.build([""] * len(texts)),
        criterion="overall",
    )


@needs_minilm
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("spec", ["adem", "roberta-eval"])
def test_ratings_are_learnt(spec: str, tmp_path: Path) -> None:
    recipe = recipe_of(registry.metric(spec))
    if spec == "roberta-eval":
        with pytest.raises(SpecError, match="its first stage learns from dialogues"):
            trained(spec, judged(), recipe)
        recipe.learn_first(dialogues(), 1)
    recipe, found = trained(spec, judged(), recipe)
    check(recipe, found, judged(), tmp_path / "m.safetensors")
    assert registry.metric(f"{spec}(model={tmp_path}/m.safetensors)").bounds == (1.0, 5.0)


@needs_minilm
@pytest.mark.filterwarnings("ignore")
def test_images_are_learnt_from_features(tmp_path: Path) -> None:
    things = ["dog", "boat", "train", "cake", "horse", "bridge"]
    rng = np.random.default_rng(1)
    features = np.repeat(np.eye(6, 8), 4, axis=0) + 0.1 * rng.normal(size=(24, 8))
    refs = [[f"A {t} in the sun.", f"There is a {t}."] for t in things for _ in range(4)]
    hyps = [f"a {things[(i + (k > 1)) % 6]} outside" for i in range(6) for k in range(4)]
    rows = JudgedRows(
        corpus=Corpus.build(hyps, refs, contexts=Context.build(features=features)),
        ratings=np.array([1.0, 1.0, 0.0, 0.0] * 6),
        groups=np.repeat(np.arange(6), 4),
        parts=Labels.build([""] * 24),
        criterion="correct",
    )
    recipe = recipe_of(registry.metric("leic(context=both)"))
    recipe.settings = type(recipe.settings)(**{**vars(recipe.settings), "epochs": 60, "batch": 4})
    found = train_metric(recipe, rows, TrainSettings(folds=0, synthetic=0.0, threads=1))
    path = tmp_path / "leic.safetensors"
    found.write(str(path))
    for context in ("reference", "image", "both"):
        metric = registry.metric(f"leic(model={path},context={context})")
        scores = metric.score(metric.rows(rows.corpus)).reshape(6, 4)
        assert scores[:, :2].mean() > scores[:, 2:].mean() + 0.1
    wide = Corpus.build(["x"], [["y"]], contexts=Context.build(features=[[1.0] * 9]))
    with pytest.raises(DataError, match="features of 9 numbers, and its model was trained on 8"):
        registry.metric(f"leic(model={path},context=image)").rows(wide)


def test_speakers_must_be_known_to_tell_people_from_machines() -> None:
    recipe = recipe_of(registry.metric("gan-d"))
    with pytest.raises(DataError, match="no dialogue says who speaks"):
        recipe.rows([Dialogue("1", ("a", "b"), (None, None))], 1)
    with pytest.raises(DataError, match="no dialogue is rated"):
        recipe_of(registry.metric("cmade")).rows([Dialogue("1", ("a", "b"), ("A", "B"))], 1)
