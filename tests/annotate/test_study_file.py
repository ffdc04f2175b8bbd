"""The study file is checked: what is wrong is said with its key and line."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.studies.study_server import StudyServer, make_study

from nlgauge.annotate.design.study_file import parse_study
from nlgauge.annotate.forms.marks import code_point_offset
from nlgauge.annotate.protocols.registry import PRESETS, PROTOCOLS
from nlgauge.cli import main
from nlgauge.errors import DataError

Q = '[[question]]\nprotocol = "fluency"\n'
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (f"titel = 'x'\n{Q}", 1, "'titel' is not known"),
        (Q, None, "no title"),
        ("title = 'x'", None, "no question"),
        (f"title = 3\n{Q}", 1, "title is 3, expected a text"),
        (f"title = 'x'\nseed = -1\n{Q}", 2, "seed is -1"),
        (f"title = 'x'\nshow = ['sauce']\n{Q}", 2, "expected some of source"),
        (f"title = 'x'\n{Q}points = 1\n", 4, "a scale needs two or more"),
        (f"title = 'x'\n{Q}points = 12\n", 4, "must be at most 11"),
        (f"title = 'x'\n{Q}pionts = 5\n", 4, "has no option 'pionts'"),
        (f"title = 'x'\n{Q}anchors = ['a', 'b', 'c']\npoints = 4\n", 4, "3 texts for 4 points"),
        ("title = 'x'\n[[question]]\nprotocol = 'lickert'\n", 3, "no protocol is called 'lickert'"),
        ("title = 'x'\n[[question]]\ncriterion = 'a'\n", 2, "no protocol; name one"),
        ("title = 'x'\n[[question]]\nprotocol = 'slider'\n", 2, "no criterion"),
        (f"title = 'x'\n{Q}{Q}", 4, "two questions are about 'fluency'"),
        (f"title = 'x'\n{Q}[[question]]\nprotocol = 'slider'\ncriterion = 'b'\nlow = 9\nhigh = 1\n",
         7, "low must be below high"),
        (f"title = 'x'\n{Q}[assignment]\nannotators = 0\n", 5, "must be at least 1"),
        (f"title = 'x'\n{Q}[assignment]\nanotators = 2\n", 5, "assignment.anotators is not known"),
        (f"title = 'x'\n{Q}[assignment]\ndesign = 'random'\n", 5, "expected one of balanced"),
        (f"title = 'x'\n{Q}[assignment]\ndesign = 'blocks'\n", 5, "needs slots"),
        (f"title = 'x'\n{Q}[screening]\nitems = 2\npassed = 3\n", 6, "cannot be reached"),
        (f"title = 'x'\n{Q}[assignment]\ncontrol_by = 'hammer'\n", 5, "no perturbation is called"),
        (f"title = 'x'\nconsent = '../secret.md'\n{Q}", 2, "not in the folder of the study"),
        (f"title = 'x'\nconsent = 'none.md'\n{Q}", 2, "no such file"),
        ("title = 'x'\ntitle = 'y'", None, "is no TOML"),
        ("title = 'x'\n[[question]]\nprotocol = 'mqm'\nseverities = ['awful']\n", 4,
         "severity 'awful' has no weight"),
        ("title='x'\n[[question]]\nprotocol='relevance-prediction'\n[assignment]\nrepeats = 0.1",
         5, "done only once"),
    ],
)  # fmt: skip
def test_errors_name_the_line(text: str, line: int | None, message: str) -> None:
    with pytest.raises(DataError) as caught:
        parse_study(text, "study.toml")
    assert message in str(caught.value)
    place = "study.toml" if line is None else f"study.toml, line {line}"
    assert str(caught.value).startswith(f"{place}: ")


@pytest.mark.parametrize(
    ("protocol", "record", "message"),
    [
        ("fluency", {"id": 1}, "no hypothesis"),
        ("answer-correctness", {"id": 1, "hypothesis": "x"}, "no 'question'"),
        ("nuggets", {"id": 1, "hypothesis": "x", "nuggets": [{"id": 1, "text": "a"}]},
         "vital is neither"),
        ("nuggets", {"id": 1, "hypothesis": "x", "nuggets": [{"id": 1}]}, "has no id or no text"),
        ("coverage", {"id": 1, "hypothesis": "x", "units": [{"id": 1, "text": "a"}] * 2}, "twice"),
        ("content-units", {"id": 1, "hypothesis": "x", "units": [{"id": 1, "text": "a"}]},
         "weight is no number"),
        ("pyramid", {"id": 1, "references": ["x"]}, "two references or more"),
        ("ldc-agreement", {"id": 1, "hypothesis": "x", "event": "e", "label": "maybe"},
         "expected relevant or not relevant"),
        ("fluency", {"id": 1, "hypothesis": "x", "gold": 5}, "gold is no object"),
        ("fluency", {"id": 1, "hypothesis": "x", "image": "../x.png"}, "not in the folder"),
        ("fluency", {"id": 1, "hypothesis": "x", "image": "none.png"}, "cannot be read"),
        ("fluency", {"id": 1, "hypothesis": "x", "image": "outputs.jsonl"}, "is no PNG"),
    ],
)  # fmt: skip
def test_records_that_lack_something(
    protocol: str, record: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=message) as caught:
        make_study(tmp_path, f'title = "t"\n[[question]]\nprotocol = "{protocol}"\n', [record])
    assert "outputs.jsonl, line 1: " in str(caught.value)


def test_records_of_one_item_must_agree(tmp_path: Path) -> None:
    records = [{"id": 1, "source": s, "system": s, "hypothesis": "x"} for s in "ab"]
    with pytest.raises(DataError, match="other fields than at"):
        make_study(tmp_path, f"title = 't'\n{Q}", records)


def test_context_of_every_kind_is_shown(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(PNG)
    record = {
        "id": 1, "hypothesis": "x", "source": "The source.", "question": "The question?",
        "context": ["First turn.", "Second turn."], "document": "Long. " * 500,
        "table": {"team": "Reds", "score": [1, 2]}, "image": "a.png",
        "references": ["One reference.", "Another."],
    }  # fmt: skip
    show = ["source", "question", "context", "document", "table", "image", "references"]
    study = make_study(tmp_path, f"title = 't'\nshow = {show!r}\n{Q}", [record])
    with StudyServer(study) as server:
        annotator = server.annotator()
        annotator.open()
        for part in ("The source.", "The question?", "Second turn.", "Long. Long.", "Reds", "1, 2",
                     "Reference 2", "Another."):  # fmt: skip
            assert part in annotator.page
        picture = annotator.page.split('src="/media/')[1].partition('"')[0]
        connection = annotator.connection
        connection.request("GET", f"/media/{picture}", headers={
            "Cookie": "; ".join(f"{k}={v}" for k, v in annotator.cookies.items())
        })  # fmt: skip
        answer = connection.getresponse()
        assert (answer.status, answer.read()) == (200, PNG)
        assert answer.getheader("content-type") == "image/png"


def test_a_study_stands_alone(tmp_path: Path) -> None:
    """Files that the study names are in the database, and may go."""
    (tmp_path / "consent.md").write_text("# We ask you", "utf-8")
    study = make_study(
        tmp_path, f"title = 't'\nconsent = 'consent.md'\n{Q}", [{"id": 1, "hypothesis": "x"}]
    )
    (tmp_path / "consent.md").unlink()
    with StudyServer(study) as server:
        link = server.links()[0]
        from support.studies.study_server import HttpAnnotator

        annotator = HttpAnnotator(server.url)
        annotator.get(link.removeprefix(server.url))
        assert "<h1>We ask you</h1>" in annotator.get("/work").text


@given(st.text(), st.data())
def test_offsets_of_browsers(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    units = len(text[:offset].encode("utf-16-le", "surrogatepass")) // 2
    assert code_point_offset(text, units) == offset


@pytest.mark.parametrize("units", [-1, 1, 3, 5])
def test_offsets_inside_of_a_character_are_refused(units: int) -> None:
    with pytest.raises(ValueError, match="offset"):
        code_point_offset("🚀🚀", units)


def test_protocols_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["annotate", "protocols"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [*PROTOCOLS, *PRESETS]
    assert main(["annotate", "protocols", "likert", "mqm"]) == 0
    assert "number of steps" in capsys.readouterr().out


def test_options_are_listed_as_a_study_file_has_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["annotate", "protocols", "direct-assessment", "mqm"]) == 0
    said = capsys.readouterr().out
    assert 'criterion = "adequacy"' in said
    assert 'severities = ["minor", "major"]' in said


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (["serve", "--port", "99999"], "port=99999: expected a number from 0 to 65535"),
        (["serve", "--workers", "0"], "workers=0: at least one"),
        (["serve", "--workers", "2"], "workers=2: a study in a file is served by one process"),
        (["links", "--url", "study.example.org"], "expected an address like https://"),
        (["links", "--role", "judge"], "nobody with it has a task in this study; give no"),
        (["links", "--role", "judge", "-n", "0"], "count=0"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_before_anything_is_served(
    step: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = make_study(tmp_path, f"title = 't'\n{Q}", [{"id": 1, "hypothesis": "x"}])
    assert main(["annotate", step[0], study, *step[1:]]) == 2
    said = capsys.readouterr()
    assert message in said.err
    assert said.out == ""


@pytest.mark.parametrize(
    ("gold", "message"),
    [({"fluncy": 5}, "which is not asked; there is 'fluency'"), (5, "no object such as"),
     ({}, "no object such as"), ("5 of 5", "no JSON such as")],
)  # fmt: skip
def test_gold_that_could_never_be_right_is_refused(gold: Any, message: str, tmp_path: Path) -> None:
    records = [{"id": 1, "hypothesis": "x"}, {"id": 2, "hypothesis": "y", "gold": gold}]
    with pytest.raises(DataError, match=f"line 2: gold .*{message}"):
        make_study(tmp_path, f"title = 't'\n{Q}", records)


def test_gold_in_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "s.toml").write_text(f"title = 't'\n{Q}", "utf-8")
    table = 'id,system,hypothesis,gold\n1,a,Text one,"{""fluency"": 5}"\n2,a,Text,\n'
    (tmp_path / "o.csv").write_text(table, "utf-8")
    files = [str(tmp_path / name) for name in ("s.toml", "o.csv")]
    assert main(["annotate", "new", *files, "-o", str(tmp_path / "s.db")]) == 0
    assert "2 items, 1 tasks" in capsys.readouterr().out


def test_new_says_what_it_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "s.toml").write_text(f"title = 't'\n{Q}", "utf-8")
    lines = [json.dumps({"id": k, "hypothesis": "x"}) for k in range(4)]
    (tmp_path / "o.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    files = [str(tmp_path / name) for name in ("s.toml", "o.jsonl")]
    assert main(["annotate", "new", *files, "-o", str(tmp_path / "s.db")]) == 0
    assert "4 items, 4 tasks, 12 judgements wanted" in capsys.readouterr().out
