"""Q-metrics: how much of what makes a question answerable is in it, mixed with another metric's
score (Nema and Khapra, 2018).
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nlgauge.core.arithmetic import harmonic_mean, ratio
from nlgauge.core.best_reference import ReferencePairs
from nlgauge.core.exact.counts import Counts
from nlgauge.core.metric import Info, Mean, Metric
from nlgauge.core.options import option
from nlgauge.core.resources import digest, read_text
from nlgauge.data.corpus import Corpus
from nlgauge.errors import SpecError
from nlgauge.explain import builders
from nlgauge.explain.traces import Trace
from nlgauge.kernels import Floats
from nlgauge.metrics.alignment.meteor_next import METEOR15
from nlgauge.metrics.ngram.bleu import BLEU
from nlgauge.metrics.ngram.nist import NIST
from nlgauge.metrics.ngram.rouge_l import RougeL
from nlgauge.metrics.trained import question_words
from nlgauge.metrics.trained.question_words import CLASSES, Profile, QuestionWords
from nlgauge.text.preparation import Preparation

_PAPER = (
    "Nema and Khapra (2018), Towards a better metric for evaluating question generation systems"
)
_COUNTS = 4  # the column where matches, words of hypothesis and of reference by class begin
_UNIGRAMS = BLEU(tokenizer="none", smooth="coco", max_order=1)


def _info(name: str, title: str, checked: str) -> Info:
    return Info(
        name=name,
        title=title,
        family="trained",
        cell="CF·T·feature",
        tasks=("QG",),
        criteria=("answerability",),
        scale=1.0,
        paper=_PAPER,
        checked_against=checked,
    )


@dataclass(frozen=True, kw_only=True)
class QMetric(Mean[Any]):
    """A mix of answerability and another metric: the F1 of entities, of words that ask, of content
    and of function words, weighted; of several references, the most alike counts.
    """

    entities: float = option(0.6, "weight of words with a capital", low=0.0, high=1e6)
    question: float = option(0.2, "weight of words that ask", low=0.0, high=1e6)
    content: float = option(0.1, "weight of content words", low=0.0, high=1e6)
    function: float = option(0.1, "weight of function words", low=0.0, high=1e6)
    delta: float = option(0.7, "share of answerability in the score", low=0.0, high=1.0)
    profile: Profile = option(
        "public",
        "public: the sum of each class's F1, as the public code has it, whose precisions have "
        "BLEU's brevity penalty; paper: F1 of the weighted precisions and recalls",
    )
    function_words: str | None = option(
        None, "file with one word a line; none: SMART's, but those that ask and many"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not any(self.weights()):
            raise SpecError("entities, question, content, function: must not be all 0")
        self.base()

    @abstractmethod
    def base(self) -> Metric:
        """Return the metric that answerability is mixed with."""

    def weights(self) -> tuple[float, ...]:
        """Return the weights of the classes, in their order."""
        return self.entities, self.question, self.content, self.function

    def terms(self) -> tuple[Metric, ...]:
        """Return the metric itself and the one it is mixed with."""
        return self, self.base()

    def preparation(self) -> Preparation:
        """Return how the words of a class are split."""
        return Preparation("ptb-coco")

    def english_only(self) -> tuple[str, ...]:
        """Name the words that ask, and the function words unless a file has them."""
        own = ("function words",) if self.function_words is None else ()
        return ("question words", *own)

    def resources(self) -> dict[str, str]:
        """Name the file of function words, and what the other metric needs."""
        found = self.base().resources()
        if self.function_words is not None:
            found = {**found, "function_words": digest("function_words", self.function_words)}
        return found

    def check_resources(self) -> None:
        """Refuse to start without what either part needs."""
        super().check_resources()
        self.base().check_resources()

    def fit(self, corpus: Corpus) -> Any:
        """Return what the other metric depends on, as it may have found it already."""
        return self.base().fitted(corpus)

    def count_part(self, part: Corpus) -> Counts:
        """Count what the other metric does."""
        return self.base().count_part(part)

    def settle(self, counts: Counts) -> Any:
        """Return what the other metric depends on."""
        return self.base().settle(counts)

    def counts_hypotheses(self) -> bool:
        """Return whether the other metric counts in hypotheses."""
        return self.base().counts_hypotheses()

    def whole_only(self) -> str:
        """Say why the other metric cannot score parts of a corpus, if so."""
        return self.base().whole_only()

    def segment_rows(self, corpus: Corpus, state: Any, *, threads: int) -> Floats:
        """Compute the columns: the score, 1, answerability, the other metric; for each class
        matches, words of the hypothesis, words of the reference.
        """
        pairs = ReferencePairs.of(corpus.references)
        hyps = pairs.repeated(self._split(list(corpus.hypotheses)))
        refs = self._split(list(corpus.references.flat))
        counts = np.array(list(map(_counted, hyps, refs)), np.float64).reshape(-1, 3, len(CLASSES))
        absent = np.array(
            [~(np.array(h.present) | np.array(r.present)) for h, r in zip(hyps, refs, strict=True)],
            np.bool_,
        ).reshape(-1, len(CLASSES))
        answerable = self._answerability(counts, absent)
        best = pairs.chosen(answerable)
        base = self._base_scores(corpus, state, threads=threads)
        rows = np.ones((len(corpus), _COUNTS + 3 * len(CLASSES)))
        rows[:, 2], rows[:, 3] = answerable[best], base
        rows[:, 0] = self.delta * rows[:, 2] + (1 - self.delta) * base
        rows[:, _COUNTS:] = counts[best].reshape(len(corpus), -1)
        return rows

    def _base_scores(self, corpus: Corpus, state: Any, *, threads: int) -> Floats:
        """Return the other metric's scores of segments."""
        base = self.base()
        return base.score(base.rows(corpus, state, threads=threads))

    def _split(self, texts: Sequence[str]) -> list[QuestionWords]:
        """Sort the words of texts into the classes."""
        if self.function_words is None:
            function = question_words.function_words()
        else:
            text = read_text("function_words", self.function_words)
            function = frozenset(text.lower().split())
        return question_words.split_questions(texts, self.profile, function)

    def _answerability(self, counts: Floats, absent: Any) -> Floats:
        """Return the answerability of pairs: `counts` is [pairs, 3, classes], `absent` [pairs,
        classes].

        A class that neither text has counts 1 in the public code, as its scores show; the paper
        does not say, and here it is left out.
        """
        matches, hyp, ref = counts[:, 0], counts[:, 1], counts[:, 2]
        weights = np.broadcast_to(np.array(self.weights()), hyp.shape)
        if self.profile == "public":
            precision = _UNIGRAMS.score(np.stack([hyp, ref, matches, hyp], axis=-1))
            recall = _UNIGRAMS.score(np.stack([ref, hyp, matches, ref], axis=-1))
            return _mean(np.where(absent, 1.0, harmonic_mean(precision, recall)), weights)
        weights = np.where((hyp > 0) | (ref > 0), weights, 0.0)
        return harmonic_mean(
            _mean(ratio(matches, hyp), weights), _mean(ratio(matches, ref), weights)
        )

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the means of both parts, and precision and recall of each class in all texts."""
        answerable, base = (totals[2:4] / max(totals[1], 1)).tolist()
        found: dict[str, Any] = {"answerability": answerable, self.base().info.name: base}
        counts = totals[_COUNTS:].reshape(3, len(CLASSES)).tolist()
        for name, matches, hyp, ref in zip(CLASSES, *counts, strict=True):
            found[f"{name}_precision"] = matches / hyp if hyp else None
            found[f"{name}_recall"] = matches / ref if ref else None
        return found

    def trace(self, hypothesis: str, reference: str) -> Trace:
        """Show the words of both texts class by class, and link those that match."""
        hyp, ref = self._split([hypothesis, reference])
        links, shown, starts = [], [], [0, 0]
        for name, left, right in zip(CLASSES, hyp.words, ref.words, strict=True):
            free = [True] * len(right)
            for i, word in enumerate(left):
                j = next((j for j, w in enumerate(right) if free[j] and w == word), None)
                if j is not None:
                    free[j] = False
                    links.append((starts[0] + i, starts[1] + j))
            starts = [starts[0] + len(left), starts[1] + len(right)]
            shown.append(f"{name}: {' '.join(left) or '–'} / {' '.join(right) or '–'}")
        words = [[w for of_class in side.words for w in of_class] for side in (hyp, ref)]
        return builders.linked(words[0], words[1], links, "; ".join(shown))


@dataclass(frozen=True, kw_only=True)
class QBLEU(QMetric):
    """Answerability mixed with BLEU of sentences as the COCO tools compute it."""

    info: ClassVar[Info] = _info("q-bleu", "Q-BLEU", "Answerability-Metric (ec5cf5e)")

    order: int = option(3, "BLEU's longest n-grams", low=1, high=9)

    def base(self) -> Metric:
        """Return BLEU as the COCO tools have it."""
        return BLEU(tokenizer="ptb-coco", smooth="coco", max_order=self.order)


@dataclass(frozen=True, kw_only=True)
class QROUGE(QMetric):
    """Answerability mixed with ROUGE-L as the COCO tools compute it."""

    info: ClassVar[Info] = _info("q-rouge", "Q-ROUGE", "Answerability-Metric (ec5cf5e)")

    def base(self) -> Metric:
        """Return ROUGE-L as the COCO tools have it."""
        return RougeL(profile="coco", tokenizer="ptb-coco-tied")


@dataclass(frozen=True, kw_only=True)
class QMETEOR(QMetric):
    """Answerability mixed with METEOR 1.5."""

    info: ClassVar[Info] = _info(
        "q-meteor", "Q-METEOR", "hand calculation; its METEOR: meteor-1.5.jar"
    )

    def base(self) -> Metric:
        """Return METEOR 1.5 without paraphrases."""
        return METEOR15()

    def english_only(self) -> tuple[str, ...]:
        """Name what METEOR uses, too."""
        return tuple(dict.fromkeys((*super().english_only(), *self.base().english_only())))


@dataclass(frozen=True, kw_only=True)
class QNIST(QMetric):
    """Answerability mixed with NIST, which has no upper bound: the share of what the reference
    itself would have, or as it is.
    """

    info: ClassVar[Info] = _info("q-nist", "Q-NIST", "hand calculation; its NIST: mteval-v13a.pl")

    order: int = option(5, "NIST's longest n-grams", low=1, high=9)
    scaled: bool = option(True, "NIST as a share of the best reference's own, at most 1")

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the range of scores, which is open where NIST is taken as it is."""
        return (0.0, 1.0 if self.scaled else float("inf"))

    def base(self) -> Metric:
        """Return NIST as mteval has it."""
        return NIST(tokenizer="13a-lower", lowercase=False, max_order=self.order, profile="mteval")

    def _base_scores(self, corpus: Corpus, state: Any, *, threads: int) -> Floats:
        found = super()._base_scores(corpus, state, threads=threads)
        if not self.scaled:
            return found
        pairs = ReferencePairs.of(corpus.references)
        flat = list(corpus.references.flat)
        own = super()._base_scores(
            Corpus.build(flat, [[text] for text in flat]), state, threads=threads
        )
        return np.minimum(ratio(found, pairs.best(own)), 1.0)


def _counted(hyp: QuestionWords, ref: QuestionWords) -> list[list[int]]:
    """Count matches, words of the hypothesis and words of the reference in each class."""
    both = list(zip(hyp.words, ref.words, strict=True))
    return [
        [(Counter(h) & Counter(r)).total() for h, r in both],
        [len(h) for h, _ in both],
        [len(r) for _, r in both],
    ]


def _mean(values: Floats, weights: Floats) -> Floats:
    """Return weighted means, class by class: a matrix product may round single rows differently."""
    total, share = np.zeros(values.shape[:-1]), np.zeros(values.shape[:-1])
    for k in range(values.shape[-1]):
        total = total + weights[..., k] * values[..., k]
        share = share + weights[..., k]
    return ratio(total, share)
