"""Kill the server of a study again and again under load, and look for what was lost.

python benchmarks/annotation/kill.py                 # 20 rounds of SIGKILL

An answer that was acknowledged must be stored; one that was sent and not acknowledged is sent again
with the same key, and must be stored once.
"""

from __future__ import annotations

import argparse
import asyncio
import random
from contextlib import suppress

from simulated_annotators import SimulatedAnnotator, annotators_for, make_study, start_server

from nlgauge.annotate import open_database

LOST = (ConnectionError, asyncio.IncompleteReadError, OSError)


async def work(annotator: SimulatedAnnotator) -> None:
    with suppress(*LOST):
        while annotator.given or annotator.doubtful:
            await annotator.answer()


async def rounds(arguments: argparse.Namespace) -> bool:
    rng = random.Random(arguments.seed)
    name = make_study(arguments.items, arguments.connections)
    server, port = await start_server(name)
    people = annotators_for(name, port, arguments.connections)
    for person in people:
        await person.enter()
    again = 0
    for number in range(arguments.rounds):
        jobs = [asyncio.create_task(work(person)) for person in people]
        await asyncio.sleep(rng.uniform(0.3, arguments.longest))
        server.kill()
        await server.wait()
        await asyncio.gather(*jobs)
        doubtful = sum(person.doubtful is not None for person in people)
        again += doubtful
        server, port = await start_server(name)
        for person in people:
            person.port = port
            await person.connect()
        acknowledged = sum(len(person.acknowledged) for person in people)
        print(f"round {number + 1}: {acknowledged} acknowledged, {doubtful} in doubt", flush=True)
    for person in people:  # what is in doubt is sent once more
        if person.doubtful:
            await person.answer()
    server.terminate()
    await server.wait()
    keys = [key for person in people for key in person.acknowledged]
    with open_database(name) as database:
        rows = database.read(lambda db: db.rows("SELECT key FROM answer"))
        broken = database.read(lambda db: db.rows("PRAGMA integrity_check"))
    stored = [key.partition("/")[2] for (key,) in rows]
    lost = set(keys) - set(stored)
    twice = len(stored) - len(set(stored))
    print(
        f"{arguments.rounds} rounds: {len(keys)} acknowledged, {len(stored)} stored, "
        f"{len(lost)} lost, {twice} stored twice, {again} sent again; integrity {broken[0][0]}"
    )
    return not lost and not twice and set(stored) == set(keys) and broken == [("ok",)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--connections", type=int, default=20)
    parser.add_argument("--items", type=int, default=4000)
    parser.add_argument("--longest", type=float, default=2.0, help="seconds of a round")
    parser.add_argument("--seed", type=int, default=1)
    return 0 if asyncio.run(rounds(parser.parse_args())) else 1


if __name__ == "__main__":
    raise SystemExit(main())
