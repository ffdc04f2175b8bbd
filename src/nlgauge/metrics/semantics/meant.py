"""MEANT and MEANT 2.0: who did what to whom, by word vectors (Lo et al., 2012; Lo, 2017)."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from nlgauge.core.arithmetic import harmonic_mean, weighted_harmonic_mean
from nlgauge.core.best_reference import grouped
from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.core.understanding.coverage import Lookup
from nlgauge.core.understanding.lookup import LookupMetric
from nlgauge.data.corpus import Corpus
from nlgauge.data.frames import Frame, FrameSentence
from nlgauge.errors import SpecError
from nlgauge.explain.traces import Frames
from nlgauge.kernels import Floats, native
from nlgauge.metrics.contextual.units import TextUnits, similarities, with_vectors
from nlgauge.metrics.semantics.structure import (
    FIXED,
    GROUPS,
    Pair,
    RecalledRoles,
    RolePhrases,
    compare,
    frequencies,
)
from nlgauge.models.cache.analysis_stores import FrameStore, frames_of
from nlgauge.models.lookups import WordLookup
from nlgauge.models.syntax.annotators import ROLES_HELP, english_annotator, find_frames
from nlgauge.models.vectors.word_vectors import HELP as VECTORS_HELP
from nlgauge.models.vectors.word_vectors import find_vectors
from nlgauge.text.preparation import Preparation

RoleWeights = Literal["fixed", "frequency"] | tuple[float, ...]
WEIGHTS_HELP = (
    "of roles: fixed (predicates 0.25, others 1), frequency (in the references), or numbers for "
    + ", ".join(GROUPS)
)

WORDS = Preparation("13a")  # of which the unknown ones are counted; labellers have their own


def check_weights(metric: str, weights: RoleWeights) -> None:
    """Refuse a list that does not fit the groups of roles."""
    if isinstance(weights, str):
        return
    if len(weights) != len(GROUPS) or min(weights) < 0 or not weights[0] > 0:
        raise SpecError(
            f"{metric}(role_weights={':'.join(map(str, weights))}): expected {len(GROUPS)} numbers "
            f"that are not negative, the first above 0, for {', '.join(GROUPS)}"
        )


def weights_of(weights: RoleWeights, counts: Floats) -> Floats:
    """Return the weight of each group of roles, of which there are so many. Relative frequencies
    weigh as counts do.
    """
    if weights == "frequency":
        return counts / max(1.0, float(counts.sum()))
    return np.asarray(FIXED if weights == "fixed" else weights, np.float64)


@dataclass(frozen=True, eq=False)
class MeantText:
    """One side of a comparison: words, frames and weights of a text."""

    units: TextUnits
    frames: tuple[Frame, ...]
    roled: RolePhrases
    weights: Floats  # of words

    @property
    def whole(self) -> Any:
        """Return the text as one phrase."""
        return np.array([[0, len(self.units)]], np.int64)


# Groups of roles; in how many texts each word occurs; how many texts there are.
MeantCounts = tuple[Floats, Counter[str], int]


@dataclass(frozen=True)
class MeantState:
    """What MEANT counts in all references before it compares texts."""

    role_weights: Floats
    found: Counter[str]  # in how many references each word occurs
    texts: int

    def rarity(self, word: str) -> float:
        """Return the weight of a word in MEANT 2.0."""
        return math.log(1 + (self.texts + 1) / (self.found[word] + 1))


def joined(sentences: Sequence[FrameSentence]) -> tuple[tuple[str, ...], tuple[Frame, ...]]:
    """Join all sentences of a text to one."""
    words = tuple(word for sentence in sentences for word in sentence.words)
    frames: list[Frame] = []
    start = 0
    for sentence in sentences:
        frames += (frame.moved(start) for frame in sentence.frames)
        start += len(sentence.words)
    return words, tuple(frames)


@dataclass(frozen=True, kw_only=True)
class MeantMetric(Mean[MeantState], LookupMetric[MeantState]):
    """What MEANT and its successors share. Where either text lacks frames, both are compared as one
    phrase each.
    """

    roles: str = option("en", ROLES_HELP)
    role_weights: RoleWeights = option("fixed", WEIGHTS_HELP, low=0.0, high=1e6)
    lowercase: bool = option(False, "ignore case")

    sentence: ClassVar[float] = 0.0  # how much texts as a whole count beside their frames

    def __post_init__(self) -> None:
        super().__post_init__()
        check_weights(self.info.name, self.role_weights)

    def english_only(self) -> tuple[str, ...]:
        """Name the labeller of roles, if it is English."""
        return english_annotator("roles", self.roles)

    def words(
        self, sentences: Sequence[FrameSentence]
    ) -> tuple[tuple[str, ...], tuple[Frame, ...]]:
        """Return the words of a text, and its frames."""
        words, frames = joined(sentences)
        return tuple(map(str.lower, words)) if self.lowercase else words, frames

    def counted_roles(self, texts: Sequence[Sequence[FrameSentence]]) -> Floats:
        """Count the groups of roles, if they weigh by that."""
        return frequencies(texts if self.role_weights == "frequency" else ())

    def settle(self, counts: MeantCounts) -> MeantState:
        """Return the weights of roles, and what the rarity of words is made of."""
        return MeantState(weights_of(self.role_weights, counts[0]), *counts[1:])

    @abstractmethod
    def phrases(
        self, hyp: MeantText, ref: MeantText, spans: Any, others: Any
    ) -> tuple[Floats, Floats]:
        """Return precision and recall of pairs of phrases."""

    def f(self, precision: npt.ArrayLike, recall: npt.ArrayLike) -> Floats:
        """Return the harmonic mean of precision and recall."""
        return harmonic_mean(precision, recall)

    def compared(
        self, hyp: MeantText, ref: MeantText
    ) -> tuple[RecalledRoles, RecalledRoles, list[list[Pair]]] | None:
        """Compare two texts by their frames; None if either text has none."""
        if not hyp.frames or not ref.frames:
            return None
        return compare(
            hyp.roled, ref.roled, *self.phrases(hyp, ref, hyp.roled.spans, ref.roled.spans)
        )

    def pair(self, hyp: MeantText, ref: MeantText, weights: Floats) -> tuple[float, float, float]:
        """Return score, precision and recall of two texts."""
        found = self.compared(hyp, ref)
        precision, recall = self.flat(hyp, ref, framed=found is not None)
        if found is not None:
            precision += (1 - self.sentence) * found[0].value(weights)
            recall += (1 - self.sentence) * found[1].value(weights)
        return float(self.f(precision, recall)), precision, recall

    def flat(self, hyp: MeantText, ref: MeantText, *, framed: bool) -> tuple[float, float]:
        """Return what precision and recall of the texts as a whole add; without frames, they are
        all.
        """
        share = self.sentence if framed else 1.0
        if not share or not len(hyp.units) or not len(ref.units):
            return 0.0, 0.0
        precision, recall = self.phrases(hyp, ref, hyp.whole, ref.whole)
        return share * float(precision[0, 0]), share * float(recall[0, 0])

    @abstractmethod
    def texts(
        self, corpus: Corpus, state: MeantState, *, threads: int
    ) -> Iterator[list[MeantText]]:
        """Return the hypothesis and the references of every segment."""

    def segment_rows(self, corpus: Corpus, state: MeantState, *, threads: int) -> Floats:
        """Compute the columns: the score, 1, precision, recall, of the best reference; counts of
        words.
        """
        rows = np.ones((len(corpus), 4))
        for row, (hyp, *refs) in zip(rows, self.texts(corpus, state, threads=threads), strict=True):
            row[0], *row[2:] = max(self.pair(hyp, ref, state.role_weights) for ref in refs)
        return self.counted(corpus, rows)

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return mean precision and recall, and the shares of unknown words."""
        precision, recall = (totals[2:4] / max(totals[1], 1)).tolist()
        return {"precision": precision, "recall": recall, **super().parts(totals)}

    def traced(self, hyp: MeantText, ref: MeantText, weights: Floats) -> Frames:
        """Show both texts with their frames, and what was aligned."""
        from nlgauge.metrics.semantics.frame_trace import frames_trace

        found = self.compared(hyp, ref)
        return frames_trace(hyp, ref, None if found is None else found[2], weights)


@dataclass(frozen=True, kw_only=True)
class MEANT(MeantMetric):
    """F1 of semantic frames: predicates and, within aligned frames, the fillers of equal roles, as
    similar as their words are at best. The best reference counts.
    """

    info: ClassVar[Info] = Info(
        name="meant",
        title="MEANT",
        family="semantics",
        cell="CF·U·static-emb",
        tasks=("MT",),
        criteria=("adequacy",),
        scale=1.0,
        extras=("neural", "vectors"),
        pair_seconds=8e-9,
        paper="Lo et al. (2012), Fully automatic semantic MT evaluation; Lo & Wu (2013), MEANT at "
        "WMT 2013",
        checked_against="hand calculation; YiSi (fd07bfc) with frames for the alignment",
    )

    similarity: Literal["vectors", "substring", "exact"] = option(
        "vectors", "of two words: what makes them alike"
    )
    vectors: str = option("glove", VECTORS_HELP)

    order: ClassVar[int] = 1

    def resources(self) -> dict[str, str]:
        """Name the labeller of roles, and the vectors."""
        found = {"roles": find_frames(self.roles).name}
        if self.similarity == "vectors":
            found["vectors"] = find_vectors(self.vectors).name
        return found

    def asks_model(self) -> bool:
        """Return whether vectors are asked; substrings and equal words need none."""
        return self.similarity == "vectors"

    def lookup(self) -> Lookup:
        """Return the vectors that words are looked up in."""
        return WordLookup(find_vectors(self.vectors), WORDS, folded=True)

    def count_part(self, part: Corpus) -> MeantCounts:
        """Count roles and words in the references."""
        return self.count_in(frames_of(part, self.roles).sentences(part.references.flat))

    def count_in(self, texts: Sequence[Sequence[FrameSentence]]) -> MeantCounts:
        """Count roles and words in sentences."""
        found = Counter(word for text in texts for word in {*self.words(text)[0]})
        return self.counted_roles(texts), found, len(texts)

    def word_weights(self, words: Sequence[str], state: MeantState) -> Floats:
        """Return equal weights for all words."""
        return np.ones(len(words))

    def texts(
        self, corpus: Corpus, state: MeantState, *, threads: int
    ) -> Iterator[list[MeantText]]:
        """Return the hypothesis and the references of every segment."""
        store = frames_of(corpus, self.roles)
        both = store.sentences([*corpus.hypotheses, *corpus.references.flat], threads=threads)
        made = self.made(both, state)
        refs = grouped(corpus.references, made[len(corpus) :])
        return ([hyp, *own] for hyp, own in zip(made[: len(corpus)], refs, strict=True))

    def made(self, texts: Sequence[Sequence[FrameSentence]], state: MeantState) -> list[MeantText]:
        """Make texts from their sentences."""
        found = [self.words(text) for text in texts]
        words = [own for own, _ in found]
        if self.similarity == "vectors":
            units = with_vectors(words, find_vectors(self.vectors), tool=False)
        else:
            units = [TextUnits(own) for own in words]
        return [
            MeantText(unit, frames, RolePhrases.build(frames), self.word_weights(own, state))
            for unit, (own, frames) in zip(units, found, strict=True)
        ]

    def phrases(
        self, hyp: MeantText, ref: MeantText, spans: Any, others: Any
    ) -> tuple[Floats, Floats]:
        """Return the harmonic mean of how well words find each other, for precision and recall
        alike.
        """
        mean = harmonic_mean(*self.found(hyp, ref, spans, others))
        return mean, mean

    def found(self, hyp: MeantText, ref: MeantText, spans: Any, others: Any) -> Floats:
        """Return how well n-grams of phrases find each other: [2, spans, others]."""
        matrix = similarities(
            hyp.units, ref.units, substring=self.similarity == "substring", tool=False
        )
        return native.span_similarities(
            np.ascontiguousarray(matrix),
            hyp.weights,
            ref.weights,
            spans,
            others,
            order=self.order,
        )

    def trace(self, hypothesis: str, reference: str) -> Frames:
        """Show the frames of both texts side by side."""
        store = FrameStore(find_frames(self.roles))
        hyp, ref = store.sentences([hypothesis, reference])
        state = self.settle(self.count_in([ref]))
        own, other = self.made([hyp, ref], state)
        return self.traced(own, other, state.role_weights)


@dataclass(frozen=True, kw_only=True)
class MEANT2(MEANT):
    """MEANT with words that weigh by their rarity and phrases that are compared by n-grams, so that
    the order of words counts.

    The paper looks at the sentence as a whole only where a text has no frames (`sentence=0`). By
    default it counts as in YiSi, its successor: what a labeller misses costs less.
    """

    info: ClassVar[Info] = Info(
        name="meant-2",
        title="MEANT 2.0",
        family="semantics",
        cell="CF·U·static-emb",
        tasks=("MT",),
        criteria=("adequacy",),
        scale=1.0,
        extras=("neural", "vectors"),
        pair_seconds=9e-9,
        paper="Lo (2017), MEANT 2.0: accurate semantic MT evaluation for any output language",
        checked_against="hand calculation; YiSi (fd07bfc) with frames for the alignment",
    )

    order: int = option(3, "length of the n-grams compared", low=1, high=9)  # type: ignore[misc]
    alpha: float = option(0.8, "how much recall counts; the rest is precision", low=0.0, high=1.0)
    sentence: float = option(  # type: ignore[misc]
        0.8, "how much texts as a whole count beside their frames", low=0.0, high=1.0
    )

    def word_weights(self, words: Sequence[str], state: MeantState) -> Floats:
        """Return weights of words: the rarer, the more."""
        return np.array([state.rarity(word) for word in words], np.float64)

    def phrases(
        self, hyp: MeantText, ref: MeantText, spans: Any, others: Any
    ) -> tuple[Floats, Floats]:
        """Return precision and recall of phrases as they are."""
        precision, recall = self.found(hyp, ref, spans, others)
        return precision, recall

    def f(self, precision: npt.ArrayLike, recall: npt.ArrayLike) -> Floats:
        """Return the mean of precision and recall that YiSi has, in which recall counts more."""
        return weighted_harmonic_mean(precision, recall, self.alpha)
