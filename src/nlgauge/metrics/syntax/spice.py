"""SPICE: which of the things that references say about a picture a caption says too (Anderson et
al., 2016); and SPIDEr, its mean with CIDEr-D (Liu et al., 2017).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge.core.best_reference import grouped
from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.explain.traces import Trace
from nlgauge.kernels import Floats, native
from nlgauge.metrics.content.annotations import Fields, annotations_of
from nlgauge.metrics.ngram.cider import CIDErD
from nlgauge.metrics.syntax.parsed import ParseMetric
from nlgauge.metrics.syntax.scene_graph import CATEGORIES, Fact, GraphComparison, compare, senses_of
from nlgauge.metrics.syntax.scene_parser import facts_of
from nlgauge.models.cache.analysis_stores import store_of
from nlgauge.models.lexicon.wordnet import wordnet
from nlgauge.text.preparation import Preparation

Facts = Sequence[Fact]
_END = 4 + 2 * len(CATEGORIES)  # columns of a row


@dataclass(frozen=True, kw_only=True)
class SPICE(Mean, ParseMetric):
    """F1 of the tuples of a caption and of all its references together: objects, their attributes
    and the relations between them, which rules find in dependency parses of English.

    Words match that are the same or share a synset. As in the tool, several tuples may match the
    same one of the references, so that recall, and with it the score, can exceed 1.

    Tuples of any other origin are scored with graphs=given. Annotation: {"hypothesis": [["girl"],
    ["girl", "young"], ["girl", "on", "court"]], "references": [[["girl"], ["girl", "play",
    "tennis"]], [["child"]]]}, for each reference a list.
    """

    info: ClassVar[Info] = Info(
        name="spice",
        title="Semantic Propositional Image Caption Evaluation",
        family="syntax",
        cell="CF·U·word-other",
        tasks=("IC",),
        criteria=("content",),
        bounds=(0.0, 2.0),
        scale=1.0,
        extras=("syntax",),
        paper="Anderson et al. (2016), SPICE: semantic propositional image caption evaluation",
        checked_against="SPICE 1.0 on given tuples; its parser is not reproduced",
    )

    synonyms: bool = option(True, "words of a common synset match, and are one object")
    graphs: Literal["parsed", "given"] = option(
        "parsed", "tuples from parses, or from the annotations"
    )

    def resources(self) -> dict[str, str]:
        """Name WordNet, and the parser if there is one."""
        found = {"wordnet": wordnet().version} if self.synonyms else {}
        return found if self.graphs == "given" else {**super().resources(), **found}

    def check_inputs(self, corpus: Corpus) -> None:
        """Refuse a corpus without annotations if graphs are given; they need no parser or
        references.
        """
        if self.graphs == "parsed":
            super().check_inputs(corpus)
        else:
            next(annotations_of(corpus, self.info.name))

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: F1, 1, precision, recall; for each category its F1 and whether it is
        defined, which it is where the references have any of its tuples.
        """
        rows = np.zeros((len(corpus), _END))
        for row, found in zip(rows, self.comparisons(corpus, threads=threads), strict=True):
            counts = found.counts()
            row[:4] = counts.f1, 1.0, counts.precision, counts.recall
            for k, category in enumerate(map(found.counts, CATEGORIES)):
                row[4 + 2 * k : 6 + 2 * k] = category.f1, category.references > 0
        return rows

    def comparisons(self, corpus: Corpus, *, threads: int = 1) -> Iterator[GraphComparison]:
        """Yield the graphs of every hypothesis and its references, matched."""
        sides = self._given(corpus) if self.graphs == "given" else self._parsed(corpus, threads)
        every = chain.from_iterable(chain(hyp, *refs) for hyp, refs in sides)
        senses = senses_of(every) if self.synonyms else {}
        for hyp, refs in sides:
            yield compare(hyp, refs, synonyms=self.synonyms, senses=senses)

    def _parsed(self, corpus: Corpus, threads: int) -> list[tuple[Facts, list[Facts]]]:
        store = store_of(corpus, self.parser)
        known: dict[str, Facts] = corpus.once("scene graphs", store, dict)
        hyps, refs = list(corpus.hypotheses), list(corpus.references.flat)
        new = [text for text in dict.fromkeys([*hyps, *refs]) if text not in known]
        parses = store.parses(new, processes=threads)
        known.update(zip(new, map(facts_of, parses), strict=True))
        pairs = zip(hyps, grouped(corpus.references, refs), strict=True)
        return [(known[hyp], [known[ref] for ref in own]) for hyp, own in pairs]

    def _given(self, corpus: Corpus) -> list[tuple[Facts, list[Facts]]]:
        return [
            (
                list(_tuples(label, "hypothesis", label.items("hypothesis", _EXPECTED))),
                [
                    list(_tuples(label, "references", facts))
                    for facts in label.items("references", f"for each reference {_EXPECTED}")
                ],
            )
            for label in annotations_of(corpus, self.info.name)
        ]

    def english_only(self) -> tuple[str, ...]:
        """Name the parser, and what makes two words one."""
        return () if self.graphs == "given" else (*super().english_only(), "WordNet")

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return mean precision and recall, and the mean F1 of each category where it is
        defined.
        """
        means = (totals[2:4] / max(totals[1], 1)).tolist()
        sums, defined = totals[4:_END:2], totals[5:_END:2]
        found = [float(f / n) if n else None for f, n in zip(sums, defined, strict=True)]
        return dict(zip(("precision", "recall", *CATEGORIES), [*means, *found], strict=True))

    def trace(self, hypothesis: str, reference: str) -> Trace | None:
        """Show the two scene graphs side by side."""
        if self.graphs == "given":
            return None
        from nlgauge.metrics.syntax.scene_trace import graphs

        (found,) = SPICE.comparisons(self, Corpus.build([hypothesis], [[reference]]))
        return graphs(found)


_EXPECTED = 'tuples like ["girl"], ["girl", "young"] or ["girl", "on", "court"]'


def _tuples(label: Fields, key: str, items: Iterable[Any]) -> Iterator[Fact]:
    if not isinstance(items, (list, tuple)):
        raise label.wrong(key, f"for each reference {_EXPECTED}")
    for item in items:
        texts = isinstance(item, (list, tuple)) and all(isinstance(x, str) for x in item)
        if not texts or not 1 <= len(item) <= 3:
            raise label.wrong(key, _EXPECTED)
        yield tuple(item)


@dataclass(frozen=True, kw_only=True)
class SPIDEr(SPICE):
    """The mean of SPICE and of CIDEr-D on the scale it is printed on, which weighs far more."""

    info: ClassVar[Info] = Info(
        name="spider",
        title="Mean of SPICE and CIDEr-D",
        family="syntax",
        cell="CF·U·word-other",
        tasks=("IC",),
        criteria=("content", "consensus"),
        bounds=(0.0, 6.0),
        scale=1.0,
        extras=("syntax",),
        paper="Liu et al. (2017), Improved image captioning via policy gradient optimization of "
        "SPIDEr",
        checked_against="SPICE 1.0 on given tuples and pycocoevalcap 1.2",
    )

    tokenizer: str = option("13a", "CIDEr-D's: how texts are split into words")
    lowercase: bool = option(True, "CIDEr-D ignores case")
    df: str | None = option(None, "CIDEr-D's file of document frequencies; none: of the references")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._cider()

    def _cider(self) -> CIDErD:
        return CIDErD(tokenizer=self.tokenizer, lowercase=self.lowercase, df=self.df)

    def preparation(self) -> Preparation:
        """Return how CIDEr-D splits texts into words."""
        return self._cider().preparation()

    def resources(self) -> dict[str, str]:
        """Name the resources of both metrics."""
        return {**super().resources(), **self._cider().resources()}

    def check_inputs(self, corpus: Corpus) -> None:
        """Refuse a corpus that lacks what either metric needs."""
        super().check_inputs(corpus)
        self._cider().check_inputs(corpus)

    def count_part(self, part: Corpus) -> native.Frequencies | None:
        """Count the n-grams that CIDEr-D does."""
        return self._cider().count_part(part)

    def settle(self, counts: native.Frequencies | None) -> native.Frequencies:
        """Return the document frequencies of CIDEr-D."""
        return self._cider().settle(counts)

    def segment_rows(
        self, corpus: Corpus, state: native.Frequencies | None, *, threads: int
    ) -> Floats:
        """Compute the columns: the score, and those of SPICE from the second on; SPICE's F1 and
        CIDEr-D.
        """
        spice = super().segment_rows(corpus, None, threads=threads)
        cider = self._cider()
        values = cider.info.scale * cider.score(cider.rows(corpus, state, threads=threads))
        rows = np.column_stack([spice, spice[:, 0], values])
        rows[:, 0] = (spice[:, 0] + values) / 2
        return rows

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the two means, and what SPICE has."""
        count = max(totals[1], 1)
        both = {"spice": float(totals[-2] / count), "cider-d": float(totals[-1] / count)}
        return {**both, **super().parts(totals)}
