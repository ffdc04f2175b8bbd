"""lm-evaluation-harness runs a task with our metrics, and reports the numbers of `nlgauge.score`.

`make test-adapters` installs it; elsewhere these tests are skipped.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import nlgauge

lm_eval = pytest.importorskip("lm_eval")
from lm_eval.api.model import LM  # noqa: E402  (after the check that it is there)
from lm_eval.tasks import TaskManager  # noqa: E402

ANSWERS = ["the cat sat on the mat", "a dog ran off fast", "it rains here a lot"]
SAID = ["the cat sat on a mat", "a dog ran off", "it rains here a lot"]
TASK = """
task: tiny
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: {target}
generation_kwargs: {{until: ["\\n"]}}
metric_list:
  - {{metric: nlgauge_bleu, aggregation: nlgauge_bleu, higher_is_better: true}}
  - {{metric: nlgauge_ter, aggregation: nlgauge_ter, higher_is_better: false}}
"""


class Fixed(LM):
    """A model that says what is expected of it here."""

    def generate_until(self, requests: list[Any], **_: Any) -> list[str]:
        return [SAID[int(request.args[0])] for request in requests]

    def loglikelihood(self, requests: list[Any]) -> list[tuple[float, bool]]:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: list[Any]) -> list[float]:
        raise NotImplementedError


def results(folder: Path, target: str, more: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_CACHE", str(folder / "cache"))
    rows = [{"question": str(i), "answer": a, "both": [a, SAID[i]]} for i, a in enumerate(ANSWERS)]
    data = folder / "data.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    text = TASK.format(data=data, target=target) + more
    (folder / "tiny.yaml").write_text(text, encoding="utf-8")
    nlgauge.register_in_lm_eval("bleu", "ter")
    manager = TaskManager(include_path=str(folder), include_defaults=False)
    found = lm_eval.simple_evaluate(
        model=Fixed(), tasks=["tiny"], task_manager=manager, bootstrap_iters=0
    )
    return found["results"]["tiny"]


def test_a_task_has_our_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = "  - {metric: exact_match, aggregation: mean, higher_is_better: true}\n"
    found = results(tmp_path, '"{{answer}}"', exact, monkeypatch)
    table = nlgauge.score(SAID, ANSWERS, metrics=["bleu", "ter"])
    assert found["nlgauge_bleu,none"] == pytest.approx(table["bleu"].score)
    assert found["nlgauge_ter,none"] == pytest.approx(table["ter"].score)
    assert found["exact_match,none"] == pytest.approx(1 / 3)  # its own metrics are there, too


def test_several_targets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The harness makes them numbers, unless the task says what its results are."""
    with pytest.raises(nlgauge.DataError, match="process_results"):
        results(tmp_path, "both", "", monkeypatch)
    (tmp_path / "own.py").write_text(
        "def pairs(doc, results):\n"
        "    pair = (doc['both'], results[0])\n"
        "    return {'nlgauge_bleu': pair, 'nlgauge_ter': pair}\n",
        encoding="utf-8",
    )
    found = results(tmp_path, "both", "process_results: !function own.pairs\n", monkeypatch)
    assert found["nlgauge_bleu,none"] == pytest.approx(100)
    assert found["nlgauge_ter,none"] == 0
