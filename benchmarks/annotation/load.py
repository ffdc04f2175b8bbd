"""Measure how many judgements a second a study takes, each told to be saved after it is on disk.

python benchmarks/annotation/load.py                               # 50 connections, 20 seconds
python benchmarks/annotation/load.py --rate 550                    # at a pace, for latencies
python benchmarks/annotation/load.py --pages                       # load the page of each task, too
python benchmarks/annotation/load.py --database postgresql://...   # a database that is empty

The server is a process of its own, on one core; this program takes another. An answer is checked,
written with its rows, followed by the assignment of the next task, and then acknowledged.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import time
from pathlib import Path

import numpy as np
from simulated_annotators import SimulatedAnnotator, annotators_for, make_study, start_server

from nlgauge.annotate import open_database

RATE, SLOWEST = 500, 0.1  # judgements a second, and seconds that 99 of 100 take at most


async def work(annotator: SimulatedAnnotator, end: float, pages: bool, apart: float) -> None:
    due = time.perf_counter() + random.uniform(0, apart)
    while (now := time.perf_counter()) < end and annotator.given:
        if now < due:
            await asyncio.sleep(due - now)
        due += apart
        await annotator.answer()
        if pages and not await annotator.load():
            return


def _cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(arguments: argparse.Namespace) -> bool:
    name = make_study(arguments.items, arguments.connections, arguments.database)
    options = ["--workers", str(arguments.workers)] if arguments.workers > 1 else []
    server, port = await start_server(name, *options)
    try:
        people = annotators_for(name, port, arguments.connections)
        for person in people:
            await person.enter()
        entered = _cpu_seconds(server.pid)
        start = time.perf_counter()
        end = start + arguments.seconds
        apart = arguments.connections / arguments.rate if arguments.rate else 0.0
        await asyncio.gather(*(work(person, end, arguments.pages, apart) for person in people))
        took = time.perf_counter() - start
        spent = _cpu_seconds(server.pid) - entered
    finally:
        server.terminate()
        await server.wait()
    latencies = np.array([t for person in people for t in person.latencies])
    with open_database(name) as database:
        ((stored,),) = database.read(lambda db: db.rows("SELECT COUNT(*) FROM answer"))
    rate = len(latencies) / took
    p50, p99 = np.percentile(latencies, [50, 99])
    print(
        f"{arguments.connections} connections, {took:.1f} s: {len(latencies)} answers "
        f"acknowledged, {stored} stored, {rate:.0f} a second (two ratings each); "
        f"p50 {1000 * p50:.1f} ms, p99 {1000 * p99:.1f} ms; the server spent "
        f"{1000 * spent / len(latencies):.2f} ms of a core on each; load of the machine "
        f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )
    assert stored == len(latencies)
    return bool(rate >= RATE and p99 <= SLOWEST)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--connections", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--items", type=int, default=5000)
    parser.add_argument("--pages", action="store_true", help="load the page of each task, too")
    parser.add_argument(
        "--rate", type=float, default=0, help="answers a second that are sent; 0: all it takes"
    )
    parser.add_argument("--database", help="an empty database of PostgreSQL, in place of a file")
    parser.add_argument("--workers", type=int, default=1)
    fine = asyncio.run(measure(parser.parse_args()))
    print("the bar is met" if fine else f"the bar is {RATE} a second, p99 {1000 * SLOWEST:.0f} ms")
    return 0 if fine else 1


if __name__ == "__main__":
    raise SystemExit(main())
