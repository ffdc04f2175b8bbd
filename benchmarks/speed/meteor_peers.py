"""Time METEOR 1.5 against its jar, taking turns, without start-up on either side.

python benchmarks/speed/meteor_peers.py HYPOTHESES REFERENCES      # one segment a line; rounds=5

Java has to be there, and the jar and its paraphrases inside an installed pycocoevalcap. Each is run
on the first third of the segments and on all of them; the difference is what segments cost once
tables are loaded and code is compiled. Both have all processors, which the jar uses to collect
garbage and to compile; processor time and elapsed time are printed.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

import nlgauge

BAR = 20
JAR = str(files("pycocoevalcap").joinpath("meteor/meteor-1.5.jar"))
CONFIGURATIONS = {
    "meteor-1.5": ["-m", "exact stem synonym"],
    "meteor-1.5(paraphrases=pycocoevalcap)": [],
}


def processor_seconds() -> float:
    """Of this process and its finished children, all threads."""
    uses = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(use.ru_utime + use.ru_stime for use in uses)


def jar_score(folder: Path, name: str, options: list[str]) -> float:
    """The corpus score of the jar."""
    command = ["java", "-Xmx2G", "-jar", JAR, f"{folder}/{name}.hyp", f"{folder}/{name}.ref"]
    printed = subprocess.run(
        [*command, "-l", "en", "-norm", *options], check=True, capture_output=True, text=True
    ).stdout
    return float(printed.rsplit("Final score:", 1)[1])


def per_segment(run: Callable[[str], float], extra: int) -> tuple[float, float, float]:
    """Processor and elapsed microseconds of a segment beyond the first third; the score."""
    times = []
    for name in ("third", "all"):
        start = processor_seconds(), time.perf_counter()
        score = run(name)
        times.append((processor_seconds() - start[0], time.perf_counter() - start[1]))
    cpu, wall = ((b - a) / extra * 1e6 for a, b in zip(*times, strict=True))
    return cpu, wall, score


def main() -> None:
    """Print the ratios."""
    sides = [Path(path).read_text("utf-8").splitlines() for path in sys.argv[1:3]]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    third = len(sides[0]) // 3
    texts = {"third": [side[:third] for side in sides], "all": sides}
    with tempfile.TemporaryDirectory() as created:
        folder = Path(created)
        for name, (hyps, refs) in texts.items():
            (folder / f"{name}.hyp").write_text("\n".join(hyps) + "\n", "utf-8")
            (folder / f"{name}.ref").write_text("\n".join(refs) + "\n", "utf-8")
        for spec, options in CONFIGURATIONS.items():
            found: dict[str, list[tuple[float, float, float]]] = {"nlgauge": [], "jar": []}
            runs: dict[str, Callable[[str], float]] = {
                "nlgauge": lambda name, s=spec: (
                    nlgauge.score(*texts[name], metrics=[s], threads=1)[s].value
                ),
                "jar": lambda name, o=options: jar_score(folder, name, o),
            }
            runs["nlgauge"]("third")  # reads WordNet and the table
            for _ in range(rounds):
                for side, run in runs.items():
                    found[side].append(per_segment(run, len(sides[0]) - third))
            medians = {
                side: [statistics.median(column) for column in zip(*rows, strict=True)]
                for side, rows in found.items()
            }
            (cpu, wall, score), (jar_cpu, jar_wall, jar_score_) = medians.values()
            print(
                f"{spec}: nlgauge {cpu:.0f} µs (elapsed {wall:.0f}), jar {jar_cpu:.0f} µs (elapsed "
                f"{jar_wall:.0f}) a segment: {jar_cpu / cpu:.1f}x (elapsed {jar_wall / wall:.1f}x; "
                f"bar {BAR}x); scores {score:.6f}, {jar_score_:.6f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
