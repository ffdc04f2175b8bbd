"""Streams: the same scores as at once, however they are cut and whoever scores them."""

from __future__ import annotations

import gzip
import json
import math
import pickle
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.command_line import run

import nlgauge
from nlgauge import Corpus, DataError, SpecError, StreamScores
from nlgauge.cli import main
from nlgauge.io.column_names import ColumnNames
from nlgauge.io.streams.shards import shards_of, stream_request
from nlgauge.kernels import native
from nlgauge.run.streams.files import score_files
from nlgauge.run.streams.folder import RunFolder
from nlgauge.stats import resampling

METRICS = ["bleu", "chrf", "rouge-l", "cider", "nist"]
WORDS = "a the of cat dog sat on mat river bank ran über 東京 slowly again".split()
SIZE = 300


def texts(seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, rng.integers(1, 15))) for _ in range(SIZE)]


HYPS, REFS, OTHER = texts(1), texts(2), texts(3)
for place in range(0, SIZE, 2):
    HYPS[place] = REFS[place] + " again"
IDS = [f"s{i}" for i in range(SIZE)]


def at_once(metrics: list[str] = METRICS, name: str = "data") -> str:
    table = nlgauge.score({name: HYPS}, REFS, metrics=metrics)
    return json.dumps(table.to_dict())


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The same segments in every format, and in three files of different formats."""
    path = tmp_path_factory.mktemp("streams")
    columns = {"id": IDS, "hypothesis": HYPS, "reference": REFS}
    pq.write_table(pa.table(columns), path / "data.parquet", row_group_size=70)
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    lines = [json.dumps(row) + "\n" for row in rows]
    (path / "data.jsonl").write_text("".join(lines))
    with gzip.open(path / "data.jsonl.gz", "wt") as file:
        file.writelines(lines)
    with pa.output_stream(path / "data.jsonl.zst", compression="zstd") as file:
        file.write("".join(lines).encode())
    cells = ["\t".join(columns), *("\t".join(row.values()) for row in rows)]
    (path / "data.tsv").write_text("\n".join(cells) + "\n")
    (path / "refs.txt").write_text("\n".join(REFS) + "\n")
    (path / "data.txt").write_text("\n".join(HYPS))  # no line feed at the end
    (path / "other.txt").write_text("\n".join(OTHER) + "\n")
    return path


@given(cuts=st.sets(st.integers(1, SIZE - 1), max_size=5), data=st.data())
@settings(max_examples=5, deadline=None)
def test_any_cut_and_order_give_the_same_bytes(cuts: set[int], data, tmp_path_factory) -> None:
    corpus = Corpus.build(HYPS, REFS, name="data")
    edges = [0, *sorted(cuts), SIZE]
    parts = [corpus.take(range(a, b)) for a, b in pairwise(edges)]
    whole = nlgauge.score_stream(parts, METRICS)
    assert json.dumps(whole.to_dict()) == at_once()
    # Without tables of the whole corpus, parts can be scored apart from each other.
    plain = ["bleu", "rouge-l"]
    apart = [
        nlgauge.score_stream([part], plain, confidence=True, resamples=40, first=first)
        for part, first in zip(parts, edges, strict=False)
    ]
    order = data.draw(st.permutations(apart))
    merged = pickle.loads(pickle.dumps(order[0]))
    for other in order[1:]:
        merged.merge(other)
    one = nlgauge.score_stream([corpus], plain, confidence=True, resamples=40)
    assert json.dumps(merged.to_dict()) == json.dumps(one.to_dict())
    saved = tmp_path_factory.mktemp("saved")
    merged.save(saved / "a.json")
    one.save(saved / "b.json")
    assert (saved / "a.json").read_bytes() == (saved / "b.json").read_bytes()
    loaded = StreamScores.load(saved / "a.json")
    assert loaded.to_dict() == one.to_dict()


@pytest.mark.parametrize("rows", [1000, 64])
@pytest.mark.parametrize(
    "name", ["data.parquet", "data.jsonl", "data.jsonl.gz", "data.jsonl.zst", "data.tsv"]
)
def test_files_of_records(folder: Path, name: str, rows: int) -> None:
    request = stream_request([str(folder / name)])
    found = score_files(request, METRICS, rows=rows)
    assert json.dumps(found.to_dict()) == at_once()


def test_plain_files_and_two_systems(folder: Path) -> None:
    paths = [str(folder / name) for name in ("data.txt", "other.txt")]
    request = stream_request([str(folder / "refs.txt")], paths)
    found = score_files(request, METRICS, rows=64)
    expected = nlgauge.score({"data": HYPS, "other": OTHER}, REFS, metrics=METRICS)
    assert json.dumps(found.to_dict()) == json.dumps(expected.to_dict())


def test_shards_know_their_place(folder: Path) -> None:
    paths = [str(folder / name) for name in ("data.parquet", "data.tsv", "data.jsonl.gz")]
    shards = list(shards_of(stream_request(paths), rows=100))
    assert [shard.first for shard in shards[:5]] == [0, 70, 140, 210, 280]
    assert [shard.first for shard in shards[5:]] == [300, 400, 500, 600, 700, 800]
    assert [shard.name for shard in (shards[1], shards[6], shards[8])] == [
        f"{paths[0]}, row group 1",
        f"{paths[1]}, lines 102 to 201",
        f"{paths[2]}, lines 1 to 100",
    ]
    assert len({shard.digest() for shard in shards}) == len(shards)
    for shard in shards:
        suites = list(shard.suites())
        assert sum(map(len, suites)) == shard.rows
        names = {name for suite in suites for name in suite.systems}
        assert names == {"data+data+data"}
        corpus = next(iter(suites[0]))
        place = shard.first % SIZE
        assert corpus.hypotheses[0] == HYPS[place]
        assert corpus.references[0] == [REFS[place]]
        assert next(iter(corpus.ids or ())) == IDS[place]


def test_lists_of_references_and_nulls(tmp_path) -> None:
    refs = [[REFS[i], OTHER[i]][: 1 + i % 2] for i in range(SIZE)]
    pq.write_table(pa.table({"hyp:A": HYPS, "references": refs}), tmp_path / "a.parquet")
    second = [text if i % 2 else None for i, text in enumerate(OTHER)]
    columns = {"hyp:A": HYPS, "reference1": REFS, "reference2": second}
    pq.write_table(pa.table(columns), tmp_path / "b.parquet")
    expected = nlgauge.score({"A": HYPS}, refs, metrics=METRICS)
    for name in ("a.parquet", "b.parquet"):
        found = score_files(stream_request([str(tmp_path / name)]), METRICS)
        assert json.dumps(found.to_dict()) == json.dumps(expected.to_dict())


@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
def test_columns_of_other_names(tmp_path, kind: str) -> None:
    """Two fields make the id; all is as it is at once, and --resume takes no other columns."""
    columns = {"part": ["a", "a", "b"], "n": [1, 2, 1], "summary": HYPS[:3], "goal": REFS[:3]}
    path, other = tmp_path / f"data.{kind}", tmp_path / f"more.{kind}"
    for each in (path, other):
        if kind == "parquet":
            pq.write_table(pa.table(columns), each, row_group_size=2)
        else:
            rows = zip(*columns.values(), strict=True)
            lines = (json.dumps(dict(zip(columns, row, strict=True))) for row in rows)
            each.write_text("\n".join(lines))
    names = ColumnNames.build({"hypothesis": "summary", "reference": "goal"})
    how = {"columns": names, "id_fields": ["part", "n"]}
    folder = RunFolder(str(tmp_path / "out"))
    found = score_files(stream_request([str(path), str(other)], **how), METRICS, folder=folder)
    expected = nlgauge.score({"data+more": HYPS[:3] * 2}, REFS[:3] * 2, metrics=METRICS)
    assert json.dumps(found.to_dict()) == json.dumps(expected.to_dict())
    written = pq.read_table(sorted((tmp_path / "out").glob("*.parquet")))
    assert written["id"].to_pylist() == ["a/1", "a/2", "b/1"] * 2
    how["columns"] = ColumnNames.build({"hypothesis": "goal", "reference": "summary"})
    with pytest.raises(DataError, match="was begun with columns="):
        request = stream_request([str(path), str(other)], **how)
        score_files(request, METRICS, folder=folder, resume=True)
    with pytest.raises(SpecError, match="columns: only for records"):
        stream_request(["refs.txt"], columns=names)


def test_pandas_is_not_imported(folder: Path, tmp_path) -> None:
    """Arrow would import it where it converts arrays, and pass over Ctrl-C pressed meanwhile."""
    code = (
        "import sys; from nlgauge.cli import main; "
        "assert main(sys.argv[1:]) == 0; assert 'pandas' not in sys.modules"
    )
    paths = [str(folder / name) for name in ("data.parquet", "data.jsonl")]
    asked = ["score", "--stream", *paths, "-m", "bleu", "--segments", str(tmp_path / "out")]
    subprocess.run([sys.executable, "-c", code, *asked], check=True, capture_output=True)


@pytest.mark.parametrize("kind", [pa.large_string(), pa.dictionary(pa.int32(), pa.string())])
def test_other_strings_of_arrow(tmp_path, kind) -> None:
    columns = {"hypothesis": pa.array(HYPS).cast(kind), "reference": pa.array(REFS).cast(kind)}
    pq.write_table(pa.table(columns), tmp_path / "data.parquet")
    found = score_files(stream_request([str(tmp_path / "data.parquet")]), METRICS)
    assert json.dumps(found.to_dict()) == at_once()


def test_segments_and_resume(folder: Path, tmp_path, monkeypatch) -> None:
    request = stream_request([str(folder / "data.jsonl.gz")])
    whole = RunFolder(str(tmp_path / "whole"))
    expected = score_files(request, METRICS, folder=whole, rows=64)
    table = nlgauge.score({"data": HYPS}, REFS, metrics=METRICS)
    written = pq.read_table([tmp_path / "whole" / f"part-{k:05}.parquet" for k in range(5)])
    assert written["id"].to_pylist() == IDS
    for name in METRICS:
        assert written[name].to_pylist() == table.segment_scores("data", name).tolist()

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    again = RunFolder(str(tmp_path / "again"))
    real = RunFolder.write
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(
            RunFolder, "write", lambda s, n, *rest: killed() if n == 3 else real(s, n, *rest)
        )
        score_files(request, METRICS, folder=again, rows=64)
    with pytest.raises(DataError, match=r"a run was begun here.*--resume"):
        score_files(request, METRICS, folder=again, rows=64)
    done: list[int] = []
    monkeypatch.setattr(
        RunFolder, "write", lambda s, n, *rest: (done.append(n), real(s, n, *rest))[1]
    )
    found = score_files(request, METRICS, folder=again, rows=64, resume=True)
    assert done == [3, 4]
    assert found.to_dict() == expected.to_dict()
    for path in (tmp_path / "whole").iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes()
    with pytest.raises(DataError, match="was begun with metrics="):
        score_files(request, ["bleu"], folder=again, rows=64, resume=True)


def test_input_that_was_changed_is_not_gone_on_with(tmp_path) -> None:
    path = tmp_path / "data.jsonl"
    lines = [json.dumps({"hyp": h, "ref": r}) for h, r in zip(HYPS, REFS, strict=True)]
    path.write_text("\n".join(lines) + "\n")
    folder = RunFolder(str(tmp_path / "out"), "jsonl")
    request = stream_request([str(path)])
    score_files(request, ["bleu"], folder=folder, rows=100)
    first = json.loads((tmp_path / "out" / "part-00001.jsonl").read_text().splitlines()[0])
    assert (first["system"], first["id"], list(first["scores"])) == ("data", "101", ["bleu"])
    path.write_text(path.read_text().replace("cat", "cow"))
    with pytest.raises(DataError, match=r"lines 1 to 100: was changed since"):
        score_files(request, ["bleu"], folder=folder, rows=100, resume=True)


def broken(tmp_path: Path, name: str, content: bytes) -> str:
    path = tmp_path / name
    path.write_bytes(content)
    return str(path)


GOOD = json.dumps({"hyp": "a b", "ref": "a b"}).encode() + b"\n"


def test_damage_is_named_and_what_is_done_is_kept(tmp_path) -> None:
    words = "a b " * 500
    packed = gzip.compress(json.dumps({"hyp": words, "ref": words}).encode() + b"\n")
    cases = {
        "cut.jsonl.gz": (
            (packed * 3000)[: -len(packed) // 2],  # more than the reader holds at once
            r"cut\.jsonl\.gz, line \d+ or after it.*cut off",
        ),
        "latin.jsonl": (GOOD * 150 + b'{"hyp": "\xe4"}\n', r"latin\.jsonl, line 151: byte 0xe4"),
        "blank.jsonl": (GOOD * 150 + b"\n" + GOOD, r"blank\.jsonl, line 151: blank"),
        "type.jsonl": (GOOD * 150 + b'{"hyp": 3, "ref": "a"}\n', r"type\.jsonl, line 151: field"),
        "other.jsonl": (
            GOOD * 200 + b'{"hyp:B": "a", "ref": "a"}\n' * 100,
            r"other\.jsonl, lines 201 to 300: the systems are B here, and other before",
        ),
        "long.jsonl": (b'{"system": "A", "id": 1, "hyp": "a", "ref": "a"}\n', "without --stream"),
    }
    for name, (content, message) in cases.items():
        path = broken(tmp_path, name, content)
        folder = RunFolder(str(tmp_path / f"{name}-out"))
        with pytest.raises(DataError, match=message):
            score_files(stream_request([path]), ["bleu"], folder=folder, rows=100)
        done = list((tmp_path / f"{name}-out").glob("*.parquet"))
        assert bool(done) == (name != "long.jsonl")
        assert not list((tmp_path / f"{name}-out").glob("*.tmp"))


def test_parquet_that_drifts_or_is_cut(folder: Path, tmp_path) -> None:
    good = str(folder / "data.parquet")
    drifted = tmp_path / "drifted.parquet"
    pq.write_table(pa.table({"id": [1], "hypothesis": ["a"], "reference": ["a"]}), drifted)
    with pytest.raises(DataError, match=r"drifted\.parquet, row group 0: column 'id' is int64"):
        stream_request([good, str(drifted)])
    cut = broken(tmp_path, "cut.parquet", Path(good).read_bytes()[:-200])
    with pytest.raises(DataError, match=r"cut\.parquet: cannot be read as Parquet"):
        stream_request([cut])
    data = bytearray(Path(good).read_bytes())
    group = pq.read_metadata(good).row_group(2).column(1)
    data[group.data_page_offset + 40 : group.data_page_offset + 60] = bytes(20)
    path = broken(tmp_path, "data.parquet", bytes(data))
    out = RunFolder(str(tmp_path / "out"))
    with pytest.raises(DataError, match=r"data\.parquet, row group 2"):
        score_files(stream_request([path]), ["bleu"], folder=out)
    assert len(list((tmp_path / "out").glob("*.parquet"))) == 2
    invalid = pa.array([b"a", b"\xff"]).view(pa.string())
    pq.write_table(pa.table({"hyp": invalid, "ref": ["a", "b"]}), tmp_path / "bytes.parquet")
    with pytest.raises(
        DataError, match=r"row group 0: column 'hyp:bytes'.*text 1 is not valid UTF-8"
    ):
        score_files(stream_request([str(tmp_path / "bytes.parquet")]), ["bleu"])


def test_what_a_stream_cannot_do(folder: Path, tmp_path) -> None:
    with pytest.raises(SpecError, match=r"rouge-1.*resamples of all segments"):
        nlgauge.score_stream([(HYPS, REFS)], ["rouge-1(profile=rouge155)"])
    with pytest.raises(SpecError, match="cider: the whole corpus must be counted"):
        nlgauge.score_stream(iter([(HYPS, REFS)]), ["cider"])
    with pytest.raises(SpecError, match=r"csv cannot be read as a stream"):
        stream_request(["data.csv"])
    with pytest.raises(DataError, match="there are none"):
        nlgauge.score_stream([])
    with pytest.raises(DataError, match="give Suites, Corpora, or pairs"):
        nlgauge.score_stream(["a"])
    short = broken(tmp_path, "short.txt", b"a\n" * (SIZE - 1))
    request = stream_request([str(folder / "refs.txt")], [short])
    with pytest.raises(DataError, match=r"short\.txt has fewer lines"):
        score_files(request, ["bleu"], rows=64)
    found = nlgauge.score_stream([(HYPS, REFS)], ["bleu"])
    with pytest.raises(DataError, match="different metrics"):
        found.merge(nlgauge.score_stream([(HYPS, REFS)], ["chrf"]))
    with pytest.raises(DataError, match=r"is not what StreamScores\.save wrote"):
        StreamScores.load(folder / "data.jsonl")


def test_tables_that_grow_too_large(folder: Path, monkeypatch) -> None:
    monkeypatch.setattr("nlgauge.run.streams.files.MOST_COUNTED", 1000)
    request = stream_request([str(folder / "data.jsonl")])
    with pytest.raises(DataError, match=r"cider: what must be counted takes .* after 64 segments"):
        score_files(request, ["cider"], rows=64)


def test_poisson_counts() -> None:
    """Rows of one 1 give the counts themselves, whose mean and variance are 1."""
    counts = native.poisson_totals(np.eye(500), first=10_000, seed=7, resamples=400)
    assert counts.mean() == pytest.approx(1, abs=0.01)  # of 200,000 draws
    assert counts.var() == pytest.approx(1, abs=0.02)
    shares = [(counts == k).mean() for k in range(4)]
    expected = [math.exp(-1) / math.factorial(k) for k in range(4)]
    assert shares == pytest.approx(expected, abs=0.006)
    assert abs(np.corrcoef(counts[0], counts[1])[0, 1]) < 0.15
    later = native.poisson_totals(np.eye(500)[200:], first=10_200, seed=7, resamples=400)
    np.testing.assert_array_equal(later[:, 200:], counts[:, 200:])
    other = native.poisson_totals(np.eye(500), first=10_000, seed=8, resamples=400)
    assert (other != counts).mean() > 0.5


def test_poisson_intervals_are_those_of_the_bootstrap() -> None:
    corpus = Corpus.build(HYPS, REFS)
    found = nlgauge.score_stream([corpus], ["bleu", "rouge-l"], confidence=True).table()
    expected, _ = resampling.bootstrap(nlgauge.score(HYPS, REFS, metrics=["bleu", "rouge-l"]))
    for key, interval in expected.items():
        width = interval.high - interval.low
        assert found.intervals[key].low == pytest.approx(interval.low, abs=0.15 * width)
        assert found.intervals[key].high == pytest.approx(interval.high, abs=0.15 * width)
        assert found.intervals[key].method == "Poisson bootstrap"


def test_command(folder: Path, tmp_path, capsys) -> None:
    data, out = str(folder / "data.parquet"), str(tmp_path / "out")
    asked = ["-m", "bleu", "chrf", "-f", "json", "--segments"]
    streamed = run(capsys, "score", "--stream", data, *asked, out)
    assert run(capsys, "score", data, *asked, f"{out}.parquet") == streamed
    parts = pq.read_table([f"{out}/part-{k:05}.parquet" for k in range(5)])
    assert pq.read_table(f"{out}.parquet").to_pydict() == parts.to_pydict()
    assert main(["score", "--stream", data, "--resume"]) == 2
    assert "--segments FOLDER" in capsys.readouterr().err
    assert main(["score", "--stream", data, "--report", str(tmp_path / "r.html")]) == 2
    assert "never holds all" in capsys.readouterr().err
    detailed = ["score", data, "-m", "bleu", "--detail"]
    assert run(capsys, *detailed, "--stream") == run(capsys, *detailed)
    for option in (["--dry-run"], ["--spans", str(tmp_path / "spans")], ["--lang", "lang_pair"]):
        assert main(["score", "--stream", data, *option]) == 2
        assert "not with --stream" in capsys.readouterr().err
    with_intervals = run(
        capsys, "score", "--stream", data, "-m", "bleu", "--confidence", "-cin", "9"
    )
    assert "95% Poisson bootstrap interval, 9 resamples" in with_intervals
