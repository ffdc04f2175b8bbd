"""`nlgauge train METRIC`: the model, its card, and what is refused."""

from __future__ import annotations

import json

import numpy as np
import pytest
from support.minilm import skip_without_weights

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


@pytest.mark.filterwarnings("ignore")
def test_a_card_names_the_dialogues_of_the_first_stage(tmp_path, capsys):
    pytest.importorskip("torch")
    skip_without_weights("roberta-eval")
    turns = ["Do you like tea?", "Only green tea.", "With sugar?", "Never."]
    said, rated = tmp_path / "said.jsonl", tmp_path / "rated.jsonl"
    said.write_text("".join(json.dumps({"turns": turns[k % 2 :]}) + "\n" for k in range(4)))
    records = [
        {"id": k, "context": f"{k} cups?", "hypothesis": "Yes.", "human": {"x": k % 3}}
        for k in range(12)
    ]
    rated.write_text("".join(json.dumps(record) + "\n" for record in records))
    model = str(tmp_path / "m.safetensors")
    command = ["train", "roberta-eval", str(rated), "--dialogues", str(said), "-o", model]
    assert main([*command, "--folds", "0", "-f", "json", "--quiet"]) == 0
    header = json.loads(capsys.readouterr().out)
    assert [file["name"] for file in header["data"]] == ["rated.jsonl", "said.jsonl"]
    # How many rows each file gave is not known, and the card says so once.
    assert header["rows"] == 12 and not any("rows" in file for file in header["data"])
    assert main(["train", "card", model]) == 0
    card = capsys.readouterr().out
    assert "rows                        12" in card


@pytest.mark.parametrize("option", ["--judgements", "--criterion", "--features", "--dialogues"])
def test_options_of_judged_outputs_are_none_of_dialogues(option, capsys):
    with pytest.raises(SystemExit):
        main(["train", "ssrem", "said.jsonl", "-o", "m.safetensors", option, "x"])
    assert option in capsys.readouterr().err
