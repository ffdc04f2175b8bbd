"""Marked errors as the WMT's MQM, Appraise's ESA and our own studies have them."""

from pathlib import Path

import pytest
from support.studies.protocol_cases import CASES
from support.studies.study_server import StudyServer, make_study

from nlgauge import DataError, NlgaugeWarning
from nlgauge.data import ErrorSpan
from nlgauge.human import marked_errors
from nlgauge.io import read_judgements, write_judgements

HEAD = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
MQM = HEAD + (
    "a\td\t1\t7\tr1\tDie Katze\tThe <v>dog</v> sat\tAccuracy/Mistranslation\tMajor\n"
    "a\td\t1\t7\tr1\tDie Katze\tThe dog <v>sat</v>\tFluency/Grammar\tminor\n"
    "a\td\t1\t7\tr1\tDie <v>alte</v> Katze\tThe dog sat\tAccuracy/Omission\tMajor\n"
    "a\td\t1\t7\tr2\tDie Katze\tThe dog sat\tNo-error\tno-error\n"
    "b\td\t1\t7\tr1\tDie Katze\t<v>🐱 猫</v> sat\tOther\tNeutral\n"
)


def test_mqm_marks_are_read_where_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "mqm.tsv"
    path.write_text(MQM, encoding="utf-8")
    found = marked_errors(read_judgements(path))
    assert found["7", "a"] == {
        "r1": [
            ErrorSpan(start=4, end=7, severity="major", category="Accuracy/Mistranslation"),
            ErrorSpan(start=8, end=11, severity="minor", category="Fluency/Grammar"),
            ErrorSpan(severity="major", category="Accuracy/Omission"),
        ],
        "r2": [],
    }
    assert found["7", "b"]["r1"] == [
        ErrorSpan(start=0, end=3, severity="neutral", category="Other")
    ]


@pytest.mark.parametrize("text", ["a <v>b", "a </v>b<v>", "<v>a</v> <v>b</v>", "b</v>"])
def test_mqm_marks_that_make_no_sense_count_without_a_place(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mqm.tsv"
    path.write_text(HEAD + f"a\td\t1\t7\tr1\tx\t{text}\tOther\tminor\n", encoding="utf-8")
    with pytest.warns(NlgaugeWarning, match=r"mqm.tsv, line 2: the target has other than one <v>"):
        judgements = read_judgements(path)
    assert judgements.ratings().value.tolist() == [-1.0]
    assert marked_errors(judgements)["7", "a"]["r1"] == [
        ErrorSpan(severity="minor", category="Other")
    ]


ESA = (
    'ann,sys,1,TGT,eng,deu,70,doc,False,"[{""start_i"": 4, ""end_i"": 6, ""severity"": ""major"", '
    '""error_type"": null}, {""start_i"": ""missing"", ""end_i"": ""missing"", ""severity"": '
    '""minor"", ""error_type"": null}, {""start_i"": 0, ""end_i"": 1, ""severity"": '
    '""undecided""}]"'
    ",100.0,160.5\n"
    'ann,sys,2,TGT,eng,deu,95,doc,False,"[]",170.0,180.0\n'
    'ann,sys,3,BAD,eng,deu,5,doc,False,"[]",190.0,195.0\n'
)


def test_appraise_gives_the_last_character_too(tmp_path: Path) -> None:
    """Its end_i is the last character that was clicked, not the one behind it."""
    path = tmp_path / "esa.csv"
    path.write_text(ESA, encoding="utf-8")
    judgements = read_judgements(path)
    assert marked_errors(judgements) == {
        ("1", "sys"): {
            "ann": [
                ErrorSpan(start=4, end=7, severity="major", category="major"),
                ErrorSpan(severity="minor", category="minor"),
            ]
        },
        ("2", "sys"): {"ann": []},
    }
    ratings = {(r["item"], r["criterion"]): r["value"] for r in judgements.ratings().records()}
    assert ratings == {("1", "esa"): 70, ("2", "esa"): 95, ("3", "da-bad"): 5}


@pytest.mark.parametrize(
    ("errors", "message"),
    [
        ('[{""start_i"": 4, ""end_i"": 6}]', "expected start, end and severity"),
        ('[{""start_i"": 4, ""end_i"": ""x"", ""severity"": ""minor""}]', "reaches from 4 to 'x'"),
        ("[{", r"line 1: errors"),
    ],
)
def test_bad_marks_are_refused(tmp_path: Path, errors: str, message: str) -> None:
    path = tmp_path / "esa.csv"
    path.write_text(f'ann,sys,1,TGT,eng,deu,70,doc,False,"{errors}",1,2\n', encoding="utf-8")
    with pytest.raises(DataError, match=message):
        read_judgements(path)


@pytest.mark.parametrize("ending", ["jsonl", "tsv"])
def test_marks_survive_being_written(tmp_path: Path, ending: str) -> None:
    (tmp_path / "mqm.tsv").write_text(MQM, encoding="utf-8")
    judgements = read_judgements(tmp_path / "mqm.tsv")
    write_judgements(tmp_path / f"again.{ending}", judgements)
    again = read_judgements(tmp_path / f"again.{ending}")
    assert again.records() == judgements.records()
    assert marked_errors(again) == marked_errors(judgements)


def test_marks_of_a_study_have_places(tmp_path: Path) -> None:
    """The browser counts UTF-16, in which the astronaut has five units; of code points it has
    three.
    """
    case = CASES["mqm"]
    name = make_study(tmp_path, case.toml, case.records)
    with StudyServer(name) as server:
        annotator = server.annotator()
        annotator.open()
        assert annotator.answer(case.fields).status == 200
    ((marks,),) = (own.values() for own in marked_errors(read_judgements(name)).values())
    assert sorted((m.place, m.severity, m.category) for m in marks) == [
        ((4, 7), "major", "Fluency/Spelling"), ((16, 19), "minor", "Fluency/Punctuation")
    ]  # fmt: skip
    assert case.records[0]["hypothesis"][4:7] == "👩‍🚀"
