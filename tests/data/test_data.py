"""Corpora: layouts that are taken, and what is said of those that are not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.strategies import odd_texts

from nlgauge import Corpus, DataError, References, RunContext, Suite, Texts


@given(st.lists(odd_texts(), max_size=5))
@settings(max_examples=40)
def test_texts_keep_every_character(strings: list[str]) -> None:
    texts = Texts(strings)
    assert [texts[i] for i in range(len(texts))] == strings
    assert texts.nbytes == sum(len(s.encode("utf-8", "surrogatepass")) for s in strings)


def test_texts_are_a_sequence() -> None:
    texts = Texts(("a", "", "ü"))
    assert (len(texts), texts[-1], texts[-3]) == (3, "ü", "a")
    for beyond in (3, -4):
        with pytest.raises(IndexError):
            _ = texts[beyond]


@given(
    st.lists(st.sampled_from(["a", "", "é x", "\r", "\x85", "\u2028"]), min_size=1), st.booleans()
)
@settings(max_examples=40)
def test_texts_from_lines(lines: list[str], ended: bool) -> None:
    data = "\n".join(lines) + "\n" * (ended or lines[-1] == "")
    texts = Texts.from_lines(data.encode())
    assert [texts[i] for i in range(len(texts))] == lines


@given(st.lists(st.lists(odd_texts(), max_size=4), max_size=5))
@settings(max_examples=40)
def test_references_are_ragged(refs: list[list[str]]) -> None:
    built = References.build(refs)
    assert list(built) == refs
    assert built.counts.tolist() == [len(r) for r in refs]
    assert built[1:] == refs[1:]
    with pytest.raises(IndexError):
        _ = built[len(refs)]


LAYOUTS = {
    "one each": ({"references": ["r1", "r2"]}, [["r1"], ["r2"]]),
    "nested": ({"references": [["r1", "s1"], ["r2"]]}, [["r1", "s1"], ["r2"]]),
    "tuples": ({"references": (("r1",), ("r2",))}, [["r1"], ["r2"]]),
    "sets": ({"reference_sets": [["r1", "r2"], ["s1", "s2"]]}, [["r1", "s1"], ["r2", "s2"]]),
    "gaps": ({"reference_sets": [["r1", "r2"], [None, "s2"]]}, [["r1"], ["r2", "s2"]]),
    "one set": ({"reference_sets": [["r1", "r2"]]}, [["r1"], ["r2"]]),
    "one set with a gap": ({"reference_sets": [["r1", None]]}, [["r1"], []]),
    "none": ({}, [[], []]),
}


@pytest.mark.parametrize(("given", "expected"), LAYOUTS.values(), ids=LAYOUTS)
def test_layouts_of_references(given: dict, expected: list[list[str]]) -> None:
    assert list(Corpus.build(["a", "b"], **given).references) == expected


def test_packed_texts_are_taken_as_they_are() -> None:
    hyps, references = Texts(["a", "b"]), References.single(Texts(["r1", "r2"]))
    corpus = Corpus.build(hyps, references)
    assert corpus.hypotheses is hyps
    assert corpus.references is references
    sets = Corpus.build(hyps, reference_sets=[Texts(["r1", "r2"])])
    assert list(sets.references) == list(references) == [["r1"], ["r2"]]


FAULTS = {
    "lengths": (["a", "b"], {"references": ["r"]}, r"2 hypotheses but references for 1"),
    "transposed": (["a", "b", "c"], {"references": [["r"] * 3] * 2}, "transposed.*reference_sets"),
    "both": (["a"], {"references": ["r"], "reference_sets": [["r"]]}, "not both"),
    "str refs": (["a"], {"references": "r"}, "single str"),
    "mixed": (
        ["a", "b"],
        {"references": [["r"], "s"]},
        "segment 1 has a list, but segment 2",
    ),
    "number": (["a"], {"references": [[1]]}, "references: text 1 of segment 1 is int 1"),
    "none ref": (
        ["a", "b"],
        {"references": [["r"], None]},
        "segment 2 has no text",
    ),
    "short set": (["a", "b"], {"reference_sets": [["r", "s"], ["t"]]}, "set 2 has 1 entries"),
    "str set": (["a", "b"], {"reference_sets": ["rs"]}, "set 1 has a single str"),
    "number in a set": (["a"], {"reference_sets": [[1]]}, "segment 1 is int 1"),
    "number in two sets": (["a"], {"reference_sets": [["r"], [1]]}, "set 2: segment 1 is int 1"),
    "hyp number": ([1], {"references": ["r"]}, "hypotheses: segment 1 is int 1, expected str"),
    "hyp bytes": (
        [b"a"],
        {"references": ["r"]},
        "segment 1 is bytes .*; decode it",
    ),
    "hyp none": (
        ["a", None],
        {"references": ["r", "s"]},
        "hypotheses: segment 2 has no text",
    ),
    "hyp str": ("abc", {"references": ["r", "s", "t"]}, "hypotheses: a single str"),
    "hyp str alone": ("abc", {"references": ["r"]}, "hypotheses: a single str"),
    "empty": ([], {"references": []}, "no segments"),
    "ids": (["a", "b"], {"references": ["r", "s"], "ids": ["1"]}, "2 hypotheses but 1 ids"),
    "twins": (["a", "b"], {"ids": ["x", "x"]}, "id 'x' is given to segments 1 and 2"),
    "sources": (["a", "b"], {"sources": ["s"]}, "2 hypotheses but 1 sources"),
    "contexts": (["a"], {"contexts": "c"}, "contexts: a single str"),
    "weights": (
        ["a"],
        {"references": [["r", "s"]], "reference_weights": [[1.0]]},
        "segment 1 has 1 .*for 2",
    ),
    "weight rows": (["a"], {"references": ["r"], "reference_weights": []}, "for 0 segments"),
    "heavy": (["a"], {"references": ["r"], "reference_weights": [[1.5]]}, r"\[-1, 1\]"),
    "nan": (["a"], {"references": ["r"], "reference_weights": [[float("nan")]]}, r"\[-1, 1\]"),
}


@pytest.mark.parametrize(("hyps", "columns", "message"), FAULTS.values(), ids=FAULTS)
def test_faults_are_named(hyps, columns: dict, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Corpus.build(hyps, **columns)


def test_take_keeps_every_column() -> None:
    corpus = Corpus.build(
        ["a", "b", "c"],
        [["r"], ["s", "t"], []],
        ids=["x", "y", "z"],
        sources=["1", "2", "3"],
        contexts=["4", "5", "6"],
        tables=[{"k": 1}, {"k": 2}, {"k": 3}],
        reference_weights=[[0.5], [1, -1], []],
        name="mine",
    )
    taken = corpus.take([2, 1])
    assert [taken.hypotheses[i] for i in range(2)] == ["c", "b"]
    assert list(taken.references) == [[], ["s", "t"]]
    assert (taken.ids, taken.name, len(taken)) == (["z", "y"], "mine", 2)
    assert (taken.sources[0], taken.contexts[0], taken.tables) == ("3", "6", [{"k": 3}, {"k": 2}])
    np.testing.assert_array_equal(taken.reference_weights, [1, -1])


def test_segments_are_called_by_id_or_number() -> None:
    assert Corpus.build(["a"]).segment_name(0) == "segment 1"
    assert Corpus.build(["a"], ids=["news-7"]).segment_name(0) == "segment 'news-7'"


def test_suite_shares_references() -> None:
    suite = Suite.build({"A": ["a", "b"], "B": Texts(["c", "d"])}, ["r", "s"])
    a, b = suite
    assert (len(suite), a.name, b.name, b.hypotheses[1]) == (2, "A", "B", "d")
    assert a.references is b.references


def test_faults_of_suites() -> None:
    with pytest.raises(DataError, match=r"A: 1, B: 2"):
        Suite.build({"A": ["a"], "B": ["a", "b"]}, ["r"])
    with pytest.raises(DataError, match="at least one"):
        Suite.build({}, ["r"])


def test_what_is_derived_from_texts_is_shared_by_systems_and_contexts() -> None:
    suite = Suite.build({"one": ["a"], "two": ["b"]}, ["a"])
    one, two = suite.within(RunContext(threads=2))
    made = one.once("length", one.references, lambda: [1])
    assert two.once("length", two.references, lambda: [2]) is made
    assert next(iter(suite)).once("length", one.references, lambda: [3]) is made
    assert one.once("length", one.hypotheses, lambda: [4]) == [4]
    assert one.take([0]).context == RunContext(threads=2)
