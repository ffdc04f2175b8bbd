"""TERp beyond its golden values: tables, explanations, lookups and bounded effort."""

import gzip
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.terp import Search
from support.strategies import words

from nlgauge import DataError, ResourceMissing, SpecError
from nlgauge.core import options, registry
from nlgauge.kernels import native
from nlgauge.models.lexicon.wordnet import wordnet
from nlgauge.text.tokenizers.tercom import Terp

LINE = "0.8 <p>more than</p> <p>over</p>\n"


def with_table(path: Path) -> str:
    return f"terp(paraphrases={options.encode(str(path))})"


def test_a_phrase_costs_what_its_probability_says(tmp_path: Path) -> None:
    table = tmp_path / "table.txt"
    table.write_text(LINE)
    found = registry.metric(with_table(table)).sentence_score("over ten", ["more than ten"])
    # One substitution and one deletion, at TERpA's costs, adjusted as terpa.param says.
    edits = 1.5565478292505814 + 1.4269364675533365
    cost = (
        -0.2306579294476191
        - 0.1469465037633749 * np.log10(0.8) * edits
        - 0.07843705907022736 * 0.8 * edits
        + 0.17708577297831574 * edits
    )
    assert found.parts["phrases"] == 1
    assert found.parts["cost"] == pytest.approx(cost, abs=1e-12)
    assert found.value == pytest.approx(cost / 3, abs=1e-12)


def test_tables_may_be_compressed_and_have_two_probabilities(tmp_path: Path) -> None:
    """Of both, the one that makes the phrase cheaper counts."""

    def score(probabilities: str) -> float:
        table = tmp_path / f"{probabilities}.gz"
        table.write_bytes(gzip.compress(LINE.replace("0.8", probabilities).encode()))
        return (
            registry.metric(with_table(table)).sentence_score("over ten", ["more than ten"]).value
        )

    assert score("0.1 0.8") == score("0.8 0.1") == score("0.8") < score("0.1")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("0.8 more than ||| over", "line 1: expected a probability"),
        (LINE + "0 <p>a</p> <p>b</p>", r"line 2: .*probabilities in \(0, 1\]"),
        (LINE + "0.5 <p> </p> <p>b</p>", "line 2: words on both sides"),
        ("-- <p>a</p> <p>b</p>", "line 1: could not convert"),
        ("0.5 <p>same</p> <p>same</p>", "no phrases"),
    ],
)
def test_tables_that_are_none(content: str, message: str, tmp_path: Path) -> None:
    table = tmp_path / "table.txt"
    table.write_text(content)
    with pytest.raises(DataError, match=message):
        registry.metric(with_table(table)).sentence_score("a", ["b"])


def test_the_tools_own_ter_has_no_paraphrases(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="choose profile=terpa or terph"):
        registry.metric(f"terp(profile=ter,paraphrases={options.encode(str(tmp_path))})")


def test_a_table_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ResourceMissing, match="check the path"):
        registry.metric(with_table(tmp_path / "none.txt")).resources()


def test_the_explanation_names_stems_synonyms_and_phrases(tmp_path: Path) -> None:
    table = tmp_path / "table.txt"
    table.write_text(LINE)
    metric = registry.metric(with_table(table))
    trace = metric.trace("cars cost over ten dollars", "an automobile cost more than ten dollar")
    assert "synonyms: cars ~ automobile" in trace.note
    assert "stems: dollars ~ dollar" in trace.note
    assert "phrases: over ~ more than" in trace.note
    moved = registry.metric("terp").trace("home he went yesterday", "he went home yesterday")
    assert [(s.start, s.length, s.target) for s in moved.shifts] == [(0, 1, 3)]
    assert moved.hyp == moved.ref


@given(words("abcdef", max_size=12), words("abcdef", max_size=12))
@settings(max_examples=60)
def test_the_explanation_adds_up(hyp: str, ref: str) -> None:
    metric = registry.metric("terp(profile=ter)")
    trace, parts = metric.trace(hyp, ref), metric.sentence_score(hyp, [ref]).parts
    kinds = [edit.operation for edit in trace.script]
    found = [kinds.count("insert"), kinds.count("delete"), kinds.count("substitute")]
    assert found == [parts["insertions"], parts["deletions"], parts["substitutions"]]
    assert len(trace.shifts) == parts["shifts"]
    assert sum(found) + parts["shifts"] == parts["cost"]


phrase = words("abcd", min_size=1, max_size=3).map(lambda text: tuple(text.split()))
texts = words("abcd", min_size=1, max_size=14).map(str.split)


@given(
    hyp=texts,
    ref=texts,
    phrases=st.frozensets(st.tuples(phrase, phrase).filter(lambda p: p[0] != p[1]), max_size=4),
    costs=st.tuples(*[st.sampled_from([0.25, 0.5, 1.0, 1.5])] * 5),
    beam=st.sampled_from([3.0, 35.0]),
    size=st.integers(1, 4),
    distance=st.integers(1, 6),
    stop=st.frozensets(st.sampled_from("ab")),
)
@settings(max_examples=200, deadline=None)
def test_the_search(hyp, ref, phrases, costs, beam, size, distance, stop) -> None:
    insertion, deletion, substitution, shift, of_phrase = costs
    plain = Search(
        insertion, deletion, substitution, shift, of_phrase, beam, size, distance, phrases, stop
    )
    table = native.TerpPhrases()
    for side, other in phrases:
        table.add(side, other, 0.5)
    kernel = native.Terp(
        costs=(insertion, deletion, substitution, 1.0, 1.0, shift),
        adjustment=(of_phrase, 0.0, 0.0, 0.0),
        beam=beam,
        shift_size=size,
        shift_distance=distance,
        relaxed=True,
        stems=False,
        synonyms=None,
        phrases=table if phrases else None,
        stop_words=set(stop),
    )
    _, shifts, steps = plain.run(hyp, ref)
    moves, found = kernel.script(hyp, ref)
    assert [(start, start + length - 1) for start, length, _ in moves] == [s[:2] for s in shifts]
    assert found == steps


def test_words_are_looked_up_as_jaws_does() -> None:
    net = wordnet()

    def synonyms(one: str, other: str) -> bool:
        starts, numbers = net.sets([one, other], "jaws")
        return bool(set(numbers[: starts[1]].tolist()) & set(numbers[starts[1] :].tolist()))

    assert synonyms("cars", "automobiles")
    assert synonyms("geese", "goose")
    assert synonyms("nicest", "nice") is False  # -est is taken off, and no e added
    assert synonyms("cat", "dog") is False


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He said, 'yes.'", "he said , 'yes . '"),
        ("U.S. exports fell 3.5 percent.", "u . s . exports fell 3.5 percent ."),
        ("Bob's dog [big] 10-20", "bob 's dog [ big ] 10 - 20"),
        ("a &amp; b &lt;c&gt;", "a & b < c >"),
        ("", ""),
    ],
)
def test_normalisation(text: str, expected: str) -> None:
    assert Terp(normalized=True)(text.lower()) == expected


def _numbers(seed: int, size: int) -> list[str]:
    state, numbers = seed, []
    for _ in range(size):
        state = (1103515245 * state + 12345) % 2**31
        numbers.append(str((state >> 16) % 300))
    return numbers


LONG = _numbers(1, 5000)


@pytest.mark.parametrize("spec", ["terp", "terph", "terp(profile=ter)"])
@pytest.mark.parametrize(
    ("hyp", "ref"),
    [
        (LONG, LONG[2500:] + LONG[:2500]),
        (["a", "b"] * 2500, ["b", "a"] * 2500),
        (["a"] * 5000, ["a"] * 2500 + ["b"] * 2500),
    ],
    ids=["halves", "two words", "equal words"],
)
@pytest.mark.slow
def test_long_texts_end(spec: str, hyp: list[str], ref: list[str]) -> None:
    start = time.process_time()
    score = registry.metric(spec).sentence_score(" ".join(hyp), [" ".join(ref)])
    assert np.isfinite(score.value)
    assert time.process_time() - start < 10  # without a limit it would take minutes
