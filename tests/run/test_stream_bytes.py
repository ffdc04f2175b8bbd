"""Every metric that can be streamed: equal bytes for any shards, order, engine and workers."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.inputs import SPECS

from nlgauge import DataError, NlgaugeWarning
from nlgauge.core import registry
from nlgauge.io.streams.shards import stream_request
from nlgauge.run.streams.engines import Engine, HereEngine
from nlgauge.run.streams.files import score_files
from nlgauge.run.streams.folder import RunFolder
from nlgauge.run.streams.local_engine import LocalEngine

SIZE, ROWS = 12, 5
# Words that the vectors and the table of translations of the tests know.
KNOWN = "alpha beta gamma delta one two three the of house small".split()


def known(seed: int, opening: str = "the house is small") -> list[str]:
    """Texts in which every metric of the registry knows some words."""
    rng = np.random.default_rng(seed)
    rest = (rng.choice(KNOWN, rng.integers(1, 9)) for _ in range(SIZE))
    return [f"{opening} {' '.join(words)}" for words in rest]


REFS = [known(1), known(2)]


def streamable() -> list[str]:
    """Metrics that need texts, references and sources; `test_parts` has the others in memory."""
    found = []
    for spec in dict.fromkeys(SPECS):
        metric = registry.metric(spec)
        if set(metric.info.needs) <= {"references", "sources"} and not metric.whole_only():
            found.append(spec)
    return found


class BackwardsEngine(LocalEngine):
    """Processes that begin with the last task."""

    def run(self, work: Any, job: Any, tasks: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        return super().run(work, job, reversed(list(tasks)))


def scored(path: Path, folder: Path, engine: Engine) -> str:
    """The corpus scores as JSON; scores of segments are in the folder."""
    with warnings.catch_warnings():  # nonsense words, which many metrics remark upon
        warnings.simplefilter("ignore", NlgaugeWarning)
        found = score_files(
            stream_request([str(path)]),
            streamable(),
            engine=engine,
            folder=RunFolder(str(folder)),
            confidence=True,
            resamples=5,
        )
    return json.dumps(found.to_dict())


def test_equal_bytes_for_all_metrics(tmp_path: Path) -> None:
    columns = {
        "hyp:A": known(3),
        "hyp:B": known(4),
        "references": list(map(list, zip(*REFS, strict=True))),
        "source": known(5, "das Haus ist klein"),
    }
    found: dict[int, tuple[str, bytes]] = {}
    for rows in (SIZE, ROWS):
        data = tmp_path / str(rows) / "data.parquet"
        data.parent.mkdir()
        pq.write_table(pa.table(columns), data, row_group_size=rows)
        expected = tmp_path / f"expected-{rows}"
        text = scored(data, expected, HereEngine())
        tables = [pq.read_table(path) for path in sorted(expected.glob("*.parquet"))]
        by_system = [t.slice(k * len(t) // 2, len(t) // 2) for k in (0, 1) for t in tables]
        whole = pa.concat_tables(by_system)
        bits = b"".join(column.to_numpy().tobytes() for column in whole.columns[2:])
        found[rows] = (text, bits)
    assert found[SIZE] == found[ROWS]
    assert len(json.loads(found[ROWS][0])["systems"]["A"]) == len(streamable()) > 100
    folder = tmp_path / "backwards"
    with BackwardsEngine(2) as engine:
        assert scored(tmp_path / str(ROWS) / "data.parquet", folder, engine) == found[ROWS][0]
    names = sorted(path.name for path in expected.iterdir())
    assert sorted(path.name for path in folder.iterdir()) == names
    for part in names:
        assert (folder / part).read_bytes() == (expected / part).read_bytes(), part


@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
def test_the_37th_of_forty_files_differs(tmp_path: Path, kind: str) -> None:
    """It is named; what was done before it is kept, and gone on with when the file is mended."""
    paths = [str(tmp_path / f"data-{k:02}.{kind}") for k in range(40)]

    def write(path: str, columns: dict[str, list[Any]]) -> None:
        if kind == "parquet":
            pq.write_table(pa.table(columns), path)
            return
        rows = zip(*columns.values(), strict=True)
        lines = (json.dumps(dict(zip(columns, row, strict=True))) + "\n" for row in rows)
        Path(path).write_text("".join(lines))

    good = {"hypothesis": ["a b", "a c"], "reference": ["a b", "b c"]}
    for path in paths:
        write(path, good)
    folder, request = RunFolder(str(tmp_path / "out")), stream_request(paths)
    # The file changes after the run was asked for, when Parquet's columns were compared already.
    write(paths[37], {**good, "reference": [1, 2]})
    where = "row" if kind == "parquet" else "line"
    with pytest.raises(DataError, match=rf"data-37\.{kind}, .*{where} 1: field 'reference' is int"):
        score_files(request, ["bleu"], folder=folder)
    done = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("part-*.json")}
    assert len(done) == 37
    if kind == "parquet":
        with pytest.raises(
            DataError, match=r"data-37\.parquet, row group 0: column 'reference' is int64"
        ):
            stream_request(paths)
    write(paths[37], good)
    found = score_files(stream_request(paths), ["bleu"], folder=folder, resume=True)
    assert found.segments == 80
    assert all(path.stat().st_mtime_ns == when for path, when in done.items())
