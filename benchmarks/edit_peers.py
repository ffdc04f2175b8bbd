"""Edit rates and character metrics side by side with the tools people use, one thread.

    python benchmarks/edit_peers.py HYPOTHESES REFERENCES [SEGMENTS]

prints CPU microseconds per segment and how many times faster nlgauge is. Peers that are not
installed are left out; torchmetrics' EED and `cer` are timed on fewer segments.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from timing import Contestant, alternate

import nlgauge

Score = Callable[[list[str], list[str]], Any]


def rapidfuzz_wer() -> Score:
    from rapidfuzz.distance import Levenshtein

    def wer(hyps: list[str], refs: list[str]) -> float:
        errors = length = 0
        for hyp, ref in zip(hyps, refs, strict=True):
            words = ref.split()
            errors += Levenshtein.distance(hyp.split(), words)
            length += len(words)
        return errors / length

    return wer


def jiwer_wer() -> Score:
    import jiwer

    return lambda hyps, refs: jiwer.wer(refs, hyps)


def cer_character() -> Score:
    import cer

    return lambda hyps, refs: [
        cer.calculate_cer(h.split(), r.split()) for h, r in zip(hyps, refs, strict=True)
    ]


def torchmetrics_eed() -> Score:
    import torch
    from torchmetrics.functional.text import extended_edit_distance

    torch.set_num_threads(1)
    return lambda hyps, refs: extended_edit_distance(hyps, [[ref] for ref in refs])


def sacrebleu_ter() -> Score:
    from sacrebleu.metrics.ter import TER

    return lambda hyps, refs: TER().corpus_score(hyps, [refs]).score


# Metric, peer, how to call it, the most segments it is timed on.
PEERS: tuple[tuple[str, str, Callable[[], Score], int], ...] = (
    ("wer", "rapidfuzz on split lists", rapidfuzz_wer, 50_000),
    ("wer", "jiwer", jiwer_wer, 5_000),
    ("character", "cer", cer_character, 1_000),
    ("eed", "torchmetrics", torchmetrics_eed, 60),
    ("ter", "sacreBLEU", sacrebleu_ter, 500),
)


def ours(metric: str) -> Score:
    return lambda hyps, refs: nlgauge.score(hyps, refs, metrics=[metric], threads=1)[metric].score


def main(arguments: list[str]) -> None:
    limit = int(arguments[2]) if len(arguments) > 2 else 50_000
    hyps, refs = (
        Path(path).read_text(encoding="utf-8").splitlines()[:limit] for path in arguments[:2]
    )
    for metric, name, make, most in PEERS:
        with suppress(ModuleNotFoundError):
            theirs, n = make(), min(most, len(hyps))
            contestants = [
                Contestant("nlgauge", len(hyps), lambda m=metric: ours(m)(hyps, refs)),
                Contestant(name, n, lambda f=theirs, n=n: f(hyps[:n], refs[:n])),
            ]
            seconds = alternate(contestants, 5)
            mine, other = (1e6 * seconds[c.name] / c.segments for c in contestants)
            print(f"{metric:10} {mine:8.2f} µs   {name}: {other:10.1f} µs   {other / mine:8.1f}x")


if __name__ == "__main__":
    main(sys.argv[1:])
