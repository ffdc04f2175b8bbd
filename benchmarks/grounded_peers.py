"""PARENT beside plain Python, one thread, as ratios: python benchmarks/grounded_peers.py

The peer is the oracle of the tests, the official tool's algorithm in leaner Python: the official
tool collects the table's words again for every n-gram, and fills a dictionary for every
subsequence. With the path of its table_text_eval.py (and what that imports), it runs too.
"""

from __future__ import annotations

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from timing import Contestant, alternate

import nlgauge

TESTS = Path(__file__).parent.parent / "tests"
OURS, OURS_COPIES, PEER_COPIES = "nlgauge", 500, 5
REPS = 7


def load(name: str, path: Path) -> Any:
    spec = spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    lines = (TESTS / "golden/corpora/tables.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    oracle = load("oracle", TESTS / "oracles/parent.py")
    hyps = [row["hypothesis"] for row in rows] * OURS_COPIES
    refs = [row["references"] for row in rows] * OURS_COPIES
    tables = [row["table"] for row in rows] * OURS_COPIES
    contestants = [
        Contestant(
            OURS,
            len(hyps),
            lambda: nlgauge.score(hyps, refs, tables=tables, metrics=["parent"], threads=1),
        ),
        Contestant(
            "plain Python",
            PEER_COPIES * len(rows),
            lambda: [
                oracle.parent(row["hypothesis"], row["references"], row["table"])
                for row in rows * PEER_COPIES
            ],
        ),
    ]
    if len(sys.argv) > 1:
        official = load("official", Path(sys.argv[1]))
        args = (
            [row["hypothesis"].split() for row in rows],
            [[ref.split() for ref in row["references"]] for row in rows],
            [[(a.split(), v.split()) for a, v in row["table"]] for row in rows],
        )
        contestants.append(Contestant("official", len(rows), lambda: official.parent(*args)))
    seconds = alternate(contestants, REPS)
    each = {c.name: 1e6 * seconds[c.name] / c.segments for c in contestants}
    for name, cost in each.items():
        print(f"parent  {name:<13} {cost:8.1f} µs per segment  {cost / each[OURS]:6.1f}x")


if __name__ == "__main__":
    main()
