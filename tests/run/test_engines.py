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
from support.engine_tasks import Number, deadly, deadly_shard, doubled, failing

from nlgauge.errors import DataError, SpecError
from nlgauge.io.streams.shards import stream_request
from nlgauge.run.streams.engines import HereEngine, find_engine
from nlgauge.run.streams.files import score_files
from nlgauge.run.streams.folder import RunFolder
from nlgauge.run.streams.local_engine import LocalEngine

METRICS = ["bleu", "rouge-l", "cider"]


@pytest.fixture(scope="module", autouse=True)
def importable():
    """Let processes import what tests have in common."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", str(Path(__file__).parents[1]), prepend=os.pathsep)
        yield


@pytest.fixture(scope="module")
def engine():
    """Two processes, which are started after `importable`."""
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


def test_a_shard_that_kills_three_processes_is_named(data, expected, tmp_path, monkeypatch) -> None:
    """A real run: what else was scored is kept, and `--resume` goes on with the rest."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]), prepend=os.pathsep)
    request, folder = stream_request([data]), tmp_path / "out"
    monkeypatch.setattr("nlgauge.run.streams.files.score_shard", deadly_shard)
    with (
        LocalEngine(2) as own,
        pytest.raises(DataError, match=r"data\.parquet, row group 3: 3 processes died of it"),
    ):
        score_files(request, METRICS, engine=own, folder=RunFolder(str(folder)))
    monkeypatch.undo()
    done = {path.name for path in folder.glob("part-*.json")}
    assert "part-00003.json" not in done
    found = score_files(request, METRICS, folder=RunFolder(str(folder)), resume=True)
    assert json.dumps(found.to_dict()) == expected[0]
    assert_same(folder, expected[1])


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


def test_leaving_the_loop_cancels_what_is_under_way(engine) -> None:
    """Results of an earlier run are never taken for those of a later one."""
    for factor in range(1, 6):
        results = engine.run(doubled, factor, tasks())
        next(results)
        results.close()
        found = {task.value: result for task, result in engine.run(doubled, -factor, tasks())}
        assert found == {i: -factor * i for i in range(8)}


def test_ctrl_c_does_not_reach_a_process_that_starts() -> None:
    """A terminal sends it to all processes; a worker would answer with a traceback of Python's."""
    with LocalEngine(1) as engine:
        before = engine.processes
        os.kill(before[0], signal.SIGINT)
        assert [result for _, result in engine.run(doubled, 10, [Number(1)])]
        assert engine.processes == before


def test_closing_ends_all_processes() -> None:
    with LocalEngine(2) as engine:
        pids = engine.processes
        results = engine.run(doubled, 1, tasks())
        assert next(results)
    results.close()  # a loop that outlives the engine starts no process again
    assert engine.processes == pids
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


DRIVER = """
import sys
from nlgauge.io.streams.shards import stream_request
from nlgauge.run.streams.files import score_files
from nlgauge.run.streams.folder import RunFolder
from nlgauge.run.streams.local_engine import LocalEngine
with LocalEngine(2) as engine:
    request, folder = stream_request([sys.argv[1]]), RunFolder(sys.argv[2])
    score_files(request, ["bleu"], engine=engine, folder=folder, rows=100)
"""


def test_a_killed_driver_is_gone_on_with(tmp_path) -> None:
    """The driver waits for the third shard, which a pipe does not give it, when it is killed."""
    line = json.dumps({"hyp": "the cat sat", "ref": "the cat sat on a mat"}) + "\n"
    data, folder, expected = tmp_path / "data.jsonl", tmp_path / "out", tmp_path / "expected"
    os.mkfifo(data)
    driver = subprocess.Popen(
        [sys.executable, "-c", DRIVER, str(data), str(folder)], stderr=subprocess.PIPE
    )
    with data.open("w") as pipe:
        pipe.write(line * 200)
        pipe.flush()
        while len(list(folder.glob("part-*.json"))) < 2 and driver.poll() is None:
            time.sleep(0.01)
        assert driver.poll() is None
        workers = children(driver.pid)
        driver.kill()
        said = driver.communicate()[1]  # until the workers have ended, too
    assert len(workers) == 2
    assert not any(map(alive, workers))
    assert said == b""
    done = {path: path.stat().st_mtime_ns for path in folder.glob("part-*.json")}
    assert sorted(path.name for path in done) == ["part-00000.json", "part-00001.json"]
    assert not (folder / "scores.json").exists()
    data.unlink()
    data.write_text(line * 250)
    request = stream_request([str(data)])
    resumed = score_files(request, ["bleu"], folder=RunFolder(str(folder)), resume=True, rows=100)
    whole = score_files(request, ["bleu"], folder=RunFolder(str(expected)), rows=100)
    assert json.dumps(resumed.to_dict()) == json.dumps(whole.to_dict())
    assert_same(folder, expected)
    assert all(path.stat().st_mtime_ns == when for path, when in done.items())


def test_workers_whose_driver_is_gone_say_nothing(monkeypatch) -> None:
    """The driver is killed while its process is at work, and nobody reads the result."""
    code = (
        "import sys, os; from support.engine_tasks import Number, orphaned; "
        "from nlgauge.run.streams.local_engine import LocalEngine; "
        "list(LocalEngine(1).run(orphaned, os.getpid(), [Number(1)]))"
    )
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]), prepend=os.pathsep)
    driver = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert driver.returncode == -signal.SIGKILL
    assert driver.stderr == b""


def children(pid: int) -> list[int]:
    """The processes that one started."""
    return [
        int(child)
        for task in Path(f"/proc/{pid}/task").iterdir()
        for child in (task / "children").read_text().split()
    ]


def alive(pid: int) -> bool:
    """Whether a process still runs; one that ended may wait for somebody to ask how."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
