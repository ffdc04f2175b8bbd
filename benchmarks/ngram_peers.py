"""The other n-gram metrics against the tools people use, in CPU time with one thread.

    python benchmarks/ngram_peers.py [FOLDER]      # of M.hyp, M.ref0 ...; made if not given

Texts are split at blanks on both sides. Peers that are not installed are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from corpora import Corpora, Corpus
from peers import call_nlgauge, per_segment
from timing import Contestant, alternate

Call = Callable[[], Any]
REPS = 5
# Metric, references, peer, segments given to the peer, how many times faster to be.
CASES = (
    ("cider-d(tokenizer=none,lowercase=no)", 4, "pycocoevalcap", 2_000, 50),
    ("nist(tokenizer=none,lowercase=no)", 1, "NLTK", 2_000, None),
    ("gleu(tokenizer=none)", 1, "NLTK", 2_000, None),
)
ALONE = ("ol(tokenizer=none)", "yisi-0(tokenizer=none)")


def cider(corpus: Corpus) -> Call:
    """The scorer itself, on text it only splits at blanks."""
    from pycocoevalcap.cider.cider_scorer import CiderScorer

    references = per_segment(corpus)

    def run() -> float:
        scorer = CiderScorer()
        for hyp, refs in zip(corpus.hyp, references, strict=True):
            scorer += (hyp, refs)
        return float(scorer.compute_score()[0])

    return run


def nltk_nist(corpus: Corpus) -> Call:
    from nltk.translate.nist_score import corpus_nist

    return _nltk(corpus, corpus_nist)


def nltk_gleu(corpus: Corpus) -> Call:
    from nltk.translate.gleu_score import corpus_gleu

    return _nltk(corpus, corpus_gleu)


def _nltk(corpus: Corpus, score: Callable[[Any, Any], float]) -> Call:
    hyps = [hyp.split() for hyp in corpus.hyp]
    refs = [[ref.split() for ref in refs] for refs in per_segment(corpus)]
    return lambda: score(refs, hyps)


PEERS = {"cider-d": cider, "nist": nltk_nist, "gleu": nltk_gleu}


def compare(corpora: Callable[[int], Corpus]) -> None:
    for spec, references, peer, segments, bar in CASES:
        name = spec.partition("(")[0]
        corpus = corpora(references)
        part = corpus.first(segments, references)
        contestants = [Contestant("nlgauge", len(corpus), call_nlgauge(spec, corpus))]
        with suppress(ModuleNotFoundError):
            contestants.append(Contestant(peer, len(part), PEERS[name](part)))
        seconds = alternate(contestants, REPS)
        micros = {c.name: seconds[c.name] / c.segments * 1e6 for c in contestants}
        line = f"{name}, {references} ref.: {micros['nlgauge']:.2f} µs/segment"
        if peer in micros:
            line += f"; {peer} {micros[peer]:.0f} µs: {micros[peer] / micros['nlgauge']:.0f}x"
            line += f" (bar {bar}x)" if bar else ""
        print(line)
    for spec in ALONE:
        corpus = corpora(1)
        seconds = alternate([Contestant("nlgauge", len(corpus), call_nlgauge(spec, corpus))], REPS)
        print(f"{spec}: {seconds['nlgauge'] / len(corpus) * 1e6:.2f} µs/segment")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path)
    folder = parser.parse_args().folder
    corpora = Corpora(folder)
    compare(lambda references: corpora.load("M", references))


if __name__ == "__main__":
    main()
