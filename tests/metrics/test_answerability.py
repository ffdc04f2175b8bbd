"""Q-metrics: classes of words, lists of one's own, several references, and what explain shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlgauge.core import registry
from nlgauge.errors import ResourceMissing, SpecError
from nlgauge.explain.traces import Alignment
from nlgauge.metrics.trained.question_words import function_words, split_questions

NAMES = ("q-bleu", "q-nist", "q-meteor", "q-rouge")


def test_the_public_code_may_count_a_word_twice_and_the_paper_once() -> None:
    text = ["What is the name of Ann's film?"]
    (public,) = split_questions(text, "public", function_words())
    (paper,) = split_questions(text, "paper", function_words())
    assert public.words[1] == paper.words[1] == ["what", "is"]
    assert "is" in public.words[3]
    assert "is" not in paper.words[3]
    assert public.words[0] == ["ann", "'s"]  # split after it was found
    assert paper.words[0] == ["ann"]


@pytest.mark.parametrize("name", NAMES)
def test_a_question_is_its_own_best_answer(name: str) -> None:
    metric = registry.metric(f"{name}(profile=paper,delta=1)")
    text = "When did the ferry leave Port Hale ?"
    assert metric.sentence_score(text, [text]).value == pytest.approx(1)
    assert metric.sentence_score("", [text]).value == 0


def test_the_reference_that_is_most_alike_counts() -> None:
    metric = registry.metric("q-rouge(delta=1)")
    refs = ["Who saw Bob ?", "Where does Ann live ?"]
    both = metric.sentence_score("Where did Ann live ?", refs)
    assert both.value == metric.sentence_score("Where did Ann live ?", refs[1:]).value
    assert both.parts["entities_recall"] == 1


def test_function_words_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("ferry\n", encoding="utf-8")
    metric = registry.metric("q-bleu", function_words=str(path))
    found = metric.sentence_score("Where is the ferry ?", ["Where is the boat ?"]).parts
    assert found["function_precision"] == 0
    assert found["content_precision"] == 1
    assert metric.english_only() == ("question words",)
    assert "function_words" in metric.resources()
    with pytest.raises(ResourceMissing, match="function_words=nowhere"):
        registry.metric("q-bleu", function_words="nowhere").sentence_score("a", ["a"])


def test_explain_links_words_within_their_class() -> None:
    trace = registry.metric("q-bleu").trace("Who is Ann ?", "Where is Ann now ?")
    assert isinstance(trace, Alignment)
    linked = [(trace.hyp[link.hyp], trace.ref[link.ref]) for link in trace.links]
    assert linked == [("ann", "ann"), ("is", "is")]
    assert "question: who / where" in trace.note


def test_weights_that_are_all_0_are_refused() -> None:
    with pytest.raises(SpecError, match="all 0"):
        registry.metric("q-bleu(entities=0,question=0,content=0,function=0)")
