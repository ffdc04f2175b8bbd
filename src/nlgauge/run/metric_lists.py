"""Take lists of metrics apart that were written as one text, such as bleu,chrf."""

from __future__ import annotations

import re

_BETWEEN = re.compile(r"[,\s]+(?![^()]*\))")  # commas and blanks outside of brackets


def split_metrics(text: str) -> list[str]:
    """Return the specs in a text: commas and blanks stand between them, but for those of options
    in brackets; a signature stays whole.

    >>> split_metrics("bleu, chrf(word_order=2, beta=1) ter")
    ['bleu', 'chrf(word_order=2, beta=1)', 'ter']
    """
    return [text] if "|" in text else [part for part in _BETWEEN.split(text) if part] or [text]
