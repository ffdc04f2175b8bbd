"""How diverse the replies of a system are: distinct-n (Li et al., 2016), self-BLEU (Zhu et al.,
2018).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from nlgauge.core.arithmetic import ratio
from nlgauge.core.metric import Info, Mean, WordMetric
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats

Gram = tuple[str, ...]
EPSILON = 0.1  # what stands for no match, as in NLTK's first smoothing


@dataclass(frozen=True, kw_only=True)
class Distinct(WordMetric["Counter[Gram] | None"]):
    """Share of n-grams that are distinct, among those of all replies of a system or, on average,
    among those of each reply.

    Of a whole system, each n-gram counts as one over the number of its occurrences, so that these
    add up to the distinct ones; a segment's score is then its own share of this.
    """

    info: ClassVar[Info] = Info(
        name="distinct",
        title="Distinct n-grams",
        family="dialogue",
        cell="CF·U·word-ngram",
        tasks=("DG",),
        criteria=("avoiding repetition",),
        scale=1.0,
        needs=(),
        paper="Li et al. (2016), A diversity-promoting objective function for neural conversation "
        "models",
        checked_against="hand calculation",
    )

    order: int = option(2, "words of an n-gram", low=1, high=9)
    among: Literal["system", "reply"] = option("system", "whose n-grams are compared")
    tokenizer: str = option("none", "how texts are split into words")
    lowercase: bool = option(False, "fold case")

    def fit(self, corpus: Corpus) -> Counter[Gram] | None:
        """Count the n-grams of all replies, unless each reply stands for itself."""
        if self.among == "reply":
            return None
        return Counter(gram for words in self._words(corpus) for gram in grams(words, self.order))

    def fitted(self, corpus: Corpus) -> Counter[Gram] | None:
        """Return what `fit` does, once for each system."""
        return corpus.once(self, corpus.hypotheses, lambda: self.fit(corpus))

    def _words(self, corpus: Corpus) -> list[list[str]]:
        return self.preparation().words(corpus.hypotheses)

    def segment_rows(self, corpus: Corpus, state: Counter[Gram] | None, *, threads: int) -> Floats:
        """Compute the columns: distinct n-grams, n-grams; or the score and 1."""
        rows = []
        for words in self._words(corpus):
            own = list(grams(words, self.order))
            if state is None:
                rows.append((len(set(own)) / len(own) if own else 0.0, 1.0))
            else:
                rows.append((math.fsum(1 / max(1, state[gram]) for gram in own), float(len(own))))
        return np.array(rows, np.float64).reshape(-1, 2)

    def score(self, totals: Floats) -> Floats:
        """Return the share of distinct n-grams; 0 without any."""
        return ratio(totals[..., 0], totals[..., 1])


@dataclass(frozen=True, eq=False)
class Crowd:
    """A crowd knows of all texts how often each n-gram occurs at most, and how long they are."""

    # By n-gram: the largest number, of how many texts that is, and the next smaller one.
    most: dict[Gram, tuple[int, int, int]]
    lengths: Counter[int]

    @classmethod
    def of(cls, texts: Sequence[list[str]], order: int) -> Crowd:
        """Count the n-grams of all texts, up to an order."""
        most: dict[Gram, tuple[int, int, int]] = {}
        for words in texts:
            for gram, count in _counted(words, order).items():
                first, times, second = most.get(gram, (0, 0, 0))
                if count > first:
                    most[gram] = count, 1, first
                elif count == first:
                    most[gram] = first, times + 1, second
                else:
                    most[gram] = first, times, max(second, count)
        return cls(most, Counter(map(len, texts)))

    def others(self, gram: Gram, own: int) -> int:
        """Return how often an n-gram occurs at most in a text beside one that has it `own`
        times.
        """
        first, times, second = self.most.get(gram, (0, 0, 0))
        return second if own == first and times == 1 else first

    def closest(self, length: int) -> int:
        """Return the length of another text that is closest to that of one; the shorter of two."""
        others = [n for n, count in self.lengths.items() if n != length or count > 1]
        return min(others, key=lambda n: (abs(n - length), n), default=0)


@dataclass(frozen=True, kw_only=True)
class SelfBLEU(Mean[Crowd], WordMetric[Crowd]):
    """BLEU of each reply of a system against all of its other replies: the higher, the less
    diverse. Orders without a match count as 0.1 matches.
    """

    info: ClassVar[Info] = Info(
        name="self-bleu",
        title="BLEU of replies against each other",
        family="dialogue",
        cell="CF·U·word-ngram",
        tasks=("DG",),
        criteria=("avoiding repetition",),
        higher_is_better=False,
        scale=1.0,
        needs=(),
        paper="Zhu et al. (2018), Texygen: a benchmarking platform for text generation models",
        checked_against="NLTK 3.9, sentence_bleu with its first smoothing",
    )

    order: int = option(4, "words of the longest n-grams", low=1, high=9)
    tokenizer: str = option("none", "how texts are split into words")
    lowercase: bool = option(False, "fold case")

    def fit(self, corpus: Corpus) -> Crowd:
        """Count the n-grams of all replies."""
        return Crowd.of(self.preparation().words(corpus.hypotheses), self.order)

    def fitted(self, corpus: Corpus) -> Crowd:
        """Return what `fit` does, once for each system."""
        return corpus.once(self, corpus.hypotheses, lambda: self.fit(corpus))

    def segment_rows(self, corpus: Corpus, state: Crowd, *, threads: int) -> Floats:
        """Compute the columns: the score and 1."""
        texts = self.preparation().words(corpus.hypotheses)
        scores = [self._bleu(words, state) for words in texts]
        return np.column_stack([np.array(scores, np.float64), np.ones(len(texts))])

    def _bleu(self, words: list[str], crowd: Crowd) -> float:
        matches = [0] * self.order
        for gram, count in _counted(words, self.order).items():
            matches[len(gram) - 1] += min(count, crowd.others(gram, count))
        if not matches[0]:
            return 0.0
        logs = [
            math.log((found or EPSILON) / max(1, len(words) - n)) for n, found in enumerate(matches)
        ]
        nearest = crowd.closest(len(words))
        brevity = min(0.0, 1 - nearest / len(words))
        return math.exp(brevity + math.fsum(log / self.order for log in logs))


def grams(words: Sequence[str], order: int) -> Iterator[Gram]:
    """Yield the n-grams of a text."""
    return (tuple(words[k : k + order]) for k in range(len(words) - order + 1))


def _counted(words: Sequence[str], order: int) -> Counter[Gram]:
    every: Iterable[Iterator[Gram]] = (grams(words, n) for n in range(1, order + 1))
    return Counter(gram for own in every for gram in own)
