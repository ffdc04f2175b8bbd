"""The documented loop: a study, simulated annotators over HTTP, agreement, a better metric."""

import json
import os
import subprocess
import sys
from pathlib import Path

from nlgauge.io import read_judgements

ROOT = Path(__file__).parents[2]


def test_from_the_question_to_a_better_metric(tmp_path: Path) -> None:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["sh", str(ROOT / "examples" / "annotate" / "loop.sh"), str(tmp_path), "gauge"],
        env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    judgements = read_judgements(tmp_path / "study.db")
    assert len(judgements) == 60 * 3 * 3 * 2  # items, systems, annotators, criteria
    agreements = json.loads((tmp_path / "meta.json").read_text("utf-8"))["agreements"]
    values = {row["metric"].partition("(")[0]: row["value"] for row in agreements}
    assert values["regression"] > max(values["chrf"], values["ter"], values["bleu"]) > 0.5
    assert "Who is better" in (tmp_path / "status.html").read_text("utf-8")
    assert "krippendorff" in (tmp_path / "agree.txt").read_text("utf-8").lower()
    card = (tmp_path / "gauge.json").read_text("utf-8")
    assert "best single feature" in card
