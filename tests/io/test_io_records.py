"""tsv, csv, jsonl and parquet: the same fields, so mostly the same tests."""

import gzip
import json
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlgauge.errors import DataError, NlgaugeWarning, ResourceMissing
from nlgauge.io import read_suite, write_jsonl


@pytest.fixture
def write(tmp_path):
    def write_file(name, data):
        path = tmp_path / name
        if not isinstance(data, (str, bytes)):
            data = "".join(json.dumps(row) + "\n" for row in data)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return str(path)

    return write_file


ROWS = [
    {"id": "1", "src": "s1", "ref1": "r1", "ref:B": "q1", "hyp:x": "x1", "system:y": "y1"},
    {"id": "2", "src": "s2", "ref1": "r2", "ref:B": "q2", "hyp:x": "x2", "system:y": "y2"},
]


def as_table(rows, separator):
    lines = [list(rows[0]), *(list(row.values()) for row in rows)]
    return "".join(separator.join(line) + "\n" for line in lines)


def as_parquet(path, rows):
    pa = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet").write_table(pa.Table.from_pylist(rows), path)
    return str(path)


@pytest.mark.parametrize("format", ["tsv", "csv", "jsonl", "parquet"])
def test_wide_layout_reads_alike_in_all_formats(write, tmp_path, format):
    if format == "parquet":
        path = as_parquet(tmp_path / "d.parquet", ROWS)
    elif format == "jsonl":
        path = write("d.jsonl", ROWS)
    else:
        path = write(f"d.{format}", as_table(ROWS, {"tsv": "\t", "csv": ","}[format]))
    suite = read_suite(path)
    assert list(suite.systems) == ["x", "y"]
    assert list(suite.systems["y"].hypotheses) == ["y1", "y2"]
    corpus = suite.systems["x"]
    assert list(corpus.hypotheses) == ["x1", "x2"]
    assert list(corpus.references) == [["r1", "q1"], ["r2", "q2"]]
    assert corpus.ids == ["1", "2"]
    assert list(corpus.sources) == ["s1", "s2"]
    assert corpus.contexts is None


def test_long_layout_groups_by_id(write):
    rows = "id\tsystem\thyp\tref\na\tx\t1\tr1\nb\tx\t2\tr2\nb\ty\t4\tr2\na\ty\t3\tr1\n"
    suite = read_suite(write("d.tsv", rows))
    assert {name: list(c.hypotheses) for name, c in suite.systems.items()} == {
        "x": ["1", "2"],
        "y": ["3", "4"],
    }
    assert suite.systems["y"].ids == ["a", "b"]
    assert list(suite.systems["y"].references) == [["r1"], ["r2"]]


def test_long_layout_need_not_repeat_references(write):
    rows = [
        {"id": 1, "system": "x", "output": "a"},
        {"id": 1, "system": "y", "output": "b", "references": ["r"], "source": "s"},
    ]
    suite = read_suite(write("d.jsonl", rows))
    assert list(suite.systems["x"].references) == [["r"]]
    assert list(suite.systems["x"].sources) == ["s"]


def test_an_output_that_is_there_twice_is_scored_once(write):
    """As where two groups of people rated the same output; `meta` joins their ratings."""
    row = {"id": "a", "system": "x", "hyp": "1", "ref": "r", "human": {"quality": 1}}
    rows = [row, {**row, "human": {"quality": 3}}, {**row, "id": "b", "hyp": "2"}]
    with pytest.warns(NlgaugeWarning, match="1 outputs are there again .*; each is scored once"):
        suite = read_suite(write("d.jsonl", rows))
    assert suite.systems["x"].ids == ["a", "b"]
    assert list(suite.systems["x"].hypotheses) == ["1", "2"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [{"id": "a", "system": "x", "hyp": "1"}, {"id": "b", "system": "y", "hyp": "1"}],
            r"d\.jsonl, line 1: system 'y' has no hypothesis for id 'a'; every system",
        ),
        (
            [{"id": "a", "system": "x", "hyp": text} for text in "12"],
            r"d\.jsonl, line 2: system 'x' .* id 'a' at .*d\.jsonl, line 1 already.*unique",
        ),
        (
            [{"id": "a", "system": k, "hyp": "1", "ref": k} for k in "xy"],
            r"line 2: the references of id 'a' differs from that at .*line 1",
        ),
        ([{"system": "x", "hyp": "1"}], r"line 1: no field 'id'; .*every record needs"),
        (
            [{"id": "a", "system": "x"}],
            r"line 1: system 'x', id 'a': there is no hypothesis; .*--skip-unusable",
        ),
        (
            [{"id": "a", "hyp": "1"}, {"id": 2, "hyp": "1"}, {"id": "2", "hyp": "1"}],
            r"d\.jsonl, line 3: id '2' is given at .*d\.jsonl, line 2 already; ids must be unique",
        ),
        ([{"id": "a", "hyp": "1"}, {"hyp": "1"}], r"line 2: no id, though .*line 1 has one"),
        ([{"hyp": "1"}, {"hyp": "1", "src": "s"}], r"line 1: no source, though .*line 2 has one"),
        ([{"hyp": "1"}, {"hyp": None}], r"line 2: system 'd' has no hypothesis for this segment"),
        ([{"hyp:A": "1"}, {"hyp:B": "1"}], r"line 1: system 'B' has no hypothesis"),
        ([{"hyp": 3}], r"d\.jsonl, line 1: field 'hyp' is int 3, expected a text"),
        ([{"hyp": "a", "ref": ["b"]}], r"line 1: field 'ref' is list .*expected a text"),
        ([{"hyp": "a", "references": "b"}], r"field 'references' is str 'b', expected a list"),
        ([{"hyp": "a", "references": [1]}], r"field 'references' is int 1, expected a text"),
        ([{"hypotheses": ["a"]}], r"field 'hypotheses' is list .*expected an object {system"),
        ([{"hypotheses": {"d": "a"}, "hyp": "b"}], r"would be called 'd' .*'hyp:NAME'"),
        ([{"hypotheses": {"A": "a"}, "hyp:A": "b"}], r"'hyp:A': system 'A' is there twice"),
        ([{"hyp": "a", "output": "b"}], r"line 1: 'hyp' and 'output' say the same; keep one"),
        ([{"hyp": "a", "ref": "b", "references": []}], r"'ref' and 'references' are both given"),
        ([{"hyp": "a", "id": ""}], r"line 1: field 'id' is empty, expected a name"),
        ([{"hyp": "a", "id": True}], r"field 'id' is bool True, expected a text"),
        ([{"hyp": "a", "contexts": [1]}], r"field 'contexts', turn 1: 1, expected a text"),
        ([{"hyp": "\ud83d"}], r"line 1: field 'hyp' has '\\ud83d', half of a surrogate pair"),
        (
            [{"hyp": "a", "references": ["b"], "reference_weights": [1, 0.5]}],
            r"line 1: 'reference_weights' has 2 numbers for 1 references",
        ),
        (
            [{"hyp": "a", "references": ["b"], "reference_weights": ["x"]}],
            r"line 1: field 'reference_weights' has 'x', expected a list of numbers",
        ),
        (
            [{"hyp": "a", "references": ["b"], "reference_weights": [7]}],
            r"d\.jsonl: reference_weights must lie in \[-1, 1\]",
        ),
        ([{"ref": "a"}], r"d\.jsonl: there are no hypotheses; say which field"),
    ],
)
def test_wrong_records_name_place_and_remedy(write, rows, message):
    with pytest.raises(DataError, match=message):
        read_suite(write("d.jsonl", rows))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"hyp": "a"}\n{"hyp": "a"\n', r"d\.jsonl, line 2, column 12: not valid JSON .*check"),
        ('{"hyp": "a"}\n\n', r"d\.jsonl, line 2: blank; .*delete"),
        ('["hyp"]\n', r"d\.jsonl, line 1: list, expected an object such as"),
        ('{"hyp": "a", "hyp": "b"}', r"line 1: not valid JSON: field 'hyp' is given twice"),
        ('{"hyp": "a", "table": NaN}', r"line 1: not valid JSON: NaN is no JSON number"),
        ('{"hyp": "a", "table": ' + "[" * 100_000, r"line 1: nested too deeply"),
    ],
)
def test_wrong_json(write, text, message):
    with pytest.raises(DataError, match=message):
        read_suite(write("d.jsonl", text))


def test_jsonl_has_all_columns(write):
    rows = [
        {
            "segment_id": 7,
            "hypotheses": {"x": "a", "y": "b"},
            "references": ["r", None, "s"],
            "reference_weights": [1, 0, -0.5],
            "table": {"k": [1, 2]},
            "context": ["one", "two"],
        },
        {
            "segment_id": 8,
            "hypotheses": {"y": "d", "x": "c"},
            "references": None,
            "reference_weights": [],
            "table": ["t"],
            "context": "three",
        },
    ]
    suite = read_suite(
        write("d.jsonl.gz", gzip.compress("\n".join(json.dumps(row) for row in rows).encode()))
    )
    corpus = suite.systems["y"]
    assert list(corpus.hypotheses) == ["b", "d"]
    assert list(corpus.references) == [["r", "s"], []]
    assert corpus.reference_weights.tolist() == [1, -0.5]
    assert corpus.tables == [{"k": [1, 2]}, ["t"]]
    assert list(corpus.contexts) == ["one\ntwo", "three"]
    assert corpus.ids == ["7", "8"]


def test_unknown_fields_are_listed_in_one_warning(write):
    rows = [{"hyp": "a", "score": 1}, {"hyp": "a", "score": 2, "note": "x"}]
    with pytest.warns(NlgaugeWarning, match=r"d\.jsonl: .*'score', 'note'; known are") as caught:
        read_suite(write("d.jsonl", rows))
    assert len(caught) == 1


def test_unnamed_system_is_called_like_its_files(write):
    paths = [write("a.jsonl", [{"hyp": "1"}]), write("b.jsonl", [{"hyp": "2"}])]
    suite = read_suite(paths)
    assert {name: list(c.hypotheses) for name, c in suite.systems.items()} == {"a+b": ["1", "2"]}


def test_hypothesis_and_source_files_join(write):
    data = write("d.jsonl", [{"hyp:x": "1", "ref": "r"}, {"hyp:x": "2", "ref": "r"}])
    suite = read_suite(data, write("new.txt", "3\n4\n"), sources=write("src", "a\nb\n"))
    assert list(suite.systems) == ["x", "new"]
    assert list(suite.systems["new"].hypotheses) == ["3", "4"]
    assert list(suite.systems["x"].sources) == ["a", "b"]
    with pytest.raises(DataError, match=r"short has 1 lines, .*d\.jsonl has 2 segments"):
        read_suite(data, write("short", "3\n"))
    with pytest.raises(DataError, match=r"x\.txt: .*d\.jsonl has a system called 'x'.*rename"):
        read_suite(data, write("x.txt", "3\n4\n"))
    with pytest.raises(DataError, match=r"e\.jsonl: .*text with one line.*among the data files"):
        read_suite(data, write("e.jsonl", "{}"))
    with_source = write("s.jsonl", [{"hyp": "1", "src": "s"}])
    with pytest.raises(DataError, match=r"src: .*s\.jsonl has sources of its own"):
        read_suite(with_source, sources=write("src", "a\n"))
    with pytest.raises(DataError, match="no data file is given"):
        read_suite([], format="jsonl")


def test_tsv_is_literal(write):
    suite = read_suite(write("d.tsv", 'Reference\thypothesis\n"a\t \'b"\u2028 \n'))
    assert suite.systems["d"].references[0] == ['"a']
    assert suite.systems["d"].hypotheses[0] == " 'b\"\u2028 "


def test_csv_is_quoted(write):
    text = 'ref,hyp\r\n"a, ""b""","two\r\nlines"\r\nplain,\r\n'
    corpus = read_suite(write("d.csv", text)).systems["d"]
    assert list(corpus.references) == [['a, "b"'], ["plain"]]
    assert list(corpus.hypotheses) == ["two\r\nlines", ""]
    long = "x" * 200_000
    assert read_suite(write("l.csv", f"hyp\n{long}\n")).systems["l"].hypotheses[0] == long


def test_json_in_cells_and_missing_references(write):
    text = 'hyp\treferences\ttable\na\t["r", "s\\t"]\t{"k": 1}\nb\tjust one\t[]\n'
    corpus = read_suite(write("d.tsv", text)).systems["d"]
    assert list(corpus.references) == [["r", "s\t"], ["just one"]]
    assert corpus.tables == [{"k": 1}, []]
    corpus = read_suite(write("e.tsv", "hyp\tref1\tref2\na\tr\t\nb\tr\ts\n")).systems["e"]
    assert list(corpus.references) == [["r"], ["r", "s"]]
    corpus = read_suite(write("f.tsv", "hyp\tref\na\t\n")).systems["f"]
    assert list(corpus.references) == [[""]]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "d.tsv",
            "ein Satz\ta sentence\n",
            r"d\.tsv, line 1: no header row .*'ein Satz'.*must name",
        ),
        ("d.tsv", "hyp\tref\na\tb\na\n", r"d\.tsv, line 3: 1 fields, the header row has 2; check"),
        ("d.tsv", "hyp\tref\tref\n", r"d\.tsv, line 1: column 'ref' is there twice"),
        ("d.tsv", "hyp\tref\n", r"d\.tsv: there are no records"),
        ("d.tsv", "hyp\treferences\na\t[b\n", r"line 2, column 'references', column 2: not valid"),
        ("d.tsv", "hyp\ttable\na\tb\n", r"line 2, column 'table' \(which holds JSON\), column 1"),
        ("d.tsv", "src\tref\na\tb\n", r"d\.tsv: there are no hypotheses; say which field"),
        ("d.csv", 'hyp,ref\n"a\nb",c\nd,e,f\n', r"d\.csv, line 4: 3 fields, the header row has 2"),
        ("d.csv", 'hyp,ref\na,b\n"a"b,c\n', r"d\.csv, line 3: not valid CSV .*close every quote"),
        ("d.csv", 'hyp,ref\n"a,b\n', r"d\.csv, line 2: not valid CSV"),
    ],
)
def test_wrong_tables(write, name, text, message):
    with pytest.raises(DataError, match=message):
        read_suite(write(name, text))


def test_parquet_lists_structs_and_maps(tmp_path):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pa.table(
        {
            "id": [1, 2],
            "references": [["a", None], ["b", "c"]],
            "hypotheses": pa.array(
                [[("x", "1"), ("y", "2")], [("x", "3"), ("y", "4")]],
                pa.map_(pa.string(), pa.string()),
            ),
        }
    )
    parquet.write_table(table, tmp_path / "d.parquet")
    suite = read_suite(tmp_path / "d.parquet")
    assert list(suite.systems["y"].hypotheses) == ["2", "4"]
    assert list(suite.systems["y"].references) == [["a"], ["b", "c"]]
    struct = as_parquet(tmp_path / "s.parquet", [{"hypotheses": {"x": "1"}}, {"hypotheses": {}}])
    with pytest.raises(DataError, match=r"s\.parquet, row 2: system 'x' has no hypothesis"):
        read_suite(struct)


def test_wrong_parquet(write):
    pytest.importorskip("pyarrow")
    with pytest.raises(DataError, match=r"d\.parquet: cannot be read as Parquet"):
        read_suite(write("d.parquet", "text"))


def test_missing_pyarrow_says_what_to_install(write, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ResourceMissing, match="run: nlgauge fetch parquet"):
        read_suite(write("d.parquet", "text"))


TEXT = st.text(st.characters(exclude_categories=["Cs"]))
RECORD = st.fixed_dictionaries(
    {"hypotheses": st.fixed_dictionaries({"x": TEXT, "y z": TEXT}), "source": TEXT},
    optional={"references": st.lists(TEXT)},
)


@settings(max_examples=60)
@given(rows=st.lists(RECORD, min_size=1, max_size=6))
def test_records_come_back(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("records") / "d.jsonl"
    write_jsonl(path, rows)
    suite = read_suite(path)
    for name, corpus in suite.systems.items():
        assert list(corpus.hypotheses) == [row["hypotheses"][name] for row in rows]
        assert list(corpus.references) == [row.get("references", []) for row in rows]
        assert list(corpus.sources) == [row["source"] for row in rows]
