"""A judge behind a server that fails in every way: nothing is lost, doubled or made up."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tracemalloc
from collections import Counter
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from pathlib import Path

import numpy as np
import pytest
from support.judge_host import KEY, Body, JudgeHost, fenced_texts, overlap

from nlgauge import (
    Corpus,
    DataError,
    NlgaugeWarning,
    RunContext,
    ServerFailed,
    Suite,
    score_suite,
)
from nlgauge.core import registry
from nlgauge.core.table import ScoreTable
from nlgauge.data import JudgeServer
from nlgauge.models.judges.chat_client import _retry_after

SEGMENTS = 60


def texts(count: int = SEGMENTS) -> Corpus:
    """Outputs that differ from each other, in several scripts."""
    words = ["north", "sea", "über", "水", "ветер", "🙂", "the", "old"]
    refs = [" ".join(words[(i + k) % 8] for k in range(4)) + f" no{i}" for i in range(count)]
    hyps = [ref if i % 3 else ref.replace(f"no{i}", "other") for i, ref in enumerate(refs)]
    return Corpus.build(hyps, refs)


def expected(corpus: Corpus) -> list[float]:
    pairs = zip(corpus.hypotheses, corpus.references, strict=True)
    return [float(round(100 * overlap(hyp, refs))) for hyp, refs in pairs]


def scores(host: JudgeHost, corpus: Corpus, spec: str = "judge-da(judge=m)", **server) -> list:
    settings = {"connections": 8, "first_wait": 0.001, "timeout": 20.0} | server
    context = RunContext(judge=JudgeServer(url=host.url, **settings))
    metric = registry.metric(spec)
    corpus = corpus.within(context)
    metric.check_inputs(corpus)
    return (metric.score(metric.rows(corpus)) * metric.info.scale).tolist()


def once(*faults: str):
    """Each question meets the faults in turn, each once, and is then answered."""
    return lambda _, __, time: faults[time - 1] if time <= len(faults) else None


@pytest.mark.parametrize(
    "faults",
    [("429",), ("503", "500"), ("broken",), ("cut",), ("reset",), ("empty",), ("huge",),
     ("429", "reset", "cut", "503"), ("429",) * 12],
    ids="-".join,
)  # fmt: skip
def test_every_fault_is_overcome_and_nothing_is_lost_or_doubled(faults: tuple[str, ...]) -> None:
    corpus = texts()
    with JudgeHost(fault=once(*faults)) as host:
        assert scores(host, corpus) == expected(corpus)
    assert set(host.seen.values()) == {len(faults) + 1}
    sent = 2 if faults[0] in ("broken", "empty", "huge") else 1  # whole replies, if bad ones
    assert set(host.answered.values()) == {sent}
    assert len(host.seen) == SEGMENTS


def test_slow_requests_time_out_and_are_sent_again() -> None:
    corpus = texts(6)
    with JudgeHost(fault=lambda n, _, time: "slow" if n == 1 and time == 1 else None) as host:
        assert scores(host, corpus, timeout=1.0) == expected(corpus)
    assert sorted(host.seen.values()) == [1, 1, 1, 1, 1, 2]


def test_the_same_question_is_asked_once() -> None:
    corpus = Corpus.build(["a b", "a b", "c d", "a b"], ["a c", "a c", "c d", "a c"])
    with JudgeHost() as host:
        assert scores(host, corpus) == [50.0, 50.0, 100.0, 50.0]
    assert sorted(host.seen.values()) == [1, 1]


def test_connections_are_bounded() -> None:
    with JudgeHost() as host:
        scores(host, texts(200), connections=5)
    assert host.most_open <= 5


@pytest.mark.parametrize("fault", ["fewer", "more"])
def test_servers_that_send_fewer_or_more_replies_than_asked(fault: str) -> None:
    drawn = Counter[str]()

    def judge(body: Body) -> str:
        """Another number each time, so that a reply that is lost or used twice shows."""
        text = fenced_texts(body)["output"][0]
        drawn[text] += 1
        return str(drawn[text])

    corpus = Corpus.build(["a b", "c d"], ["a", "c"])
    with JudgeHost(judge=judge, fault=lambda *_: fault) as host:
        found = scores(host, corpus, "judge-da(judge=m,samples=4,temperature=1)")
    assert found == [2.5, 2.5]  # the mean of 1, 2, 3, 4
    assert len(host.bodies) == (8 if fault == "fewer" else 2)


def test_refusals_and_gibberish_are_counted_left_out_and_never_0() -> None:
    def judge(body: Body) -> str:
        return {"bad": "no idea", "far": "101", "sorry": "I'm sorry, I cannot rate that."}.get(
            fenced_texts(body)["output"][0], "80"
        )

    def fault(_: int, body: Body, __: int) -> str | None:
        text = fenced_texts(body)["output"][0]
        return {"ref": "refusal", "broken": "broken"}.get(text)

    hyps = ["ok", "bad", "fine", "far", "sorry", "ref", "broken", "good"]
    corpus = Corpus.build(hyps, ["x"] * len(hyps))
    with JudgeHost(judge=judge, fault=fault) as host:
        server = JudgeServer(url=host.url, first_wait=0.001, most_unusable=0.7)
        suite = Suite.build({"s": hyps}, ["x"] * len(hyps))
        with pytest.warns(NlgaugeWarning, match=r"5 of 8 .* left out; .* unparsed, 'no idea'"):
            table = score_suite(suite, "judge-da(judge=m)", context=RunContext(judge=server))
        found = table.segment_scores("s", "judge-da(judge=m)")
        strict = JudgeServer(url=host.url, first_wait=0.001, most_unusable=0.5)
        with pytest.raises(DataError, match=r"5 of 8 segments .* segment 2: unparsed, 'no idea'"):
            registry.metric("judge-da(judge=m)").evaluate(corpus.within(RunContext(judge=strict)))
    assert [value for value in found if not np.isnan(value)] == [80.0, 80.0, 80.0]
    score = table["judge-da(judge=m)"]
    assert score.score == pytest.approx(80.0)
    counts = {name: score.parts[name] for name in ("judged", "unparsed", "refused", "unanswered")}
    assert counts == {"judged": 3, "unparsed": 2, "refused": 2, "unanswered": 1}


def test_what_will_fail_again_is_not_tried_again() -> None:
    with JudgeHost(fault=lambda *_: "400") as host:
        with pytest.raises(ServerFailed, match=r"HTTP 400 fault 400; check the address"):
            scores(host, texts(), connections=1)
        assert host.number == 1
    moved = JudgeHost(fault=lambda *_: "redirect")
    with moved, pytest.raises(ServerFailed, match="HTTP 307"):
        scores(moved, texts(), connections=1)
    with pytest.raises(ServerFailed, match=r"tried 3 times.*--judge-cache FOLDER"):
        scores(host, texts(), retries=2)


def test_a_run_goes_on_where_a_restarted_server_left_it(tmp_path: Path) -> None:
    corpus, cache = texts(), str(tmp_path / "cache")
    first = JudgeHost(fault=lambda n, *_: "reset" if n > 25 else None)
    with first, pytest.raises(ServerFailed, match=r"replies so far are in .*cache"):
        scores(first, corpus, cache=cache, retries=1)
    port, done = first.port, first.answered
    assert 0 < len(done) < SEGMENTS
    with JudgeHost(port=port) as second:
        assert scores(second, corpus, cache=cache) == expected(corpus)
        assert not set(second.seen) & set(done)
        assert len(second.seen) + len(done) == SEGMENTS
        assert scores(second, corpus, cache=cache) == expected(corpus)
        assert set(second.seen.values()) == {1}


def test_a_server_that_is_restarted_in_the_middle_is_waited_for() -> None:
    corpus = texts(40)
    first = JudgeHost()
    first.__enter__()
    second: list[JudgeHost] = []

    def fault(number: int, *_: object) -> str | None:
        return "reset" if number > 10 else None

    first.fault = fault

    def reborn(done: int, _: int) -> None:
        if done >= 10 and not second:
            first.stop()
            second.append(JudgeHost(port=first.port).__enter__())

    server = JudgeServer(url=first.url, connections=4, first_wait=0.05, retries=50)
    context = RunContext(judge=server, on_judged=reborn)
    metric = registry.metric("judge-da(judge=m)")
    try:
        rows = metric.rows(corpus.within(context))
    finally:
        for host in (first, *second):
            host.stop()
    assert (metric.score(rows) * 100).tolist() == expected(corpus)
    whole = first.answered + second[0].answered
    assert set(whole.values()) == {1} and len(whole) == 40


def test_waits_that_servers_ask_for() -> None:
    soon = datetime.now(timezone.utc) + timedelta(seconds=90)
    assert 80 < _retry_after(format_datetime(soon, usegmt=True)) <= 90
    assert _retry_after("7.5") == 7.5
    assert _retry_after("-3") == _retry_after("Thu, 01 Jan 1970 00:00:00 GMT") == 0.0
    assert _retry_after("") is _retry_after("soon") is None
    host = JudgeHost(fault=lambda *_: "429", retry_after="100000")
    with host, pytest.raises(ServerFailed, match="asks to wait for more than 900 s"):
        scores(host, texts(3))


def test_servers_that_call_the_limit_otherwise() -> None:
    corpus = texts(5)
    with JudgeHost(fault=lambda *_: "new-limit") as host:
        assert scores(host, corpus, connections=1) == expected(corpus)
    assert len(host.bodies) == 6  # asked once in vain, and in the new way from then on
    assert all("max_completion_tokens" in body for body in host.bodies[1:])


def test_memory_does_not_grow_with_replies(tmp_path: Path) -> None:
    """Replies of 50 kB each, 15 MB in all, are read, kept on disk and forgotten."""
    reasons = "The output is fine. " * 2_500
    corpus = texts(300)
    with JudgeHost(judge=lambda _: f"{reasons}\nScore: 50") as host:
        host.bodies = host.headers = _Forgetful()  # type: ignore[assignment]
        tracemalloc.start()
        try:
            assert set(scores(host, corpus, cache=str(tmp_path))) == {50.0}
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert peak < 8_000_000


class _Forgetful(list[object]):
    def append(self, _: object) -> None:
        """Keep nothing."""


def test_a_damaged_cache_is_said_to_be_one(tmp_path: Path) -> None:
    with JudgeHost() as host:
        scores(host, texts(3), cache=str(tmp_path))
        (file,) = tmp_path.glob("*.replies")
        with contextlib.closing(sqlite3.connect(file)) as database:
            database.execute("UPDATE found SET data = x'00ff'")
            database.commit()
        with pytest.raises(DataError, match=r"is damaged .*delete the file"):
            scores(host, texts(3), cache=str(tmp_path))
        file.write_bytes(b"no database" * 100)
        with pytest.raises(DataError, match="delete the file"):
            scores(host, texts(3), cache=str(tmp_path))


def test_another_server_or_question_has_other_replies(tmp_path: Path) -> None:
    corpus = texts(4)
    with JudgeHost() as one, JudgeHost(judge=lambda _: "7") as other:
        assert scores(one, corpus, cache=str(tmp_path)) == expected(corpus)
        assert scores(other, corpus, cache=str(tmp_path)) == pytest.approx([7.0] * 4)
        scores(one, corpus, "judge-da(judge=m,temperature=1)", cache=str(tmp_path))
        assert one.number == 8


CHILD = """
import sys
from nlgauge import Corpus, RunContext
from nlgauge.core import registry
from nlgauge.data import JudgeServer
sys.path.insert(0, sys.argv[3])
from metrics.judge.test_judge_faults import texts
server = JudgeServer(url=sys.argv[1], cache=sys.argv[2], connections=4)
registry.metric("judge-da(judge=m)").rows(texts(160).within(RunContext(judge=server)))
"""


def test_a_killed_run_pays_for_nothing_twice(tmp_path: Path) -> None:
    corpus, cache = texts(160), str(tmp_path / "cache")
    folder = str(Path(__file__).parents[2])
    killed: list[subprocess.Popen[bytes]] = []

    def fault(number: int, *_: object) -> None:
        if number == 60:
            killed[0].send_signal(signal.SIGKILL)

    with JudgeHost(fault=fault) as host:
        environment = {**os.environ, "PYTHONPATH": folder}
        command = [sys.executable, "-c", CHILD, host.url, cache, folder]
        killed.append(subprocess.Popen(command, env=environment))
        assert killed[0].wait() == -signal.SIGKILL
        before = Counter(host.answered)
        assert scores(host, corpus, cache=cache) == expected(corpus)
        twice = sum(host.seen[contents] > 1 for contents in before)
    assert len(host.seen) == 160
    assert twice <= 4  # requests that were under way, one for each connection


def test_a_budget_stops_a_run_before_it_is_exceeded(tmp_path: Path) -> None:
    corpus, cache = texts(), str(tmp_path / "cache")
    with JudgeHost() as host:
        spent = {"input_price": 1.0, "output_price": 2.0, "connections": 2, "cache": cache}
        with pytest.raises(ServerFailed, match=r"judge budget 0.006 .*raise the budget"):
            scores(host, corpus, budget=0.006, **spent)
        done = len(host.answered)
        assert 0 < done < SEGMENTS
        used = sum(sum(len(m["content"].split()) for m in b["messages"]) + 2 for b in host.bodies)
        assert used / 1e6 <= 0.006
        with pytest.raises(ServerFailed, match="spent"):
            scores(host, corpus, budget=0.0, **spent)
        assert len(host.answered) == done  # not even one more
        assert scores(host, corpus, **spent) == expected(corpus)
        assert set(host.seen.values()) == {1}


def test_a_budget_is_that_of_all_systems_and_metrics_together() -> None:
    """The server counts 100 tokens of each question and one of each reply."""
    systems = {name: [f"{name} {i}" for i in range(20)] for name in ("a", "b", "c")}
    suite = Suite.build(systems, [f"r {i}" for i in range(20)])
    metrics = ["judge-da(judge=m)", "judge-rubric(judge=other,weighting=samples,samples=1)"]
    with JudgeHost(usage=(100, 1)) as host:
        server = JudgeServer(url=host.url, budget=101 * 90 + 1000, connections=2)
        with pytest.raises(ServerFailed, match=r"of 20 questions are answered, (\d+) spent") as why:
            score_suite(suite, metrics, context=RunContext(judge=server))
        assert 60 < host.number <= 100  # all of the first metric, and some of the second
        assert f"{101 * host.number} spent" in str(why.value)


@pytest.mark.parametrize(("fault", "paid"), [("cut", 3), ("broken", 3), ("503", 1), ("429", 1)])
def test_replies_that_were_lost_may_have_been_paid_for(fault: str, paid: int) -> None:
    """Each question fails twice; what the server refused costs nothing, what was lost the most."""
    corpus = texts(1)
    with JudgeHost(fault=once(fault, fault)) as host:
        server = JudgeServer(url=host.url, first_wait=0.001)
        metric = registry.metric("judge-da(judge=m)")
        most = metric.estimate(corpus.within(RunContext(judge=server)))
        metric.rows(corpus.within(RunContext(judge=server)))
        (body, *_) = host.bodies
    told = sum(len(m["content"].split()) for m in body["messages"]) + 1
    lost = (paid - 1) * (most.input_tokens + most.output_tokens)
    assert server.ledger.spent == told + lost
    assert server.ledger.reserved == 0


def test_dry_runs_ask_nothing_and_estimate_what_is_left(tmp_path: Path) -> None:
    corpus, metric = texts(), registry.metric("judge-da(judge=m)")
    with JudgeHost() as host:
        server = JudgeServer(
            url=host.url, cache=str(tmp_path), input_price=1000.0, output_price=2000.0
        )
        before = metric.estimate(corpus.within(RunContext(judge=server)))
        assert host.number == 0
        scores(host, corpus.take(range(20)), cache=str(tmp_path))
        after = metric.estimate(corpus.within(RunContext(judge=server)))
    assert (before.segments, before.requests, before.kept) == (SEGMENTS, SEGMENTS, 0)
    assert (after.requests, after.kept) == (SEGMENTS - 20, 20)
    assert before.output_tokens == SEGMENTS * 16
    assert before.cost == pytest.approx(
        (before.input_tokens * 1000 + before.output_tokens * 2000) / 1e6
    )
    # English and the like: a token has about four letters.
    words = sum(len(m["content"].split()) for body in host.bodies for m in body["messages"])
    assert words < before.input_tokens * 20 / SEGMENTS < 2 * words


def test_signatures_name_prompt_model_and_what_has_answered() -> None:
    with JudgeHost(model="m-2026-01", version="fp_9") as host:
        context = RunContext(judge=JudgeServer(url=host.url))
        suite = Suite.build({"a": ["x y"], "b": ["z"]}, ["x"])
        table: ScoreTable = score_suite(suite, "judge-da(judge=m,temperature=0.5)", context=context)
    (column,) = table.columns
    entries = dict(entry.partition(":")[::2] for entry in column.signature.split("|")[1:])
    assert entries["judge"] == "m" and entries["temperature"] == "0.5"
    assert entries["samples"] == "1" and entries["with.server"] == "m-2026-01 fp_9"
    assert len(entries["with.prompt"]) == 12
    assert registry.metric(column.signature) == column.metric
    assert host.url not in column.signature


def test_a_key_is_sent_and_never_seen_again(tmp_path: Path, capfd, caplog) -> None:
    """Everything that is written is searched, also where the server repeats the key."""
    caplog.set_level("DEBUG")
    folder = tmp_path / "written"
    folder.mkdir()
    (tmp_path / "key").write_text(f"{KEY}\n", encoding="utf-8")
    data = tmp_path / "data.jsonl"
    lines = [
        {"id": str(i), "hypothesis": h, "references": [h], "system": "s", "source": h}
        for i, h in enumerate(["a b", "c d", "e"])
    ]
    data.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    from nlgauge.cli import main

    def run(host: JudgeHost, *more: str) -> None:
        out = [f"--{name}" for name in ("report", "segments")]
        files = [str(folder / name) for name in ("report.html", "segments.jsonl")]
        pairs = [part for pair in zip(out, files, strict=True) for part in pair]
        with contextlib.suppress(SystemExit):
            main(
                ["score", str(data), "-m", "judge-mqm", "judge-da", "--judge-model", "m",
                 "--judge-url", host.url, "--judge-cache", str(folder / "cache"),
                 "-f", "json", "-o", str(folder / "scores.json"), *pairs, *more]
            )  # fmt: skip

    def echo(body: Body) -> str:
        asks_errors = '"errors"' in body["messages"][1]["content"]
        return json.dumps({"errors": [], "why": KEY}) if asks_errors else f"{KEY} says\nScore: 8"

    with JudgeHost(key=KEY, judge=echo, version=KEY) as host:
        run(host, "--judge-key-file", str(tmp_path / "key"))
        assert (folder / "scores.json").exists()
        assert any(KEY in head for head in host.headers)
        run(host)  # without a key: the server's message repeats it
    with JudgeHost(key="another", judge=echo) as host:
        run(host, "--judge-key-file", str(tmp_path / "key"), "--judge-model", "other")
        assert host.number >= 1
    said = capfd.readouterr()
    assert "401" in said.err
    assert KEY not in said.out + caplog.text
    written = [path for path in folder.rglob("*") if path.is_file()]
    assert len(written) >= 4
    for path in written:
        assert KEY.encode() not in path.read_bytes(), path
