"""Compute what those modules of Hugging Face's `evaluate` do that know one reference for each text.

They follow evaluate 0.4 and jiwer beneath it; error rates are numbers, not dictionaries, as there.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Sequence

from nlgauge.core import registry
from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError, SpecError

Predictions = Sequence[str]
References = Sequence[Sequence[str]]


def wer(
    predictions: Predictions, references: References, *, concatenate_texts: bool = False
) -> float:
    """Return errors of words per word of the references; joined or not, they add up to the same."""
    del concatenate_texts
    return _error_rate("wer(tokenizer=jiwer)", predictions, references)


def cer(
    predictions: Predictions, references: References, *, concatenate_texts: bool = False
) -> float:
    """Return errors of characters per character of the references, as jiwer 4 counts them."""
    del concatenate_texts
    return _error_rate("cer", predictions, references)


def exact_match(
    predictions: Predictions,
    references: References,
    *,
    regexes_to_ignore: Iterable[str] | None = None,
    ignore_case: bool = False,
    ignore_punctuation: bool = False,
    ignore_numbers: bool = False,
) -> dict[str, float]:
    """Return the share of texts that equal their reference, from 0 to 1, without what is ignored.

    Two texts of which nothing is left match only if they were the same before.
    """
    if isinstance(regexes_to_ignore, str):
        raise SpecError("regexes_to_ignore: a list of regular expressions is wanted, not one text")
    patterns = [re.compile(pattern) for pattern in regexes_to_ignore or ()]
    ignored = string.punctuation * ignore_punctuation + string.digits * ignore_numbers
    table = str.maketrans("", "", ignored)

    def rest(text: str) -> str:
        for pattern in patterns:
            text = pattern.sub("", text)
        return (text.lower() if ignore_case else text).translate(table)

    pairs = list(zip(predictions, _single(references), strict=True))
    if not pairs:
        raise DataError("no predictions: there is nothing to match")
    matches = sum(hyp == ref or rest(hyp) == rest(ref) != "" for hyp, ref in pairs)
    return {"exact_match": matches / len(pairs)}


def _error_rate(spec: str, predictions: Predictions, references: References) -> float:
    corpus = Corpus.build(predictions, [[ref] for ref in _single(references)])
    return registry.metric(spec).evaluate(corpus).score


def _single(references: References) -> list[str]:
    """Return the one reference of every text, or say which text has more or none."""
    for i, own in enumerate(references):
        if len(own) != 1:
            raise DataError(
                f"references[{i}] has {len(own)} texts; this module of evaluate knows one for each"
            )
    return [own[0] for own in references]
