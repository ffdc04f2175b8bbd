"""What real sets contain: repeated ids, gaps, pairs with texts, ratings of whole systems."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import run

from nlgauge.cli import main
from nlgauge.errors import DataError, NlgaugeWarning, SpecError
from nlgauge.io import read_suite
from nlgauge.io.judgements.judged_outputs import read_outputs
from nlgauge.io.judgements.judgement_files import read_judgements

Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_file(rows: Any, name: str = "data.jsonl") -> str:
        path = tmp_path / name
        lines = rows if isinstance(rows, list) else [rows]
        path.write_text("".join(json.dumps(row) + "\n" for row in lines), encoding="utf-8")
        return str(path)

    return write_file


PAIRS = [("cs", 1), ("cs", 2), ("de", 1), ("de", 2)]
REPEATED = [
    {"pair": pair, "segment_id": i, "reference": f"ref {pair} {i}", "hypothesis": f"hyp {pair} {i}"}
    for pair, i in PAIRS
]


@pytest.mark.filterwarnings("ignore:.*ignored fields that are not known")
def test_ids_are_made_of_several_fields(write: Write) -> None:
    path = write(REPEATED)
    with pytest.raises(DataError, match=r"id '1' is given at .*line 1.*--id-fields"):
        read_suite(path)
    corpus = next(iter(read_suite(path, id_fields=["pair", "segment_id"])))
    assert corpus.ids == ["cs/1", "cs/2", "de/1", "de/2"]
    rated = [{**row, "system": "north", "human": {"overall": 1}} for row in REPEATED]
    outputs, judgements = read_outputs(write(rated), id_fields=["pair", "segment_id"])
    assert outputs.items.names == ("cs/1", "cs/2", "de/1", "de/2")
    assert judgements is not None
    assert judgements.item.names == outputs.items.names


@pytest.mark.filterwarnings("ignore:.*ignored fields that are not known")
def test_id_fields_of_the_long_layout(write: Write) -> None:
    rows = [{**row, "system": system} for row in REPEATED for system in ("north", "south")]
    with pytest.raises(DataError, match="--id-fields"):
        read_suite(write(rows))
    suite = read_suite(write(rows), id_fields=["pair", "segment_id"])
    assert (list(suite.systems), len(suite)) == (["north", "south"], 4)


def test_id_fields_of_judgements(write: Write) -> None:
    rows = [{"pair": p, "id": i, "system": "north", "value": i} for p, i in PAIRS]
    found = read_judgements(write(rows), id_fields=["pair", "id"])
    assert found.item.names == ("cs/1", "cs/2", "de/1", "de/2")
    whole = [{"item": "cs/1", "system": "north", "value": 2}]
    assert read_judgements(write(whole), id_fields=["pair", "id"]).item.names == ("cs/1",)


def test_faults_of_id_fields(write: Write) -> None:
    with pytest.raises(DataError, match="line 1: no field 'lang', which is to be part of the id"):
        read_suite(write(REPEATED), id_fields=["lang", "segment_id"])
    with pytest.raises(SpecError, match="id_fields: only for records"):
        read_suite("ref.txt", "hyp.txt", id_fields=["lang"])


GAPS = [
    {"id": 1, "references": ["a b"], "hyp:north": "a b", "hyp:south": "a"},
    {"id": 2, "references": [], "hyp:north": "c", "hyp:south": "c d"},
    {"id": 3, "references": ["e f"], "hyp:north": "e f"},
    {"id": 4, "references": ["g h"], "hyp:north": "g", "hyp:south": "g h"},
]


def test_segments_with_gaps_are_left_out_and_listed(write: Write) -> None:
    path = write(GAPS)
    with pytest.raises(
        DataError, match=r"line 3: system 'south' has no hypothesis.*--skip-unusable"
    ):
        read_suite(path)
    message = r"left out 2 of 4 records \(no references: 2; no output of south: 3\)"
    with pytest.warns(NlgaugeWarning, match=message):
        suite = read_suite(path, skip_unusable=True)
    assert [list(corpus.hypotheses) for corpus in suite] == [["a b", "g"], ["a", "g h"]]
    assert next(iter(suite)).ids == ["1", "4"]


def test_gaps_of_the_long_layout(write: Write) -> None:
    rows = [
        {"id": i, "system": system, "references": ["r"], "hypothesis": text}
        for i, system, text in ((1, "n", "a"), (1, "s", None), (2, "n", "b"), (2, "s", "c"))
    ]
    with pytest.warns(NlgaugeWarning, match=r"left out 1 of 2 records \(no output of s: 1\)"):
        suite = read_suite(write(rows), skip_unusable=True)
    assert [list(corpus.hypotheses) for corpus in suite] == [["b"], ["c"]]


def test_long_lists_are_cut(write: Write) -> None:
    rows = [{"id": i, "references": ["r"] if i > 30 else [], "hypothesis": "h"} for i in range(40)]
    with pytest.warns(NlgaugeWarning, match=r"left out 31 of 40 .*18, 19 and 11 more\)"):
        read_suite(write(rows), skip_unusable=True)


def test_what_skip_unusable_cannot_do(write: Write) -> None:
    rows = [{"id": 1, "references": ["r"], "hyp:n": "a"}, {"id": 2, "source": "s", "hyp:s": "b"}]
    with pytest.raises(DataError, match="nothing is left to use"):
        read_suite(write(rows), skip_unusable=True)
    with pytest.raises(SpecError, match="files of their own"):
        read_suite(write(GAPS), ["more.txt"], skip_unusable=True)
    # Nothing has references: then none is left out for it.
    free = [{"id": i, "hypothesis": "h"} for i in (1, 2)]
    assert len(read_suite(write(free), skip_unusable=True)) == 2


def test_score_with_a_missing_output(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(GAPS)
    assert main(["score", path, "-m", "wer", "-b"]) == 3
    assert "system 'south' has no hypothesis for id '3'" in capsys.readouterr().err
    assert main(["score", path, "-m", "wer", "-b", "--skip-unusable"]) == 0
    captured = capsys.readouterr()
    assert "left out 2 of 4" in captured.err
    # Of four words, north misses one and south one.
    assert captured.out.split() == ["0.2500", "0.2500"]


def test_judged_records_with_gaps(write: Write) -> None:
    rows = [
        {"id": 1, "system": "n", "references": ["r"], "hypothesis": "a", "human": {"x": 1}},
        {"id": 2, "system": "n", "references": [], "hypothesis": "b", "human": {"x": 2}},
        {"id": 3, "system": "n", "references": ["r"], "hypothesis": None, "human": {"x": 3}},
    ]
    path = write(rows)
    with pytest.raises(DataError, match=r"line 3: a rating, but no `hypothesis`.*--skip-unusable"):
        read_outputs(path)
    with pytest.warns(NlgaugeWarning) as caught:
        outputs, _ = read_outputs(path, skip_unusable=True)
    assert outputs.items.names == ("1",)
    said = " ".join(str(warning.message) for warning in caught)
    assert "1 records without an output: 3" in said
    assert "left out 1 of 2 records (no references: n 2)" in said


def test_an_output_that_is_there_twice_joins_its_ratings(write: Write) -> None:
    row = {"id": 1, "system": "n", "references": ["r"], "hypothesis": "a", "human": {"x": 1}}
    with pytest.warns(NlgaugeWarning, match="1 outputs are there again with the same texts"):
        outputs, judgements = read_outputs(write([row, {**row, "human": {"x": 4}}]))
    assert judgements is not None
    assert (len(outputs), judgements.value.tolist()) == (1, [1, 4])
    with pytest.raises(DataError, match=r"'n' has another output for '1' at .*line 1.*--id-fields"):
        read_outputs(write([row, {**row, "hypothesis": "b"}]))


def side(system: str, text: str) -> dict[str, str]:
    return {"system": system, "hypothesis": text}


PREFERENCES = [
    {"id": 1, "references": ["a b c"], "better": side("n", "a b c"), "worse": side("s", "a")},
    {"id": 1, "references": ["a b c"], "better": side("n", "a b c"), "worse": side("e", "a b x")},
    {"id": 1, "references": ["a b c"], "better": side("s", "a"), "worse": side("e", "a b x")},
    {"id": 2, "references": ["d e f"], "better": side("s", "d e f"), "worse": side("n", "d x y")},
]


def test_preferences_with_texts_are_outputs_and_comparisons(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(PREFERENCES)
    outputs, judgements = read_outputs(path)
    assert len(outputs) == 5
    assert judgements is not None
    assert list(judgements.system) == ["n", "n", "s", "s"]
    assert list(judgements.against) == ["s", "e", "e", "n"]
    record = json.loads(run(capsys, "meta", path, "-m", "wer", "-cin", "0", "-f", "json", "-q"))
    (found,) = record["agreements"]
    # Word errors: n 0, s 2, e 1 of three; s 0, n 2. Three pairs are ordered as people do.
    assert (found["coefficient"], found["points"]) == ("kendall-darr", 4)
    assert found["value"] == pytest.approx((3 - 1) / 4)


def test_preferences_between_outputs_of_the_record(write: Write) -> None:
    row = {"id": 1, "references": ["r"], "hypotheses": {"n": "a", "s": "b"}}
    outputs, judgements = read_outputs(write([{**row, "better": "s", "worse": "n"}]))
    assert outputs.systems.names == ("n", "s")
    assert judgements is not None
    assert (judgements.system[0], judgements.against[0]) == ("s", "n")


def test_faults_of_preferences(write: Write) -> None:
    other = {**PREFERENCES[1], "better": side("n", "a b")}
    with pytest.raises(DataError, match="'n' has another output for '1'"):
        read_outputs(write([PREFERENCES[0], other]))
    with pytest.raises(DataError, match="'worse' names no system"):
        read_outputs(write([{**PREFERENCES[0], "worse": {"hypothesis": "a"}}]))


def test_ratings_of_systems_in_one_object(write: Write) -> None:
    found = read_judgements(write({"north": 0.5, "south": -1}, "systems.json"))
    assert (list(found.system), found.value.tolist()) == (["north", "south"], [0.5, -1])
    parts = read_judgements(write({"cs": {"n": 1}, "de": {"n": 2}}, "parts.json"))
    assert (list(parts.part), list(parts.item)) == (["cs", "de"], [None, None])
    for bad in ([1], {}, {"n": "x"}, {"cs": {"n": None}}, {"cs": {"n": 1}, "m": 2}):
        path = write("", "bad.json")
        Path(path).write_text(json.dumps(bad))
        with pytest.raises(DataError, match="expected an object"):
            read_judgements(path)


def test_ratings_by_part_need_the_split(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    texts = write(
        [
            {"pair": pair, "id": i, "reference": "a b c", "hyp:n": "a b c", "hyp:s": "a b",
             "hyp:e": "a"}
            for pair, i in PAIRS
        ]
    )  # fmt: skip
    ratings = write({"cs": {"n": 3, "s": 2, "e": 1}, "de": {"n": 1, "s": 2, "e": 3}}, "r.json")
    given = ["meta", texts, "-m", "wer", "--judgements", ratings, "-cin", "0", "-q"]
    assert main([*given, "--id-fields", "pair", "id"]) == 3
    assert "'n' is rated as a whole in several parts (cs, de)" in capsys.readouterr().err
    record = json.loads(run(capsys, *given, "--split", "pair", "-f", "json"))
    values = {a["part"]: a["value"] for a in record["agreements"]}
    assert values == {"cs": pytest.approx(1), "de": pytest.approx(-1)}
