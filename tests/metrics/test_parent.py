"""PARENT against a plain oracle, and the shapes of tables."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracles import parent as oracle
from support.strategies import words

from nlgauge import Corpus
from nlgauge.core import registry
from nlgauge.errors import DataError, SpecError
from nlgauge.metrics.grounded.table_records import records_of

TABLES = st.lists(
    st.tuples(
        words("abx", min_size=1, max_size=2),
        words("abcd", min_size=1, max_size=4) | words("abcd", min_size=60, max_size=130),
    ),
    max_size=4,
)


def found(spec, hyp, refs, table):
    metric = registry.metric(spec)
    corpus = Corpus.build([hyp], [refs], tables=[table])
    row = metric.rows(corpus, metric.fit(corpus))[0]
    return row[[0, 2, 3]].tolist()


@given(
    words("abcde", max_size=20),
    st.lists(words("abcde", max_size=20), min_size=1, max_size=3),
    TABLES,
    st.sampled_from([0.0, 0.3, 1.0, None]),
    st.sampled_from([1, 2, 4, 6]),
)
@example("a b c", ["a b c d"], [("a", "")], 0.5, 4)
@example("a b " * 200, ["b a " * 200, "c a b"], [("a", "a b b " * 50)], None, 4)
def test_word_overlap(hyp, refs, table, weight, order) -> None:
    expected = oracle.parent(hyp, refs, table, order=order, weight=weight)
    spec = f"parent(max_order={order},lambda_weight={'none' if weight is None else weight})"
    assert found(spec, hyp, refs, table) == pytest.approx(expected, abs=1e-12)


@given(words("abcdx", max_size=12), words("abcdx", max_size=12), TABLES, st.randoms())
def test_cooccurrence(tmp_path_factory, hyp, ref, table, rng) -> None:
    counts = {word: rng.randint(5, 9) for word in "abx" if rng.random() < 0.8}
    counts |= {f"{a}|||{b}": rng.randint(0, 5) for a in "abcx" for b in "abcd"}
    counts["a_b"], counts["a_b|||d"] = 4, 3
    path = tmp_path_factory.mktemp("counts", numbered=True) / "counts.json"
    path.write_text(json.dumps(counts))
    expected = oracle.parent(hyp, [ref], table, entailed=oracle.cooccurrence(table, counts))
    spec = f"parent(profile=official,entailment=cooccurrence,counts={path})"
    assert found(spec, hyp, [ref], table) == pytest.approx(expected, abs=1e-12)


def test_counts_of_the_corpus_itself() -> None:
    # "tall" stands with "height" in two of three references, "by" with "made" in none.
    tables = [[("height", "9 m")], [("height", "5 m")], [("height", "3 m")]]
    refs = ["9 m tall", "5 m tall", "it has 3 m"]
    hyps = ["tall", "by", "3"]
    metric = registry.metric("parent(max_order=1,entailment=cooccurrence)")
    corpus = Corpus.build(hyps, refs, tables=tables)
    rows = metric.rows(corpus, metric.fit(corpus))
    assert rows[:, 2].tolist() == [1.0, 0.0, 1.0]
    others = Corpus.build(["tall"] * 3, ["it", "x", "m"], tables=tables)
    # Entailed by 9 in the only reference with a 9; by height or m in two of three.
    assert metric.rows(others, metric.fit(corpus))[:, 2].tolist() == [
        1.0,
        1.0,
        pytest.approx(2 / 3),
    ]


TRIPLE = ["Aarhus_Airport", "cityServed", "Aarhus,_Denmark"]
# As corpora hold them, and as somebody prepared them for the official tool by hand.
WRITTEN = [
    (
        "Aarhus Airport serves Aarhus, Denmark.",
        "Aarhus, Denmark is served by Aarhus Airport.",
        [TRIPLE],
        "aarhus airport serves aarhus , denmark .",
        "aarhus , denmark is served by aarhus airport .",
        [["city served", "aarhus airport aarhus , denmark"]],
    ),
    (
        "The runway (1L/19R) is 2,702 m long; it opened in 1938.",
        "Opened in 1938, the runway 1L/19R has a length of 2,702 m.",
        ['Runway_1L/19R | runwayLength | "2,702 m"', "Runway_1L/19R | opened | 1938"],
        "the runway ( 1l / 19r ) is 2,702 m long ; it opened in 1938 .",
        "opened in 1938 , the runway 1l / 19r has a length of 2,702 m .",
        [["runway length", "runway 1l / 19r 2,702 m"], ["opened", "runway 1l / 19r 1938"]],
    ),
    (
        "Ann Lee (born 1950) won the 100 metres, in 11.3 s.",
        "In 1975, Ann Lee won the 100 metres.",
        {
            "table": [[{"value": "Event", "is_header": True}], [{"value": "100 metres (11.3 s)"}]],
            "highlighted_cells": [[1, 0]],
            "table_page_title": "Ann Lee, athlete",
        },
        "ann lee ( born 1950 ) won the 100 metres , in 11.3 s .",
        "in 1975 , ann lee won the 100 metres .",
        {
            "table": [[{"value": "event"}], [{"value": "100 metres ( 11.3 s )"}]],
            "highlighted_cells": [[1, 0]],
            "table_page_title": "ann lee , athlete",
        },
    ),
]


@pytest.mark.parametrize(("hyp", "ref", "table", "words", "ref_words", "by_hand"), WRITTEN)
def test_texts_and_tables_as_corpora_hold_them(hyp, ref, table, words, ref_words, by_hand) -> None:
    expected = found("parent(profile=official)", words, [ref_words], by_hand)
    assert found("parent", hyp, [ref], table) == expected
    # Nothing changes for those who tokenised before.
    assert found("parent", words, [ref_words], by_hand) == expected
    assert expected[0] > 4 * found("parent(profile=official)", hyp, [ref], table)[0]


def test_attributes_are_words() -> None:
    # "population" is in the text, and in an attribute of each spelling.
    for attribute in ("populationTotal", "population_total", "Population total"):
        row = found(
            "parent(max_order=1,entailment=cooccurrence)",
            "Its population is 3.",
            ["It has 3."],
            [[attribute, "3"]],
        )
        assert row[1] == pytest.approx(3 / 5)  # all but "its" and "is"
    assert "profile:official" in registry.metric("parent(profile=official)").signature()


PAIRS = [("name", "Ann Lee"), ("born", "1950")]
TRIPLES = [("capital", "Rome Italy"), ("population", "Rome 3")]
CELL = {"value": "Ann Lee", "is_header": False, "column_span": 1, "row_span": 1}
HEADER = {**CELL, "value": "Name", "is_header": True}


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ([["name", "Ann Lee"], ["born", 1950]], PAIRS),
        ({"name": "Ann Lee", "born": 1950, "died": None}, PAIRS),
        ({"name": ["Ann Lee"], "born": ["1950"]}, PAIRS),
        ("name|||Ann Lee\tborn|||1950", PAIRS),
        (["name | Ann Lee", "born ||| 1950"], [("name", "Ann Lee"), ("born ", " 1950")]),
        ({"column_header": ["name", "born"], "content": ["Ann Lee", "1950"]}, PAIRS),
        ([["Rome", "capital", "Italy"], ["Rome", "population", 3]], TRIPLES),
        (["Rome | capital | Italy", "Rome | population | 3"], TRIPLES),
        (
            [
                {"subject": "Rome", "property": "capital", "object": "Italy"},
                {"subject": "Rome", "predicate": "population", "object": "3"},
            ],
            TRIPLES,
        ),
        ([[HEADER], [CELL]], [("header", "Name"), ("cell", "Ann Lee")]),
        ([], []),
        ({}, []),
    ],
)
def test_shapes_of_tables(table, expected) -> None:
    [records] = records_of(Corpus.build(["x"], tables=[table]))
    assert [(record.attribute, record.value) for record in records] == expected
    assert all(record.recalled for record in records)


def test_totto_recalls_highlighted_cells_and_titles() -> None:
    table = {
        "table": [[HEADER, HEADER], [CELL, {**CELL, "value": "12"}]],
        "highlighted_cells": [[1, 1]],
        "table_page_title": "Page",
        "table_section_title": "Section",
        "table_section_text": "All of it",
    }
    [records] = records_of(Corpus.build(["x"], tables=[table]))
    assert [r.value for r in records if r.recalled] == ["12", "Page", "Section"]
    assert [r.value for r in records if not r.recalled] == ["Name", "Name", "Ann Lee", "All of it"]
    # Words that need no mention still back the text.
    assert found("parent", "Ann Lee 12", ["12"], table)[1] == pytest.approx(
        (1 * 1 * 1 * 1e-5) ** 0.25
    )


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (7, "int 7 as a whole"),
        (None, "NoneType None as a whole"),
        ([["a", "b"], ["a"]], "the entry list ['a']"),
        ([{"subject": "a", "object": "b"}], "the entry dict"),
        (["a b c"], "the text 'a b c', which is not cut in two or three"),
        ({"a": {"b": "c"}}, "the value dict {'b': 'c'}"),
        ({"a": True}, "the value bool True"),
        ({"column_header": ["a"], "content": []}, "1 entries in column_header, 0 in content"),
        ({"table": [["a"]]}, "the table's row list ['a']"),
    ],
)
def test_other_shapes_are_refused(table, message) -> None:
    corpus = Corpus.build(["x", "y"], ["x", "y"], tables=[[], table], ids=["first", "second"])
    with pytest.raises(DataError) as error:
        registry.metric("parent").evaluate(corpus)
    assert f"table of segment 'second': {message}" in str(error.value)
    assert "accepted are: a list of [attribute, value]" in str(error.value)


def test_options_and_inputs_are_checked(tmp_path) -> None:
    with pytest.raises(SpecError, match="counts are for entailment=cooccurrence"):
        registry.metric("parent(counts=x.json)")
    with pytest.raises(DataError, match="parent needs tables"):
        registry.metric("parent").evaluate(Corpus.build(["x"], ["x"]))
    path = tmp_path / "counts.json"
    path.write_text('{"a": "1"}')
    with pytest.raises(DataError, match="the count of 'a' is '1', expected an object"):
        found(f"parent(entailment=cooccurrence,counts={path})", "a", ["a"], [])
