"""`nlgauge train METRIC`: the model, its card, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest

from nlgauge.cli import main

WORDS = "a man walks his old dog through the quiet park near our house".split()


@pytest.fixture
def judged(tmp_path):
    pytest.importorskip("sklearn")
    rng = np.random.default_rng(0)
    path = tmp_path / "judged.jsonl"
    with path.open("w") as file:
        for k in range(60):
            ref = rng.choice(WORDS, 9).tolist()
            wrong = int(rng.integers(0, 8))
            hyp = [*rng.choice(WORDS, wrong).tolist(), *ref[wrong:]]
            record = {
                "id": k,
                "system": f"s{k % 2}",
                "hypothesis": " ".join(hyp),
                "references": [" ".join(ref)],
                "human": {"quality": 9 - wrong},
            }
            file.write(json.dumps(record) + "\n")
    return path


def test_train_score_and_card(judged, tmp_path, capsys):
    model = tmp_path / "blend.safetensors"
    common = ["--folds", "2", "--threads", "1"]
    report = ["--report", str(tmp_path / "card.html")]
    assert main(["train", "blend", str(judged), "-o", str(model), *common, *report]) == 0
    out, err = capsys.readouterr()
    assert "model above control" in out
    assert "fold 2 of 2" in err
    assert f"blend(model={model})" in err
    assert "Held-out figures" in (tmp_path / "card.html").read_text()
    spec = f"blend(model={model})"
    ref, out = tmp_path / "ref.txt", tmp_path / "out.txt"
    ref.write_text("a man walks his old dog\nthe quiet park\n")
    out.write_text("a man walks his dog\nthe park\n")
    assert main(["score", str(ref), "-i", str(out), "-m", spec, "-f", "json"]) == 0
    assert "blend.safetensors" in capsys.readouterr().out  # the signature names it
    assert main(["train", "card", str(model), "-f", "json"]) == 0
    header = json.loads(capsys.readouterr().out)
    assert header["metric"] == "blend"
    assert header["data"][0]["rows"] == 60
    assert {figure["name"] for figure in header["figures"]} >= {"model", "control"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--criterion", "fluency"], "no 'fluency'; say which of: quality"),
        (["--set", "inputs=all"], "inputs"),
        (["--set", "inputs"], "not of the form"),
        (["--folds", "100"], "folds=100"),
    ],
)
def test_train_refuses(judged, tmp_path, capsys, arguments, said):
    model = tmp_path / "m.safetensors"
    assert main(["train", "blend", str(judged), "-o", str(model), *arguments]) != 0
    assert said in capsys.readouterr().err
    assert not model.exists()


def test_a_card_needs_a_model(judged, capsys):
    assert main(["train", "card", str(judged)]) != 0
    assert "safetensors" in capsys.readouterr().err
