"""No text makes a metric slow or large: pairs of 5,000 words in a process of their own."""

import math
import subprocess
import sys
from pathlib import Path

import pytest

from nlgauge.core import registry

GROWTH = Path(__file__).parents[2] / "benchmarks" / "speed" / "growth.py"


def measure(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(GROWTH), "--sizes", "1000,5000", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


# What took minutes, gigabytes, or both.
@pytest.mark.parametrize(
    ("specs", "shapes"),
    [
        ("meteor-1.5 meteor-pp", "unequal,two,marks"),
        ("impact", "unequal,two"),
        ("ter(profile=tercom,max_shift_size=2147483647)", "two,mix"),
        ("ter", "references"),
        ("yisi-1", "random"),
        ("wmd-o we-wpi", "apart"),
    ],
)
def test_known_offenders(specs: str, shapes: str) -> None:
    done = measure("--only", specs, "--shapes", shapes)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_every_metric_and_text() -> None:
    done = measure()
    assert done.returncode == 0, done.stdout + done.stderr


def test_effort_is_spent_not_saved_beyond_the_limit() -> None:
    # The shifts a limit allows are tried; without any, two blocks that changed places look unlike.
    words = [f"w{k}" for k in range(5000)]
    moved = " ".join([*words[1000:], *words[:1000]])
    score = registry.metric("character").sentence_score(moved, [" ".join(words)])
    assert score.value < 0.05


def test_chains_of_deep_trees_skip_as_far_as_the_effort_allows() -> None:
    metric = registry.metric("hwcm(parser=chain,profile=asiya-i,order=4)")
    text = " ".join(f"w{k}" for k in range(120))
    with pytest.warns(UserWarning, match="skip at most (\\d+) heads") as caught:
        metric.sentence_score(text, [text])
    skipped = int(str(caught[0].message).split("at most ")[1].split()[0])
    assert skipped > 5  # what deeper trees have
    assert math.isclose(metric.sentence_score("a b", ["a b"]).value, 0.0)  # no chain of four words
