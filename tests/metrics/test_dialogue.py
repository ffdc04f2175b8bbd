"""Metrics of dialogue: what they need, what they refuse, and that rows stand for themselves."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from support.minilm import needs_minilm

from nlgauge import Corpus, DataError, Suite
from nlgauge.core import registry
from nlgauge.data import Context, RunContext
from nlgauge.errors import NlgaugeWarning, SpecError
from nlgauge.explain import explain
from nlgauge.meta import adversarial_success, evaluator_reliability_error
from nlgauge.metrics.dialogue.cmade import better_probability
from nlgauge.run.explaining import explain_segment
from nlgauge.run.scoring import score_suite

TURNS = [
    ["Do you like tea?"],
    ["I went to the sea.", "How was the water?"],
    ["Hello!", "Hi, what do you do?", "I bake bread.", "Since when?"],
]
REPLIES = ["Yes, green tea.", "Cold, but clear.", "For ten years."]
SPECS = ["reply-cosine", "ruber-bert", "ssrem", "maude", "adem", "roberta-eval", "gan-d", "cmade"]
every_spec = pytest.mark.parametrize("spec", SPECS)


@needs_minilm
@every_spec
def test_rows_stand_for_themselves(spec: str) -> None:
    metric = registry.metric(spec)
    whole = metric.rows(Corpus.build(REPLIES, contexts=TURNS), threads=2)
    for k in range(3):
        alone = metric.rows(Corpus.build(REPLIES[k : k + 1], contexts=TURNS[k : k + 1]))
        assert alone[0] == pytest.approx(whole[k], abs=1e-6)
    backwards = metric.rows(Corpus.build(REPLIES[::-1], contexts=TURNS[::-1]))
    assert backwards[::-1] == pytest.approx(whole, abs=1e-6)


@needs_minilm
@every_spec
def test_a_dialogue_without_turns_is_refused(spec: str) -> None:
    metric = registry.metric(spec)
    with pytest.raises(DataError, match="needs turns, and system has none; give what was said"):
        metric.check_inputs(Corpus.build(REPLIES))
    with pytest.raises(DataError, match=r"needs turns, but segment 2 of system has none \(1 of 3"):
        metric.check_inputs(Corpus.build(REPLIES, contexts=[TURNS[0], [], TURNS[2]]))
    with pytest.raises(DataError, match=r"segment 3 of system has none \(1 of 3"):
        metric.check_inputs(Corpus.build(REPLIES, contexts=[TURNS[0], ["", "Hi!"], ["", " "]]))


@needs_minilm
def test_lines_of_sources_are_turns() -> None:
    metric = registry.metric("reply-cosine")
    given = metric.rows(Corpus.build(REPLIES, contexts=TURNS))
    lines = metric.rows(Corpus.build(REPLIES, sources=["\n".join(turns) for turns in TURNS]))
    assert (given == lines).all()


@needs_minilm
def test_each_utterance_is_encoded_once() -> None:
    told: list[int] = []
    suite = Suite.build({"a": REPLIES, "b": REPLIES[::-1]}, contexts=TURNS)
    suite = suite.within(RunContext(on_encoded=told.append))
    score_suite(suite, ["reply-cosine", "maude", "ssrem", "roberta-eval"])
    distinct = {*REPLIES, *(turn for turns in TURNS for turn in turns)}
    assert told[-1] == len(distinct)


@needs_minilm
def test_turns_that_are_too_long_are_counted() -> None:
    long = " ".join(["word"] * 600)
    corpus = Corpus.build(["Yes."] * 2, contexts=[[long], ["Hi!"]])
    with pytest.warns(NlgaugeWarning, match="turns: 1 of 2 texts are longer than the"):
        registry.metric("reply-cosine").rows(corpus)


@needs_minilm
def test_dialogues_that_are_too_long_are_counted() -> None:
    metric = registry.metric("cmade")
    turns = ["Hi!", "Tea?"] * 150
    with pytest.warns(NlgaugeWarning, match="1 of 2 dialogues have more than 200 turns"):
        rows = metric.rows(Corpus.build([""] * 2, contexts=[turns, turns[-200:]]))
    assert rows[0, 0] == rows[1, 0]


@needs_minilm
@pytest.mark.parametrize("name", ["ruber-bert", "ssrem"])
def test_ranges_of_the_test_set_need_one(name: str) -> None:
    frozen, testset = registry.metric(name), registry.metric(f"{name}(normalise=testset)")
    assert "ranges" in frozen.resources() and "ranges" not in testset.resources()
    assert " to " in frozen.signature()
    with pytest.raises(SpecError, match="a stream of segments is scored with normalise=frozen"):
        testset.rows(Corpus.build(REPLIES[:1], contexts=TURNS[:1]))
    scores = testset.score(testset.rows(Corpus.build(REPLIES, contexts=TURNS)))
    assert (scores.min(), scores.max()) == (0.0, 1.0)
    assert not frozen.whole_only()  # parts of a stream are scored each by itself
    assert "of the whole test set" in testset.whole_only()


@needs_minilm
def test_captions_need_what_the_options_say() -> None:
    bare = Corpus.build(["A dog runs."], [["A dog is running."]])
    with pytest.raises(DataError, match=r"leic\(context=image\) needs features; give a row"):
        registry.metric("leic(context=image)").check_inputs(bare)
    with pytest.raises(DataError, match="needs references for every caption"):
        registry.metric("leic").check_inputs(Corpus.build(["A dog runs."]))
    shown = Corpus.build(["A dog runs."], contexts=Context.build(features=[[1.0, 2.0]]))
    with pytest.raises(DataError, match="the model has no branch for images; train one"):
        registry.metric("leic(context=image)").rows(shown)


@needs_minilm
def test_explain_marks_the_turn_that_mattered() -> None:
    turns = ["I bought a bicycle.", "The soup is too salty."]
    (found,) = explain("Then add some water to the soup.", (), ["reply-cosine"], turns=turns)
    assert found.other == "turns" and found.trace.ref == tuple(turns)
    assert [match.ref for match in found.trace.matches] == [1]
    assert found.trace.matrix[0, 1] > 0.2


@needs_minilm
@pytest.mark.parametrize("spec", [*SPECS, "ruber"])
def test_explain_says_how_far_a_score_falls_without_a_turn(spec: str) -> None:
    turns, reply = ["Hello!", *TURNS[2]], REPLIES[2]
    (found,) = explain(reply, (), [spec], turns=turns)
    metric = registry.metric(spec)
    speakers = ["user", "system", "user", "system", "user"]  # and the reply is the system's
    said = list(zip(speakers, turns, strict=True))
    rest = [said, *([*said[:k], *said[k + 1 :]] for k in range(5))]
    scores = metric.score(metric.rows(Corpus.build([reply] * 6, contexts=rest)))
    assert found.trace.ref == tuple(turns)
    assert found.trace.matrix[0] == pytest.approx(scores[0] - scores[1:], abs=1e-9)
    plain = metric.score(metric.rows(Corpus.build([reply], contexts=[turns])))
    assert plain[0] == pytest.approx(scores[0], abs=1e-9)
    if (fall := (scores[0] - scores[1:])).max() > 0:
        assert [match.ref for match in found.trace.matches] == [fall.argmax()]


@needs_minilm
def test_explain_knows_who_speaks_and_the_references() -> None:
    said = [("A", "I bought a bicycle."), ("B", "The soup is too salty.")]
    reply, refs = "Then add some water.", ["Add water."]
    suite = Suite.build({"a": [reply]}, [refs], contexts=[said])
    table = score_suite(suite, ["cmade", "ssrem"])
    for found in explain_segment(suite, "1", ["cmade", "ssrem"]):
        assert found.score.value == table["a", found.name].value
        # B is the system, so that a reply follows a turn of its own.
        rest = [[("user", said[0][1]), ("system", said[1][1])]]
        rest += [[("system", said[1][1])], [("user", said[0][1])]]
        metric = registry.metric(found.name)
        scores = metric.score(metric.rows(Corpus.build([reply] * 3, [refs] * 3, contexts=rest)))
        assert scores[0] == pytest.approx(found.score.value, abs=1e-9)
        assert found.trace.matrix[0] == pytest.approx(scores[0] - scores[1:], abs=1e-9)


@needs_minilm
def test_speakers_say_which_turns_are_the_system_s() -> None:
    metric = registry.metric("cmade")
    texts = ["Hi, what do you do?", "I bake bread.", "Nice.", "Since last year."]

    def scored(*names: str | None, reply: str = "") -> float:
        turns = list(zip(names, texts, strict=True))
        return float(metric.score(metric.rows(Corpus.build([reply], contexts=[turns])))[0])

    unknown = scored(None, None, None, None)
    assert scored("user", "bot", "user", "bot") == scored("A", "B", "A", "B") == unknown
    other = scored("Assistant", "user", "Assistant", "user")
    assert abs(other - unknown) > 0.01
    # A reply is the system's, so that turns are counted back from it where nobody is named.
    replied = scored(None, None, None, None, reply="Why?")
    assert replied == scored("system", "x", "system", "x", reply="Why?")
    assert replied != scored("x", "system", "x", "system", reply="Why?")
    with pytest.warns(NlgaugeWarning, match="1 of 1 dialogues have turns without a speaker"):
        assert scored("system", None, "system", None) == unknown


def test_diversity_counts_each_system() -> None:
    suite = Suite.build({"same": ["a b", "a b"], "other": ["a b", "c d"]})
    table = score_suite(suite, ["distinct", "self-bleu(order=1)"])
    assert table["same", "distinct"].value == 0.5 and table["other", "distinct"].value == 1
    assert table["same", "self-bleu(order=1)"].value == 1
    assert table["other", "self-bleu(order=1)"].value == 0


def test_evaluators_of_evaluators() -> None:
    # Three of four are told right: .75, so that a quarter succeeds.
    assert adversarial_success(np.array([0.9, 0.8]), np.array([0.6, 0.1])) == 0.25
    found = {"human or machine": 0.8, "human or human": 0.6, "human or random": 1.0}
    assert evaluator_reliability_error(found) == pytest.approx(0.1)
    assert better_probability(np.array([1.0]), np.array([1.0])).tolist() == [0.5]
    assert better_probability(np.log([3.0]), np.zeros(1)) == pytest.approx([0.75])


@needs_minilm
def test_blank_turns_and_replies_are_scored() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for spec in SPECS:
            metric = registry.metric(spec)
            rows = metric.rows(Corpus.build(["", "Yes."], contexts=[["", "Hi!"], [""]]))
            assert np.isfinite(metric.score(rows)).all()


@needs_minilm
def test_dialogues_without_replies_are_told_of_unless_they_are_what_is_scored() -> None:
    turns = [["hello there", "good day"], ["who are you?", "a friend"]]
    silent = Corpus.build(["", " "], contexts=turns)
    with pytest.warns(NlgaugeWarning, match="all 2 replies are empty; .* score them with cmade"):
        registry.metric("reply-cosine").check_inputs(silent)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        registry.metric("cmade").check_inputs(Corpus.build(["", " "], contexts=turns))
        registry.metric("reply-cosine").check_inputs(Corpus.build(["", "Hi!"], contexts=turns))


@needs_minilm
def test_turns_are_shown_whole() -> None:
    turns = ["I bought a bicycle.", "The soup is too salty."]
    shown = str(explain("Then add some water to the soup.", (), ["reply-cosine"], turns=turns))
    lines = [line.strip() for line in shown.split("\n")]
    assert "Then add some water to the soup." in lines
    assert "0.00   I bought a bicycle." in lines
    assert any(line.startswith("[0.") and line.endswith(turns[1]) for line in lines)
