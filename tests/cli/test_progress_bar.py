"""The bar of `nlgauge score` in a terminal: for work that takes long, whatever the metric is."""

from __future__ import annotations

import io
import time

import pytest
from rich.console import Console

from nlgauge.cli.scoring.score import _Bar
from nlgauge.report.tables import terminal


@pytest.fixture
def out(monkeypatch) -> io.StringIO:
    written = io.StringIO()
    shown = Console(file=written, force_terminal=True, width=80)
    monkeypatch.setattr(terminal, "console", lambda **_: shown)
    return written


def test_a_bar_appears_when_patience_ends(out: io.StringIO) -> None:
    """A metric that tells nothing of its progress is named, and no share is made up."""
    with _Bar(1, patience=0.05) as bar:
        bar.scoring("north [1]")
        ends = time.monotonic() + 10
        while "north" not in out.getvalue() and time.monotonic() < ends:
            time.sleep(0.02)
    assert "scoring north [1]" in out.getvalue() and "%" not in out.getvalue()


def test_what_is_known_of_the_work_is_shown(out: io.StringIO) -> None:
    with _Bar(2, patience=60) as bar:
        bar.scoring("north")
        assert not out.getvalue()
        bar.encoded(1000)
        bar.scoring("south")
        bar.share(0.5)
    assert "scoring north, 1,000 texts encoded" in out.getvalue()
    assert "scoring south" in out.getvalue() and "75%" in out.getvalue()


def test_no_bar_appears_after_the_end(out: io.StringIO) -> None:
    with _Bar(1, patience=0.2) as bar:
        bar.scoring("north")
    time.sleep(0.4)
    assert not out.getvalue()
