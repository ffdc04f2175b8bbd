"""Annotations: what metrics refuse, how files hold them, and the word network by brute force."""

import itertools
import json
from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlgauge import Corpus, Suite
from nlgauge.core import registry
from nlgauge.errors import DataError, NlgaugeWarning, SpecError
from nlgauge.io import read_suite

VITAL = {"nuggets": [{"id": 1, "text": "a", "vital": True}], "found": [1], "length": 9}


def score(spec, annotation, hyp=""):
    corpus = Corpus.build([hyp], annotations=[annotation], ids=["q7"])
    return registry.metric(spec).evaluate(corpus).value


@pytest.mark.parametrize(
    ("spec", "annotation", "message"),
    [
        ("pyramid", 3, "int 3, expected an object; see: nlgauge metrics pyramid"),
        ("pyramid", {"models": [["a"]]}, "'peer' is missing, expected a list of ids"),
        ("pyramid", {"peer": ["a"]}, "'models' is missing, expected a list of lists of ids"),
        ("pyramid", {"peer": [], "models": []}, "one per human summary, at least one"),
        (
            "pyramid",
            {"peer": [], "models": ["a"]},
            "'models[0]' is str 'a', expected a list of ids",
        ),
        (
            "pyramid",
            {"peer": [1.5], "models": [[]]},
            "expected ids that are texts or whole numbers",
        ),
        (
            "pyramid",
            {"peer": [], "weights": [1]},
            "'weights' is list [1], expected an object {unit",
        ),
        (
            "pyramid",
            {"peer": [], "weights": {"a": -1}},
            "weights: 'a' is int -1, expected a number of at least 0",
        ),
        (
            "pyramid-modified",
            {"peer": [], "weights": {"a": 1}},
            "'models' is missing, expected a number of at least 1",
        ),
        ("pyramid(jackknife=yes)", {"peer": [], "models": [["a"]]}, "two model summaries or more"),
        (
            "factoid",
            {"peer": ["a"], "models": "a"},
            "'models' is str 'a', expected a list of lists",
        ),
        ("rel-util", {"chosen": [1]}, "'utilities' is missing, expected an object {sentence"),
        (
            "rel-util",
            {"chosen": [1], "utilities": {"2": 1}},
            "expected sentences that have a utility",
        ),
        ("rel-util", {"chosen": [], "utilities": {"2": -1}}, "none below 0"),
        ("nugget-f", {**VITAL, "found": [2]}, "ids of its nuggets, and '2' is none"),
        (
            "nugget-f",
            {**VITAL, "nuggets": [1]},
            "'nuggets' is list [1], expected a list of objects",
        ),
        (
            "nugget-f",
            {**VITAL, "nuggets": [{"id": 1}]},
            "nuggets[0]: 'vital' is missing, expected true or false",
        ),
        (
            "pourpre",
            {"nuggets": [{"vital": True}]},
            "nuggets[0]: 'text' is missing, expected a text",
        ),
        ("word-network", {"words": [1]}, "'words' is list [1], expected a list of texts"),
        ("word-network", {"words": ["a"], "summaries": [[]]}, "at least one with a word"),
        ("word-network", {"words": ["a"], "summaries": [[1]]}, "ascending positions from 0 to 0"),
        ("word-network", {"words": ["a", "b"], "summaries": [[1, 0]]}, "ascending positions"),
    ],
)
def test_errors_name_segment_key_and_expectation(spec, annotation, message) -> None:
    with pytest.raises(DataError) as error:
        score(spec, annotation)
    assert str(error.value).startswith("system, annotation of segment 'q7'")
    assert message in str(error.value)


def test_annotations_are_needed() -> None:
    with pytest.raises(DataError, match="pyramid needs annotations, and system has none"):
        registry.metric("pyramid").evaluate(Corpus.build(["x"]))
    suite = Suite.build({"A": [""], "B": [""]}, annotations={"A": [VITAL]})
    with pytest.raises(DataError, match="nugget-f needs annotations, and B has none"):
        registry.metric("nugget-f").evaluate(suite.systems["B"])
    with pytest.raises(DataError, match="B: 1 hypotheses but 2 annotations"):
        Suite.build({"A": [""], "B": [""]}, annotations={"A": [VITAL], "B": [VITAL, VITAL]})


def test_nothing_to_find_is_zero() -> None:
    assert score("pyramid", {"peer": ["x"], "models": [[]]}) == 0
    assert score("pyramid", {"peer": [], "models": [["a"]]}) == 0
    assert score("factoid(threshold=1)", {"peer": ["a"], "models": [["a"], ["b"]]}) == 0
    assert score("rel-util", {"chosen": ["a"], "utilities": {"a": 0}}) == 0
    assert score("nugget-f", {**VITAL, "length": 0}) == 0
    assert score("pourpre", {"nuggets": []}, "a") == 0
    assert score("pourpre", {"nuggets": [{"text": "!", "vital": True}]}, "a") == 0


def test_document_frequencies_of_pourpre(tmp_path) -> None:
    path = tmp_path / "df.json"
    path.write_text('{"documents": 100, "df": {"a": 100, "b": 10}}')
    nugget = {"nuggets": [{"text": "a b c", "vital": True}]}
    # idf: 0 of a, ln 10 of b, ln 100 of the unknown c.
    found = registry.metric(f"pourpre(weighting=idf,df={path})").evaluate(
        Corpus.build(["a b", "c"], annotations=[nugget, nugget])
    )
    assert found.parts["recall"] == pytest.approx((1 / 3 + 2 / 3) / 2)
    path.write_text('{"documents": 100}')
    with pytest.raises(DataError, match=r'expected an object \{"documents": N'):
        score(f"pourpre(weighting=idf,df={path})", nugget, "a")
    with pytest.raises(SpecError, match="are for weighting=idf"):
        registry.metric("pourpre(df=x)")
    with pytest.warns(NlgaugeWarning, match="every idf and score is 0"):
        assert score("pourpre(weighting=idf)", nugget, "a b c") == 0


def distance(a, b):
    @lru_cache(None)
    def d(i, j):
        if i == 0 or j == 0:
            return i + j
        return min(d(i - 1, j) + 1, d(i, j - 1) + 1, d(i - 1, j - 1) + (a[i - 1] != b[j - 1]))

    return d(len(a), len(b))


@given(
    st.lists(st.sampled_from("abc"), min_size=1, max_size=6),
    st.lists(st.sets(st.integers(0, 5), min_size=1), min_size=1, max_size=3),
    st.lists(st.sampled_from("abcx"), max_size=6),
)
def test_word_network_by_brute_force(words, summaries, hyp) -> None:
    kept = [sorted(p % len(words) for p in summary) for summary in summaries]
    kept = [sorted(set(summary)) for summary in kept]
    steps = {step for s in kept for step in itertools.pairwise([-1, *s, len(words)])}
    strings = [
        [words[p] for p in path]
        for size in range(1, len(words) + 1)
        for path in itertools.combinations(range(len(words)), size)
        if set(itertools.pairwise([-1, *path, len(words)])) <= steps
    ]
    best = min((distance(hyp, s), -len(s)) for s in strings)
    expected = max(0.0, 1 + best[0] / best[1]) if hyp else 0.0
    annotation = {"words": words, "summaries": kept}
    assert score("word-network", annotation, " ".join(hyp)) == pytest.approx(expected, abs=1e-12)


def test_annotations_in_files(tmp_path) -> None:
    def read(name, rows, **options):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return read_suite(path, **options)

    a, b = {"peer": ["a"], "models": [["a"]]}, {"peer": [], "models": [["a"]]}
    # Labels alone, of one system, of several, and in the long layout.
    one = read("one.jsonl", [{"annotation": a}, {"annotation": b}])
    assert list(one.systems) == ["one"]
    assert [*one.systems["one"].annotations] == [a, b]
    assert [*one.systems["one"].hypotheses] == ["", ""]
    wide = read("wide.jsonl", [{"annotation:X": a, "annotation:Y": b}])
    long = [
        {"id": "1", "system": "X", "annotation": a},
        {"id": "1", "system": "Y", "annotation": b},
    ]
    for suite in (wide, read("long.jsonl", long)):
        assert {c.name: [*c.annotations] for c in suite} == {"X": [a], "Y": [b]}
    # An answer key for all systems, also for those from other files.
    key = read("key.jsonl", [{"hyp:X": "x", "hyp:Y": "y", "annotation": a}])
    assert [c.annotations[0] for c in key] == [a, a]
    (tmp_path / "Z.txt").write_text("z\n")
    joined = read("joined.jsonl", [{"annotation": a}], systems=[tmp_path / "Z.txt"])
    assert {c.name: ([*c.hypotheses], [*c.annotations]) for c in joined} == {"Z": (["z"], [a])}
    # In a table the cell holds JSON.
    (tmp_path / "t.tsv").write_text(f"hypothesis\tannotation\nx\t{json.dumps(a)}\n")
    assert [*read_suite(tmp_path / "t.tsv").systems["t"].annotations] == [a]
    with pytest.raises(
        DataError, match=r"line 2: no annotation of system 'Y', though .*line 1 has"
    ):
        read("gap.jsonl", [{"annotation:X": a, "annotation:Y": b}, {"annotation:X": a}])
