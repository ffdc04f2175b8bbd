"""Whole processes: start-up, and a large corpus through the command line."""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from child import measure
from corpora import Corpora
from peers import versions
from report import Bar, Line

METRICS = ("bleu", "chrf", "ter")
TEN_LINES = {"ten lines, BLEU": METRICS[:1], "ten lines, three metrics": METRICS}
QUICK_ENOUGH = Bar(0.3, " s", at_least=False)


def alternate(commands: Mapping[str, Sequence[str]], reps: int, bytecode: str) -> dict[str, float]:
    """Median wall time of each command, round-robin after one round to warm up."""
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(reps + 1):
        for name, command in commands.items():
            seconds[name].append(measure(command, bytecode)[0])
    return {name: statistics.median(times[1:]) for name, times in seconds.items()}


def start_up(corpora: Corpora, reps: int) -> Iterator[Line]:
    """Imports, help, and ten lines."""
    with tempfile.TemporaryDirectory() as folder:
        ref, hyp = _head(corpora, Path(folder))
        commands = {
            "numpy": _python("import numpy"),
            "import": _python("import nlgauge"),
            "score": _python("import nlgauge; nlgauge.score"),
            "help": [sys.executable, "-m", "nlgauge", "--help"],
        }
        for label, names in TEN_LINES.items():
            commands[label] = _score(ref, hyp, names)
            if "sacreBLEU" in versions():
                files = [str(ref), "-i", str(hyp), "-m", *names]
                commands[f"sacreBLEU, {label}"] = [sys.executable, "-m", "sacrebleu", *files]
        seconds = alternate(commands, reps, folder)
    numpy = seconds["numpy"]
    for name, label in (("import", "import nlgauge"), ("score", "import nlgauge; nlgauge.score")):
        yield Line(
            label,
            f"{seconds[name] * 1e3:.0f} ms",
            (seconds[name] - numpy) * 1e3,
            unit=" ms more",
            bar=Bar(30, " ms", at_least=False),
            peer="import numpy",
            theirs=f"{numpy * 1e3:.0f} ms",
        )
    yield Line("nlgauge --help", "", seconds["help"], unit=" s", bar=QUICK_ENOUGH)
    for label in TEN_LINES:
        theirs = seconds.get(f"sacreBLEU, {label}")
        if theirs is None:
            yield Line(label, "", seconds[label], unit=" s", bar=QUICK_ENOUGH)
            continue
        ours, peers = f"{seconds[label] * 1e3:.0f} ms", f"{theirs * 1e3:.0f} ms"
        ratio = theirs / seconds[label]
        yield Line(label, ours, ratio, bar=Bar(1), peer="sacreBLEU", theirs=peers)


def large(corpora: Corpora, name: str, reps: int) -> Iterator[Line]:
    """A corpus through the command line with all processors: time and memory."""
    ref, hyp = corpora.path(name, "ref0"), corpora.path(name, "hyp")
    size = ref.stat().st_size + hyp.stat().st_size
    with hyp.open("rb") as file:
        segments = sum(1 for _ in file)
    with tempfile.TemporaryDirectory() as folder:
        small = _score(*_head(corpora, Path(folder)))
        measure(small, folder)
        runs = [(measure(_score(ref, hyp), folder), measure(small, folder)) for _ in range(reps)]
    seconds = statistics.median(run[0] for run, _ in runs)
    peak = statistics.median(run[1] for run, _ in runs)
    base = statistics.median(run[1] for _, run in runs)
    label = f"{segments:,} segments by the command line"
    yield Line(f"{label}, three metrics", f"{size / 1e6:.0f} MB of text", seconds, unit=" s")
    yield Line(
        f"{label}, memory",
        f"{peak / 1e6:.0f} MB, {base / 1e6:.0f} MB for ten lines",
        (peak - base) / size,
        unit="× the text",
        bar=Bar(3, at_least=False),
    )


def _python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def _score(ref: Path, hyp: Path, metrics: Sequence[str] = METRICS) -> list[str]:
    command = [sys.executable, "-m", "nlgauge", "score", str(ref), "-i", str(hyp)]
    return [*command, "-m", *metrics, "--quiet"]


def _head(corpora: Corpora, folder: Path) -> tuple[Path, Path]:
    """The first ten lines of a corpus, as files."""
    paths = []
    for part in ("ref0", "hyp"):
        with corpora.path("S", part).open(encoding="utf-8", newline="\n") as file:
            text = "".join(next(file) for _ in range(10))
        paths.append(folder / part)
        paths[-1].write_text(text, encoding="utf-8")
    return paths[0], paths[1]
