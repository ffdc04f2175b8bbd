"""Data frames and lists of records as input: the same numbers as from lists, and clear errors."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pytest

import nlgauge
from nlgauge import DataError, SpecError
from nlgauge.meta import MetaSettings

# TER by hand: 1 edit in 7 words, and 3.
ROWS = [
    {"doc": 7, "model": "good", "summary": "a b c", "ref1": "a b c", "ref2": None, "rating": 5},
    {"doc": 8, "model": "good", "summary": "d e f x", "ref1": "d e f g", "ref2": None, "rating": 4},
    {"doc": 8, "model": "bad", "summary": "d e x x", "ref1": "d e f g", "ref2": None, "rating": 2},
    {"doc": 7, "model": "bad", "summary": "a b x", "ref1": "a b c", "ref2": None, "rating": 1},
]
NAMES: dict[str, Any] = {"hypothesis": "summary", "references": "ref1", "system": "model"}
KINDS = {
    "pandas": pandas.DataFrame,
    "polars": polars.DataFrame,
    "pyarrow": pyarrow.Table.from_pylist,
    "records": list,
}
every_kind = pytest.mark.parametrize("made", KINDS.values(), ids=KINDS)


@every_kind
def test_long_frames(made) -> None:
    table = nlgauge.score(made(ROWS), **NAMES, id="doc", metrics="ter")
    assert table["good", "ter"].score == pytest.approx(100 / 7)
    assert table["bad", "ter"].score == pytest.approx(300 / 7)
    assert table.ids == ["7", "8"]
    assert table.segment("8", "bad") == {"ter": 50.0}
    assert table.segment(1) == {"good": {"ter": 0.0}, "bad": {"ter": pytest.approx(100 / 3)}}


@every_kind
def test_several_columns_of_references_and_missing_ones(made) -> None:
    rows = [{**row, "ref2": "a b x" if row["doc"] == 7 else None} for row in ROWS]
    named = {**NAMES, "references": ["ref1", "ref2"]}
    table = nlgauge.score(made(rows), **named, id="doc", metrics="ter")
    assert table.segment(1) == {"good": {"ter": 0.0}, "bad": {"ter": 0.0}}


def test_lists_of_references_in_a_cell() -> None:
    frame = pandas.DataFrame({"output": ["a b"], "references": [["x y", "a b"]]})
    assert nlgauge.score(frame, metrics="ter")["ter"].score == 0


@pytest.mark.parametrize("id_column", ["id", "segment_id", "Id"])
@pytest.mark.parametrize("text_column", ["hypothesis", "output", "MT"])
def test_columns_by_other_names_of_files(id_column: str, text_column: str) -> None:
    rows = [
        {id_column: r["doc"], "System": r["model"], text_column: r["summary"], "ref": r["ref1"]}
        for r in ROWS
    ]
    table = nlgauge.score(pandas.DataFrame(rows), metrics="ter")
    assert table.ids == ["7", "8"]
    assert table.segment("8", "bad") == {"ter": 50.0}
    twice = pandas.DataFrame(rows).assign(ID=[7, 8, 8, 7])
    with pytest.raises(DataError, match="say the same; keep one"):
        nlgauge.score(twice, metrics="ter")


def test_wide_frames() -> None:
    frame = pandas.DataFrame({"one": ["a b"], "two": ["a x"], "ref": ["a b"]})
    table = nlgauge.score(frame, "ref", hypothesis=["one", "two"], metrics="ter")
    assert table.printed() == {("one", "ter"): 0, ("two", "ter"): 50}


def test_rows_of_systems_are_numbered_where_they_have_no_ids() -> None:
    same = sorted(ROWS, key=lambda row: row["doc"])
    table = nlgauge.score(same, **NAMES, metrics="ter")
    assert table.segment(2) == {"good": {"ter": 25.0}, "bad": {"ter": 50.0}}
    with pytest.raises(DataError, match="row 3: the references of id '1' differs"):
        nlgauge.score(ROWS, **NAMES, metrics="ter")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hypothesis": "sumary"}, r"row 1: no column 'sumary'; did you mean summary\?"),
        ({"references": "gold"}, "no column 'gold'; there is: 'doc', 'model'"),
        ({"sistem": "model"}, r"no field 'sistem'; did you mean system\?"),
    ],
)
def test_wrong_columns(change, message) -> None:
    with pytest.raises((DataError, SpecError), match=message):
        nlgauge.score(ROWS, **(NAMES | change))


def test_columns_without_a_frame() -> None:
    with pytest.raises(SpecError, match="names a column, but no data frame"):
        nlgauge.score(["a"], ["a"], system="model")


def test_rows_that_lack_something() -> None:
    with pytest.raises(DataError, match="system 'bad' has no hypothesis for id '7'"):
        nlgauge.score(ROWS[:3], **NAMES, id="doc")
    with pytest.warns(nlgauge.NlgaugeWarning, match="left out"):
        table = nlgauge.score(ROWS[:3], **NAMES, id="doc", metrics="ter", skip_unusable=True)
    assert table.segments == 1


def test_scores_of_other_tools_are_compared() -> None:
    rows = [
        {"model": model, "comet": value + i, "text": "t", "error": -value}
        for model, value in (("a", 1.0), ("b", 0.0))
        for i in range(5)
    ]
    result = nlgauge.compare(rows, system="model", lower_is_better=["error"], test="t")
    assert result.metrics == ("comet", "error")
    assert result.difference("a", "b", "comet").difference == 1
    assert {d.better for d in result.differences} == {"a"}
    only = nlgauge.compare(rows, system="model", scores=["comet"], test="t")
    assert only.metrics == ("comet",)


def pearson(xs: list[float], ys: list[float]) -> float:
    return float(pandas.Series(xs).corr(pandas.Series(ys)))


def test_meta_evaluation_of_a_frame() -> None:
    rows = [{**row, "other": 10 - row["rating"]} for row in ROWS]
    quick = MetaSettings(levels=("segment",), resamples=0, test="none")
    result = nlgauge.meta_evaluate(
        rows, "rating", **NAMES, id="doc", metrics="ter", scores=["other"],
        lower_is_better=["other"], settings=quick,
    )  # fmt: skip
    ter = [0, 25, 50, 100 / 3]
    expected = -pearson(ter, [5, 4, 2, 1])
    assert result.agreement("ter").value == pytest.approx(expected)
    assert result.agreement("other").value == pytest.approx(1)
    alone = nlgauge.meta_evaluate(
        [{"model": r["model"], "doc": r["doc"], "x": r["rating"], "y": r["doc"]} for r in ROWS],
        "x", system="model", id="doc", scores="y", settings=quick,
    )  # fmt: skip
    assert alone.agreement("y").value == pytest.approx(pearson([7, 8, 8, 7], [5, 4, 2, 1]))


def test_meta_evaluation_of_a_table_that_keeps_ratings() -> None:
    table = nlgauge.score(ROWS, **NAMES, id="doc", human="rating", metrics="ter")
    result = nlgauge.meta_evaluate(table)
    expected = -pearson([0, 25, 100 / 3, 50], [5, 4, 1, 2])
    assert result.agreement("ter", level="segment").value == pytest.approx(expected)
    bare = nlgauge.score(ROWS, **NAMES, id="doc", metrics="ter")
    with pytest.raises(DataError, match="no judgements"):
        nlgauge.meta_evaluate(bare)
    judged = [
        {"item": str(r["doc"]), "system": r["model"], "criterion": "x", "value": r["rating"]}
        for r in ROWS
    ]
    again = nlgauge.meta_evaluate(bare, pandas.DataFrame(judged))
    assert again.agreement("ter", level="segment").value == pytest.approx(expected)


def test_meta_evaluation_by_parts() -> None:
    rows = [{**row, "lang": lang} for lang in ("de", "fr") for row in ROWS]
    result = nlgauge.meta_evaluate(
        rows, "rating", **NAMES, id="doc", metrics="ter", scores="rating", split="lang"
    )
    assert result.parts == ("de", "fr")
    assert result.agreement("rating", part="fr", level="segment").value == pytest.approx(1)


def test_texts_are_needed_for_metrics() -> None:
    with pytest.raises(DataError, match="no `hypothesis`"):
        nlgauge.meta_evaluate([{"reference": "a", "x": 1}], "x", metrics="ter")


@every_kind
def test_agreement_of_a_frame(made) -> None:
    wide = [{"ann": 1, "bob": 1}, {"ann": 2, "bob": 2}, {"ann": 3, "bob": 4}]
    found = nlgauge.annotator_agreement(made(wide), annotators=["ann", "bob"], resamples=0)
    long = [
        {"text": i, "who": who, "score": value}
        for i, row in enumerate(wide)
        for who, value in row.items()
    ]
    same = nlgauge.annotator_agreement(
        made(long), item="text", annotator="who", value="score", resamples=0
    )
    # By hand: 2 of 3 agree; expected by chance (1·1 + 1·1) / 9.
    kappa = (2 / 3 - 2 / 9) / (1 - 2 / 9)
    for result in (found, same):
        assert result.criteria[0].measure("Cohen κ").value == pytest.approx(kappa)
    with pytest.raises(DataError, match=r"no column 'bop'; did you mean bob\?"):
        nlgauge.annotator_agreement(made(wide), annotators=["ann", "bop"])


def test_explanations_of_frames_and_tables() -> None:
    found = nlgauge.explain_segment(ROWS, 8, "ter", **NAMES, id="doc")
    assert [(e.name, e.of) for e in found] == [
        ("ter", "good, segment '8'"),
        ("ter", "bad, segment '8'"),
    ]
    table = nlgauge.score(ROWS, **NAMES, id="doc", metrics=["ter"])
    (one,) = nlgauge.explain_segment(table, "8", systems="bad")
    assert one.score.score == 50
    with pytest.raises(SpecError, match="no system 'nobody'"):
        nlgauge.explain_segment(table, "8", systems="nobody")
    with pytest.raises(SpecError, match="a data frame, or a table of scores"):
        nlgauge.explain_segment(["a"], 1)


def test_judged_outputs_in_a_file_name_their_columns_and_ids(tmp_path) -> None:
    """Two outputs of one system for one document, as in real sets, are told apart by their text."""
    rows = [
        {
            "doc": d,
            "model": m,
            "summary": f"{'a ' * d}{m}",
            "target": "a a b",
            "human": {"good": d + len(m)},
        }
        for d in (1, 2, 3)
        for m in ("x", "yy")
    ]
    rows.append({**rows[0], "summary": "other"})
    path = tmp_path / "judged.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    columns = {"hypothesis": "summary", "references": "target", "system": "model"}
    with pytest.raises(DataError, match=r"id_fields="):
        nlgauge.meta_evaluate(path, "good", metrics="chrf", id="doc", **columns)
    result = nlgauge.meta_evaluate(
        path, "good", metrics="chrf", **columns, id_fields=["doc", "summary"]
    )
    assert {
        agreement.points for agreement in result.agreements if agreement.level == "segment"
    } == {7}


def test_an_index_is_a_column_too() -> None:
    """After groupby or pivot, ids and systems of pandas are in the index."""
    frame = pandas.DataFrame(ROWS)
    for index in (["doc"], ["model", "doc"]):
        table = nlgauge.score(frame.set_index(index), **NAMES, id="doc", metrics="ter")
        assert table["bad", "ter"].score == pytest.approx(300 / 7)
        assert table.ids == ["7", "8"]


def test_levels_of_an_index_that_are_called_as_usual_need_no_names() -> None:
    rows = [("a", 1, "x y", "x y"), ("a", 2, "z", "w"), ("b", 1, "x", "x y"), ("b", 2, "w", "w")]
    frame = pandas.DataFrame(rows, columns=["system", "id", "hypothesis", "reference"])
    table = nlgauge.score(frame.set_index(["system", "id"]), metrics="ter")
    assert (table.systems, table.ids) == (["a", "b"], ["1", "2"])
    assert (table["a", "ter"].score, table["b", "ter"].score) == pytest.approx((100 / 3, 100 / 3))
    numbered = frame[frame["system"] == "a"].drop(columns="system").rename_axis(index="row")
    assert nlgauge.score(numbered, metrics="ter").systems == ["system"]


def test_a_dict_of_known_columns_is_no_dict_of_systems() -> None:
    """As in Hugging Face's data sets and evaluate."""
    texts, refs = ["x y", "z"], ["x y", "w"]
    table = nlgauge.score({"prediction": texts, "reference": refs}, metrics="ter")
    assert (table.systems, table["ter"].score) == (["system"], pytest.approx(100 / 3))
    for given in ({"references": refs}, {"reference_sets": [refs]}):
        systems = nlgauge.score({"prediction": texts, "reference": refs}, **given, metrics="ter")
        assert systems.systems == ["prediction", "reference"]


def test_ratings_of_yes_and_no_and_of_databases() -> None:
    rows = {"hypothesis": ["x y", "z", "v w"], "reference": ["x y", "w", "v u"]}
    for good in ([True, False, True], numpy.array([1, 0, 1], bool), [Decimal(1), Decimal(0), 1]):
        frame = pandas.DataFrame(rows | {"good": good})
        found = nlgauge.meta_evaluate(frame, "good", metrics="ter")
        # TER 0, 1 and 1/2 with 1, 0 and 1: r = -(1/2) / sqrt(1/2 · 2/3), turned round
        assert found.agreement("ter").value == pytest.approx(0.75**0.5)


def test_ratings_that_are_all_the_same_are_told() -> None:
    frame = pandas.DataFrame({"hypothesis": list("abc"), "reference": list("abd"), "good": 1})
    shown = str(nlgauge.meta_evaluate(frame, "good", metrics="ter"))
    assert "–: good: all ratings, or all scores of the metric, are the same" in shown


def test_files_are_read_first(tmp_path) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text('{"hypothesis": "x", "reference": "y"}\n')
    for given in (path, str(path)):
        with pytest.raises(SpecError, match=r"is a file; .*score_suite\(nlgauge.io.read_suite"):
            nlgauge.score(given, metrics="ter")


def test_whole_numbers_that_pandas_made_floats() -> None:
    frame = pandas.DataFrame(ROWS).astype({"doc": float})
    assert nlgauge.score(frame, **NAMES, id="doc", metrics="ter").ids == ["7", "8"]
    frame.loc[2, "doc"] = None
    with pytest.raises(DataError, match="row 3: there is no id"):
        nlgauge.score(frame, **NAMES, id="doc", metrics="ter")


def test_columns_in_a_dict() -> None:
    columns = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    table = nlgauge.score(columns, **NAMES, id="doc", metrics="ter")
    assert table["bad", "ter"].score == pytest.approx(300 / 7)
    found = nlgauge.meta_evaluate(columns, "rating", **NAMES, id="doc", metrics="ter")
    assert found.criteria == ("rating",)
    assert len(nlgauge.explain_segment(columns, "8", ["ter"], **NAMES, id="doc")) == 2
    with pytest.raises(DataError, match=r"differ in their number of rows .*doc: 3"):
        nlgauge.score({**columns, "doc": [1, 2, 3]}, **NAMES, id="doc")


def test_frames_that_have_no_rows_yet() -> None:
    with pytest.raises(SpecError, match=r"give frame\.collect\(\)"):
        nlgauge.score(polars.DataFrame(ROWS).lazy(), **NAMES, id="doc")


@every_kind
def test_texts_are_compared(made) -> None:
    """By hand as above: 1 edit in 7 words against 3."""
    found = nlgauge.compare(made(ROWS), **NAMES, id="doc", metrics="ter", trials=99)
    assert found.difference("good", "bad", "ter").difference == pytest.approx(-200 / 7)
    with pytest.raises(SpecError, match="both at once"):
        nlgauge.compare(made(ROWS), **NAMES, id="doc", scores=["rating"])
    with pytest.raises(SpecError, match="metrics: only of a data frame"):
        nlgauge.compare(found.table, metrics="ter")


def test_no_column_of_outputs() -> None:
    frame = pandas.DataFrame(ROWS).drop(columns="model")
    with pytest.raises(DataError, match=r"which column holds the outputs.* 'summary', 'ref1'"):
        nlgauge.score(frame, "ref1")


def test_ratings_that_are_text() -> None:
    frame = pandas.DataFrame(ROWS).astype({"rating": str})
    with pytest.raises(DataError, match=r"row 1.*'rating': '5', expected a number; convert it"):
        nlgauge.meta_evaluate(frame, "rating", **NAMES, id="doc", metrics="ter")


def test_a_mistyped_argument() -> None:
    with pytest.raises(SpecError, match="no argument 'metric'; did you mean metrics"):
        nlgauge.score(["a"], ["a"], metric="ter")
