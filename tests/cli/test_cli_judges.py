"""Commands with judges: estimates, meta-evaluation, robustness, explanations and reports."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.judge_host import Body, JudgeHost, fenced_texts, scripted_host

from nlgauge.cli import main
from nlgauge.human import marked_errors
from nlgauge.io import read_judgements

EXAMPLES = Path(__file__).parents[2] / "examples"
JUDGED = str(EXAMPLES / "judged.jsonl")


@pytest.fixture
def host() -> Iterator[JudgeHost]:
    with JudgeHost() as found:
        yield found


def run(host: JudgeHost, *arguments: str, cache: Path | None = None) -> None:
    kept = ["--judge-cache", str(cache)] if cache else []
    assert not main([*arguments, "--judge-url", host.url, "--judge-model", "overlap", *kept])


def test_dry_runs_print_requests_tokens_and_cost(host: JudgeHost, tmp_path: Path, capsys) -> None:
    ask = ("score", str(EXAMPLES / "news.jsonl"), "-m", "judge-da", "bleu")
    prices = ("--judge-price", "1000", "4000", "--dry-run", "-f", "json")
    run(host, *ask, *prices, cache=tmp_path)
    found = json.loads(capsys.readouterr().out)
    assert host.number == 0
    assert {run["metric"] for run in found} == {"judge-da"}
    each = [run["estimate"] for run in found]
    for e in each:
        assert e["requests"] > 0 and e["kept"] == 0
        assert e["cost"] == pytest.approx(
            (1000 * e["input_tokens"] + 4000 * e["output_tokens"]) / 1e6
        )
    run(host, *ask, cache=tmp_path)
    capsys.readouterr()
    run(host, *ask, *prices, cache=tmp_path)
    assert all(r["estimate"]["requests"] == 0 for r in json.loads(capsys.readouterr().out))
    run(host, "meta", JUDGED, "-m", "judge-da", "--dry-run")
    run(host, "robustness", JUDGED, "-m", "judge-da", "--dry-run")
    assert "no prices: give --judge-price" in capsys.readouterr().out.replace("\n", " ")
    # Two systems may have written the same; the estimate of each does not know of the other.
    assert len(host.seen) == host.number <= sum(e["requests"] for e in each)


def test_meta_tells_how_judges_behave(host: JudgeHost, tmp_path: Path, capsys) -> None:
    page = tmp_path / "meta.html"
    metrics = ("-m", "judge-da", "judge-pairwise", "judge-rubric(samples=3)", "chrf")
    run(host, "meta", JUDGED, *metrics, "-f", "json", "--report", str(page))
    found = json.loads(capsys.readouterr().out)
    judges = {judge["metric"]: judge for judge in found["judges"]}
    assert set(judges) == {"judge-da", "judge-pairwise", "judge-rubric(samples=3)"}
    assert judges["judge-da"]["refused"] == 0
    assert judges["judge-rubric(samples=3)"]["sample_deviation"] == 0.0
    # The server prefers the first of two texts that are about equal, which shows.
    assert judges["judge-pairwise"]["position_bias"] > 0
    assert judges["judge-pairwise"]["order_changed"] > 0
    assert set(judges["judge-da"]["people_and_length"]) == {"fluency", "adequacy"}
    agreements = {a["metric"] for a in found["agreements"]}
    assert agreements == {*judges, "chrf"}
    html = page.read_text(encoding="utf-8")
    assert "order changed the verdict" in html and "overlap fp_1" in html


def test_refusals_are_in_the_report_and_agreement_is_of_the_rest(capsys) -> None:
    def fault(_: int, body: Body, __: int) -> str | None:
        return "refusal" if "museum" in fenced_texts(body)["output"][0] else None

    with JudgeHost(fault=fault) as host:
        lenient = ("--judge-most-unusable", "0.5")
        run(host, "meta", JUDGED, "-m", "judge-da", "-f", "json", *lenient)
        (judge,) = json.loads(capsys.readouterr().out)["judges"]
        assert judge["refused"] > 0 and judge["judged"] > 0
        assert main(["meta", JUDGED, "-m", "judge-da(judge=m)", "--judge-url", host.url]) == 3
    assert "segments of" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["score", "compare"])
def test_pages_tell_how_judges_behaved(tmp_path: Path, capsys, command: str) -> None:
    """One of 90 outputs is refused: the command says so, and so does the page."""
    page, data = tmp_path / "page.html", tmp_path / "data.jsonl"
    rows = [
        {
            "id": str(i),
            "system": name,
            "hypothesis": f"{name} {i}" + " so" * (i % 3),
            "references": [f"a {i}"],
        }
        for i in range(30)
        for name in "abc"
    ]
    data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    def fault(_: int, body: Body, __: int) -> str | None:
        return "refusal" if fenced_texts(body)["output"] == ["b 7 so"] else None

    with JudgeHost(fault=fault) as host:
        run(host, command, str(data), "-m", "judge-da", "judge-mqm", "--report", str(page))
        assert host.number == 2 * 90  # the page, with the errors over the texts, asks nothing again
    said = " ".join(capsys.readouterr().err.split())
    assert "judge-da: 1 of 30 segments of b have no verdict, and are left out" in said
    html = page.read_text(encoding="utf-8")
    table = html.partition("refused, share")[2]
    assert "1.1%" in table[:200]
    assert "score ~ length" in html and '["b","minor"]' in html.replace(", ", ",")


def test_robustness_asks_judges_too(host: JudgeHost, capsys) -> None:
    changes = ("--perturbations", "jumble", "antonyms", "case", "--severity", "0.5")
    run(host, "robustness", JUDGED, "-m", "judge-da", *changes, "-f", "json")
    found = json.loads(capsys.readouterr().out)
    run(host, "robustness", JUDGED, "-m", "judge-da", *changes)
    assert capsys.readouterr().out.count("judge-da|judge:overlap") == 1
    assert set(found["metrics"]) == {"judge-da"}
    assert found["judges"][0]["judged"] > 0
    # A judge that counts words cannot see their order.
    assert found["metrics"]["judge-da"]["outcomes"]["jumble"]["passing"] == 0


def test_errors_are_shown_over_the_text_and_written(
    host: JudgeHost, tmp_path: Path, capsys
) -> None:
    spans, page = tmp_path / "spans.jsonl", tmp_path / "score.html"
    data = tmp_path / "data.jsonl"
    rows = [
        {"id": "1", "system": "s", "hypothesis": "the <b>dog</b> slept", "references": ["the cat"]},
        {"id": "2", "system": "s", "hypothesis": "all good", "references": ["all good"]},
    ]
    data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    run(host, "score", str(data), "-m", "judge-mqm", "--spans", str(spans), "--report", str(page))
    asked = host.number
    found = marked_errors(read_judgements(spans))
    words = [rows[0]["hypothesis"][slice(*e.place)] for e in found["1", "s"]["overlap"]]
    assert words == ["b", "dog", "b", "slept"]
    assert found["2", "s"] == {"overlap": []}
    assert asked == 2  # the report and the file ask nothing again
    html = page.read_text(encoding="utf-8")
    assert '["dog", "minor"]' in html or '["dog","minor"]' in html
    capsys.readouterr()
    why = tmp_path / "why.html"
    run(host, "explain", str(data), "-n", "1", "-m", "judge-mqm", "--html", str(why))
    said = capsys.readouterr().out
    assert "[dog]" in said and "minor, accuracy/mistranslation: “dog”" in said
    assert "<svg" in why.read_text(encoding="utf-8")
    run(
        host,
        "explain",
        str(data),
        "-n",
        "1",
        "-m",
        "judge-mqm",
        "--picture",
        str(tmp_path / "p.svg"),
    )


def test_explanations_show_what_judges_answered(tmp_path: Path, capsys) -> None:
    data, grades = tmp_path / "data.jsonl", {"4": 0.75, " 5": 0.25}
    row = {"id": "1", "system": "s", "hypothesis": "the dog", "references": ["the cat"]}
    data.write_text(json.dumps(row) + "\n", encoding="utf-8")
    replies = {"the dog | the cat": "SECOND", "the cat | the dog": "tie"}
    with scripted_host(replies, {"the dog": grades}) as host:
        metrics = ("judge-da", "judge-pairwise", "judge-rubric", "judge-rubric(weighting=samples)")
        picture = str(tmp_path / "why.html")
        run(host, "explain", str(data), "-n", "1", "-m", *metrics, "--html", picture)
        assert len(host.bodies) == 5  # each question once, for score and explanation
    said = " ".join(capsys.readouterr().out.split())
    assert "the dog “4” what overlap answered judge-da|judge:overlap" in said
    assert "against reference 1, shown first: “SECOND”" in said
    assert "against reference 1, shown second: “tie”" in said
    assert "“4” 75.0%, “5” 25.0%" in said
    assert "“4” × 20" in said
    assert "shown second: “tie”" in Path(picture).read_text(encoding="utf-8")


def test_judges_and_people_mark_errors_in_one_table(
    host: JudgeHost, tmp_path: Path, capsys
) -> None:
    head = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    people = tmp_path / "mqm.tsv"
    people.write_text(
        head + "s\td\t1\t1\tann\tx\tthe <v>dog</v> slept\tAccuracy/Mistranslation\tmajor\n",
        encoding="utf-8",
    )
    data = tmp_path / "data.jsonl"
    row = {"id": "1", "system": "s", "hypothesis": "the dog slept", "references": ["the cat slept"]}
    data.write_text(json.dumps(row) + "\n", encoding="utf-8")
    spans, page = tmp_path / "spans.jsonl", tmp_path / "meta.html"
    run(host, "score", str(data), "-m", "judge-mqm", "--spans", str(spans))
    capsys.readouterr()
    assert not main(["agree", str(people), str(spans), "-f", "json"])
    (pair,) = json.loads(capsys.readouterr().out)["marked_errors"]["pairs"]
    assert (pair["first"], pair["second"], pair["exact_f1"]) == ("ann", "overlap", 1.0)
    assert (pair["character_f1"], pair["severity_f1"]) == (1.0, 0.5)  # minor, not major
    more = ("--judgements", str(people), "--report", str(page), "-cin", "0")
    run(host, "meta", str(data), "-m", "judge-da", *more)
    assert "errors by ann" in page.read_text(encoding="utf-8")


def test_options_without_a_server_are_refused(capsys) -> None:
    assert main(["score", JUDGED, "-m", "bleu", "--judge-budget", "3"]) == 2
    assert "--judge-budget: needs the address of a server" in capsys.readouterr().err
    assert main(["score", str(EXAMPLES / "news.jsonl"), "-m", "judge-da"]) == 4
    assert "no judge is named" in capsys.readouterr().err


def test_a_server_that_is_not_there_has_an_exit_code_of_its_own(capsys) -> None:
    with JudgeHost(fault=lambda *_: "400") as host:
        data = str(EXAMPLES / "news.jsonl")
        asked = ["--judge-url", host.url, "--judge-model", "m"]
        assert main(["score", data, "-m", "judge-da", *asked]) == 5
    assert "HTTP 400" in capsys.readouterr().err


def test_the_catalogue_shows_the_prompt(capsys) -> None:
    assert not main(["metrics", "judge-da"])
    said = capsys.readouterr().out
    assert "Give one whole number from 0 to 100." in " ".join(said.split())
