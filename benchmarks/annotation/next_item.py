"""Measure how long the next task takes to find, with very many items and annotators.

python benchmarks/annotation/next_item.py            # 100,000 items, 100 annotators
"""

from __future__ import annotations

import argparse
import random
import time

import numpy as np
from simulated_annotators import make_study

from nlgauge.annotate import open_database
from nlgauge.annotate.store.annotators import add_annotators
from nlgauge.annotate.store.assigning import next_task
from nlgauge.annotate.store.studies import load_settings

SLOWEST = 0.02


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--annotators", type=int, default=100)
    parser.add_argument("--done", type=int, default=300, help="tasks each annotator has done")
    parser.add_argument("--times", type=int, default=2000)
    arguments = parser.parse_args()
    name = make_study(arguments.items, 3)
    rng = random.Random(1)
    took, spent = [], []
    with open_database(name) as database:
        study = load_settings(database).study
        people = database.write(lambda db: add_annotators(db, arguments.annotators))

        def step(db, person) -> float:
            start = time.thread_time()
            given = next_task(db, study, person)
            computing = time.thread_time() - start
            assert given is not None
            db.run(
                "INSERT INTO answer (assignment, key, content, answered_at) VALUES (?, ?, '{}', 0)",
                given.id, str(given.id),
            )  # fmt: skip
            return computing

        for _ in range(arguments.done):
            database.write(lambda db: [step(db, person) for person in people])
        for _ in range(arguments.times):
            person = rng.choice(people)
            start = time.perf_counter()
            spent.append(database.write(lambda db, person=person: step(db, person)))
            took.append(time.perf_counter() - start)
    p50, p99, most = 1000 * np.percentile(took, [50, 99, 100])
    median, slow = 1000 * np.percentile(spent, [50, 99])
    print(
        f"{arguments.items} items, {arguments.annotators} annotators with {arguments.done} tasks "
        f"each: next task with its commit p50 {p50:.2f} ms, p99 {p99:.2f} ms, longest {most:.1f} "
        f"ms; processor alone p50 {median:.2f} ms, p99 {slow:.2f} ms"
    )
    return 0 if p99 < 1000 * SLOWEST else 1


if __name__ == "__main__":
    raise SystemExit(main())
