"""Contexts: turns with speakers, facts, features and documents, beside what is scored."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlgauge.core.metric import Info
from nlgauge.core.outputs import Outputs
from nlgauge.data import Context, Corpus, Suite
from nlgauge.errors import DataError

TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)
SPEAKERS = st.sampled_from([None, "A", "B"])
SEGMENTS = st.lists(st.lists(st.tuples(SPEAKERS, TEXTS), max_size=4), min_size=1, max_size=5)


def said(context: Context, i: int) -> list[tuple[str | None, str]]:
    assert context.turns is not None
    return list(zip(context.speakers_of(i), context.turns[i], strict=True))


def test_one_string_is_the_turns_on_lines() -> None:
    context = Context.build(
        turns=["Hi!\nHello.", [("A", "Tea?"), {"speaker": 2, "text": "Yes."}], ""]
    )
    assert list(context) == ["Hi!\nHello.", "Tea?\nYes.", ""]
    assert context.turns is not None
    assert context.turns.counts.tolist() == [2, 2, 0]
    assert context.speakers_of(0) == [None, None]
    assert context.speakers_of(1) == ["A", "2"]


@given(SEGMENTS, st.randoms())
def test_take_and_join_move_all_columns_alike(segments, random) -> None:  # type: ignore[no-untyped-def]
    count = len(segments)
    context = Context.build(
        turns=segments,
        facts=[[f"fact {i}"] * (i % 3) for i in range(count)],
        features=np.arange(2 * count).reshape(count, 2),
        documents=[f"document {i}" for i in range(count)],
    )
    rows = [random.randrange(count) for _ in range(4)]
    taken = context.take(rows)
    joined = Context.join([taken, context])
    for k, i in enumerate([*rows, *range(count)]):
        assert said(joined, k) == [(speaker or None, text) for speaker, text in segments[i]]
        assert joined.facts is not None and joined.facts[k] == [f"fact {i}"] * (i % 3)
        assert joined.features is not None and joined.features[k].tolist() == [2 * i, 2 * i + 1]
        assert joined.documents is not None and joined.documents[k] == [f"document {i}"]


@given(SEGMENTS, st.randoms())
def test_a_corpus_takes_contexts_along(segments, random) -> None:  # type: ignore[no-untyped-def]
    corpus = Corpus.build(["x"] * len(segments), contexts=segments)
    rows = [random.randrange(len(segments)) for _ in range(3)]
    taken = corpus.take(rows)
    assert taken.turns is not None
    assert [taken.turns[k] for k in range(3)] == [[t for _, t in segments[i]] for i in rows]


def test_lines_of_sources_are_turns_if_there_is_nothing_else() -> None:
    corpus = Corpus.build(["Fine."], sources=["Hi!\nHow are you?"])
    assert corpus.turns is not None and corpus.turns[0] == ["Hi!", "How are you?"]
    assert corpus.facts is corpus.features is corpus.documents is None
    assert Corpus.build(["Fine."]).turns is None


def test_outputs_of_a_suite_keep_speakers() -> None:
    suite = Suite.build({"a": ["x"], "b": ["y"]}, contexts=[[("A", "Hi!")]])
    contexts = Outputs.of_suite(suite).corpus.contexts
    assert contexts is not None and said(contexts, 1) == [("A", "Hi!")]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"turns": [[3]]}, "contexts, segment 1, turn 1: 3, expected a text"),
        ({"turns": [[{"speaker": "A"}]]}, "turn 1"),
        (
            {"turns": [[{"speaker": ["A"], "text": "x"}]]},
            r"its speaker is \['A'\], expected a name",
        ),
        ({"turns": [5]}, "segment 1: int 5, expected a list of turns"),
        ({"features": [[1, 2], [1]]}, "segment 2 has 1 numbers and segment 1 has 2"),
        ({"features": [[1, float("nan")]]}, "segment 1 has a number that is not finite"),
        ({"features": ["ab"]}, "give a row of numbers"),
        ({"turns": ["a"], "features": [[1], [2]]}, "features of 2 segments beside others of 1"),
        ({"facts": [None]}, "facts: .*segment 1"),
        ({}, "a context needs turns, facts, features or documents"),
    ],
)
def test_what_is_no_context_is_refused(columns, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(DataError, match=message):
        Context.build(**columns)


def test_features_of_two_widths_are_not_joined() -> None:
    parts = [Context.build(features=[[1.0] * width]) for width in (2, 3)]
    with pytest.raises(DataError, match="rows of 2 and 3 numbers"):
        Context.join(parts)


def test_contexts_of_another_number_of_segments_are_refused() -> None:
    with pytest.raises(DataError, match="1 hypotheses but 2 contexts"):
        Corpus.build(["x"], contexts=["a", "b"])


def test_what_a_metric_uses_is_a_fact_of_it() -> None:
    assert Info.__dataclass_fields__["uses"].default == ()
