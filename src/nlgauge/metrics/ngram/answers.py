"""Exact match and token F1 of short answers, as in SQuAD (Rajpurkar et al., 2016, 2018).

As in the official program (evaluate-v2.0.py): texts in lower case, without punctuation, and without
the articles a, an and the; of two texts without words, F1 is 1.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from nlgauge.core.best_reference import BestReference, grouped
from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.explain import builders
from nlgauge.explain.traces import Trace

PAPER = (
    "Rajpurkar et al. (2018), Know what you don't know: unanswerable questions for SQuAD; "
    "Rajpurkar et al. (2016), SQuAD: 100,000+ questions for machine comprehension of text"
)
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True, kw_only=True)
class _Answers(BestReference):
    """A comparison of the words that answers have in common, after SQuAD's normalisation."""

    normalize: bool = option(True, "lower case, without punctuation and articles, as SQuAD does")

    def words(self, text: str) -> list[str]:
        """Return the words of an answer that count."""
        if self.normalize:
            text = _ARTICLES.sub(" ", text.lower().translate(_NO_PUNCTUATION))
        return text.split()

    def segments(
        self, corpus: Corpus, *, threads: int
    ) -> Iterator[tuple[list[str], Sequence[list[str]]]]:
        """Split the answer and the references of every segment into words."""
        refs = [self.words(text) for text in corpus.references.flat]
        hyps = map(self.words, corpus.hypotheses)
        return zip(hyps, grouped(corpus.references, refs), strict=True)

    def english_only(self) -> tuple[str, ...]:
        """Name the articles that are left out."""
        return ("the articles a, an, the",) if self.normalize else ()

    def trace(self, hypothesis: str, reference: str) -> Trace:
        """Show the words that both answers have."""
        return builders.runs(self.words(hypothesis), self.words(reference))


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
