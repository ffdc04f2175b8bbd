"""Readers of contexts: fields of records, files beside them, ParlAI's episodes, judged JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nlgauge.errors import DataError, NlgaugeWarning, SpecError
from nlgauge.io.judgements.judged_outputs import read_outputs
from nlgauge.io.texts.suites import read_suite, read_suites_apart


def write(folder: Path, name: str, content: str) -> str:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return str(path)


def jsonl(folder: Path, *records: dict[str, Any]) -> str:
    return write(folder, "data.jsonl", "".join(json.dumps(r) + "\n" for r in records))


def test_fields_of_records(tmp_path: Path) -> None:
    path = jsonl(
        tmp_path,
        {
            "turns": [{"speaker": "A", "text": "Hi!"}, "Hello."],
            "facts": "Tea is hot.",
            "persona": ["I like tea."],
            "features": [1, 2.5],
            "documents": ["one", "two"],
            "hypothesis": "Fine.",
        },
    )
    (corpus,) = read_suite(path)
    assert corpus.contexts is not None
    assert list(corpus.contexts) == ["Hi!\nHello."]
    assert corpus.contexts.speakers_of(0) == ["A", None]
    assert corpus.facts is not None and corpus.facts[0] == ["Tea is hot.", "I like tea."]
    assert corpus.features is not None and corpus.features.tolist() == [[1, 2.5]]
    assert corpus.documents is not None and corpus.documents[0] == ["one", "two"]


@pytest.mark.parametrize("field", ["facts", "persona", "documents"])
def test_facts_of_some_records_only(tmp_path: Path, field: str) -> None:
    given = {"id": "1", "turns": ["Hi!"], "hypothesis": "x", field: ["Tea is hot."]}
    bare = {"id": "2", "turns": ["Oh."], "hypothesis": "y"}
    records = [{**record, "human": {"overall": 3}} for record in (bare, given)]
    path = jsonl(tmp_path, *records)
    (corpus,) = read_suite(path, skip_unusable=True)
    outputs, _ = read_outputs(path)
    for found in (corpus, outputs.corpus):
        lists = found.documents if field == "documents" else found.facts
        assert lists is not None and list(lists) == [[], ["Tea is hot."]]


def test_turns_of_some_records_only_are_refused(tmp_path: Path) -> None:
    path = jsonl(tmp_path, {"turns": ["Hi!"], "hypothesis": "x"}, {"hypothesis": "y"})
    with pytest.raises(DataError, match=r"line 2: no turns, though .*line 1 has one"):
        read_suite(path)


@pytest.mark.parametrize("nothing", [[], "", ["", {"speaker": "A", "text": " "}]])
def test_dialogues_in_which_nothing_was_said_can_be_left_out(tmp_path: Path, nothing: Any) -> None:
    records = [{"id": k, "turns": t, "hypothesis": "x"} for k, t in ((1, ["Hi!"]), (2, nothing))]
    with pytest.warns(NlgaugeWarning, match=r"left out 1 of 2 records \(no turns: 2\)"):
        (corpus,) = read_suite(jsonl(tmp_path, *records), skip_unusable=True)
    assert corpus.ids == ["1"]


def test_a_context_is_one_string_or_a_list(tmp_path: Path) -> None:
    records = [
        {"id": k, "context": c, "hypothesis": "x"} for k, c in ((1, "a\nb"), (2, ["a", "b"]))
    ]
    (corpus,) = read_suite(jsonl(tmp_path, *records))
    assert corpus.contexts is not None and list(corpus.contexts) == ["a\nb"] * 2


def test_context_and_turns_say_the_same(tmp_path: Path) -> None:
    path = jsonl(tmp_path, {"context": "a", "turns": ["a"], "hypothesis": "x"})
    with pytest.raises(DataError, match="'context' and 'turns' say the same"):
        read_suite(path)


def test_records_may_be_whole_dialogues(tmp_path: Path) -> None:
    record = {"id": "1", "system": "north", "turns": ["Hi!", "Hello."], "human": {"overall": 3}}
    path = jsonl(tmp_path, record)
    (corpus,) = read_suite(path)
    assert list(corpus.hypotheses) == [""]
    outputs, judgements = read_outputs(path)
    assert outputs.corpus.turns is not None and outputs.corpus.turns[0] == ["Hi!", "Hello."]
    assert judgements is not None and len(judgements) == 1


def test_a_rating_without_output_and_turns_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="a rating, but no `hypothesis`"):
        read_outputs(jsonl(tmp_path, {"id": 1, "source": "a", "human": {"overall": 3}}))


def test_lines_with_a_separator(tmp_path: Path) -> None:
    hyp = write(tmp_path, "hyp.txt", "x\ny\n")
    contexts = write(tmp_path, "contexts.txt", "Hi! __eou__ Hello.\nTea?\n")
    (corpus,) = read_suite([], hyp, contexts=contexts, turn_separator=" __eou__ ")
    assert corpus.turns is not None
    assert [corpus.turns[0], corpus.turns[1]] == [["Hi!", "Hello."], ["Tea?"]]
    with pytest.raises(DataError, match=r"contexts.txt has 2 lines for 1 segments"):
        read_suite([], write(tmp_path, "one.txt", "x\n"), contexts=contexts)
    with pytest.raises(SpecError, match="turn_separator: empty"):
        read_suite([], hyp, contexts=contexts, turn_separator="")


def test_contexts_are_given_once(tmp_path: Path) -> None:
    path = jsonl(tmp_path, {"context": "a", "hypothesis": "x"})
    with pytest.raises(DataError, match="the data has contexts of its own"):
        read_suite(path, contexts=write(tmp_path, "contexts.txt", "a\n"))


@pytest.mark.parametrize("layout", ["by name", "in two arrays"])
def test_features_by_id(tmp_path: Path, layout: str) -> None:
    path = jsonl(tmp_path, *({"id": k, "hypothesis": "x", "human": {"a": 1}} for k in ("q", "p")))
    rows = {"p": np.array([1.0, 2.0]), "q": np.array([3.0, 4.0]), "r": np.array([5.0, 6.0])}
    features = str(tmp_path / "features.npz")
    if layout == "by name":
        np.savez(features, **rows)
    else:
        np.savez(features, ids=np.array(list(rows)), features=np.stack(list(rows.values())))
    (corpus,) = read_suite(path, features=features)
    assert corpus.features is not None and corpus.features.tolist() == [[3, 4], [1, 2]]
    outputs, _ = read_outputs(path, features=features)
    assert outputs.corpus.features is not None
    assert outputs.corpus.features.tolist() == [[3, 4], [1, 2]]


def test_features_that_are_not_there(tmp_path: Path) -> None:
    path = jsonl(tmp_path, {"id": "p", "hypothesis": "x"}, {"id": "q", "hypothesis": "y"})
    features = str(tmp_path / "features.npz")
    np.savez(features, p=np.zeros(2))
    with pytest.raises(DataError, match="no features of 1 of 2 ids, such as 'q'"):
        read_suite(path, features=features)
    np.savez(features, p=np.zeros(2), q=np.zeros(3))
    with pytest.raises(DataError, match="segment 2 has 3 numbers and segment 1 has 2"):
        read_suite(path, features=features)
    with pytest.raises(DataError, match="no such file"):
        read_suite(path, features=str(tmp_path / "none.npz"))
    with pytest.raises(DataError, match="no usable"):
        read_suite(path, features=write(tmp_path, "text.npz", "text"))
    with pytest.raises(SpecError, match="the data has no ids"):
        read_suite([], write(tmp_path, "hyp.txt", "x\n"), features=features)


PARLAI = """text:your persona: I like tea.\\nHi!\tlabels:Hello.|Hey.
text:Tea?\tlabels:Yes.\tepisode_done:True

text:Bye.\teval_labels:Bye!\tepisode_done:True
"""
NUMBERED = """1 your persona: I like tea.
2 Hi!\tHello.|Hey.
3 Tea?\tYes.
1 Bye.\tBye!
"""


@pytest.mark.parametrize("content", [PARLAI, NUMBERED])
def test_episodes(tmp_path: Path, content: str) -> None:
    path = write(tmp_path, "valid.txt", content)
    (corpus,) = read_suite(path, write(tmp_path, "hyp.txt", "a\nb\nc\n"), format="parlai")
    assert corpus.ids == ["1-1", "1-2", "2-1"]
    assert corpus.contexts is not None
    assert list(corpus.contexts) == ["Hi!", "Hi!\nHello.\nTea?", "Bye."]
    assert corpus.contexts.speakers_of(1) == ["partner", "speaker", "partner"]
    assert list(corpus.references) == [["Hello.", "Hey."], ["Yes."], ["Bye!"]]


def test_personas_of_episodes(tmp_path: Path) -> None:
    path = write(tmp_path, "valid.txt", "\n".join(NUMBERED.split("\n")[:3]))
    (corpus,) = read_suite(path, write(tmp_path, "hyp.txt", "a\nb\n"), format="parlai")
    assert corpus.facts is not None and corpus.facts[1] == ["I like tea."]


# As ParlAI's documentation of the format has it: lines 1 to 6 are one episode with two examples.
STORY = """1 Sam went to the kitchen.
2 Pat gave Sam the milk.
3 Where is the milk?\tkitchen\t1\thallway|kitchen|bathroom
4 Sam went to the hallway.
5 Pat went to the bathroom.
6 Where is the milk?\thallway\t1\thallway|kitchen|bathroom
2 Hi!\tHello.
3 And you?
"""


def test_lines_without_labels_are_turns_of_the_next_example(tmp_path: Path) -> None:
    path = write(tmp_path, "valid.txt", STORY)
    (corpus,) = read_suite(path, write(tmp_path, "hyp.txt", "a\nb\nc\nd\n"), format="parlai")
    assert corpus.ids == ["1-1", "1-2", "2-1", "2-2"]
    first = ["Sam went to the kitchen.", "Pat gave Sam the milk.", "Where is the milk?"]
    more = ["Sam went to the hallway.", "Pat went to the bathroom.", "Where is the milk?"]
    assert corpus.turns is not None
    assert corpus.turns[0] == first and corpus.turns[1] == [*first, "kitchen", *more]
    assert corpus.turns[3] == ["Hi!", "Hello.", "And you?"]
    assert list(corpus.references) == [["kitchen"], ["hallway"], ["Hello."], []]


def test_what_stands_for_other_characters_in_fields(tmp_path: Path) -> None:
    line = "id:tea\ttext:your persona: I\\thurry.\\nA__PIPE__B\\nC\tlabels:x__PIPE__y|z\n"
    path = write(tmp_path, "valid.txt", line + "text:__SILENCE__\tlabels:Hi!")
    (corpus,) = read_suite(path, write(tmp_path, "hyp.txt", "a\nb\n"), format="parlai")
    assert corpus.turns is not None and corpus.turns[0] == ["A|B", "C"]
    assert corpus.turns[1] == ["A|B", "C", "x|y"]  # silence is no turn
    assert corpus.facts is not None and corpus.facts[0] == ["I\thurry."]
    assert list(corpus.references) == [["x|y", "z"], ["Hi!"]]


def test_a_line_that_is_no_example(tmp_path: Path) -> None:
    path = write(tmp_path, "valid.txt", "Hi!\n")
    with pytest.raises(DataError, match=r"valid.txt, line 1: 'Hi!' is no line of an episode"):
        read_suite(path, path, format="parlai")


USR = [
    {
        "context": "Hi!\nHello.",
        "fact": "Tea is hot.",
        "responses": [
            {"model": "north", "response": "Fine.", "Overall": [3, 4], "note": "x"},
            {"model": "south", "response": "No.", "Overall": [1, 2]},
        ],
    }
]
FED = [
    {
        "context": "User: Hi!\nSystem: Hello.",
        "response": f"System: {reply}",
        "system": name,
        "annotations": {"Overall": ratings},
    }
    for name, reply, ratings in (("north", "Fine.", [3, 4]), ("south", "No.", [1, "N/A", 2]))
]
DSTC = [
    {
        "dialogue_id": 7,
        "model": name,
        "context": ["Hi!", "Hello."],
        "response": reply,
        "reference": "Well.",
        "annotations": {"Overall": ratings},
    }
    for name, reply, ratings in (("north", "Fine.", 3.5), ("south", "No.", 1.5))
]


@pytest.mark.parametrize("data", [USR, FED, DSTC], ids=["usr", "fed", "dstc"])
def test_judged_json(tmp_path: Path, data: list[Any]) -> None:
    path = write(tmp_path, "data.json", json.dumps(data))
    suite = read_suite(path, format="dialogue-json")
    assert {name: list(c.hypotheses) for name, c in suite.systems.items()} == {
        "north": ["Fine."],
        "south": ["No."],
    }
    outputs, judgements = read_outputs(path, format="dialogue-json")
    assert judgements is not None
    assert outputs.corpus.contexts is not None
    assert list(outputs.corpus.contexts) == ["Hi!\nHello."] * 2
    assert judgements.value.mean() == 2.5


def test_systems_with_dialogues_of_their_own(tmp_path: Path) -> None:
    apart = [{**entry, "context": f"User: Hi {k}!"} for k, entry in enumerate([*FED, FED[0]])]
    path = write(tmp_path, "fed.json", json.dumps(apart))
    with pytest.raises(DataError, match="are scored apart: nlgauge score --apart"):
        read_suite(path, format="dialogue-json")
    found = read_suites_apart(path, format="dialogue-json")
    assert list(found) == ["north", "south"]
    for name, contexts in (("north", ["Hi 0!", "Hi 2!"]), ("south", ["Hi 1!"])):
        (corpus,) = found[name]
        assert corpus.name == name and corpus.contexts is not None
        assert list(corpus.contexts) == contexts
    with pytest.raises(SpecError, match="read from records"):
        read_suites_apart(path, format="plain")


def test_speakers_are_taken_from_lines(tmp_path: Path) -> None:
    path = write(tmp_path, "data.json", json.dumps(FED))
    corpus = next(iter(read_suite(path, format="dialogue-json")))
    assert corpus.contexts is not None and corpus.contexts.speakers_of(0) == ["User", "System"]


def test_judged_json_of_whole_dialogues(tmp_path: Path) -> None:
    entries = [{"context": "User: Hi!", "system": "north", "annotations": {"Overall": [2]}}]
    path = write(tmp_path, "data.json", json.dumps(entries))
    outputs, _ = read_outputs(path, format="dialogue-json")
    assert list(outputs.corpus.hypotheses) == [""]


def test_whole_dialogues_beside_replies_can_be_left_out(tmp_path: Path) -> None:
    # FED's file has both: turns that were rated, and dialogues without a response.
    whole = {"context": "User: Hi!\nSystem: Hello.\nUser: Bye.", "system": "north"}
    entries = [FED[0], {**whole, "annotations": {"Overall": [2]}}]
    path = write(tmp_path, "fed.json", json.dumps(entries))
    for reading in (read_outputs, read_suite):
        with pytest.warns(NlgaugeWarning, match="1 of 2 records have turns and no reply"):
            reading(path, format="dialogue-json")
    with pytest.warns(NlgaugeWarning, match=r"left out 1 of 2 records \(no output: north 2\)"):
        outputs, _ = read_outputs(path, format="dialogue-json", skip_unusable=True)
    assert list(outputs.corpus.hypotheses) == ["Fine."]
    with pytest.warns(NlgaugeWarning, match=r"left out 1 of 2 records \(no output of north: 2\)"):
        (corpus,) = read_suite(path, format="dialogue-json", skip_unusable=True)
    with pytest.warns(NlgaugeWarning, match=r"left out 1 of 2 records \(no output: 2\)"):
        apart = read_suites_apart(path, format="dialogue-json", skip_unusable=True)
    (other,) = apart["north"]
    assert list(corpus.hypotheses) == list(other.hypotheses) == ["Fine."]
    # Where all are whole dialogues, they stay.
    path = write(tmp_path, "fed.json", json.dumps(entries[1:]))
    assert len(read_outputs(path, format="dialogue-json", skip_unusable=True)[0]) == 1
    assert len(read_suite(path, format="dialogue-json", skip_unusable=True)) == 1


def test_json_without_contexts(tmp_path: Path) -> None:
    path = write(tmp_path, "data.json", json.dumps([{"response": "x"}]))
    with pytest.raises(DataError, match="entry 1: no context"):
        read_suite(path, format="dialogue-json")
