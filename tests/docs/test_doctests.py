"""Examples in the docstrings of public names print what they show."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

import nlgauge

DOORS = "nlgauge nlgauge.core nlgauge.data nlgauge.io nlgauge.meta nlgauge.stats".split()


def examples() -> dict[str, doctest.DocTest]:
    """The docstrings that have some, by the public name."""
    reader = doctest.DocTestParser()
    found = {}
    for door in map(import_module, DOORS):
        for name in door.__all__:
            value = getattr(door, name)
            text = getattr(value, "__doc__", None) or ""
            if ">>> " in text and str(getattr(value, "__module__", "")).startswith("nlgauge"):
                called = f"{door.__name__}.{name}"
                found[called] = reader.get_doctest(text, {"nlgauge": nlgauge}, called, None, 0)
    return found


EXAMPLES = examples()


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    told: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(EXAMPLES[name], out=told.append)
    assert runner.failures == 0, "".join(told)


def test_what_users_call_first_has_an_example() -> None:
    first = "score compare meta_evaluate explain_segment annotator_agreement load metric".split()
    assert {f"nlgauge.{name}" for name in [*first, "RunningScore"]} <= EXAMPLES.keys()
