"""The families that metrics are sorted into: folders of `metrics/`, and groups of the catalogue."""

from __future__ import annotations

from typing import Literal, get_args

from nlgauge.errors import SpecError

Family = Literal[
    "ngram",
    "alignment",
    "edit",
    "order",
    "character",
    "embedding",
    "contextual",
    "syntax",
    "semantics",
    "content",
    "grounded",
    "dialogue",
    "likelihood",  # what a language model finds probable
    "trained",
    "judge",
    "checkpoints",  # trained by others, run from a folder that the user has
    "given",  # scores that another tool computed
]

# What metrics of a family look at, for sentences that begin with the metric's name.
LOOKS_AT: dict[Family, str] = {
    "ngram": "words and runs of words that texts share",
    "alignment": "which word of one text stands for which of the other",
    "edit": "how many edits lead from one text to the other",
    "order": "the order of words and phrases",
    "character": "runs of characters that texts share",
    "embedding": "how near vectors of words are",
    "contextual": "how near vectors of words in their sentences are",
    "syntax": "parses of the texts",
    "semantics": "who does what to whom",
    "content": "units of content that a text has or lacks",
    "grounded": "the data or source that a text is about",
    "dialogue": "the turns before a reply",
    "trained": "what a model learnt from judgements or examples",
    "given": "what another tool computed",
}


def check_family(metric: str, family: str) -> None:
    """Refuse a family of a metric that does not exist."""
    known = get_args(Family)
    if family not in known:
        raise SpecError(f"{metric}: family: {family!r} is not one of {', '.join(known)}")
