"""Time nlgauge against its peers, and against the bars it has to reach.

python benchmarks/run.py                  # everything, some minutes
python benchmarks/run.py --quick --only bleu,ter
python benchmarks/run.py --write          # and update RESULTS.md
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import metrics
import processes
import report
import significance
from corpora import Corpora
from peers import PACKAGES, versions
from report import Bar, Line

GROUPS = ("bleu", "chrf", "chrf++", "ter", "paired", "resampling", "threads", "large", "startup")


class Run:
    """One run: what was asked for, and the notes made on the way."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.only: set[str] = arguments.only
        self.quick: bool = arguments.quick
        self.reps: int = arguments.reps or (3 if arguments.quick else 5)
        self.corpora = Corpora(arguments.corpus)
        self.notes: list[str] = []
        self.sacrebleu = "sacreBLEU" in versions()
        for name in PACKAGES.keys() - versions().keys():
            self.note(f"{name} is not installed; skipped")

    def note(self, text: str) -> None:
        """Print now, and keep for the report."""
        print(text, flush=True)
        self.notes.append(text)

    def lines(self) -> Iterator[Line]:
        """All comparisons asked for, in order."""
        for part in (self.metrics, self.significance, self.threads, self.processes):
            yield from self.attempt(part)

    def attempt(self, part: Callable[[], Iterator[Line]]) -> Iterator[Line]:
        """Do without what a folder given with --corpus lacks."""
        try:
            yield from part()
        except FileNotFoundError as error:
            self.note(f"skipped: {error}")

    def metrics(self) -> Iterator[Line]:
        """Metrics against peers."""
        cases = [case for case in metrics.CASES if case.metric in self.only]
        if not cases:
            return
        corpus = self.corpora.load("M")
        for case in cases:
            if self.sacrebleu:
                n = metrics.segments("sacreBLEU", corpus, self.quick)
                self.note(metrics.check(case, corpus.first(n, case.references)))
            yield from metrics.compare(case, corpus, self.reps, self.quick)

    def significance(self) -> Iterator[Line]:
        """Bootstrap."""
        if not self.sacrebleu or not self.only & {"paired", "resampling"}:
            return
        small = self.corpora.load("S", 1)
        if "paired" in self.only:
            self.note(significance.check(small))
            yield significance.paired(small, self.reps)
        if "resampling" in self.only:
            yield significance.resampled(small, self.reps, Bar(12))
            if not self.quick:
                yield significance.resampled(self.corpora.load("M", 1), self.reps, Bar(25))

    def threads(self) -> Iterator[Line]:
        """Scaling."""
        if "threads" in self.only:
            corpus = self.corpora.load("M", 1)
            for metric in metrics.METRICS:
                yield metrics.scaling(metric, corpus, self.reps + 4)

    def processes(self) -> Iterator[Line]:
        """The command line."""
        if "large" in self.only:
            yield from processes.large(self.corpora, "M" if self.quick else "L", self.reps)
        if "startup" in self.only:
            yield from processes.start_up(self.corpora, 5 if self.quick else 15)


def groups(text: str) -> set[str]:
    """The value of --only."""
    names = set(text.split(","))
    if unknown := names - set(GROUPS):
        raise argparse.ArgumentTypeError(f"no {', '.join(unknown)}; there are {', '.join(GROUPS)}")
    return names


def main() -> None:
    """Parse, run, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="fewer segments and repetitions")
    parser.add_argument("--only", type=groups, default=set(GROUPS), metavar=",".join(GROUPS))
    parser.add_argument("--reps", type=int, help="repetitions (5)")
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="with {S,M,L}.{hyp,hyp2,ref0..}")
    parser.add_argument("--write", action="store_true", help="update RESULTS.md")
    arguments = parser.parse_args()
    if arguments.write and (arguments.quick or arguments.corpus or arguments.only != set(GROUPS)):
        parser.error("--write is for complete runs, without --quick, --corpus and --only")
    if arguments.corpus and not arguments.corpus.is_dir():
        parser.error(f"{arguments.corpus} is not a folder")
    os.environ["RAYON_NUM_THREADS"] = "1"  # the Rust peers read it at their first call

    run = Run(arguments)
    before = os.getloadavg()[0]
    lines = []
    for line in run.lines():
        print("  ".join(filter(None, line.cells())), flush=True)
        lines.append(line)
    # This program alone keeps one processor busy, two where it scores with all of them.
    run.note(f"load average: {before:.1f} before the run, {os.getloadavg()[0]:.1f} after it")
    if before > 0.5:
        run.note("other programs were running: wall times (threads, large, start-up) are too long")
    print()
    report.show(lines)
    if arguments.write:
        report.write(lines, run.notes, run.reps)


if __name__ == "__main__":
    main()
