"""Trees per second of FERGUS and its baselines, and the memory they take.

python benchmarks/speed/realiser_speed.py TRAIN.conllu TEST.conllu [--threads 2] [--runs 3]

Training and reading are not counted; processor time is that of all threads together.
"""

from __future__ import annotations

import argparse
import resource
import time

from nlgauge.baselines import Fergus, LexemeTree
from nlgauge.baselines.realisation.fergus import METHODS
from nlgauge.io import read_conllu


def main() -> None:
    """Print the speed of each method: the best of some runs."""
    options = argparse.ArgumentParser()
    options.add_argument("train")
    options.add_argument("test")
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--runs", type=int, default=3)
    args = options.parse_args()
    realiser = Fergus.train([sentence.parse for sentence in read_conllu(args.train)])
    trees = [LexemeTree.of(sentence.parse) for sentence in read_conllu(args.test)]
    words = sum(len(tree.words) for tree in trees) / len(trees)
    for method in METHODS:
        realiser.realise(trees[:16], method=method, threads=args.threads)
        spent = []
        for _ in range(args.runs):
            wall, cpu = time.perf_counter(), time.process_time()
            realiser.realise(trees, method=method, threads=args.threads)
            spent.append((time.perf_counter() - wall, time.process_time() - cpu))
        best, work = min(spent)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{method}: {len(trees) / best:.0f} trees of {words:.1f} words a second "
            f"({1000 * work / len(trees):.1f} ms of processor time each), peak {peak:.0f} MB"
        )


if __name__ == "__main__":
    main()
