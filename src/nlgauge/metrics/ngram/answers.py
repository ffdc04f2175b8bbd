"""Exact match and token F1 of short answers, as in SQuAD (Rajpurkar et al., 2016, 2018).

As in the official program (evaluate-v2.0.py): texts in lower case, without punctuation, and without
the articles a, an and the; of two texts without words, F1 is 1. Other languages have no articles
here, and words by another tokeniser.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from nlgauge.core.best_reference import PairMetric
from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.explain import builders
from nlgauge.explain.traces import Trace
from nlgauge.text.preparation import Preparation, tokenizer

PAPER = (
    "Rajpurkar et al. (2018), Know what you don't know: unanswerable questions for SQuAD; "
    "Rajpurkar et al. (2016), SQuAD: 100,000+ questions for machine comprehension of text"
)
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True)
class _Normalisation:
    """What SQuAD's program does to an answer, and what splits the rest into words."""

    articles: bool
    tokenizer: str

    def __call__(self, text: str) -> str:
        text = text.lower().translate(_NO_PUNCTUATION)
        if not self.articles:
            text = _ARTICLES.sub(" ", text)
        return " ".join(tokenizer(self.tokenizer).split(text).split())


@dataclass(frozen=True, kw_only=True)
class _Answers(PairMetric):
    """A comparison of the words that answers have in common, after SQuAD's normalisation."""

    normalize: bool = option(True, "lower case, without ASCII punctuation, as SQuAD does")
    articles: bool = option(False, "with normalize: keep a, an and the; SQuAD leaves them out")
    tokenizer: str = option("none", "how words are found, after that")

    def preparation(self) -> Preparation:
        """Return the words of answers that count."""
        rewrite = _Normalisation(self.articles, self.tokenizer) if self.normalize else None
        return Preparation(self.tokenizer if rewrite is None else "none", rewrite=rewrite)

    def resources(self) -> dict[str, str]:
        """Return the version of the tokeniser's dictionary, if it has one."""
        return Preparation(self.tokenizer).resources()

    def english_only(self) -> tuple[str, ...]:
        """Name the articles that are left out."""
        return ("the articles a, an, the",) if self.normalize and not self.articles else ()

    def trace_words(self, hyp: list[str], ref: list[str]) -> Trace:
        """Show the words that both answers have."""
        return builders.runs(hyp, ref)


@dataclass(frozen=True, kw_only=True)
class ExactMatch(_Answers):
    """Share of answers that are the same as one of their references."""

    info: ClassVar[Info] = Info(
        name="exact-match",
        title="Exact match of SQuAD",
        family="ngram",
        cell="CF·U·word-other",
        tasks=("QA",),
        perfect_on_itself=True,
        perfect_among_many=True,
        paper=PAPER,
        checked_against="hand calculation",
    )

    def pair(self, hyp: list[str], ref: list[str]) -> float:
        """Return whether two answers have the same words in the same order."""
        return float(hyp == ref)


@dataclass(frozen=True, kw_only=True)
class TokenF1(_Answers):
    """Harmonic mean of precision and recall of words, with the best reference."""

    info: ClassVar[Info] = Info(
        name="token-f1",
        title="Token F1 of SQuAD",
        family="ngram",
        cell="CF·U·word-ngram",
        tasks=("QA",),
        perfect_on_itself=True,
        perfect_among_many=True,
        paper=PAPER,
        checked_against="hand calculation",
    )

    def pair(self, hyp: list[str], ref: list[str]) -> float:
        """Return F1 of two lists of words; of two empty ones it is 1."""
        if not hyp or not ref:
            return float(hyp == ref)
        common = sum((Counter(hyp) & Counter(ref)).values())
        return 2 * common / (len(hyp) + len(ref))
