"""Baselines that look at a reply alone: its length, and how usual its words are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nlgauge.core.arithmetic import ratio
from nlgauge.core.metric import Info, Mean, Metric, WordMetric
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats
from nlgauge.models.lexicon.ngram_model import PREPARATION, find_language_model
from nlgauge.text.preparation import Preparation


@dataclass(frozen=True, kw_only=True)
class ReplyLength(Mean[None], WordMetric[None]):
    """How many words a reply has: what every metric of dialogue is to be held against."""

    info: ClassVar[Info] = Info(
        name="reply-length",
        title="Length of a reply",
        family="dialogue",
        cell="CF·U·word-other",
        tasks=("DG",),
        bounds=(0.0, float("inf")),
        scale=1.0,
        needs=(),
        paper="a baseline without a paper of its own",
        checked_against="hand calculation",
    )

    tokenizer: str = option("none", "how texts are split into words")

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the number of words, and 1."""
        lengths = [len(words) for words in self.preparation().words(corpus.hypotheses)]
        return np.column_stack([np.array(lengths, np.float64), np.ones(len(lengths))])


@dataclass(frozen=True, kw_only=True)
class Perplexity(Metric[None]):
    """Perplexity of replies under a language model: the lower, the more usual their words.

    The model that ships has trigrams of English; `nlgauge build` fits others.
    """

    info: ClassVar[Info] = Info(
        name="perplexity",
        title="Perplexity under a language model",
        family="dialogue",
        cell="CF·T·feature",
        tasks=("DG",),
        criteria=("fluency",),
        higher_is_better=False,
        bounds=(1.0, float("inf")),
        scale=1.0,
        needs=(),
        paper="Jelinek et al. (1977), Perplexity: a measure of the difficulty of speech "
        "recognition tasks",
        checked_against="hand calculation",
    )

    model: str | None = option(None, "file of a language model; none: the one that ships")

    def resources(self) -> dict[str, str]:
        """Name the model's file, by its content."""
        return {"model": find_language_model(self.model).name}

    def english_only(self) -> tuple[str, ...]:
        """Name the language model, unless another is given."""
        return ("its language model",) if self.model is None else ()

    def preparation(self) -> Preparation:
        """Return how the model splits texts into words."""
        return PREPARATION

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: negative logarithms of words and ends, and how many they are."""
        texts = list(corpus.hypotheses)
        sizes = np.array([len(words) + 1 for words in PREPARATION.words(texts)], np.float64)
        return np.column_stack([find_language_model(self.model).losses(texts) * sizes, sizes])

    def score(self, totals: Floats) -> Floats:
        """Return the perplexity of all words."""
        found: Floats = np.exp(ratio(totals[..., 0], totals[..., 1]))
        return found

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the number of words, ends included."""
        return {"words": int(totals[1])}
