"""What commands print fits a terminal of 80 and of 60 columns, and cuts no name."""

import re

import pytest
from report.test_reports import JUDGED, NEWS, PAGES
from rich.cells import cell_len

from nlgauge.cli import main

COMMANDS = {name: [name, *arguments] for name, (arguments, _) in PAGES.items()} | {
    "tested": ["score", NEWS, "-m", "bleu", "chrf++", "ter", "--confidence", "--paired-bs"],
    "many metrics": ["score", NEWS, "-q", "-m", *"bleu ter chrf nist gleu wer per".split()],
    "meta --all": ["meta", JUDGED, "-m", "chrf", "ter", "-cin", "20", "-q", "--all"],
    "explain": [
        "explain",
        NEWS,
        "-n",
        "news-013",
        "--system",
        "coast",
        "-m",
        "ter",
        "bleu",
        "chrf",
    ],
    "one metric": ["metrics", "bleu"],
    "card": ["metrics", "beer"],
    "tokenizers": ["metrics", "--tokenizers"],
    "protocols": ["annotate", "protocols"],
    "power": ["annotate", "power", "--effect", "0.5", "--systems", "3", "--simulations", "20"],
}
NAMES = {"tested": ["north", "south", "coast"], "compare": ["north", "south", "coast"]} | {
    name: ["north", "south", "coast"] for name in ("score", "many metrics")
}


@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize("name", COMMANDS)
def test_it_fits(
    name: str,
    columns: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(COMMANDS[name]) == 0
    printed = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    lines = printed.splitlines()
    assert [line for line in lines if cell_len(line.rstrip()) > columns] == []
    assert "…" not in printed
    for system in NAMES.get(name, ()):
        assert re.search(rf"\b{system}\b", printed)


@pytest.mark.parametrize("columns", [40, 44, 52, 60])
def test_every_row_has_its_name(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """However a table is folded, no row stands without its system, nor a name in two pieces."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["compare", NEWS, "-m", "bleu", "--trials", "99", "-q"]) == 0
    lines = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out).splitlines()
    rules = [i for i, line in enumerate(lines) if set(line.strip()) == {"─"}]
    assert len(rules) >= 3  # scores, differences, clusters
    for rule in rules:
        for line in lines[rule + 1 :]:
            if not line.strip():
                break
            assert re.search(r"\b(north|south|coast)\b", line), line
