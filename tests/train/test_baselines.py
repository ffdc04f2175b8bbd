"""Extractive summarisers: hand calculations, brute force, and what holds for any document."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.command_line import run
from support.strategies import odd_texts

from nlgauge import SpecError
from nlgauge.baselines import BASELINES, Length, lead, lsa, mmr, random
from nlgauge.baselines.document import tf_idf
from nlgauge.baselines.lsa import allocation, decompose, scores
from nlgauge.cli import main

DOCUMENT = [
    "cats chase mice",
    "dogs chase cats",
    "mice eat cheese",
    "cheese smells",
    "owls chase mice",
    "dogs bark loudly",
]
words = st.lists(st.sampled_from("cats dogs mice owls cheese barn".split()), min_size=1, max_size=5)
documents = st.lists(words.map(" ".join), min_size=1, max_size=8)


def test_tf_idf_by_hand() -> None:
    found = tf_idf([["a", "a", "b"], ["b", "c"]])
    np.testing.assert_allclose(found, [[2 * math.log(2), 0, 0], [0, 0, math.log(2)]])
    # Every word everywhere: counts.
    np.testing.assert_allclose(tf_idf([["a", "a"], ["a"]]), [[2], [1]])


def _vectors(sentences: list[str]) -> list[dict[str, float]]:
    split = [s.split() for s in sentences]
    df = {w: sum(w in s for s in split) for s in split for w in s}
    vectors = [{w: s.count(w) * math.log(len(split) / df[w]) for w in s} for s in split]
    if not any(v for vector in vectors for v in vector.values()):
        vectors = [{w: float(s.count(w)) for w in s} for s in split]
    return vectors


def _cosine(a: dict[str, float], b: dict[str, float]) -> float:
    norms = math.hypot(*a.values()) * math.hypot(*b.values())
    return sum(v * b.get(w, 0) for w, v in a.items()) / norms if norms else 0.0


def _mean(vectors: list[dict[str, float]]) -> dict[str, float]:
    return {w: sum(v.get(w, 0) for v in vectors) / len(vectors) for v in vectors for w in v}


@settings(max_examples=150, deadline=None)
@given(documents, st.integers(1, 5))
def test_mmr_takes_a_best_sentence_each_time(document: list[str], size: int) -> None:
    picked = mmr(document, length=Length(sentences=size), stop="none").picked
    size = min(size, len(document))
    assert len(picked) == len(set(picked)) == size
    vectors = _vectors(document)
    whole = _mean(vectors)
    for step, choice in enumerate(picked):
        weight = 1 - 0.7 * step / max(size - 1, 1)
        summary = _mean([vectors[i] for i in picked[:step]]) if step else {}
        score = {
            i: weight * _cosine(vectors[i], whole) - (1 - weight) * _cosine(vectors[i], summary)
            for i in range(len(document))
            if i not in picked[:step]
        }
        assert score[choice] == pytest.approx(max(score.values()), abs=1e-9)


def test_mmr_avoids_repetition() -> None:
    document = ["cats chase mice", "cats chase mice", "owls sleep", "dogs bark"]
    assert set(mmr(document, length=Length(sentences=2)).indices) != {0, 1}
    relevance_only = mmr(document, length=Length(sentences=2), annealing=(1, 1))
    assert relevance_only.picked == (0, 1)


def test_lsa_of_separate_topics() -> None:
    # Two topics without a common word: a block of three equal sentences and one of one sentence.
    vectors = np.array([[2.0, 0], [2.0, 0], [2.0, 0], [0, 1.0]])
    topics, values = decompose(vectors)
    np.testing.assert_allclose(values, [2 * math.sqrt(3), 1])
    np.testing.assert_allclose(topics, [[1 / math.sqrt(3)] * 3 + [0], [0, 0, 0, 1]], atol=1e-12)
    np.testing.assert_allclose(scores(topics, values), [2, 2, 2, 1])  # of full rank: the lengths


@settings(max_examples=100, deadline=None)
@given(documents)
def test_lsa_does_not_depend_on_signs(document: list[str]) -> None:
    vectors = tf_idf([s.split() for s in document])
    topics, values = decompose(vectors)
    # A sentence's score over all topics is the length of its vector.
    np.testing.assert_allclose(scores(topics, values), np.linalg.norm(vectors, axis=1), atol=1e-9)
    flipped, same = decompose(-vectors)
    np.testing.assert_allclose(same, values, atol=1e-9)
    for rows in (topics, flipped):
        assert (rows.max(axis=1) >= -rows.min(axis=1) - 1e-9).all()


@pytest.mark.parametrize(
    ("values", "size", "expected"),
    [
        ([5, 3, 2], 10, [5, 3, 2]),
        ([5, 3, 2], 4, [2, 1, 1]),  # 2, 1.2, .8
        ([5, 3, 2], 1, [1, 0, 0]),  # .5, .3, .2
        ([1, 1, 1], 2, [1, 1, 0]),
        ([6, 2, 1, 1], 5, [3, 1, 1, 0]),  # 3, 1, .5, .5
    ],
)
def test_largest_remainder(values: list[float], size: int, expected: list[int]) -> None:
    assert allocation(np.array(values, float), size).tolist() == expected


def test_lsa_rules() -> None:
    # Three topics without common words. Singular values: √3 · 10 ln(5/3) = 8.85, 2 ln 5 = 3.22 and
    # ln 5 = 1.61, so three sentences are 1.94, .71 and .35 of them: 2, 1 and 0.
    document = [*[" ".join(["p"] * 10)] * 3, "y", "x x"]
    assert lsa(document, length=Length(sentences=3), stop="none").picked == (0, 1, 4)
    one_each = lsa(document, length=Length(sentences=3), rule="one-per-topic", stop="none")
    assert one_each.picked == (0, 4, 3)
    best = lsa(document, length=Length(sentences=2), rule="score", stop="none")
    assert best.picked == (0, 1)
    with pytest.raises(SpecError, match="there are allocate, one-per-topic, score"):
        lsa(document, rule="best")


def test_trivial_baselines() -> None:
    assert lead(DOCUMENT, length=Length(sentences=2)).indices == (0, 1)
    drawn = random(DOCUMENT, length=Length(sentences=3), seed=1)
    assert drawn == random(DOCUMENT, length=Length(sentences=3), seed=1)
    counts = np.zeros(6)
    for seed in range(600):
        counts[list(random(DOCUMENT, length=Length(sentences=2), seed=seed).indices)] += 1
    assert counts.min() > 140 and counts.max() < 260  # 200 each


@pytest.mark.parametrize("name", BASELINES)
def test_lengths(name: str) -> None:
    summarise = BASELINES[name]
    for sentences, expected in ((3, 1), (10, 1), (14, 1), (25, 3), (40, 4)):
        many = [f"sentence {i} w{i % 7} v{i % 5}" for i in range(sentences)]
        assert len(summarise(many).indices) == expected  # a tenth, at least one
    many = [f"sentence {i} w{i % 7} v{i % 5}" for i in range(20)]
    assert len(summarise(many, length=Length(share=0.5)).indices) == 10
    assert len(summarise(many, length=Length(sentences=30)).indices) == 20
    assert len(summarise(many, length=Length(words=11)).text.split()) == 8
    assert len(summarise(many, length=Length(words=1)).indices) == 1
    text = summarise("It rains. The sun shines. It rains again.", length=Length(sentences=3)).text
    assert text == "It rains. The sun shines. It rains again."
    assert summarise("").text == ""


@pytest.mark.parametrize("name", BASELINES)
@settings(max_examples=50, deadline=None)
@given(text=odd_texts(), size=st.integers(1, 4))
def test_any_text(name: str, text: str, size: int) -> None:
    text = text.encode("utf-8", "ignore").decode()
    summary = BASELINES[name](text, length=Length(sentences=size))
    assert list(summary.indices) == sorted(set(summary.picked))
    assert len(summary.indices) <= size
    assert all(sentence in text for sentence in summary.sentences)


@pytest.mark.parametrize("bad", [{"sentences": 0}, {"words": 0}, {"share": 0}, {"share": 1.5}])
def test_bad_lengths(bad: dict[str, float]) -> None:
    with pytest.raises(SpecError, match=f"{next(iter(bad))}={next(iter(bad.values()))}"):
        Length(**bad)
    with pytest.raises(SpecError, match="both"):
        Length(sentences=1, words=1)


def test_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("docs.txt").write_text("One here. Two there.\nThree now. Four then.\n")
    lead_lines = "One here.\nThree now.\n"
    assert run(capsys, "baseline", "lead", "docs.txt") == lead_lines
    both = "One here. Two there.\nThree now. Four then.\n"
    for name in BASELINES:
        assert run(capsys, "baseline", name, "docs.txt", "--sentences", "2") == both
    whole = run(capsys, "baseline", "lead", "docs.txt", "--whole-files", "--sentences", "1")
    assert whole == "One here. Two there.\n"  # lines are sentences then
    rows = [
        {"id": i, "system": s, "source": "One here. Two there.", "ref": "x", "hyp": "y"}
        for i in (1, 2)
        for s in "ab"
    ]
    Path("data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run(capsys, "baseline", "lead", "data.jsonl") == "One here.\nOne here.\n"
    Path("bare.jsonl").write_text('{"ref": "x"}\n')
    assert main(["baseline", "mmr", "bare.jsonl"]) == 3
    assert "bare.jsonl, line 1: no field `source`" in capsys.readouterr().err
