"""Reading judgements; the layouts are those of the tools that write them."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nlgauge.data.judgements import Judgements
from nlgauge.errors import DataError, NlgaugeWarning, SpecError
from nlgauge.io.judgements.judged_outputs import read_outputs
from nlgauge.io.judgements.judgement_files import read_judgements, write_judgements

RECORDS: list[dict[str, Any]] = [
    {"item": "1", "system": "a", "annotator": "ann", "criterion": "fluency", "value": 4.0},
    {"item": "1", "system": "a", "annotator": "ben", "criterion": "fluency", "value": 3.5},
    {"item": "2", "system": "a", "against": "b", "annotator": "ann", "value": 0.5, "seconds": 2.0},
    {"item": "2", "system": "b", "annotator": "ann", "criterion": "kind", "label": "off topic"},
    {"system": "b", "criterion": "fluency", "value": 3.0, "protocol": "likert"},
]


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def lines(*records: dict[str, Any]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def values(judgements: Judgements, **names: str) -> dict[tuple[str | None, ...], float]:
    found = judgements.where(**names) if names else judgements
    keys = zip(found.item, found.system, found.annotator, strict=True)
    return dict(zip(keys, found.value.tolist(), strict=True))


@pytest.mark.parametrize("name", ["r.jsonl", "r.tsv", "r.jsonl.gz", "r.tsv.gz"])
def test_written_judgements_are_read_back(tmp_path: Path, name: str) -> None:
    write_judgements(tmp_path / name, Judgements.build(RECORDS))
    assert read_judgements(tmp_path / name).records() == RECORDS


def test_csv_and_other_usual_names(tmp_path: Path) -> None:
    path = write(tmp_path / "r.csv", 'segment_id,system,rater,score\n7,"a, b",ann,4\n')
    assert read_judgements(path).records() == [
        {"item": "7", "system": "a, b", "annotator": "ann", "value": 4.0}
    ]


def test_several_files_are_one(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{i}.jsonl", lines(RECORDS[i])) for i in (0, 1)]
    assert read_judgements(paths).records() == RECORDS[:2]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(lines(RECORDS[0]).encode()))
    monkeypatch.setattr("sys.stdin", stream)
    assert read_judgements("-", format="jsonl").records() == RECORDS[:1]


def test_human_fields_with_and_without_texts(tmp_path: Path) -> None:
    path = tmp_path / "h.jsonl.gz"
    rows = [
        {"id": 1, "system": "a", "hypothesis": "x", "human": {"fluency": [1, None, 3]}},
        {"id": 1, "system": "b", "human": {"fluency": [2, 2, 2], "overall": 5}},
    ]
    path.write_bytes(gzip.compress(lines(*rows).encode()))
    judgements = read_judgements(path)
    assert values(judgements, criterion="fluency", system="a") == {
        ("1", "a", "1"): 1,
        ("1", "a", "3"): 3,
    }
    assert values(judgements, criterion="overall") == {("1", "b", None): 5}
    table = write(tmp_path / "h.tsv", 'id\tsystem\thuman\n1\ta\t{"fluency": [1, 2]}\n')
    assert values(read_judgements(table)) == {("1", "a", "1"): 1, ("1", "a", "2"): 2}


def test_split_keeps_ids_of_groups_apart(tmp_path: Path) -> None:
    rows = [{"id": 1, "lp": lp, "system": "s", "human": {"da": 1}} for lp in ("cs", "de")]
    path = write(tmp_path / "h.jsonl", lines(*rows))
    with pytest.warns(NlgaugeWarning, match=r"line 2.*--split lang_pair"):
        assert read_judgements(path).item.names == ("1", "1#2")
    assert read_judgements(path, split="lp").item.names == ("cs/1", "de/1")


def test_better_and_worse_are_comparisons(tmp_path: Path) -> None:
    row = {
        "segment_id": "3",
        "better": {"system": "a", "hypothesis": "x"},
        "worse": {"system": "b"},
    }
    path = write(tmp_path / "d.jsonl", lines(row))
    assert read_judgements(path).records() == [
        {"item": "3", "system": "a", "against": "b", "value": 1.0}
    ]


MQM = (
    "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    "a\td\t1\t7\tr1\ts\t<v>t</v>\tAccuracy/Mistranslation\tMajor\n"
    'a\td\t1\t7\tr1\ts\t"t\tFluency/Punctuation\tMinor\n'
    "a\td\t1\t7\tr1\ts\tt\tFluency/Grammar\tminor\n"
    "a\td\t1\t7\tr2\ts\tt\tNon-translation!\tMajor\n"
    "a\td\t2\t8\tr1\ts\tt\tNo-error\tno-error\n"
    "b\td\t1\t7\tr1\ts\tt\tStyle/Awkward\tNeutral\n"
    "b\td\t1\t7\tr1\ts\tt\tFluency/Punctuation\tMajor\n"
)


def test_mqm_scores_are_minus_the_weights(tmp_path: Path) -> None:
    judgements = read_judgements(write(tmp_path / "mqm.tsv", MQM))
    assert values(judgements, criterion="mqm") == pytest.approx(
        {
            ("7", "a", "r1"): -6.1,
            ("7", "a", "r2"): -25,
            ("8", "a", "r1"): 0,
            ("7", "b", "r1"): -5,
        }
    )
    marked = judgements.where(criterion="mqm-errors", system="a", annotator="r1", item="7")
    assert list(marked.label) == [
        "Accuracy/Mistranslation",
        "Fluency/Punctuation",
        "Fluency/Grammar",
    ]
    assert np.isnan(marked.value).all()


def test_mqm_weights_are_configurable(tmp_path: Path) -> None:
    path = write(tmp_path / "mqm.tsv", MQM.replace("Neutral", "Critical"))
    with pytest.raises(DataError, match=r"line 7: severity 'Critical'.*'critical': 10"):
        read_judgements(path)
    weights = {"Critical": 10, "major/fluency": 2}
    found = values(read_judgements(path, weights=weights), criterion="mqm", system="b")
    assert found == {("7", "b", "r1"): -12}


APPRAISE = (
    "u1,sysA,12,TGT,eng,deu,80,doc1,False,100.5,104.25\r\n"
    "u1,sysA,12,BAD,eng,deu,20,doc1,False,104.25,110.0\r\n"
    'u2,sysA,12,TGT,eng,deu,70,doc1,False,"[]",1.0,3.0,5,99\r\n'
    "u1,sysA,12,TGT,eng,deu,75,doc1,True,1,2\r\n"
    "u1,sysB,13,CHK,eng,deu,60\r\n"
    "u1,sysB,14,REF,eng,deu,100,5.0,6.5\r\n"
)


def test_appraise_exports_of_all_widths(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_bytes(APPRAISE.encode())
    found = [
        (r["item"], r["system"], r["annotator"], r["criterion"], r["value"], r.get("seconds"))
        for r in read_judgements(path).records()
    ]
    assert found == [
        ("12", "sysA", "u1", "da", 80, 3.75),
        ("12", "sysA", "u1", "da-bad", 20, 5.75),
        ("12", "sysA", "u2", "da", 70, 2),
        ("doc1", "sysA", "u1", "da-document", 75, 1),
        ("13", "sysB", "u1", "da", 60, None),
        ("14", "sysB", "u1", "da-ref", 100, 1.5),
    ]


def test_appraise_dump_with_header_and_repeated_segment_ids(tmp_path: Path) -> None:
    text = (
        "taskID,systemID,username,email,groups,segmentID,score,startTime,endTime,"
        "durationInSeconds,itemType,campaignName,documentID,isCompleteDocument\n"
        "1,a,u,e,g,1,50,10,12,2.0,TGT,c,d1,False\n"
        "1,a,u,e,g,1,60,12,15,3.0,TGT,c,d2,False\n"
    )
    path = write(tmp_path / "dump.csv", text)
    with pytest.warns(NlgaugeWarning, match="document/segment"):
        judgements = read_judgements(path)
    assert values(judgements) == {("d1/1", "a", "u"): 50, ("d2/1", "a", "u"): 60}
    assert judgements.seconds.tolist() == [2, 3]


def test_mtme_score_files_and_folder(tmp_path: Path) -> None:
    folder = tmp_path / "wmt" / "human-scores"
    folder.mkdir(parents=True)
    segments = write(folder / "en-de.mqm.seg.score", "a\t-1.5\na\tNone\nb\t-2\nb\t0\n")
    write(folder / "en-de.mqm.sys.score", "a -1.5\nb -1\n")
    write(folder / "en-de.wmt-z.domain.score", "news a .2\nnews b .3\nsocial a 0\nsocial b 1\n")
    write(folder / "en-de.mqm.doc.score", "a 1\n")
    write(folder / "zh-en.mqm.sys.score", "a 1\n")
    assert values(read_judgements(segments)) == {
        ("1", "a", None): -1.5,
        ("1", "b", None): -2,
        ("2", "b", None): 0,
    }
    judgements = read_judgements([tmp_path / "wmt", "en-de"])
    assert values(judgements.where(criterion="mqm", item=None)) == {
        (None, "a", None): -1.5,
        (None, "b", None): -1,
    }
    assert set(judgements.criterion.names) == {"mqm", "wmt-z:news", "wmt-z:social"}
    with pytest.raises(DataError, match="en-de, zh-en"):
        read_judgements(tmp_path / "wmt")


def test_records_without_item_rate_whole_systems(tmp_path: Path) -> None:
    rated = [
        {"system": system, "pair": pair, "human": {"da": value}}
        for pair, system, value in [("p", "a", 4), ("p", "b", 1), ("q", "a", 1), ("q", "b", 4)]
    ]
    path = write(tmp_path / "systems.jsonl", lines(*rated))
    found = read_judgements(path, split="pair")
    assert [(r["part"], r["system"], r["value"]) for r in found.records()] == [
        ("p", "a", 4),
        ("p", "b", 1),
        ("q", "a", 1),
        ("q", "b", 4),
    ]
    assert not any("item" in record for record in found.records())
    # A system once more is no rating of the whole system: rows are items, as without `system`.
    path = write(tmp_path / "rows.jsonl", lines(*rated[:1], *rated[:1]))
    assert list(read_judgements(path).item) == ["1", "2"]


def test_ratings_that_are_null_are_told_with_their_place(tmp_path: Path) -> None:
    text = {"system": "a", "hypothesis": "a", "references": ["a"]}
    null = {**text, "id": 1, "human": {"da_z": None, "fluency": [None, None]}}
    path = write(tmp_path / "null.jsonl", lines(null))
    for read in (read_judgements, read_outputs):
        with pytest.raises(DataError, match=r"null.jsonl, line 1: 'da_z' of .* is null.*'fluency'"):
            read(path)
    assert read_outputs(path, rated=False)[1] is None
    path = write(path, lines(null, {**text, "id": 2, "human": {"fluency": [None, 3]}}))
    with pytest.warns(NlgaugeWarning, match=r"line 1: 'da_z' of field `human` is null"):
        assert values(read_judgements(path)) == {("2", "a", "2"): 3}


def test_items_are_joined_by_id_or_by_number(tmp_path: Path) -> None:
    path = write(tmp_path / "r.tsv", "item\tsystem\tvalue\n2\ta\t1\n1\ta\t0\n")
    assert list(read_judgements(path, ids=["x", "y"]).item) == ["y", "x"]
    assert list(read_judgements(path, ids=["1", "2"]).item) == ["2", "1"]
    with pytest.raises(DataError, match=r"'2'.*1 to 1"):
        read_judgements(path, ids=["x"])


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("r.jsonl", '{"item": 1, "value": "good"}\n', r"r.jsonl, line 1: field 'value' is 'good'"),
        ("r.jsonl", '{"item": 1, "value": true}\n', "line 1: field 'value' is True"),
        ("r.jsonl", '{"item": 1}\n', "neither 'value' nor 'label'"),
        ("r.jsonl", '{"item": 1, "system": "a", "against": "b", "value": 2}\n', "0.5 for a tie"),
        ("r.jsonl", '{"item": 1, "against": "b", "value": 1}\n', "needs another 'system'"),
        ("r.jsonl", '{"item": 1, "id": 2, "value": 1}\n', "'id' says 'item' once more"),
        ("r.jsonl", '{"item": [1], "value": 1}\n', "expected a name"),
        ("r.tsv", "1\t2\t3\n", "no header row"),
        ("r.tsv", "item\tvalue\n1\n", "line 2: 1 fields"),
        ("r.tsv", "item\tvalue\n", "there are no judgements"),
        ("r.txt", "1\n", "does not tell the format"),
        ("m.tsv", MQM.replace("a\td\t2", "\td\t2"), "line 6: column 'system' is empty"),
        ("a.csv", "u,s,1,TGT,e,d,x\n", "score is 'x'"),
        ("a.csv", "u,s,1,TGT,e,d,5\nu,s,1,XXX,e,d,5\n", "line 2: type 'XXX'"),
        ("en-de.da.seg.score", "a 1\na 2\nb 1\n", "1 scores of 'b' but 2 of 'a'"),
        ("en-de.da.seg.score", "a one\n", "expected a number or None"),
        ("en-de.da.doc.score", "a 1\n", "one of seg, sys, domain"),
    ],
)
def test_bad_files(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_judgements(write(tmp_path / name, text))


def test_unknown_fields_and_formats(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl", '{"item": 1, "value": 1, "mood": "bad"}\n')
    with pytest.warns(NlgaugeWarning, match="ignored mood"):
        read_judgements(path)
    with pytest.raises(SpecError, match="choose one of: jsonl"):
        read_judgements(path, format="xml")
