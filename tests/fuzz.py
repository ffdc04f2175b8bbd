"""Scores random texts with random options, and says what broke and how to see it again.

    python tests/fuzz.py                              every metric, five minutes
    python tests/fuzz.py --fast 1000000 --slow 10000 --minutes 600
    python tests/fuzz.py --metrics bleu ter --seed 7

No batch of segments may crash, give a number that is not finite or beyond the metric's bounds, or
differ between threads, shards and orders of the segments. Every metric runs in a process of its
own; a batch follows from the seed, the metric and its number alone. Exit code 1: something broke.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from random import Random

from support import inputs
from support.batch_checks import problems
from support.inputs import ANNOTATED, JUDGES, REPLYING, corpus_for
from support.judge_host import JudgeHost
from support.option_values import draw_metric
from support.strategies import PIECES, SURROGATES

from nlgauge import Corpus, RunContext
from nlgauge.core import registry
from nlgauge.data import JudgeServer

SLOW = 100e-6  # seconds of a segment from which on a metric is slow
BATCH = 2000  # segments with the same options; slow metrics have smaller ones
SLOW_BATCH = 50
VOCABULARY = (
    *"abcdefgh",
    "the",
    "house",
    "houses",
    "running",
    "ran",
    "Zürich",
    "東京",
    "U.S.",
    "1,000",
)


class Texts:
    """A source of texts: repeated words, odd characters, long, empty and related ones."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def draw(self) -> str:
        """A text."""
        rng, kind = self.rng, self.rng.random()
        if kind < 0.05:
            return rng.choice(("", " ", "\n", ".", "\x00", "a"))
        if kind < 0.25:
            return "".join(rng.choices((*PIECES, *SURROGATES), k=rng.randint(1, 25)))
        if kind < 0.35:
            return " ".join(rng.choices(VOCABULARY[: rng.randint(1, 3)], k=rng.randint(1, 60)))
        if kind < 0.37:
            return " ".join(rng.choices(VOCABULARY, k=rng.randint(60, 200)))
        return " ".join(rng.choices(VOCABULARY, k=rng.randint(1, 20)))

    def related(self, text: str) -> str:
        """The text with some words changed, left out or moved, or another one."""
        rng, words = self.rng, text.split(" ")
        if rng.random() < 0.3:
            return self.draw()
        for _ in range(rng.randint(0, 4)):
            at = rng.randrange(len(words) + 1)
            words[at : at + rng.randint(0, 2)] = rng.choices(VOCABULARY, k=rng.randint(0, 2))
        if rng.random() < 0.3:
            at = rng.randrange(len(words) + 1)
            words = [*words[at:], *words[:at]]
        return " ".join(words)

    def segment(self) -> tuple[str, list[str]]:
        """A hypothesis and its references."""
        hyp = self.draw()
        return hyp, [self.related(hyp) for _ in range(self.rng.choice((1, 1, 2, 3)))]


@contextmanager
def judged(corpus: Corpus) -> Iterator[Corpus]:
    """The corpus with a judge to ask, whose answers follow from the texts."""
    with JudgeHost() as host:
        yield corpus.within(RunContext(judge=JudgeServer(url=host.url)))


@dataclass
class Fuzz:
    """Batches of one metric."""

    spec: str
    seed: int

    def batch(self, number: int, size: int) -> list[str]:
        """Run one, and return what broke."""
        rng = Random(f"{self.seed} {self.spec} {number}")
        metric = (
            draw_metric(rng, registry.metric(self.spec)) if number else registry.metric(self.spec)
        )
        texts = Texts(rng)
        pairs = [texts.segment() for _ in range(size)]
        again = self.command(number, size)
        print(f"running {registry.spec(metric)}: {again}", file=sys.stderr, flush=True)
        hyps, refs = map(list, zip(*pairs, strict=True))
        try:
            corpus = corpus_for(metric, hyps, refs)
            with judged(corpus) if metric.info.family == "judge" else nullcontext(corpus) as given:
                found = problems(metric, given, rng)
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

    def run(self, fast: int, slow: int, seconds: float) -> tuple[int, bool, list[str]]:
        """Batches until there are enough segments or the time is over."""
        end = time.monotonic() + seconds
        broken: list[str] = []
        began = time.process_time()
        broken += self.batch(0, SLOW_BATCH)
        is_slow = (time.process_time() - began) / (6 * SLOW_BATCH) > SLOW
        wanted, size = (slow, SLOW_BATCH) if is_slow else (fast, BATCH)
        done, number = SLOW_BATCH, 1
        while done < wanted and time.monotonic() < end and len(broken) < 10:
            broken += self.batch(number, min(size, wanted - done))
            done += min(size, wanted - done)
            number += 1
        return done, is_slow, broken


def run_all(args: argparse.Namespace) -> int:
    """Run every metric in a process of its own, and print what each found."""
    end = time.monotonic() + 60 * args.minutes
    failures = 0
    for k, spec in enumerate(args.metrics):
        left = max(1.0, (end - time.monotonic()) / (len(args.metrics) - k))
        own = [
            f"--seed={args.seed}",
            f"--fast={args.fast}",
            f"--slow={args.slow}",
            f"--seconds={left}",
        ]
        command = [sys.executable, str(Path(__file__)), *own, "--alone", "--metrics", spec]
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False
        )
        print(done.stdout, end="", flush=True)
        failures += done.returncode != 0
        if done.returncode not in (0, 1) or not done.stdout:  # it did not come to its end
            last = "\n  ".join(done.stderr.strip().splitlines()[-5:])
            print(f"{spec}: ended with {done.returncode}\n  {last}", flush=True)
    print(f"{len(args.metrics)} metrics, {failures} with failures")
    return int(failures > 0)


def run_alone(args: argparse.Namespace) -> int:
    """Run one metric here."""
    fuzz = Fuzz(args.metrics[0], args.seed)
    if args.only:
        broken = fuzz.batch(*map(int, args.only.split(":")))
    else:
        done, is_slow, broken = fuzz.run(args.fast, args.slow, args.seconds)
        speed = "slow" if is_slow else "fast"
        print(f"{fuzz.spec}: {done} segments ({speed}), {len(broken)} failures")
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
    parser.add_argument("--metrics", nargs="+", help="specs; all if not given")
    parser.add_argument("--only", metavar="N:SIZE", help="one batch of one metric")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, default=60, help=argparse.SUPPRESS)
    args = parser.parse_args()
    args.metrics = args.metrics or [*inputs.METRICS, *ANNOTATED, *JUDGES, *REPLYING]
    return run_alone(args) if args.alone or args.only else run_all(args)


if __name__ == "__main__":
    sys.exit(main())
