"""What users hand in as texts: every ordered column works, everything else is refused by name."""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import nlgauge
from nlgauge import BLEU, Corpus, DataError, SpecError, Suite, Texts
from nlgauge.core.outputs import Outputs
from nlgauge.data.judgements import Judgements
from nlgauge.explain.explanation import explain
from nlgauge.meta.correlation.meta_result import correlate
from nlgauge.meta.correlation.paired_scores import PairedScores
from nlgauge.meta.correlation.settings import MetaSettings
from nlgauge.run.scoring import score_outputs

HYPS = ["a cat sat here today", "the dog ran home"]
REFS = ["the cat sat here today", "a dog ran home"]
MANY = [["the cat sat here today", "a cat"], ["a dog ran home"]]


class PolarsLike:
    """A column as polars has it: not a Sequence, no `tolist`, and only `to_list`."""

    def __init__(self, values: list[Any]) -> None:
        self.values = values

    def to_list(self) -> list[Any]:
        return self.values

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)


class PolarsFrameLike:
    columns = ("hyp", "ref")
    shape = (2, 2)

    def __iter__(self) -> Iterator[PolarsLike]:
        yield PolarsLike(HYPS)


COLUMNS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "Series": pd.Series,
    "Series with an index": lambda v: pd.Series(v, index=range(7, 7 + len(v))),
    "object Series": lambda v: pd.Series(v, dtype=object),
    "Index": lambda v: pd.Index(v),
    "ndarray": lambda v: np.array(v, dtype=object),
    "Arrow array": pa.array,
    "Arrow chunks": lambda v: pa.chunked_array([v[:1], v[1:]]),
    "polars": PolarsLike,
    "generator": lambda v: (x for x in v),
    "map": lambda v: map(type(v[0]), v),
    "deque": deque,
    "values of a dict": lambda v: dict(enumerate(v)).values(),
    "keys of a dict": lambda v: dict.fromkeys(v).keys(),
}
FLAT_ONLY = {"Index", "keys of a dict"}


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_every_ordered_column_is_taken(column: Callable[[list[Any]], Any]) -> None:
    corpus = Corpus.build(
        column(HYPS), column(REFS), sources=column(["s", "t"]), ids=column(["x", "y"])
    )
    assert list(corpus.hypotheses) == HYPS
    assert list(corpus.references) == [[ref] for ref in REFS]
    assert list(corpus.sources or ()) == ["s", "t"]
    assert list(corpus.ids or ()) == ["x", "y"]
    sets = Corpus.build(column(HYPS), reference_sets=[column(REFS), column(HYPS)])
    assert list(sets.references) == [list(pair) for pair in zip(REFS, HYPS, strict=True)]


@pytest.mark.parametrize("name", [name for name in COLUMNS if name not in FLAT_ONLY])
def test_columns_of_lists_of_references(name: str) -> None:
    column = COLUMNS[name]
    if name == "ndarray":  # of objects, as a column of lists in a data frame has it
        given = np.empty(2, object)
        given[:] = MANY
    else:
        given = column(MANY)
    assert list(Corpus.build(HYPS, given).references) == MANY
    assert list(Corpus.build(HYPS, [COLUMNS[name](refs) for refs in MANY]).references) == MANY


def test_arrays_of_text_of_two_dimensions_are_rows_of_references() -> None:
    grid = np.array([["a", "b"], ["c", "d"]])
    assert list(Corpus.build(HYPS, grid).references) == [["a", "b"], ["c", "d"]]
    assert list(Corpus.build(HYPS, reference_sets=grid).references) == [["a", "c"], ["b", "d"]]


def test_every_door_takes_columns() -> None:
    hyps, refs = pd.Series(HYPS), pd.Series(REFS)
    expected = BLEU().corpus_score(HYPS, [REFS]).score
    assert nlgauge.score(hyps, refs, metrics=["bleu"])["bleu"].score == expected
    assert nlgauge.score({"A": hyps}, refs, metrics=["bleu"])["A", "bleu"].score == expected
    assert BLEU().corpus_score(hyps, [refs]).score == expected
    found = nlgauge.load("chrf").compute(predictions=hyps, references=pd.Series(MANY))
    assert found["score"] == nlgauge.ChrF().evaluate(Corpus.build(HYPS, MANY)).score
    one = BLEU().sentence_score(HYPS[0], pd.Series(MANY[0]))
    assert one.score == BLEU().sentence_score(HYPS[0], MANY[0]).score
    assert [e.name for e in explain(HYPS[0], pd.Series(MANY[0]), "ter")] == ["ter"]


FRAME = pd.DataFrame({"hyp": HYPS, "ref": REFS})
WHOLE = (
    r"whole (DataFrame|Table|PolarsFrameLike) was given; give one of its columns, such as "
    r"data\['hyp'\]"
)
REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "frame": (lambda: nlgauge.score(FRAME, REFS), "beside a data frame.*data.'hyp'., data.'ref'"),
    "lists": (
        lambda: nlgauge.score([[h] for h in HYPS], REFS),
        "segment 1 is list .* one text",
    ),
    "columns of one name": (
        lambda: nlgauge.score(pd.DataFrame([["a"] * 3], columns=["hyp", "ref", "ref"]), "ref"),
        "data frame: 2 columns are called 'ref'; rename",
    ),
    "frame and column": (lambda: nlgauge.score(FRAME, FRAME["ref"]), "Series of texts beside"),
    "frame of references": (lambda: nlgauge.score(HYPS, FRAME), f"references: a {WHOLE}"),
    "frame of sets": (lambda: BLEU().corpus_score(HYPS, FRAME), f"reference_sets: a {WHOLE}"),
    "frame in sets": (lambda: BLEU().corpus_score(HYPS, [FRAME]), f"reference set 1: a {WHOLE}"),
    "frame of a sentence": (lambda: BLEU().sentence_score("a", FRAME), f"segment 1: a {WHOLE}"),
    "frame of a system": (lambda: nlgauge.score({"A": FRAME}, REFS), f"A: hypotheses: a {WHOLE}"),
    "Arrow table": (lambda: Corpus.build(pa.table({"hyp": HYPS}), REFS), WHOLE),
    "polars frame": (lambda: Corpus.build(PolarsFrameLike(), REFS), WHOLE),
    "frame to load": (
        lambda: nlgauge.load("bleu").compute(predictions=FRAME, references=REFS),
        f"predictions: a {WHOLE}",
    ),
    "frame to explain": (lambda: explain("a", FRAME), f"references: a {WHOLE}"),
    "set": (lambda: nlgauge.score(set(HYPS), REFS), "hypotheses: a set .*no numbers; give a list"),
    "frozenset": (lambda: nlgauge.score(HYPS, frozenset(REFS)), "references: a frozenset"),
    "set of one segment": (
        lambda: nlgauge.score(["a"], [{"r", "s"}]),
        "references, segment 1: a set",
    ),
    "dict": (lambda: nlgauge.score(HYPS, dict(enumerate(REFS))), "references: a dict"),
    "dict of texts": (
        lambda: nlgauge.score({"1": "a", "2": "b"}, REFS),
        "1: hypotheses: a single str",
    ),
    "dict of a corpus": (lambda: Corpus.build({"A": HYPS}, REFS), "hypotheses: a dict"),
    "number": (lambda: nlgauge.score(5, REFS), "hypotheses: int 5 was given"),
    "bytes": (lambda: nlgauge.score(b"abc", REFS), "a single bytes"),
    "array without length": (lambda: nlgauge.score(np.array("abc"), REFS), "array without length"),
    "NaN": (
        lambda: nlgauge.score(pd.Series(["a", np.nan], dtype=object), REFS),
        r"hypotheses: segment 2 has no text \(nan\)",
    ),
    "NA": (
        lambda: nlgauge.score(HYPS, pd.Series(["a", None], dtype="string")),
        r"references: segment 2 has no text",
    ),
    "None of Arrow": (lambda: Corpus.build(pa.array(["a", None]), REFS), "segment 2 has no text"),
    "None as references": (lambda: Corpus.build(HYPS, [["r"], None]), "segment 2 has no text"),
    "id None": (lambda: Corpus.build(HYPS, ids=["x", None]), "segment 2 is NoneType None"),
    "id float": (lambda: Corpus.build(HYPS, ids=[1.0, 2.0]), r"segment 1 is float 1\.0"),
    "id bool": (lambda: Corpus.build(HYPS, ids=[True, False]), "segment 1 is bool"),
    "id empty": (lambda: Corpus.build(HYPS, ids=["x", ""]), "segment 2 is str ''"),
    "ids str": (lambda: Corpus.build(HYPS, ids="xy"), "ids: a single str"),
    "ids frame": (lambda: Corpus.build(HYPS, ids=FRAME), f"ids: a {WHOLE}"),
    "ids equal as text": (lambda: Corpus.build(HYPS, ids=[1, "1"]), "id '1' .*segments 1 and 2"),
    "tables dict": (lambda: Corpus.build(HYPS, tables={"a": 1, "b": 2}), "tables: a dict"),
    "weights flat": (
        lambda: Corpus.build(HYPS, REFS, reference_weights=[0.5, 1]),
        r"reference_weights: segment 1 has 0\.5; give a list of numbers",
    ),
    "weights of text": (
        lambda: Corpus.build(["a"], ["r"], reference_weights=[["x"]]),
        "reference_weights: segment 1",
    ),
    "systems in a list": (lambda: Suite.build([HYPS], REFS), "systems: give a dict from names"),
    "systems by number": (lambda: Suite.build({0: HYPS}, REFS), "systems: give a dict from names"),
}


@pytest.mark.parametrize(("call", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_named(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        call()


@pytest.mark.parametrize("given", [[3, 4], range(3, 5), pd.RangeIndex(3, 5), np.array([3, 4])])
def test_whole_numbers_are_ids(given: Any) -> None:
    assert Corpus.build(HYPS, ids=given).ids == ["3", "4"]


def test_weights_may_be_arrays() -> None:
    corpus = Corpus.build(HYPS, MANY, reference_weights=[np.array([0.5, 1]), (1,)])
    assert corpus.reference_weights is not None
    assert corpus.reference_weights.tolist() == [0.5, 1, 1]


def test_annotations_may_be_columns() -> None:
    marks = pd.Series([{"k": 1}, {"k": 2}])
    corpus = next(iter(Suite.build({"A": HYPS}, REFS, annotations=marks)))
    assert corpus.annotations == [{"k": 1}, {"k": 2}]


def test_packed_columns_are_not_copied() -> None:
    packed = Texts(HYPS)
    assert Corpus.build(packed, packed).references.flat is packed


@pytest.mark.parametrize("given", ["bleu", BLEU(), (name for name in ["bleu"]), {"bleu": 1}])
def test_one_metric_may_stand_alone(given: Any) -> None:
    assert [c.name for c in nlgauge.score(HYPS, REFS, metrics=given).columns] == ["bleu"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (None, "metrics=None: give names"),
        (5, "metrics=5: give names"),
        ([5], "int 5 is neither a metric nor the name of one"),
        ([None], "NoneType None is neither"),
        ([len], r"is a function; write @nlgauge\.metric\(\) above it"),
        ([BLEU], r"BLEU is a class; give a metric, such as BLEU\(\)"),
        (BLEU, r"BLEU is a class; give a metric, such as BLEU\(\)"),
    ],
)
def test_what_is_no_metric_is_named(given: Any, message: str) -> None:
    for call in (
        lambda: nlgauge.score(HYPS, REFS, metrics=given),
        lambda: explain(HYPS[0], REFS[:1], given),
    ):
        with pytest.raises(SpecError, match=message):
            call()


def test_compare_takes_a_table_of_scores() -> None:
    with pytest.raises(SpecError, match=r"nlgauge\.score returns.*not list"):
        nlgauge.compare(HYPS)


JUDGED = {
    "item": [1, 2, 1, 2],
    "system": ["north", "north", "south", "south"],
    "criterion": ["fluency"] * 4,
    "value": [4.0, 3.0, 2.0, np.nan],
    "annotator": ["ann", None, "ann", "ben"],
}


class PolarsTableLike:
    columns = tuple(JUDGED)

    def to_dicts(self) -> list[dict[str, Any]]:
        rows = pa.table(JUDGED).to_pylist()
        return [{k: None if v != v else v for k, v in row.items()} for row in rows]


@pytest.mark.parametrize(
    "table",
    [pd.DataFrame(JUDGED), pa.Table.from_pandas(pd.DataFrame(JUDGED)), PolarsTableLike()],
    ids=["pandas", "pyarrow", "polars"],
)
def test_judgements_from_a_frame(table: Any) -> None:
    found = Judgements.build(table)
    assert list(found.item) == ["1", "2", "1", "2"]
    assert list(found.annotator) == ["ann", None, "ann", "ben"]
    assert found.value.tolist()[:3] == [4, 3, 2]
    assert np.isnan(found.value[3])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([5], "judgements: row 1 is int, expected a dict"),
        ({"value": [1]}, "judgements: a dict was given"),
        ("abc", "judgements: a single str"),
        ([{"item": 1.5, "value": 1}], r"judgement 1: item is 1\.5, expected a name"),
        ([{"item": True, "value": 1}], "judgement 1: item is True"),
        ([{"value": "high"}], "judgement 1: value is 'high', expected a number"),
        ([], "there are no judgements"),
    ],
)
def test_what_are_no_judgements(given: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Judgements.build(given)


def test_meta_from_a_frame() -> None:
    """As docs/guide/python.md shows it: word errors 0, 0, 3, 1 of three, ratings 4, 3, 1, 2."""
    frame = pd.DataFrame(
        {
            "item": [1, 2, 3, 4],
            "output": ["a b c", "d e f", "x y z", "j k"],
            "reference": ["a b c", "d e f", "g h i", "j k l"],
            "value": [4, 3, 1, 2],
        }
    ).assign(system="north", criterion="overall")
    suite = Suite.build({"north": frame["output"]}, frame["reference"], ids=frame["item"])
    scores = score_outputs(Outputs.of_suite(suite), "wer")
    judgements = Judgements.build(frame[["item", "system", "criterion", "value"]])
    result = correlate(
        PairedScores(scores=scores, judgements=judgements, groups={}),
        settings=MetaSettings(levels=("segment",)),
    )
    expected = np.corrcoef([0, 0, -1, -1 / 3], [4, 3, 1, 2])[0, 1]
    assert result.agreement("wer").value == pytest.approx(expected)


def test_columns_that_pandas_numbers() -> None:
    frame = pd.DataFrame(list(zip(HYPS, REFS, strict=True)))
    expected = nlgauge.score(HYPS, REFS, metrics="chrf")["chrf"].score
    for references in (1, [1], "1"):
        table = nlgauge.score(frame, references, hypothesis=0, metrics="chrf")
        assert table["chrf"].score == expected


def test_arguments_that_are_none() -> None:
    with pytest.raises(SpecError, match="no argument 'sorces'; did you mean sources"):
        nlgauge.score(HYPS, REFS, sorces=HYPS)
