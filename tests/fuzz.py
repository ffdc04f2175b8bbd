"""Scores random texts with random options, and says what broke and how to see it again.

    python tests/fuzz.py                              every metric, five minutes
    python tests/fuzz.py --fast 1000000 --slow 10000 --minutes 600 --jobs 2
    python tests/fuzz.py --metrics bleu ter --seed 7

No batch of segments may crash, give a number that is not finite or beyond the metric's bounds, or
differ between threads, shards and orders of the segments. Every metric runs in a process of its
own; a batch follows from the seed, the metric and its number alone. Exit code 1: something broke.

A batch has one draw of options. Options that take over 100 µs a segment are slow: their batches are
small. A metric that is fast as it is gets as many segments as `--fast` says in options that are
fast, and meets slow ones on the way; the others get what `--slow` says. What was done is kept in
build/fuzz: the same command goes on from there, until the code changes.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, fields
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from support import inputs
from support.batch_checks import problems
from support.fuzz_ledger import Batch, Coverage, Ledger
from support.fuzz_texts import segments
from support.inputs import ANNOTATED, JUDGES, REPLYING, corpus_for
from support.judge_host import Body, JudgeHost, overlap_judge
from support.option_values import draw_metric

from nlgauge import Corpus, Metric, RunContext
from nlgauge.core import registry
from nlgauge.data import JudgeServer

SLOW = 100e-6  # seconds of a segment from which on options are slow
BATCH = 2000  # segments with the same options; slow ones have smaller batches
SLOW_BATCH = 50
MOST_BROKEN = 10  # batches after which a metric has shown enough


@dataclass
class Fuzz:
    """Batches of one metric."""

    spec: str
    seed: int

    def metric(self, number: int) -> Metric:
        """Return the metric in the options of a batch; the first has the defaults."""
        base = registry.metric(self.spec)
        return draw_metric(self.rng(number), base) if number else base

    def rng(self, number: int) -> Random:
        """Return what a batch draws from."""
        return Random(f"{self.seed} {self.spec} {number}")

    def is_slow(self, number: int) -> bool:
        """Whether a few segments take long; the second time, as the first loads what it needs."""
        metric = self.metric(number)
        hyps, refs = segments(self.seed, number, self.spec, SLOW_BATCH)
        for _ in range(2):
            corpus = corpus_for(metric, hyps, refs)
            began = time.process_time()
            try:
                with given(metric, corpus) as asked:
                    metric.rows(asked)
            except Exception:  # the batch itself will show it
                return True
            if time.process_time() - began <= SLOW * SLOW_BATCH:
                return False
        return True

    def batch(self, number: int, size: int) -> list[str]:
        """Run one, and return what broke."""
        metric = self.metric(number)
        again = self.command(number, size)
        print(f"running {registry.spec(metric)}: {again}", file=sys.stderr, flush=True)
        hyps, refs = segments(self.seed, number, self.spec, size)
        try:
            with given(metric, corpus_for(metric, hyps, refs)) as corpus:
                found = problems(metric, corpus, self.rng(number))
        except Exception:
            found = [(traceback.format_exc(limit=-3), None)]
        broken = []
        for what, at in found[:3]:
            pair = (
                ""
                if at is None
                else f"\n  hypothesis {hyps[at]!a:.300}\n  references {refs[at]!a:.300}"
            )
            broken.append(f"{registry.spec(metric)}: {what}{pair}\n  again: {again}")
        return broken

    def command(self, number: int, size: int) -> str:
        """How to run a batch again."""
        return shlex.join(
            [
                "python",
                "tests/fuzz.py",
                f"--seed={self.seed}",
                f"--only={number}:{size}",
                "--metrics",
                self.spec,
            ]
        )

    def run(self, ledger: Ledger, fast: int, slow: int, seconds: float) -> list[str]:
        """Run batches that the ledger lacks until there are enough or the time is over."""
        end = time.monotonic() + seconds
        done = ledger.batches(self.seed)
        covered = Coverage()
        broken: list[str] = []
        for number in count():
            one = done.get((self.spec, number))
            if one is None:
                if number and time.monotonic() > end:
                    break
                one = self.timed(number, covered, slow)
                ledger.write(one)
                broken += one.broken
            covered.add(one)
            if covered.share(fast, slow) >= 1 or len(broken) >= MOST_BROKEN:
                break
        return broken

    def timed(self, number: int, covered: Coverage, slow: int) -> Batch:
        """Run a batch of the size that its options allow; there may be enough slow ones."""
        began = time.process_time()
        is_slow = covered.is_slow or self.is_slow(number)
        size = SLOW_BATCH if is_slow else BATCH
        if is_slow and not covered.is_slow and covered.slow >= slow:
            size = 0
        broken = self.batch(number, size) if size else []
        return Batch(
            spec=self.spec,
            seed=self.seed,
            number=number,
            size=size,
            slow=is_slow,
            seconds=time.process_time() - began,
            broken=broken,
        )


def likely_grades(body: Body) -> list[Any]:
    """A judge's answer, a lower grade, and what is no grade, with their probabilities."""
    likely = zip((overlap_judge(body), "1", "I"), (-0.7, -1.1, -1.8), strict=True)
    first, *others = ({"token": token, "logprob": p} for token, p in likely)
    return [first | {"top_logprobs": [first, *others]}]


@contextmanager
def given(metric: Metric, corpus: Corpus) -> Iterator[Corpus]:
    """The corpus; for judges with one to ask, whose answers follow from the texts."""
    if metric.info.family != "judge":
        yield corpus
        return
    with JudgeHost(logprobs=likely_grades) as host:
        yield corpus.within(RunContext(judge=JudgeServer(url=host.url)))


def run_all(args: argparse.Namespace) -> int:
    """Run every metric in a process of its own: those that lack most first, then the complex."""
    end = time.monotonic() + 60 * args.minutes
    covered = args.ledger.coverage(args.seed)
    shares = {
        spec: covered.get(spec, Coverage()).share(args.fast, args.slow) for spec in args.metrics
    }
    waiting = sorted(
        (spec for spec in args.metrics if shares[spec] < 1),
        key=lambda spec: (shares[spec], -len(fields(registry.metric(spec)))),
    )

    def run(k: int, spec: str) -> bool:
        left = max(1.0, args.jobs * (end - time.monotonic()) / (len(waiting) - k))
        own = [
            f"--seed={args.seed}",
            f"--fast={args.fast}",
            f"--slow={args.slow}",
            f"--seconds={left}",
            f"--ledger={args.ledger.path}",
        ]
        command = [sys.executable, str(Path(__file__)), *own, "--alone", "--metrics", spec]
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False
        )
        print(done.stdout, end="", flush=True)
        if done.returncode not in (0, 1) or not done.stdout:  # it did not come to its end
            last = "\n  ".join(done.stderr.strip().splitlines()[-5:])
            print(f"{spec}: ended with {done.returncode}\n  {last}", flush=True)
        return done.returncode != 0

    with ThreadPoolExecutor(args.jobs) as pool:
        failures = sum(pool.map(run, range(len(waiting)), waiting))
    summarise(args)
    print(f"{len(args.metrics)} metrics, {failures} with failures")
    return int(failures > 0)


def summarise(args: argparse.Namespace) -> None:
    """Print what this code has come through, and write it beside the ledger."""
    covered = args.ledger.coverage(args.seed)
    lines = ["segments\tin slow options\tseconds\tshare of what is wanted\tmetric"]
    for spec in args.metrics:
        one = covered.get(spec, Coverage())
        lines.append(
            f"{one.fast + one.slow}\t{one.slow}\t{one.seconds:.1f}"
            f"\t{one.share(args.fast, args.slow):.2f}\t{spec}"
        )
    text = "\n".join(lines)
    print(text)
    (args.ledger.path.parent / "summary.tsv").write_text(text + "\n", "utf-8")


def run_alone(args: argparse.Namespace) -> int:
    """Run one metric here."""
    fuzz = Fuzz(args.metrics[0], args.seed)
    if args.only:
        broken = fuzz.batch(*map(int, args.only.split(":")))
    else:
        broken = fuzz.run(args.ledger, args.fast, args.slow, args.seconds)
        one = args.ledger.coverage(args.seed).get(fuzz.spec, Coverage())
        speed = "slow" if one.is_slow else "fast"
        print(f"{fuzz.spec}: {one.fast + one.slow} segments ({speed}), {len(broken)} failures")
    print("\n".join(broken), end="\n" if broken else "")
    return int(bool(broken))


def main() -> int:
    """Read the arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fast", type=int, default=20_000, help="segments of a fast metric")
    parser.add_argument("--slow", type=int, default=500, help="segments of a slow metric")
    parser.add_argument("--minutes", type=float, default=5, help="for all metrics together")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--metrics", nargs="+", help="specs; all if not given")
    parser.add_argument("--only", metavar="N:SIZE", help="one batch of one metric")
    parser.add_argument("--summary", action="store_true", help="show what has been done")
    parser.add_argument("--ledger", type=Path, default=Path("build/fuzz/ledger.jsonl"))
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, default=60, help=argparse.SUPPRESS)
    args = parser.parse_args()
    args.ledger = Ledger(args.ledger)
    args.metrics = args.metrics or [*inputs.METRICS, *ANNOTATED, *JUDGES, *REPLYING]
    if args.summary:
        summarise(args)
        return 0
    return run_alone(args) if args.alone or args.only else run_all(args)


if __name__ == "__main__":
    sys.exit(main())
