"""Functions as metrics: known by name at once, and used wherever metrics are."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest

import nlgauge
from nlgauge import MetricFailed, SpecError
from nlgauge.cli import main
from nlgauge.core import registry
from nlgauge.core.extending import plugins
from nlgauge.meta import robustness


def ratio(hypothesis: str, references: list[str], *, power: float = 1.0) -> float:
    """Compare the lengths of two texts."""
    return (len(hypothesis.split()) / len(references[0].split())) ** power


def loud(hypotheses, *, how: Literal["upper", "mark"] = "upper"):
    test = str.isupper if how == "upper" else (lambda text: text.endswith("!"))
    return [test(text) for text in hypotheses]


@pytest.fixture(autouse=True)
def made(monkeypatch) -> Iterator[None]:
    """The metrics are known in these tests only."""
    monkeypatch.setattr(registry, "_MADE", {})
    own = nlgauge.metric(name="len-ratio", higher_is_better=True)(ratio)
    monkeypatch.setitem(globals(), "len_ratio", own)
    noisy = {"higher_is_better": False, "batches": True, "scale": 100, "bounds": (0, 1)}
    monkeypatch.setitem(globals(), "shouting", nlgauge.metric("shouting", **noisy)(loud))
    yield
    registry.metric_class.cache_clear()


len_ratio: Any = None
shouting: Any = None
HYPS, REFS = ["a b", "C"], ["a", "c d"]


def test_scores_by_hand() -> None:
    table = nlgauge.score(HYPS, REFS, metrics=["len-ratio", shouting, "len-ratio(power=2)"])
    assert table["len-ratio"].score == (2 + 0.5) / 2
    assert table["len-ratio(power=2)"].score == (4 + 0.25) / 2
    assert table["shouting"].score == 50
    assert table.best("shouting") == ["system"]
    assert len_ratio("a b", ["a"]) == 2
    assert (
        nlgauge.load("shouting(how=mark)").compute(predictions=HYPS, references=REFS)["score"] == 0
    )


def test_signatures_tell_functions_apart_and_rebuild_the_metric() -> None:
    signature = nlgauge.score(HYPS, REFS, metrics="len-ratio(power=2)")[
        "len-ratio(power=2)"
    ].signature
    assert registry.metric(signature) == registry.metric("len-ratio", power=2.0)

    def made(k: int) -> str:
        source = f"def f(hypothesis):\n    return {k}"
        names: dict[str, object] = {"__name__": __name__}
        exec(source, names)
        return nlgauge.metric("constant")(names["f"]).signature()  # type: ignore[arg-type]

    assert made(1) == made(1) != made(2)
    assert nlgauge.score(HYPS, metrics="constant")["constant"].score == 2  # the last one counts


def test_signatures_tell_closures_helpers_and_constants_apart() -> None:
    def closing(k: float) -> str:
        @nlgauge.metric("closing")
        def closing(hypothesis: str) -> float:
            return k * len(hypothesis)

        return closing.signature()

    def looking_up(source: str) -> str:
        names: dict[str, object] = {"__name__": __name__}
        exec(f"{source}\ndef f(hypothesis):\n    return helper(hypothesis) * FACTOR", names)
        return nlgauge.metric("looking-up")(names["f"]).signature()  # type: ignore[arg-type]

    assert closing(1) == closing(1) != closing(2)
    first = "def helper(text):\n    return len(text)\nFACTOR = 2"
    assert looking_up(first) == looking_up(first)
    assert looking_up(first) != looking_up(first.replace("len(text)", "text.count('a')"))
    assert looking_up(first) != looking_up(first.replace("2", "3"))


def test_signatures_are_the_same_in_every_process(tmp_path) -> None:
    """The order of a set of texts is not."""
    (tmp_path / "own.py").write_text(
        "import nlgauge\n"
        "@nlgauge.metric('own')\n"
        "def own(hypothesis):\n"
        "    return sum(c in {'a', 'e', 'i', 'o', 'u', 'y'} for c in hypothesis)\n"
        "print(own.signature())\n"
    )
    printed = {
        subprocess.check_output(
            [sys.executable, "own.py"], cwd=tmp_path, env={**os.environ, "PYTHONHASHSEED": seed}
        )
        for seed in "1234"
    }
    assert len(printed) == 1


def test_used_everywhere(tmp_path) -> None:
    systems = {"one": ["a b", "c d", "e"], "two": ["a", "c", "e"]}
    table = nlgauge.score(systems, ["a b", "c d", "e"], metrics=[len_ratio, "bleu"])
    result = nlgauge.compare(table, trials=20, resamples=20)
    assert result.difference("one", "two", "len-ratio").difference == pytest.approx(1 / 3)
    judged = [
        {"item": str(i + 1), "system": s, "criterion": "x", "value": v}
        for s in systems
        for i, v in enumerate([1, 2, 3])
    ]
    assert nlgauge.meta_evaluate(table, judged).metrics == ("len-ratio", "bleu")
    table.report(tmp_path / "page.html")
    assert "len-ratio" in (tmp_path / "page.html").read_text(encoding="utf-8")
    corpus = nlgauge.Corpus.build(["a b c d", "e f g h"], ["a b c d", "e f g h"])
    found = robustness(corpus, [len_ratio, "ter"], perturbations=["drop"])
    assert "len-ratio" in str(found)


def test_commands_know_it(tmp_path, capsys) -> None:
    (tmp_path / "ref.txt").write_text("a b\n", encoding="utf-8")
    (tmp_path / "sys.txt").write_text("a\n", encoding="utf-8")
    files = [str(tmp_path / "ref.txt"), "-i", str(tmp_path / "sys.txt")]
    assert main(["score", *files, "-m", "len-ratio", "-b"]) == 0
    assert capsys.readouterr().out == "0.5000\n"
    assert main(["metrics", "len-ratio"]) == 0


def test_entry_points_may_name_functions(monkeypatch) -> None:
    found = {"ratio-of-lengths": f"{__name__}:len_ratio"}
    monkeypatch.setattr(plugins, "targets", lambda: found)
    registry.metric_class.cache_clear()
    assert registry.metric("ratio-of-lengths") == len_ratio
    registry.metric_class.cache_clear()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def f(hypothesis, refs): ...", "the parameter 'refs' is not known"),
        ("def f(hypothesis, *, k): ...", "the option 'k' needs a default"),
        ("def f(hypothesis, *, k: list = 1): ...", "the option 'k' needs a default"),
    ],
)
def test_wrong_functions(source: str, message: str) -> None:
    names: dict[str, object] = {"__name__": __name__}
    exec(source, names)
    with pytest.raises(SpecError, match=message):
        nlgauge.metric("wrong")(names["f"])  # type: ignore[arg-type]


def test_wrong_names_and_uses() -> None:
    with pytest.raises(SpecError, match="cannot be called 'bleu'"):
        nlgauge.metric("bleu")(ratio)
    with pytest.raises(SpecError, match="is a function; write @nlgauge"):
        nlgauge.score(HYPS, REFS, metrics=[len])
    with pytest.raises(SpecError, match="with brackets"):
        nlgauge.metric(len)  # type: ignore[arg-type]


def test_failures_name_the_segment() -> None:
    @nlgauge.metric("fails")
    def fails(hypothesis: str) -> float:
        return 1 / (len(hypothesis) - 1)

    with pytest.raises(MetricFailed, match=r"fails .*ZeroDivisionError.* at segment 2"):
        nlgauge.score(["ab", "c"], metrics=fails)

    @nlgauge.metric("no-number")
    def no_number(hypothesis: str) -> str | int:
        return 1 if hypothesis == "ab" else hypothesis

    with pytest.raises(MetricFailed, match="TypeError: 'c' is no number at segment 2 of system;"):
        nlgauge.score(["ab", "c"], metrics=no_number)
    with pytest.raises(SpecError, match="no-number has no option 'k'; it has none"):
        nlgauge.score(["ab"], metrics="no-number(k=1)")

    @nlgauge.metric("too-few", batches=True)
    def too_few(hypotheses: list[str]) -> list[float]:
        return [1.0 for _ in hypotheses[:1]]

    with pytest.raises(MetricFailed, match="returned 1 scores for 2 segments"):
        nlgauge.score(["ab", "c"], metrics=too_few)


def test_the_page_runs() -> None:
    page = Path(__file__).parents[2] / "docs" / "guide" / "own-metrics.md"
    (block,) = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    texts = ["the cat sat on the mat", "a dog barked at night"]
    exec(
        block, {"__name__": __name__, **dict.fromkeys(("hyps", "hyps_a", "hyps_b", "refs"), texts)}
    )
