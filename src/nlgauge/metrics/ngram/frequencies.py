"""N-gram frequencies over all references of a corpus, for metrics that weigh n-grams by them."""

from __future__ import annotations

from typing import Literal

from nlgauge.data.corpus import Corpus
from nlgauge.kernels import native
from nlgauge.text.preparation import Preparation, prepare

Unit = Literal["token", "reference", "segment"]


def frequencies(
    corpus: Corpus, preparation: Preparation, *, order: int, unit: Unit, least: int = 2
) -> native.Frequencies:
    """Count how often n-grams up to `order` words occur, or in how many references or segments.

    Those that occur less than `least` times are not kept; they count as occurring once.
    """
    prepared, tokenizer, lowercase = prepare(corpus, preparation)
    references = prepared.references
    return native.Frequencies.count(
        references.flat,
        references.starts,
        tokenizer,
        lowercase,
        preparation.reading(),
        order=order,
        unit=unit,
        least=least,
    )
