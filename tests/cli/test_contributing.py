"""The worked examples of CONTRIBUTING.md that need no build work."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import nlgauge
from nlgauge.explain import Alignment, explain

PAGE = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def module(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """The example that defines a class of that name, as a module."""
    (code,) = (text for kind, text in BLOCKS if f"\nclass {request.param}(" in text)
    made = ModuleType(f"example_{request.param}")
    sys.modules[made.__name__] = made
    exec(compile(code, "CONTRIBUTING.md", "exec"), vars(made))
    yield made
    del sys.modules[made.__name__]


@pytest.mark.parametrize("module", ["SquadF1"], indirect=True)
def test_pair_metric(module: ModuleType) -> None:
    (golden,) = (json.loads(text) for kind, text in BLOCKS if kind == "json")
    metric = module.SquadF1()
    for case in golden["cases"]:
        texts: dict[str, Any] = case["inline"]
        score = nlgauge.score(texts["hypotheses"], texts["references"], metrics=[metric])
        assert score[case["spec"]].score == pytest.approx(case["expected"]["score"])
    (why,) = explain("The cat sat.", ["a cat sat down"], [metric])
    assert isinstance(why.trace, Alignment)
    assert len(why.trace.links) == 2


@pytest.mark.parametrize("module", ["WCD"], indirect=True)
def test_metric_with_vectors(module: ModuleType, tmp_path: Path) -> None:
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("a 0 0\nb 3 0\nc 0 4\n", encoding="utf-8")
    metric = module.WCD(vectors=str(vectors), tokenizer="none")
    score = metric.evaluate(nlgauge.Corpus.build(["b", "a b"], [["c", "b"], ["a c"]]))
    # The first text is one of its references; mean vectors of the second are (1.5, 0) and (0, 2).
    assert score.value == pytest.approx((0 + 2.5) / 2)
