"""Summaries that every summariser should beat."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from nlgauge.baselines.document import Document, Length, Summary
from nlgauge.core.facts.defaults import SEED


def lead(document: str | Sequence[str], *, length: Length | None = None) -> Summary:
    """Summarise a document by its first sentences."""
    read = Document.build(document)
    return read.summary(range(len(read.sentences)), length or Length())


def random(
    document: str | Sequence[str], *, length: Length | None = None, seed: int = SEED
) -> Summary:
    """Summarise by sentences drawn at random; the same for the same document and seed."""
    read = Document.build(document)
    key = zlib.crc32("\n".join(read.sentences).encode("utf-8", "surrogatepass"))
    order = np.random.default_rng((seed, key)).permutation(len(read.sentences))
    return read.summary(order.tolist(), length or Length())
