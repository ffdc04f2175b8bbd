"""Defaults and choices stand in one place, and commands take them from there."""

import re
from pathlib import Path
from typing import get_args

import nlgauge
from nlgauge.baselines import BASELINES
from nlgauge.core.facts import choices, defaults

SOURCES = Path(nlgauge.__file__).parent


def test_the_seed_is_written_once() -> None:
    written = [
        path.relative_to(SOURCES).as_posix()
        for path in SOURCES.rglob("*.py")
        if re.search(r"\b12_?345\b", path.read_text(encoding="utf-8"))
    ]
    assert written == ["core/facts/defaults.py"]
    assert defaults.SEED == 12345  # sacreBLEU's


def test_no_command_lists_choices_of_the_library_again() -> None:
    known = {get_args(value) for value in vars(choices).values() if get_args(value)}
    listed = re.compile(r"choices=\(([^)]*)\)")
    for path in (SOURCES / "cli").rglob("*.py"):
        for found in listed.findall(path.read_text(encoding="utf-8")):
            assert tuple(re.findall(r'"([^"]+)"', found)) not in known, path


def test_every_baseline_can_be_chosen() -> None:
    assert tuple(BASELINES) == get_args(choices.Baseline)
