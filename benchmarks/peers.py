"""How each tool is called. Layouts of the references are made outside of the timed calls."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from corpora import Corpus

import nlgauge

Call = Callable[[], Any]

NLGAUGE = "nlgauge"
PACKAGES = {"sacreBLEU": "sacrebleu", "bleuscore": "bleuscore", "fastchrf": "fastchrf"}


def versions() -> dict[str, str]:
    """Of the peers; those that are not installed are missing."""
    found = {}
    for name, package in PACKAGES.items():
        with suppress(PackageNotFoundError):
            found[name] = version(package)
    return found


def clear_caches() -> None:
    """Forget tokenised lines: sacreBLEU keeps them, so that a second timing would look fast."""
    tokenizers = {
        "tokenizer_13a": "Tokenizer13a",
        "tokenizer_re": "TokenizerRegexp",
        "tokenizer_ter": "TercomTokenizer",
    }
    with suppress(ModuleNotFoundError):
        for module, name in tokenizers.items():
            cls = getattr(import_module(f"sacrebleu.tokenizers.{module}"), name)
            cls.__call__.cache_clear()


def sacrebleu_metric(metric: str) -> Any:
    """One of sacreBLEU's metrics by nlgauge's name, with default options."""
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF
    from sacrebleu.metrics.ter import TER

    if metric == "bleu":
        return BLEU(force=True)  # does not warn about tokenised text
    return TER() if metric == "ter" else CHRF(word_order=2 if metric == "chrf++" else 0)


def references(corpus: Corpus) -> Any:
    """As nlgauge takes them: a str or a list of str per segment."""
    return corpus.refs[0] if len(corpus.refs) == 1 else per_segment(corpus)


def per_segment(corpus: Corpus) -> list[list[str]]:
    """One list of references per segment."""
    return [list(refs) for refs in zip(*corpus.refs, strict=True)]


def call_nlgauge(metric: str, corpus: Corpus, threads: int = 1) -> Call:
    """From lists of str to the score."""
    refs = references(corpus)
    return lambda: nlgauge.score(corpus.hyp, refs, metrics=[metric], threads=threads)[metric].score


def call_sacrebleu(metric: str, corpus: Corpus) -> Call:
    """The corpus score."""
    return lambda: sacrebleu_metric(metric).corpus_score(corpus.hyp, corpus.refs).score


def call_bleuscore(_: str, corpus: Corpus) -> Call:
    """Corpus BLEU, with the reference length rule of sacreBLEU."""
    import bleuscore

    refs = per_segment(corpus)
    return lambda: bleuscore.compute(refs, corpus.hyp, ref_len_method="closest")


def call_fastchrf(_: str, corpus: Corpus) -> Call:
    """Segment chrF of every hypothesis with each of its references."""
    import fastchrf

    hyps, refs = [[hyp] for hyp in corpus.hyp], per_segment(corpus)
    return lambda: fastchrf.pairwise_chrf(hyps, refs)


CALLS: dict[str, Callable[[str, Corpus], Call]] = {
    NLGAUGE: call_nlgauge,
    "sacreBLEU": call_sacrebleu,
    "bleuscore": call_bleuscore,
    "fastchrf": call_fastchrf,
}
