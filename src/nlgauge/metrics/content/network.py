"""Word accuracy against a network of merged manual summaries (Hori et al., 2003)."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats
from nlgauge.metrics.content.annotations import Fields, annotations_of
from nlgauge.text.preparation import Preparation

START = -1  # the node before the first word


@dataclass(frozen=True, kw_only=True)
class WordNetwork(Mean):
    """Word accuracy of a summary against the word string of the network that is closest to it.

    Annotation: {"words": ["the", "storm", ...], "summaries": [[0, 1, 4], ...]}, the words of the
    source, and for every manual summary the positions (from 0, ascending) of the words it keeps.
    Two words may follow each other in the network if they do in some summary. Of the strings with
    the fewest edits the longest counts; more edits than words give 0.
    """

    info: ClassVar[Info] = Info(
        name="word-network",
        title="Word-network summary accuracy",
        family="content",
        cell="CF·U·word-edit",
        tasks=("AS",),
        criteria=("content",),
        scale=1.0,
        needs=("annotations",),
        paper="Hori et al. (2003), Evaluation methods for automatic speech summarization",
        checked_against="hand calculation",
    )

    tokenizer: str = option("none", "how the summary is split into words")
    lowercase: bool = option(True, "ignore case")
    weighted: bool = option(
        False,
        "multiply by the geometric mean of the shares of summaries that have the string's steps",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.preparation()

    def preparation(self) -> Preparation:
        """Return how texts are split into words."""
        return Preparation(self.tokenizer, lowercase=self.lowercase)

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the accuracy, 1, edits, words of the string."""
        hyps = self.preparation().words(corpus.hypotheses)
        labels = annotations_of(corpus, self.info.name)
        return np.array([self._row(hyp, label) for hyp, label in zip(hyps, labels, strict=True)])

    def _row(self, hyp: list[str], labels: Fields) -> list[float]:
        words = labels.items("words", "a list of texts, the words of the source")
        if not all(isinstance(word, str) for word in words):
            raise labels.wrong("words", "a list of texts, the words of the source")
        if self.lowercase:
            words = [word.lower() for word in words]
        summaries = _positions(labels, len(words))
        edits, length, cost = _closest(hyp, words, summaries)
        score = max(0.0, 1 + edits / length) if hyp else 0.0
        if self.weighted:
            score *= math.exp(cost / length)
        return [score, 1.0, edits, -length]

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the edits, and the words of the closest strings."""
        return {"edits": int(totals[2]), "ref_len": int(totals[3])}


def _positions(labels: Fields, size: int) -> list[list[int]]:
    expected = f"a list of lists of ascending positions from 0 to {size - 1}, one per summary"
    summaries = [s for s in labels.items("summaries", expected) if s]
    for summary in summaries:
        numbers = isinstance(summary, list) and all(type(p) is int for p in summary)
        if (
            not numbers
            or summary != sorted(set(summary))
            or not 0 <= summary[0] <= summary[-1] < size
        ):
            raise labels.wrong("summaries", expected)
    if not summaries:
        raise labels.wrong("summaries", f"{expected}, at least one with a word")
    return summaries


def _closest(
    hyp: list[str], words: list[str], summaries: list[list[int]]
) -> tuple[int, int, float]:
    """Return the fewest edits to a string of the network, minus its length, minus the log of its
    shares.

    The smallest triple settles ties: of equally close strings the longest, of these the commonest.
    """
    before: dict[int, Counter[int]] = defaultdict(Counter)
    for summary in summaries:
        for a, b in zip([START, *summary], summary, strict=False):
            before[b][a] += 1
    # The first i words of the hypothesis against the best string that ends at a node.
    cells = {START: [(i, 0, 0.0) for i in range(len(hyp) + 1)]}
    for node in sorted(before):
        column: list[tuple[int, int, float]] = []
        for i in range(len(hyp) + 1):
            found = []
            for previous, count in before[node].items():
                cost = -math.log(count / len(summaries))
                edits, length, share = cells[previous][i]
                found.append((edits + 1, length - 1, share + cost))
                if i > 0:
                    edits, length, share = cells[previous][i - 1]
                    edits += hyp[i - 1] != words[node]
                    found.append((edits, length - 1, share + cost))
            if i > 0:
                edits, length, share = column[-1]
                found.append((edits + 1, length, share))
            column.append(min(found))
        cells[node] = column
    return min(cells[summary[-1]][-1] for summary in summaries)
