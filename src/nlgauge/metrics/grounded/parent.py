"""PARENT: precision and recall of n-grams that the table entails (Dhingra et al., 2019)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge import kernels
from nlgauge.core.metric import Info, Mean
from nlgauge.core.options import option
from nlgauge.core.resources import digest, read_resource
from nlgauge.data.corpus import Corpus, References
from nlgauge.errors import DataError, SpecError
from nlgauge.kernels import Floats, Texts, native
from nlgauge.metrics.grounded.table_records import TableRecord, in_words, records_of
from nlgauge.text.preparation import Preparation, prepare

# What a text of a segment is, as the kernel knows it.
REFERENCE, RECORD, ENTAILS_ONLY, ATTRIBUTE = 0.0, 1.0, 0.5, -1.0
PARTS = ("precision", "recall", "reference_recall", "table_recall", "lambda")


@dataclass(frozen=True, kw_only=True)
class PARENT(Mean[native.Cooccurrence | None]):
    """Precision And Recall of Entailed N-grams from the Table.

    `tables` has one table per segment, of any shape in `tables.SHAPES`. A record without a value
    is left out; where there is no record at all, the recall of the table is 1.

    Texts and tables are taken as corpora hold them: `Aarhus_Airport`, `"1938-04-15"` and
    `birthPlace` are words as a text has them. The official tool (profile=official) expects both
    tokenised, and takes an attribute for one word. All else is the tool's: orders from two on are
    smoothed and the first is not, and 10^-8 in F's denominator keeps a perfect text at 0.999999995.
    """

    info: ClassVar[Info] = Info(
        name="parent",
        title="Precision And Recall of Entailed N-grams from the Table",
        family="grounded",
        cell="CD·U·word-ngram",
        tasks=("D2T",),
        criteria=("faithfulness", "coverage"),
        scale=1.0,
        needs=("references", "tables"),
        paper="Dhingra et al. (2019), Handling divergent reference texts when evaluating "
        "table-to-text generation",
        checked_against="google-research/language table_text_eval (865fae6), profile=official",
        revision=2,
    )

    profile: Literal["formula", "official"] = option(
        "formula", "formula: texts and tables as people write them; official: tokenised before"
    )
    tokenizer: str | None = option(
        None, "how texts and tables are split into words; none: 13a, or at blanks if official"
    )
    lowercase: bool = option(True, "ignore case")
    max_order: int = option(4, "longest n-grams counted", low=1, high=9)
    lambda_weight: float | None = option(
        0.5,
        "weight of the table in the recall; none: what the reference leaves out",
        low=0.0,
        high=1.0,
    )
    entailment: Literal["overlap", "cooccurrence"] = option(
        "overlap", "n-grams are entailed by words of the table, or also by words that go with them"
    )
    counts: str | None = option(
        None, "JSON file of co-occurrence counts; none: of the references and tables scored"
    )
    smoothing: float = option(
        1e-5, "in place of zeros, but not of a zero precision of words", low=0.0, high=1.0
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self.preparation()
        if self.counts is not None and self.entailment == "overlap":
            raise SpecError("parent(counts=...): counts are for entailment=cooccurrence")

    def preparation(self) -> Preparation:
        """Return how texts and tables are split into words."""
        usual = "none" if self.profile == "official" else "13a"
        return Preparation(self.tokenizer or usual, lowercase=self.lowercase)

    def resources(self) -> dict[str, str]:
        """Name the tokeniser's dictionary, and the file of counts."""
        found = self.preparation().resources()
        if self.counts is not None:
            found["counts"] = digest("counts", self.counts)
        return found

    def count_part(self, part: Corpus) -> Counter[str] | None:
        """Count words that occur together, if entailment asks for it and no file says so."""
        return None if self.entailment == "overlap" or self.counts else self._pairs(part)

    def settle(self, counts: Counter[str] | None) -> native.Cooccurrence | None:
        """Return the model of co-occurrence, if entailment asks it."""
        if self.entailment == "overlap":
            return None
        if counts is None:
            return _model(str(self.counts))
        return native.Cooccurrence(Texts(list(counts)), list(counts.values()))

    def _records(self, corpus: Corpus) -> list[list[TableRecord]]:
        """Return the tables in words; the official tool joins those of an attribute."""
        return [
            [
                record._replace(attribute="_".join(record.attribute.split()))
                if self.profile == "official"
                else in_words(record)
                for record in table
            ]
            for table in records_of(corpus)
        ]

    def _compared(self, corpus: Corpus) -> tuple[References, Floats]:
        """Return references and tables as texts, and the role of each text."""
        texts: list[list[str]] = []
        roles: list[float] = []
        for refs, table in zip(corpus.references, self._records(corpus), strict=True):
            texts.append([*refs, *(record.value for record in table)])
            roles += [REFERENCE] * len(refs)
            roles += (RECORD if record.recalled else ENTAILS_ONLY for record in table)
            if self.entailment == "cooccurrence":
                texts[-1] += (record.attribute for record in table)
                roles += [ATTRIBUTE] * len(table)
        return References.build(texts), np.asarray(roles)

    def _pairs(self, corpus: Corpus) -> Counter[str]:
        """Count all pairs of a table and a reference, as the official counts are made."""
        counts: Counter[str] = Counter()
        words = self.preparation().words
        for refs, table in zip(corpus.references, self._records(corpus), strict=True):
            texts = [text for record in table for text in (record.value, record.attribute)]
            known = {word for text in words(texts) for word in text}
            for ref in words(refs):
                counts.update(known)
                seen = set(ref)
                counts.update(f"{a}|||{b}" for a in known for b in seen)
        return counts

    def segment_rows(
        self, corpus: Corpus, state: native.Cooccurrence | None, *, threads: int
    ) -> Floats:
        """Compute the columns: F, 1, precision, recall, its two parts and λ, all of the best
        reference.
        """
        references, roles = corpus.once(self, corpus.tables, lambda: self._compared(corpus))
        view = replace(corpus, references=references, reference_weights=roles)
        prepared, tokenizer, lowercase = prepare(view, self.preparation())
        kernel = native.Parent(
            order=self.max_order,
            smoothing=self.smoothing,
            lambda_weight=-1.0 if self.lambda_weight is None else self.lambda_weight,
            model=state,
        )
        return kernels.rows(
            prepared, [kernel], tokenizer=tokenizer, lowercase=lowercase, threads=threads
        )[0]

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return means of precision, recall and what recall is made of."""
        return dict(zip(PARTS, (totals[2:] / max(totals[1], 1)).tolist(), strict=True))


def _model(path: str) -> native.Cooccurrence:
    from nlgauge.io.json_text import parse_json

    counts = parse_json(read_resource("counts", path), path, lines=True)
    expected = 'an object {"word": count, "table word|||text word": count}'
    if not isinstance(counts, dict):
        raise DataError(f"{path}: {type(counts).__name__}, expected {expected}")
    for key, count in counts.items():
        if type(count) not in (int, float):
            raise DataError(f"{path}: the count of {key!r} is {count!r:.40}, expected {expected}")
    return native.Cooccurrence(Texts(list(counts)), list(counts.values()))
