"""What metrics have in common that look texts up in a model: they tell how much of them it knows.

The counts are the last columns of their rows, so that they add up over segments as scores do.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nlgauge.core.metric import Metric, State
from nlgauge.core.understanding.coverage import (
    Counts,
    Coverage,
    LanguageDoubt,
    LanguageLookup,
    Lookup,
    segment_counts,
)
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats, Texts

COLUMNS = 4  # unknown words and words, of hypotheses and of what they are compared with


@dataclass(frozen=True, eq=False)
class TextSide:
    """A side is a column of texts, and what it is looked up in."""

    name: str  # hypotheses, references or sources
    texts: Texts
    lookup: Lookup
    starts: Counts | None = None  # where the texts of each segment begin; None: one text each

    def coverage(self, corpus: Corpus) -> Coverage:
        """Return what is known of the texts, found once for all metrics that look them up alike."""
        return corpus.once(
            ("coverage", self.lookup), self.texts, lambda: self.lookup.coverage(corpus, self.texts)
        )

    def doubt(self, corpus: Corpus) -> LanguageDoubt | None:
        """Return why the model may not know the language of the texts, if it can tell."""
        lookup, sources = self.lookup, self.name == "sources"
        if not isinstance(lookup, LanguageLookup):
            return None
        said = corpus.context.language, corpus.context.source_language
        return corpus.once(
            ("doubt", lookup, said, sources),
            self.texts,
            lambda: lookup.doubt(corpus, self.texts, sources=sources),
        )


@dataclass(frozen=True, kw_only=True)
class LookupMetric(Metric[State]):
    """Metrics of this kind may look texts up in a model."""

    other: ClassVar[str] = "reference"  # what hypotheses are compared with

    def asks_model(self) -> bool:
        """Return whether these options look texts up at all."""
        return True

    @abstractmethod
    def lookup(self) -> Lookup:
        """Return what texts are looked up in."""

    def sides(self, corpus: Corpus) -> tuple[TextSide, ...]:
        """Return the two columns of texts that are compared; nothing if no model is asked."""
        if not self.asks_model():
            return ()
        lookup, refs = self.lookup(), corpus.references
        return (
            TextSide("hypotheses", corpus.hypotheses, lookup),
            TextSide("references", refs.flat, lookup, refs.starts),
        )

    def check_inputs(self, corpus: Corpus) -> None:
        """Refuse texts of which the model knows nothing."""
        from nlgauge.core.understanding.unknown_words import refuse_unknown

        super().check_inputs(corpus)
        refuse_unknown(self, corpus)

    def counted(self, corpus: Corpus, rows: Floats) -> Floats:
        """Add the counts of words to rows of statistics."""
        counts = [segment_counts(s.coverage(corpus), s.starts) for s in self.sides(corpus)]
        return np.ascontiguousarray(np.column_stack([rows, *counts]), np.float64)

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the shares of words that the model does not know."""
        if not self.asks_model():
            return {}
        unknown, words, other_unknown, other_words = totals[-COLUMNS:].tolist()
        return {
            "unknown": unknown / max(words, 1),
            f"{self.other}_unknown": other_unknown / max(other_words, 1),
        }
