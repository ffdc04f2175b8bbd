"""ROUGE-C: ROUGE with the source in place of references (He et al., 2008)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus, References
from nlgauge.kernels import Floats, Texts
from nlgauge.metrics.ngram.rouge import MEASURES, Rouge
from nlgauge.metrics.ngram.rouge_variants import Variant, rouge
from nlgauge.text.preparation import Preparation
from nlgauge.text.sentences import sentences


@dataclass(frozen=True, kw_only=True)
class RougeC(Mean):
    """Share of a summary that its source documents (`sources`) and its query (`contexts`) back.

    Without queries the documents alone count. What a query backs is what the sentences of the
    source say that share a word with it, stop words aside.
    """

    info: ClassVar[Info] = Info(
        name="rouge-c",
        title="ROUGE against the source",
        family="grounded",
        cell="CD·U·word-ngram",
        tasks=("AS",),
        criteria=("faithfulness", "relevance"),
        scale=1.0,
        needs=("sources",),
        paper="He et al. (2008), ROUGE-C: a fully automated evaluation method for multi-document "
        "summarization",
        checked_against="hand calculation",
    )

    variant: Variant = option("1", "which ROUGE: 1 to 4, l, w (1.2), s or su")
    measure: Literal["precision", "recall", "f"] = option(
        "precision", "share of the summary, of the source (far longer, so always small), or F"
    )
    query_weight: float = option(
        0.5, "of the query's part; the documents have the rest", low=0, high=1
    )
    stem: bool = option(False, "compare stems of words with more than three letters")
    stop: bool = option(False, "leave out the stop words of the SMART list")

    def _rouge(self) -> Rouge:
        return rouge(self.variant, measure=self.measure, stem=self.stem, stop=self.stop)

    def preparation(self) -> Preparation:
        """Return how texts become words: that of the ROUGE that is asked for."""
        return self._rouge().preparation()

    def _compared(self, corpus: Corpus) -> list[References]:
        """Return the documents, and of each what its query is about."""
        assert corpus.sources is not None  # as check_inputs has seen
        parts = [corpus.sources]
        if corpus.contexts is not None and corpus.contexts.turns is not None:
            parts.append(Texts(list(self._relevant(corpus.sources, list(corpus.contexts)))))
        return [References.single(part) for part in parts]

    def _relevant(self, sources: Texts, queries: Sequence[str]) -> Iterator[str]:
        words = Preparation(
            "unicode", lowercase=True, stop="smart", stem="rouge" if self.stem else "none"
        ).words
        for source, query in zip(sources, words(queries), strict=True):
            asked, lines = set(query), sentences(source)
            found = zip(lines, words(lines), strict=True)
            yield "\n".join(line for line, line_words in found if not asked.isdisjoint(line_words))

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the score, 1, the documents' part, the query's part."""
        metric, column = self._rouge(), MEASURES.index(self.measure)
        parts = [
            metric.rows(replace(corpus, references=part, reference_weights=None), threads=threads)
            for part in corpus.once(self, corpus.sources, lambda: self._compared(corpus))
        ]
        weight = self.query_weight if len(parts) > 1 else 0.0
        document, query = parts[0][:, column], parts[-1][:, column]
        score = (1 - weight) * document + weight * query
        return np.stack([score, np.ones(len(score)), document, query], axis=1)

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the means of the documents' and of the query's part."""
        document, query = (totals[2:] / max(totals[1], 1)).tolist()
        return {"document": document, "query": query}
