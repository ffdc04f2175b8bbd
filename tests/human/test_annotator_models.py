"""Models of annotators: against crowd-kit, and by hand."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nlgauge import DataError, SpecError
from nlgauge.cli import main
from nlgauge.data import Judgements
from nlgauge.human.annotators.annotator_models import fit_annotators
from nlgauge.human.annotators.label_table import label_table
from nlgauge.human.annotators.mace import mace

GOLDEN = Path(__file__).parents[1] / "golden" / "annotators" / "crowd-kit.json"
CASES = json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"]


def judged(rows: list[str]) -> Judgements:
    said = [dict(zip(("item", "annotator", "label"), row.split(), strict=True)) for row in rows]
    return Judgements.build(said)


@pytest.fixture(params=CASES, ids=list(CASES))
def case(request: pytest.FixtureRequest) -> dict[str, Any]:
    found: dict[str, Any] = CASES[request.param]
    return found


def test_dawid_skene_is_that_of_crowd_kit(case: dict[str, Any]) -> None:
    (found,) = fit_annotators(judged(case["rows"]))
    expected = case["dawid-skene"]
    np.testing.assert_allclose(found.probabilities, expected["probabilities"], atol=1e-6)
    np.testing.assert_allclose(found.confusions, expected["confusions"], atol=1e-6)
    np.testing.assert_allclose(found.shares, expected["shares"], atol=1e-6)


def test_mace_is_that_of_crowd_kit(case: dict[str, Any]) -> None:
    truth, knowing, habits, _ = mace(label_table(judged(case["rows"])))
    expected = case["mace"]
    np.testing.assert_allclose(truth, expected["probabilities"], atol=1e-5)
    np.testing.assert_allclose(knowing, expected["competences"], atol=1e-5)
    np.testing.assert_allclose(habits, expected["habits"], atol=1e-5)


def test_the_anaesthetists_of_dawid_and_skene() -> None:
    (found,) = fit_annotators(judged(CASES["dawid-skene-1979"]["rows"]))
    # Two digits, as they are commonly quoted; all of crowd-kit's are compared above.
    assert np.round(found.shares, 2).tolist() == [0.40, 0.42, 0.11, 0.07]
    # The first observer judged three times.
    assert np.round(found.confusions[0, 0], 2).tolist() == [0.89, 0.11, 0, 0]
    assert np.round(found.confusions[0, 1], 2).tolist() == [0.07, 0.88, 0.05, 0]


def test_spammers_are_found() -> None:
    for model in ("dawid-skene", "mace"):
        (found,) = fit_annotators(judged(CASES["simulated"]["rows"]), model=model)  # type: ignore[arg-type]
        by_name = {a.annotator: a.reliability for a in found.annotators}
        assert max(by_name["a6"], by_name["a7"]) < min(by_name[f"a{k}"] for k in range(5))


def test_two_who_agree_outvote_one_who_does_not_by_hand() -> None:
    # a and b always agree, c never does: at the maximum of the likelihood everybody is constant
    # given the truth, so labels are certain and c is always wrong.
    rows = [f"i{k} {who} {'xy'[k % 2]}" for k in range(6) for who in "ab"]
    rows += [f"i{k} c {'yx'[k % 2]}" for k in range(6)]
    (found,) = fit_annotators(judged(rows))
    assert [o.label for o in found.labels] == ["x", "y"] * 3
    assert all(o.probability == pytest.approx(1) for o in found.labels)
    assert [a.reliability for a in found.annotators] == pytest.approx([1, 1, 0], abs=1e-6)
    assert [a.agreement for a in found.annotators] == [1, 1, 0]
    # Half of the outputs are of each category, and everything else is certain.
    assert found.log_likelihood == pytest.approx(6 * np.log(0.5), abs=1e-6)


def test_ratings_comparisons_and_criteria() -> None:
    rows = [
        {"item": str(i), "system": "A", "annotator": a, "criterion": "fluency", "value": 1 + i % 3}
        for i in range(9)
        for a in "xyz"
    ]
    rows += [
        {
            "item": str(i),
            "system": s,
            "against": t,
            "annotator": a,
            "criterion": "better",
            "value": v,
        }
        for i in range(4)
        for a, s, t, v in (("x", "A", "B", 1), ("y", "B", "A", 0), ("z", "A", "B", 0.5))
    ]
    fluency, better = fit_annotators(Judgements.build(rows))
    assert (fluency.criterion, fluency.classes) == ("fluency", ("1", "2", "3"))
    assert better.classes == ("A", "tie")
    assert {o.label for o in better.labels} == {"A"}
    assert (better.labels[0].system, better.labels[0].against) == ("A", "B")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["1 a x", "2 a y"], "one annotator"),
        (["1 a x", "2 b y"], "no output has two annotators"),
    ],
)
def test_data_that_tells_nothing_is_refused(rows: list[str], message: str) -> None:
    with pytest.raises(DataError, match=message):
        fit_annotators(judged(rows))


def test_what_is_no_category_is_refused() -> None:
    said = [{"item": str(i), "annotator": a, "value": i / 7} for i in range(60) for a in "ab"]
    with pytest.raises(DataError, match="60 different values are measurements"):
        fit_annotators(Judgements.build(said))
    with pytest.raises(SpecError, match="there are dawid-skene, mace"):
        fit_annotators(judged(["1 a x", "1 b x"]), model="majority")  # type: ignore[arg-type]


@pytest.mark.parametrize("model", ["dawid-skene", "mace"])
def test_equal_answers_are_taken_and_told(model: Any) -> None:
    (found,) = fit_annotators(judged([f"{i} {a} x" for i in range(3) for a in "ab"]), model=model)
    assert found.notes == ("all judgements are equal, so nothing tells annotators apart",)
    assert all(o.label == "x" for o in found.labels)


def test_agree_fits_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, page = tmp_path / "labels.jsonl", tmp_path / "page.html"
    rows = judged(CASES["simulated"]["rows"]).records()
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    options = ["agree", str(path), "--model", "mace", "--confidence-n", "20"]
    assert main([*options, "-f", "json", "--report", str(page)]) == 0
    written = json.loads(capsys.readouterr().out)
    assert written["models"][0]["model"] == "mace"
    assert len(written["models"][0]["annotators"]) == 8
    assert "MACE" in page.read_text(encoding="utf-8")
    assert main(options) == 0
    assert "competence" in capsys.readouterr().out
