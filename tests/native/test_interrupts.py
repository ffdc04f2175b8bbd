"""Ctrl-C is honoured at once in every long native computation, and nothing half-written stays."""

from __future__ import annotations

import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nlgauge
from nlgauge import Corpus
from nlgauge.cli import main
from nlgauge.core import registry
from nlgauge.kernels import native

pytestmark = pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread() or sys.platform == "win32",
    reason="signals come to the main thread",
)
PATIENCE = 0.2  # seconds of this process' own time, so that busy machines do not count


class Asked(KeyboardInterrupt):
    """What the signal's handler raises, as Python's own for Ctrl-C does."""


@contextmanager
def interrupted(after: float = 0.25, threads: int = 1) -> Iterator[None]:
    """Ask the block to stop once it has computed for so long; it must have done so in time."""
    asked: list[float] = []

    def tick(*_: object) -> None:
        asked.append(1)
        raise Asked

    before = signal.signal(signal.SIGPROF, tick)
    began = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, after)
    try:
        with suppress(Asked):
            yield
        assert asked, "the computation ended before it was asked to stop; make it longer"
        assert time.process_time() - began - after < threads * PATIENCE
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def text(words: int, seed: int, vocabulary: int = 300) -> str:
    rng = random.Random(seed)
    return " ".join(f"w{rng.randrange(vocabulary)}" for _ in range(words))


# One pair so long that each takes many seconds without an interrupt.
LONG = {
    "eed": 20_000,
    "eed(profile=python)": 20_000,
    "wer": 400_000,
    "cder": 300_000,
    "gsa": 60_000,
    "rouge-l": 400_000,
    "rouge-w": 60_000,
    "gtm": 200_000,
}


def score(spec: str, corpus: Corpus, threads: int) -> None:
    registry.metric(spec).rows(corpus, threads=threads)


@pytest.mark.parametrize("threads", [1, 2])
def test_one_long_pair(threads: int) -> None:
    corpus = Corpus.build([text(20_000, 1)], [text(20_000, 2)])
    with interrupted(threads=threads):
        score("eed", corpus, threads)


@pytest.mark.parametrize("threads", [1, 2])
def test_many_segments(threads: int) -> None:
    corpus = Corpus.build([text(40, 1)] * 60_000, [text(40, 2)] * 60_000)
    with interrupted(threads=threads):
        score("ter", corpus, threads)


def test_the_caller_is_idle_while_others_work() -> None:
    """One long segment after many short ones: the main thread may only wait for the other."""
    hyps = ["a"] * 128 + [text(20_000, 1)] + ["a"] * 127
    corpus = Corpus.build(hyps, [text(20_000, 2) if len(h) > 1 else "a" for h in hyps])
    with interrupted(threads=2):
        score("eed", corpus, 2)


@pytest.mark.slow
@pytest.mark.parametrize("spec", LONG)
def test_every_long_pair(spec: str) -> None:
    corpus = Corpus.build([text(LONG[spec], 1)], [text(LONG[spec], 2)])
    with interrupted():
        score(spec, corpus, 1)


def resample() -> None:
    rows = np.random.default_rng(1).random((200_000, 16))
    with interrupted():
        native.bootstrap_totals(rows, np.arange(4, dtype=np.uint64), 2000)


def pick() -> None:
    words = np.random.default_rng(1).integers(0, 2**32, 1_000_000, np.uint32)
    picks = native.Picks(words, 1000, 32_000)
    tables = [np.ones((32_000, 64)) for _ in range(40)]
    with interrupted():
        picks.sums(tables, threads=1)


def move() -> None:
    rng = np.random.default_rng(1)
    masses, costs = rng.random(3000), rng.random(3000 * 3000)
    starts = np.array([0, 3000], np.int64)
    with interrupted():
        native.transport(masses, starts, rng.random(3000), starts, costs, flows=False, threads=1)


def parse() -> None:
    line = b"word" + b" 0.125" * 300 + b"\n"
    data = np.frombuffer(line * 60_000, np.uint8)
    with interrupted():
        native.parse_vectors(data, binary=False)


def count() -> None:
    refs = nlgauge.References.build([[text(30, k)] for k in range(300)] * 1000)
    with interrupted():
        native.Frequencies.count(
            refs.flat, refs.starts, "space", False, None, order=4, unit="token", least=1
        )


def encode() -> None:
    from oracles.bert import random_weights
    from support.artefact_files import Letters

    from nlgauge.models.encoders.bert import Bert, Shape

    weights = random_weights(
        np.random.default_rng(1), words=31, positions=40, width=256, inner=1024, layers=8
    )
    encoder = Bert(weights, Letters(), Shape(heads=4), "wide")
    pieces = encoder.pieces(["a" * 40] * 4000)
    encoder.encode(pieces[:1], [1])
    with interrupted():
        encoder.encode(pieces, [8])


@pytest.mark.slow
@pytest.mark.parametrize("work", [resample, pick, move, parse, count, encode])
def test_other_native_loops(work: Callable[[], None]) -> None:
    work()


def test_from_another_thread_the_work_is_done() -> None:
    """Python hands signals to its main thread only; others compute on, and to the right numbers."""
    corpus = Corpus.build([text(200, 1)] * 300, [text(200, 2)] * 300)
    metric = registry.metric("eed")
    expected = metric.rows(corpus)
    found: list[Any] = []
    worker = threading.Thread(target=lambda: found.append(metric.rows(corpus, threads=2)))
    worker.start()
    with pytest.raises(Asked):
        signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(Asked))
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        time.sleep(5)
    worker.join()
    assert np.array_equal(found[0], expected)


def test_a_handler_that_raises_nothing_changes_nothing() -> None:
    corpus = Corpus.build([text(3_000, 1)], [text(3_000, 2)])
    metric = registry.metric("eed")
    expected = metric.rows(corpus)
    heard: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda *_: heard.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    try:
        found = metric.rows(corpus)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert np.array_equal(found, expected)
    assert heard


def test_nothing_half_written_stays(tmp_path: Path) -> None:
    for name, seed in (("hyp", 1), ("ref", 2)):
        (tmp_path / name).write_text(f"{text(20_000, seed)}\n")
    out = tmp_path / "out"
    out.mkdir()
    files = ["--segments", str(out / "s.tsv"), "--report", str(out / "r.html")]
    with interrupted(after=1.5, threads=4):
        main(["score", str(tmp_path / "ref"), "-i", str(tmp_path / "hyp"), "-m", "eed", *files])
    assert list(out.iterdir()) == []
