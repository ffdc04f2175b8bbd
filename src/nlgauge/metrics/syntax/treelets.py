"""STA and GTA: string accuracies of treelets; UA and QLA, models of human judgements on them
(Bangalore, Rambow & Whittaker, 2000).
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nlgauge import kernels
from nlgauge.core.arithmetic import ratio
from nlgauge.core.best_reference import ReferencePairs
from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus, References
from nlgauge.kernels import Floats, Texts, native
from nlgauge.metrics.edit.accuracy import Accuracy
from nlgauge.metrics.syntax.parsed import ForestTree, ParseMetric
from nlgauge.models.cache.analysis_stores import store_of

Strings = tuple[Sequence[str], Sequence[str]]  # of hypothesis and reference
PAPER = "Bangalore et al. (2000), Evaluation metrics for generation"


@dataclass(frozen=True, kw_only=True)
class _Treelets(ParseMetric):
    """Needs the trees of the references only; of hypotheses, the words."""

    lowercase: bool = option(False, "ignore case")

    moves: ClassVar[bool] = False

    def errors(self, corpus: Corpus, *, threads: int) -> tuple[Floats, Floats]:
        """Count errors, one row per text of `references.flat`: substitutions, insertions,
        deletions, moves of all treelets, and words of the reference; the same of the whole strings.
        """
        store = store_of(corpus, self.parser)
        trees = [
            ForestTree.build(sentences, "words", lowercase=self.lowercase)
            for sentences in store.parses(corpus.references.flat, processes=threads)
        ]
        hyps = [
            [word.lower() for word in words] if self.lowercase else words
            for words in store.words(corpus.hypotheses)
        ]
        repeated = ReferencePairs.of(corpus.references).repeated(hyps)
        pairs = list(zip(repeated, trees, strict=True))
        owner: list[int] = []  # which reference a treelet belongs to
        strings: list[Strings] = []
        for k, (hyp, tree) in enumerate(pairs):
            found = _treelets(hyp, tree)
            owner += [k] * len(found)
            strings += found
        of_treelets = np.zeros((len(pairs), 5))
        np.add.at(of_treelets, owner, _accuracy(strings, moves=self.moves, threads=threads))
        whole = [(hyp, tree.labels) for hyp, tree in pairs]
        of_strings = _accuracy(whole, moves=self.moves, threads=threads)
        # The paper divides by the words of the sentence, not of its treelets.
        of_treelets[:, 4] = of_strings[:, 4]
        return of_treelets, of_strings


def _treelets(hyp: Sequence[str], tree: ForestTree) -> list[Strings]:
    """Return, for each head with its dependents, the words that are there, as the hypothesis orders
    them, and as the reference does. A word that is a sentence by itself stands alone.
    """
    place = _places(hyp, tree.labels)
    found: list[Strings] = []
    for head, children in enumerate(tree.children()):
        if children or tree.heads[head] < 0:
            nodes = sorted((head, *children))
            present = sorted((node for node in nodes if place[node] >= 0), key=place.__getitem__)
            found.append(([tree.labels[n] for n in present], [tree.labels[n] for n in nodes]))
    return found


def _places(hyp: Sequence[str], ref: Sequence[str]) -> list[int]:
    """Return where each reference word is in the hypothesis, or -1. Words that occur several times
    are told apart by a longest common subsequence, then by their order.
    """
    place = [-1] * len(ref)
    free = dict.fromkeys(range(len(hyp)))
    for i, j in native.common_subsequence(Texts(hyp), Texts(ref)):
        place[j] = i
        del free[i]
    left: dict[str, deque[int]] = defaultdict(deque)
    for i in free:
        left[hyp[i]].append(i)
    for j, word in enumerate(ref):
        if place[j] < 0 and left[word]:
            place[j] = left[word].popleft()
    return place


def _accuracy(pairs: Sequence[Strings], *, moves: bool, threads: int) -> Floats:
    """Compute the rows of SSA or GSA for pairs of lists of words."""
    numbers: dict[str, int] = {}  # words may hold what the kernel takes for white space

    def joined(words: Sequence[str]) -> str:
        return " ".join(str(numbers.setdefault(word, len(numbers))) for word in words)

    hyps = Texts([joined(hyp) for hyp, _ in pairs])
    refs = References.single(Texts([joined(ref) for _, ref in pairs]))
    return kernels.rows(
        Corpus(hypotheses=hyps, references=refs),
        [native.StringAccuracy(moves=moves)],
        threads=threads,
    )[0]


@dataclass(frozen=True, kw_only=True)
class STA(Accuracy, _Treelets):
    """Simple tree accuracy: 1 less the errors inside of the reference's treelets."""

    info: ClassVar[Info] = Info(
        name="sta",
        title="Simple Tree Accuracy",
        family="syntax",
        cell="CF·U·word-edit",
        tasks=("NLG",),
        criteria=("understandability", "well-formedness"),
        bounds=(float("-inf"), 1.0),
        scale=1.0,
        extras=("syntax",),
        paper=PAPER,
        checked_against="Bangalore et al. (2000), table 1",
        revision=2,
    )

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: substitutions, insertions, deletions, moves, |r|, of the best
        reference.
        """
        errors, strings = self.errors(corpus, threads=threads)
        rates = ratio(errors[:, :4].sum(axis=1), errors[:, 4])
        # An empty reference has no treelets; what is beside it is inserted.
        empty = errors[:, 4] == 0
        errors[empty, :4] = strings[empty, :4]
        rates[empty] = np.where(errors[empty, :4].sum(axis=1) > 0, np.inf, 0)
        best: Floats = errors[ReferencePairs.of(corpus.references).chosen(rates, least=True)]
        return best


@dataclass(frozen=True, kw_only=True)
class GTA(STA):
    """Generation tree accuracy: in treelets, too, deleted here and inserted there is one move."""

    info: ClassVar[Info] = Info(
        name="gta",
        title="Generation Tree Accuracy",
        family="syntax",
        cell="CF·U·word-edit",
        tasks=("NLG",),
        criteria=("understandability", "well-formedness"),
        bounds=(float("-inf"), 1.0),
        scale=1.0,
        extras=("syntax",),
        paper=PAPER,
        checked_against="Bangalore et al. (2000), table 1",
        revision=2,
    )

    moves: ClassVar[bool] = True


@dataclass(frozen=True, kw_only=True)
class UA(Mean, _Treelets):
    """Understandability accuracy: what readers would say, from tree accuracy and substitutions."""

    info: ClassVar[Info] = Info(
        name="ua",
        title="Understandability Accuracy",
        family="syntax",
        cell="CF·T·feature",
        tasks=("NLG",),
        criteria=("understandability",),
        bounds=(float("-inf"), 1.0),
        scale=1.0,
        extras=("syntax",),
        paper=PAPER,
        checked_against="Bangalore et al. (2000), section 4.2",
        revision=2,
    )

    length: bool = option(
        False, "the model that looks at the sentence's length, too, and is not made to end at 1"
    )

    # Of tree accuracy, substitutions, length, 1; and what a perfect sentence gets.
    model: ClassVar[tuple[float, ...]] = (1.3147, -0.1039, 0.0, -0.4458, 0.8689)
    long_model: ClassVar[tuple[float, ...]] = (1.4728, -0.1015, -0.0228, -0.2127, 1.0)

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the range of scores: with the length, a perfect word gets most."""
        if not self.length:
            return self.info.bounds
        tree, _, words, constant, perfect = self.long_model
        return (float("-inf"), (tree + words + constant) / perfect)

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the score of the best reference, 1, its tree accuracy, its
        substitutions.
        """
        treelets, strings = self.errors(corpus, threads=threads)
        length = strings[:, 4]
        accuracy = 1 - ratio(treelets[:, :4].sum(axis=1), length)
        substitutions = strings[:, 0]
        tree, string, words, constant, perfect = self.long_model if self.length else self.model
        values = (tree * accuracy + string * substitutions + words * length + constant) / perfect
        accuracy[length == 0] = values[length == 0] = 0
        rows = np.column_stack([values, np.ones(len(values)), accuracy, substitutions])
        best: Floats = rows[ReferencePairs.of(corpus.references).chosen(values)]
        return best

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return mean tree accuracy and mean number of substitutions."""
        count = max(1.0, float(totals[1]))
        return {
            "tree_accuracy": float(totals[2]) / count,
            "substitutions": float(totals[3]) / count,
        }


@dataclass(frozen=True, kw_only=True)
class QLA(UA):
    """Quality accuracy: how well readers would find the sentence written, from the same."""

    info: ClassVar[Info] = Info(
        name="qla",
        title="Quality Accuracy",
        family="syntax",
        cell="CF·T·feature",
        tasks=("NLG",),
        criteria=("well-formedness",),
        bounds=(float("-inf"), 1.0),
        scale=1.0,
        extras=("syntax",),
        paper=PAPER,
        checked_against="Bangalore et al. (2000), section 4.2",
        revision=2,
    )

    model: ClassVar[tuple[float, ...]] = (1.0192, -0.0869, 0.0, -0.3553, 0.6639)
    long_model: ClassVar[tuple[float, ...]] = (1.2134, -0.0839, -0.0280, -0.0689, 1.0)
