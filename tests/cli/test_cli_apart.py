"""nlgauge score --apart: systems that have segments of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nlgauge.cli import main


def test_systems_with_segments_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = [
        {"id": k, "system": name, "references": ["a b c d"], "hypothesis": text}
        for k, (name, text) in enumerate([("north", "a b c d"), ("north", "x"), ("south", "a b")])
    ]
    path = tmp_path / "apart.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    assert main(["score", str(path), "-m", "wer"]) == 3
    assert "are scored apart: nlgauge score --apart" in capsys.readouterr().err
    assert main(["score", str(path), "-m", "wer", "--apart"]) == 0
    shown = capsys.readouterr().out
    assert "each system on segments of its own: north 2, south 1" in shown
    assert main(["score", str(path), "-m", "wer", "--apart", "-f", "json", "-ci"]) == 0
    found = json.loads(capsys.readouterr().out)["systems"]
    # Four of eight words of north's references are wrong, and two of south's four.
    assert found["north"]["wer"]["score"] == found["south"]["wer"]["score"] == 0.5
    assert found["south"]["wer"]["interval"]["low"] == 0.5
    assert main(["score", str(path), "-m", "wer", "--apart", "-pbs"]) == 2
    assert "--paired-bs: not with --apart" in capsys.readouterr().err
