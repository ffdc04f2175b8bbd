"""Sentences per second of our parser and labeller, and the memory they take.

python benchmarks/speed/parser_speed.py [--words 25] [--sentences 600] [--threads 2]

The sentences are made of a small grammar, so that nothing but the package is needed.
"""

from __future__ import annotations

import argparse
import random
import resource
import time

from nlgauge.models.structure.annotator import labeller, parser

NOUNS = "committee house child engineer river letter report market teacher garden".split()
VERBS = "saw bought described followed opened painted liked wrote moved found".split()
ADJECTIVES = "old small green careful quiet early famous strange heavy bright".split()
PREPOSITIONS = "near behind after under with from without against".split()


def sentence(rng: random.Random, size: int) -> list[str]:
    """Noun phrases, verbs and prepositions up to so many words."""
    words = ["The", rng.choice(NOUNS), rng.choice(VERBS)]
    while len(words) < size:
        words += ["the", rng.choice(ADJECTIVES), rng.choice(NOUNS)]
        words.append(rng.choice([*PREPOSITIONS, "that", "and"]))
    return [*words[: size - 1], "."]


def main() -> None:
    """Print both speeds: the best of three runs."""
    options = argparse.ArgumentParser()
    options.add_argument("--words", type=int, default=25)
    options.add_argument("--sentences", type=int, default=600)
    options.add_argument("--threads", type=int, default=2)
    args = options.parse_args()
    rng = random.Random(0)
    sentences = [sentence(rng, args.words) for _ in range(args.sentences)]
    trees, roles = parser(), labeller()
    for name, run in (("parser", trees.parse), ("labeller", roles.label)):
        run(sentences[:16], threads=args.threads)
        spent = []
        for _ in range(3):
            wall, cpu = time.perf_counter(), time.process_time()
            run(sentences, threads=args.threads)
            spent.append((time.perf_counter() - wall, time.process_time() - cpu))
        best, work = min(spent)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{name}: {args.sentences / best:.0f} sentences of {args.words} words a second "
            f"({1000 * work / args.sentences:.1f} ms of processor time each), peak {peak:.0f} MB"
        )


if __name__ == "__main__":
    main()
