"""Similarities of two summaries that QARLA compares peers and models by (Amigó et al., 2005).

With several references, that of the most similar one counts.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeVar

from nlgauge.core.best_reference import BestReference, grouped
from nlgauge.core.metric import Info, MeanMetric
from nlgauge.core.options import LARGEST, option
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats, Kernel
from nlgauge.metrics.ngram.rouge import MEASURES, ReferenceCounts, Rouge
from nlgauge.metrics.ngram.rouge_variants import Variant, rouge
from nlgauge.text.preparation import Preparation
from nlgauge.text.sentences import sentences

PAPER = "Amigó et al. (2005), QARLA: a framework for the evaluation of text summarization systems"
Words = Literal["all", "content", "stems"]
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class SimR(MeanMetric[ReferenceCounts]):
    """ROUGE's recall of one summary by another."""

    info: ClassVar[Info] = Info(
        name="sim-r",
        title="ROUGE as similarity of two summaries",
        family="content",
        cell="similarity",
        tasks=("AS",),
        scale=1.0,
        paper=PAPER,
        checked_against="hand calculation",
    )

    variant: Variant = option("1", "which ROUGE: 1 to 4, l, w (1.2), s or su")
    words: Words = option("all", "all words, without stop words, or stems without stop words")
    lowercase: bool = option(True, "ignore case")

    measure: ClassVar[str] = "recall"

    def _rouge(self) -> Rouge:
        return rouge(
            self.variant,
            measure=self.measure,
            references="best",
            stop=self.words != "all",
            stem=self.words == "stems",
            lowercase=self.lowercase,
        )

    def preparation(self) -> Preparation:
        """Return how texts become words: as in ROUGE."""
        return self._rouge().preparation()

    def kernel(self, state: ReferenceCounts) -> Kernel:
        """Return the kernel of the ROUGE that is asked for."""
        return self._rouge().kernel(state)

    def finish(self, rows: Floats, state: ReferenceCounts) -> Floats:
        """Keep the columns: the score, 1."""
        return rows[:, [MEASURES.index(self.measure), 3]]


@dataclass(frozen=True, kw_only=True)
class SimRpre(SimR):
    """ROUGE's recall of the other summary by the one: SIM-R with the two exchanged."""

    info: ClassVar[Info] = Info(
        name="sim-rpre",
        title="Inverted ROUGE as similarity of two summaries",
        family="content",
        cell="similarity",
        tasks=("AS",),
        scale=1.0,
        paper=PAPER,
        checked_against="hand calculation",
    )

    measure: ClassVar[str] = "precision"


def _each(texts: Iterable[str], compute: Callable[[Iterable[str]], list[T]]) -> list[T]:
    """Return `compute(texts)`, done once for equal texts."""
    texts = list(texts)
    distinct = dict.fromkeys(texts)
    found = dict(zip(distinct, compute(distinct), strict=True))
    return [found[text] for text in texts]


@dataclass(frozen=True, kw_only=True)
class _Inverse(BestReference):
    """1 / (1 + distance) of what each summary is described by."""

    def segments(
        self, corpus: Corpus, *, threads: int
    ) -> Iterator[tuple[tuple[Any, list[str]], Sequence[Any]]]:
        """Describe each text, and name the main words of the source beside the hypothesis."""
        # Each text once: QARLA compares all pairs of them.
        hyps = _each(corpus.hypotheses, self.describe)
        refs = grouped(corpus.references, _each(corpus.references.flat, self.describe))
        return zip(zip(hyps, self.main_words(corpus), strict=True), refs, strict=True)

    def compare(self, hyp: Any, refs: Sequence[Any]) -> float | Sequence[float]:
        """Compare with the nearest summary; 0 where there is none."""
        return super().compare(hyp, refs) if refs else 0.0

    def pair(self, hyp: tuple[Any, list[str]], ref: Any) -> float:
        """Return how near the two are; 0 where a text is empty."""
        own, main = hyp
        return 0.0 if own is None or ref is None else 1 / (1 + self.distance(own, ref, main))

    @abstractmethod
    def describe(self, texts: Iterable[str]) -> list[Any]:
        """Return what is compared of each text; None of an empty one."""

    @abstractmethod
    def distance(self, a: Any, b: Any, main: list[str]) -> float:
        """Return the distance of two descriptions, given the main words of their source."""

    def main_words(self, corpus: Corpus) -> list[list[str]]:
        """Return the main words of every source, for those who look at them."""
        return [[]] * len(corpus)


@dataclass(frozen=True, kw_only=True)
class SimTVM(_Inverse):
    """Truncated vector model: how often the main words of the source (`sources`) are used.

    The main words are the most frequent Porter stems (in place of lemmas) that are no stop words,
    of equals those that come first; a summary's vector has their shares of its own such stems.
    """

    info: ClassVar[Info] = Info(
        name="sim-tvm",
        title="Truncated vector model similarity",
        family="content",
        cell="similarity",
        tasks=("AS",),
        scale=1.0,
        needs=("references", "sources"),
        paper=PAPER,
        checked_against="hand calculation",
    )

    size: int = option(
        512, "main words of the source; the paper has 1, 4, 8, ... 512", low=1, high=LARGEST
    )

    def _stems(self, texts: Iterable[str]) -> list[list[str]]:
        return self.preparation().words(texts)

    def preparation(self) -> Preparation:
        """Return how texts become stems without stop words."""
        return Preparation("unicode", lowercase=True, stop="smart", stem="porter")

    def main_words(self, corpus: Corpus) -> list[list[str]]:
        """Return the most frequent stems of every source."""
        sources = corpus.sources
        assert sources is not None  # as check_inputs has seen
        ranked = corpus.once("stems of sources", sources, lambda: _each(sources, self._ranked))
        return [stems[: self.size] for stems in ranked]

    def _ranked(self, texts: Iterable[str]) -> list[list[str]]:
        """Return the stems of each text, the most frequent first."""
        return [[s for s, _ in Counter(stems).most_common()] for stems in self._stems(texts)]

    def describe(self, texts: Iterable[str]) -> list[Any]:
        """Count the stems of each text."""
        return [Counter(stems) or None for stems in self._stems(texts)]

    def distance(self, a: Counter[str], b: Counter[str], main: list[str]) -> float:
        """Return the Euclidean distance of the main words' shares."""
        in_a, in_b = a.total(), b.total()
        return math.dist([a[w] / in_a for w in main], [b[w] / in_b for w in main])


@dataclass(frozen=True, kw_only=True)
class SimAVLS(_Inverse):
    """Closeness of mean sentence lengths, in words; sentences are lines, or end in punctuation."""

    info: ClassVar[Info] = Info(
        name="sim-avls",
        title="Average sentence length similarity",
        family="content",
        cell="similarity",
        tasks=("AS",),
        scale=1.0,
        paper=PAPER,
        checked_against="hand calculation",
    )

    def describe(self, texts: Iterable[str]) -> list[Any]:
        """Return the mean length of each text's sentences."""
        texts = list(texts)
        words = Preparation("unicode").words(texts)
        return [
            len(w) / len(sentences(t)) if w else None for t, w in zip(texts, words, strict=True)
        ]

    def distance(self, a: float, b: float, main: list[str]) -> float:
        """Return the difference of the mean lengths."""
        return abs(a - b)
