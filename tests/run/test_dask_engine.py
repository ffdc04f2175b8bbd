"""The engine of Dask: the same bytes, shards that kill are named, other versions are refused."""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from threading import Thread

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.engine_tasks import Number, deadly

from nlgauge.errors import DataError
from nlgauge.io.streams.shards import stream_request
from nlgauge.run.streams import dask_engine
from nlgauge.run.streams.dask_engine import DaskEngine
from nlgauge.run.streams.engines import find_engine
from nlgauge.run.streams.files import score_files
from nlgauge.run.streams.folder import RunFolder

distributed = pytest.importorskip("distributed")
METRICS = ["bleu", "rouge-l", "cider"]
# A worker that says that its nlgauge is another one; all else is Dask's own program.
OTHER_VERSION = """
import sys
from nlgauge.run.streams import dask_engine
dask_engine.__version__ = "9.9.9"
from distributed.cli.dask_worker import main
main(["--no-nanny", "--no-dashboard", sys.argv[1]])
"""


@pytest.fixture
def scheduler():
    """A cluster without workers, as `dask scheduler` starts it."""
    with distributed.LocalCluster(
        n_workers=0, dashboard_address=None, silence_logs=50, host="127.0.0.1"
    ) as cluster:
        yield cluster.scheduler_address


def test_a_worker_of_another_version_is_refused(scheduler: str) -> None:
    worker = subprocess.Popen(
        [sys.executable, "-c", OTHER_VERSION, scheduler], stderr=subprocess.DEVNULL
    )
    try:
        # Its time is not measured: a slow machine needs long to import.
        with pytest.raises(DataError, match=r"worker tcp://.* has .*9\.9\.9.*install the same"):
            DaskEngine(scheduler, 1, patience=300)
    finally:
        worker.kill()
        worker.wait()


def test_a_scheduler_without_workers_is_told(scheduler: str) -> None:
    with pytest.raises(DataError, match=r"no answer, or no worker, within 0\.5 seconds"):
        DaskEngine(scheduler, 1, patience=0.5)


def test_a_scheduler_without_answer_is_told() -> None:
    """Nothing listens at the one; the other takes connections, and says nothing, or nonsense."""
    assert dask_engine.PATIENCE < 10
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(DataError, match=rf"scheduler {closed}: no answer"):
            DaskEngine(closed, 1, patience=0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(DataError, match=rf"scheduler {address}: no answer"):
            DaskEngine(address, 1, patience=0.5)
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"tcp://127.0.0.1:{other.getsockname()[1]}"

        def answer() -> None:
            other.accept()[0].sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        Thread(target=answer, daemon=True).start()
        with pytest.raises(DataError, match=rf"scheduler {address}: no answer"):
            DaskEngine(address, 1, patience=5)
    with pytest.raises(DataError, match=r"nowhere: no answer.*missing port"):
        DaskEngine("nowhere", 1, patience=5)


def test_no_client_that_failed_is_left_to_be_found_later() -> None:
    """Python would close it while another one starts, and both would wait for ever."""
    with pytest.raises(DataError, match="missing port"):
        DaskEngine("nowhere", 1, patience=60)
    gc.disable()
    try:
        assert not [found for found in gc.get_objects() if isinstance(found, distributed.Client)]
    finally:
        gc.enable()


@pytest.fixture(scope="module")
def cluster():
    """Two processes, which can import what tests have in common."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", str(Path(__file__).parents[1]), prepend=os.pathsep)
        with find_engine("dask", workers=2) as found:
            yield found


@pytest.mark.slow
def test_the_same_bytes_whoever_dies(cluster, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    words = np.array("a the of cat dog sat on mat river bank ran".split())
    texts = [" ".join(rng.choice(words, rng.integers(1, 25))) for _ in range(4000)]
    data = tmp_path / "data.parquet"
    columns = {"hypothesis": texts, "reference": texts[1:] + texts[:1]}
    pq.write_table(pa.table(columns), data, row_group_size=500)
    request = stream_request([str(data)])
    expected = score_files(request, METRICS, folder=RunFolder(str(tmp_path / "expected")))
    killed = iter([*cluster._client.run(os.getpid).values()][:1])

    def kill(_: int) -> None:
        pid = next(killed, None)
        if pid is not None:
            os.kill(pid, signal.SIGKILL)

    for name, on_shard in (("plain", None), ("killed", kill)):
        folder = tmp_path / name
        found = score_files(
            request, METRICS, engine=cluster, folder=RunFolder(str(folder)), on_shard=on_shard
        )
        assert json.dumps(found.to_dict()) == json.dumps(expected.to_dict())
        for path in (tmp_path / "expected").iterdir():
            assert (folder / path.name).read_bytes() == path.read_bytes()


@pytest.mark.slow
def test_what_kills_three_processes_is_named(cluster, tmp_path: Path) -> None:
    found = []
    with pytest.raises(DataError, match=r"number 3: 3 processes died of it"):
        for task, _ in cluster.run(deadly, str(tmp_path / "always"), map(Number, range(8))):
            found.append(task.value)
    assert 3 not in found
    assert len((tmp_path / "always").read_text()) == 3
