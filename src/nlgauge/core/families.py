"""The families that metrics are sorted into: folders of `metrics/`, and groups of the catalogue."""

from __future__ import annotations

from nlgauge.errors import SpecError

# Every family, with what its metrics look at, for sentences that begin with the metric's name.
LOOKS_AT = {
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
    "likelihood": "how probable a language model finds the texts",
    "trained": "what a model learnt from judgements or examples",
    "judge": "what a language model answers when it is asked to judge",
    "checkpoints": "what a network says that others trained",
    "given": "what another tool computed",
}


def check_family(metric: str, family: str) -> None:
    """Refuse a family of a metric that does not exist."""
    if family not in LOOKS_AT:
        raise SpecError(f"{metric}: family: {family!r} is not one of {', '.join(LOOKS_AT)}")
