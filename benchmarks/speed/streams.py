"""What streams cost: CPU time of a segment, memory, and what several processes gain.

    python benchmarks/speed/streams.py FOLDER --segments 2000000 [--workers 2] [--dask]

Writes Parquet files of random texts (about 23 words) to FOLDER, 200,000 segments each, and runs the
command line on them in processes of their own; CPU time is that of the process and all it starts.
Runs that are to be compared alternate (`--rounds`), and the load of the machine is printed beside
each: on a busy one, ratios of wall times say nothing, those of CPU times little.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

WORDS, SIZE, GROUP = 30_000, 200_000, 100_000
MIB = 1 << 20


def texts(rng: np.random.Generator, vocabulary: np.ndarray, size: int) -> tuple[list, list]:
    """References with the frequencies of Zipf's law, and outputs that change a fifth of them."""
    lengths = rng.integers(8, 39, size)
    ranks = np.minimum(rng.zipf(1.25, lengths.sum()) - 1, WORDS - 1)
    other = np.where(rng.random(len(ranks)) < 0.2, rng.integers(0, WORDS, len(ranks)), ranks)
    ends = np.cumsum(lengths)[:-1]
    refs = [" ".join(words) + "." for words in np.split(vocabulary[ranks], ends)]
    return [" ".join(words) + "." for words in np.split(vocabulary[other], ends)], refs


def write_data(folder: Path, segments: int) -> list[str]:
    """Write files of 200,000 different segments each, unless they are there."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(1)
    letters, sizes = rng.integers(97, 123, (WORDS, 10)), rng.integers(2, 10, WORDS)
    words = [bytes(w[:n].tolist()).decode() for w, n in zip(letters, sizes, strict=True)]
    paths = [folder / f"data-{k:04}.parquet" for k in range(max(1, segments // SIZE))]
    for k, path in enumerate(paths):
        if path.exists():
            continue
        hyps, refs = texts(np.random.default_rng(k), np.array(words, object), SIZE)
        ids = [f"seg-{i}" for i in range(k * SIZE, (k + 1) * SIZE)]
        columns = {"id": ids, "hypothesis": hyps, "reference": refs}
        pq.write_table(pa.table(columns), f"{path}.tmp", row_group_size=GROUP)
        Path(f"{path}.tmp").rename(path)
    return list(map(str, paths))


def measured(arguments: Sequence[str], segments: int) -> dict[str, float]:
    """Run a command; the peak is of all its processes together."""
    start, peak, done = time.monotonic(), 0, threading.Event()
    before = os.times()
    process = subprocess.Popen(
        [sys.executable, "-m", "nlgauge", *arguments], stdout=subprocess.PIPE
    )

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.05):
            peak = max(peak, sum(map(resident, family(process.pid))))

    watcher = threading.Thread(target=watch)
    watcher.start()
    output = process.communicate()[0]
    done.set()
    watcher.join()
    if process.returncode:
        raise SystemExit(f"{arguments}: exit code {process.returncode}")
    after = os.times()
    cpu = (
        after.children_user + after.children_system - before.children_user - before.children_system
    )
    json.loads(output)
    return {
        "cpu_us_per_segment": cpu / segments * 1e6,
        "wall_s": time.monotonic() - start,
        "peak_mib": peak / MIB,
        "load": os.getloadavg()[0],
    }


def family(pid: int) -> list[int]:
    """A process and all that it started."""
    found = [pid]
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                found += family(int(child))
    except OSError:
        pass
    return found


def resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--segments", type=int, default=2_000_000)
    parser.add_argument("--metrics", nargs="+", default=["bleu", "chrf"])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--at-once", action="store_true", help="also without --stream")
    parser.add_argument("--dask", action="store_true")
    parser.add_argument("--only", nargs="+", help="names of the runs to make")
    parser.add_argument("--rounds", type=int, default=1, help="how often, in turns")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    paths = write_data(options.folder, options.segments)
    out = options.folder / "out"
    common = [*paths, "-m", *options.metrics, "-f", "json", "--threads", "1"]
    workers = ["--workers", str(options.workers)]
    runs = {
        "stream": ["--stream"],
        "stream, segments": ["--stream", "--segments", str(out)],
        "stream, 1000 resamples": ["--stream", "--confidence"],
        "stream, processes": ["--stream", *workers],
    }
    if options.at_once:
        runs["at once"] = []
        runs["at once, segments"] = ["--segments", str(options.folder / "out.parquet")]
    if options.dask:
        runs["stream, dask"] = ["--stream", "--engine", "dask", *workers]
    runs = {name: ["score", *common, *extra] for name, extra in runs.items()}
    runs["compare, segments"] = ["compare", "--stream", str(out), "-f", "json"]
    for name, command in [*runs.items()] * options.rounds:
        if options.only and name not in options.only:
            continue
        if "--segments" in command:
            shutil.rmtree(out, ignore_errors=True)
        found = measured(command, options.segments)
        print(name, json.dumps({key: round(value, 2) for key, value in found.items()}), flush=True)


if __name__ == "__main__":
    main()
