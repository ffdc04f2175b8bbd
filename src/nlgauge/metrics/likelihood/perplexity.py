"""Perplexity of texts under a language model (Jelinek et al., 1977)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nlgauge.core.arithmetic import ratio
from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats
from nlgauge.metrics.likelihood.asking import LikelihoodMetric
from nlgauge.models.lexicon.ngram_model import PREPARATION
from nlgauge.models.likelihood.language_model import HELP, has_ngrams
from nlgauge.text.preparation import Preparation


@dataclass(frozen=True, kw_only=True)
class Perplexity(LikelihoodMetric):
    """Perplexity of texts under a language model: the lower, the more usual their words.

    The model that ships has trigrams of English; `nlgauge train lm` fits others. Perplexities of
    models with other tokens cannot be compared, but their `bits_per_byte` can.
    """

    info: ClassVar[Info] = Info(
        name="perplexity",
        title="Perplexity under a language model",
        family="likelihood",
        cell="CF·T·feature",
        tasks=("DG",),
        criteria=("fluency",),
        higher_is_better=False,
        bounds=(1.0, float("inf")),
        scale=1.0,
        needs=(),
        paper="Jelinek et al. (1977), Perplexity: a measure of the difficulty of speech "
        "recognition tasks",
        checked_against="hand calculation; transformers, on the same weights",
    )

    model: str | None = option(
        None, f"file of n-grams that `nlgauge train lm` wrote, {HELP}; none: the n-grams that ship"
    )

    def preparation(self) -> Preparation | None:
        """Return how n-grams split texts into words; other models have tokens of their own."""
        return PREPARATION if has_ngrams(self.model) else None

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: negative logarithms of tokens, how many they are, bytes of text."""
        texts = list(corpus.hypotheses)
        logs = self.asked(texts, None, threads=threads)
        sizes = [len(text.encode("utf-8", "surrogatepass")) for text in texts]
        rows = [(-own.sum(), len(own), size) for own, size in zip(logs, sizes, strict=True)]
        return np.array(rows, np.float64).reshape(-1, 3)

    def score(self, totals: Floats) -> Floats:
        """Return the perplexity of all tokens."""
        found: Floats = np.exp(ratio(totals[..., 0], totals[..., 1]))
        return found

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the number of tokens, and how many bits it takes to write a byte of text."""
        bits = totals[0] / np.log(2)
        return {"tokens": int(totals[1]), "bits_per_byte": float(ratio(bits, totals[2]))}
