"""Engines: whatever dies, the bytes are the same."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.command_line import started
from support.engine_tasks import Number, deadly, doubled, failing

from nlgauge.errors import DataError, SpecError
from nlgauge.io.streams.shards import stream_request
from nlgauge.run.streams.engines import HereEngine, find_engine
from nlgauge.run.streams.files import score_files
from nlgauge.run.streams.folder import RunFolder
from nlgauge.run.streams.local_engine import LocalEngine

METRICS = ["bleu", "rouge-l", "cider"]


@pytest.fixture(scope="module")
def engine():
    """Two processes, which can import what tests have in common."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
        with LocalEngine(2) as found:
            yield found


def tasks(count: int = 8) -> list[Number]:
    return list(map(Number, range(count)))


@pytest.mark.parametrize("kind", ["here", "local"])
def test_every_task_is_done_once(kind: str, engine) -> None:
    used = HereEngine() if kind == "here" else engine
    for job in (2, 3):  # an engine can be used again
        found = {task.value: result for task, result in used.run(doubled, job, tasks())}
        assert found == {i: job * i for i in range(8)}


def test_a_process_that_dies_is_replaced(engine, tmp_path) -> None:
    before = engine.processes
    found = [result for _, result in engine.run(deadly, str(tmp_path / "twice"), tasks())]
    assert sorted(found) == list(range(8))
    assert engine.processes != before


def test_what_kills_three_processes_is_named(engine, tmp_path) -> None:
    found = []
    with pytest.raises(DataError, match=r"number 3: 3 processes died of it \(SIGKILL\)"):
        for task, _ in engine.run(deadly, str(tmp_path / "always"), tasks()):
            found.append(task.value)
    assert set(found) <= {0, 1, 2, 4, 5, 6, 7}
    assert len((tmp_path / "always").read_text()) == 3


def test_errors_come_back_as_they_are(engine) -> None:
    with pytest.raises(DataError, match="number 2: is bad"):
        list(engine.run(failing, 2, tasks()))
    assert len(list(engine.run(failing, -1, tasks()))) == 8


def test_closing_ends_all_processes() -> None:
    with LocalEngine(2) as engine:
        pids = engine.processes
        assert next(engine.run(doubled, 1, tasks()))
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"name": "spark"}, "there are local, dask"),
        ({"workers": 0}, "at least 1"),
        ({"scheduler": "tcp://x:1"}, "only for engine=dask"),
    ],
)
def test_engines_that_are_not_there(options: dict[str, object], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        find_engine(**options)


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> str:
    rng = np.random.default_rng(1)
    words = np.array("a the of cat dog sat on mat river bank ran".split())
    texts = [" ".join(rng.choice(words, rng.integers(1, 25))) for _ in range(4000)]
    path = tmp_path_factory.mktemp("engines") / "data.parquet"
    columns = {"hypothesis": texts, "reference": texts[1:] + texts[:1]}
    pq.write_table(pa.table(columns), path, row_group_size=500)
    return str(path)


@pytest.fixture(scope="module")
def expected(data: str, tmp_path_factory) -> tuple[str, Path]:
    folder = tmp_path_factory.mktemp("expected") / "out"
    found = score_files(stream_request([data]), METRICS, folder=RunFolder(str(folder)))
    return json.dumps(found.to_dict()), folder


def assert_same(folder: Path, expected: Path) -> None:
    names = sorted(path.name for path in expected.iterdir())
    assert sorted(path.name for path in folder.iterdir()) == names
    for name in names:
        assert (folder / name).read_bytes() == (expected / name).read_bytes()


def test_killed_workers_change_nothing(engine, data, expected, tmp_path) -> None:
    """Both processes are killed, at different shards."""
    kills = iter(engine.processes)

    def kill(_: int) -> None:
        pid = next(kills, None)
        if pid is not None:
            os.kill(pid, signal.SIGKILL)

    folder = tmp_path / "out"
    found = score_files(
        stream_request([data]),
        METRICS,
        engine=engine,
        folder=RunFolder(str(folder)),
        on_shard=kill,
    )
    assert json.dumps(found.to_dict()) == expected[0]
    assert_same(folder, expected[1])


def test_a_killed_driver_is_gone_on_with(data, expected, tmp_path) -> None:
    folder = tmp_path / "out"
    command = ["score", "--stream", data, "-m", *METRICS, "-f", "json", "--segments", str(folder)]
    driver = subprocess.Popen(
        [sys.executable, "-m", "nlgauge", *command, "--workers", "2"], stdout=subprocess.DEVNULL
    )
    while not list(folder.glob("part-*.json")) and driver.poll() is None:
        time.sleep(0.01)
    driver.kill()
    driver.wait()
    time.sleep(0.2)  # its processes see that it is gone
    done = {path: path.stat().st_mtime_ns for path in folder.glob("part-*.json")}
    assert done
    resumed = started(*command, "--resume", timeout=300)
    assert resumed.returncode == 0, resumed.stderr
    assert json.loads(resumed.stdout) == json.loads(expected[0])
    assert_same(folder, expected[1])
    assert all(path.stat().st_mtime_ns == when for path, when in done.items())


@pytest.mark.slow
def test_dask_gives_the_same(data, expected, tmp_path) -> None:
    pytest.importorskip("distributed")
    folder = tmp_path / "out"
    with find_engine("dask", workers=2) as dask:
        found = score_files(
            stream_request([data]), METRICS, engine=dask, folder=RunFolder(str(folder))
        )
        killed = iter([*dask._client.run(os.getpid).values()][:1])

        def kill(_: int) -> None:
            pid = next(killed, None)
            if pid is not None:
                os.kill(pid, signal.SIGKILL)

        again = score_files(stream_request([data]), METRICS, engine=dask, on_shard=kill)
    assert json.dumps(found.to_dict()) == json.dumps(again.to_dict()) == expected[0]
    assert_same(folder, expected[1])


def test_a_scheduler_without_answer_is_told() -> None:
    pytest.importorskip("distributed")
    start = time.monotonic()
    with pytest.raises(DataError, match=r"scheduler tcp://127\.0\.0\.1:9: no answer"):
        find_engine("dask", scheduler="tcp://127.0.0.1:9")
    assert time.monotonic() - start < 30  # ten seconds, on a machine that has time
