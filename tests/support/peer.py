"""sacreBLEU 2.6.0 as the oracle: its words and its sufficient statistics."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import sacrebleu
from sacrebleu.metrics.bleu import _get_tokenizer

assert sacrebleu.__version__ == "2.6.0"


@cache
def tokenizer(name: str) -> Any:
    return _get_tokenizer(name)()


def words(name: str, text: str, *, lowercase: bool = False) -> list[str]:
    text = text.lower() if lowercase else text
    return tokenizer(name)(text.rstrip()).split()


def statistics(
    metric: Any, hyps: Sequence[str], refs: Sequence[Sequence[str]]
) -> list[list[float]]:
    """One row per segment; `refs` has the references of each segment."""
    most = max(map(len, refs))
    columns = [[r[k] if k < len(r) else None for r in refs] for k in range(most)]
    return metric._extract_corpus_statistics(hyps, columns)


def score(metric: Any, hyps: Sequence[str], refs: Sequence[Sequence[str]]) -> Any:
    return metric._aggregate_and_compute(statistics(metric, hyps, refs))


def bleu(**options: Any) -> Any:
    return sacrebleu.BLEU(force=True, **{"tokenize": "none", **options})


def chrf(**options: Any) -> Any:
    return sacrebleu.CHRF(**options)


def ter(**options: Any) -> Any:
    return sacrebleu.TER(**options)
