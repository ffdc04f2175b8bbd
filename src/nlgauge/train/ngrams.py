"""Fit the language model of word trigrams that metrics look at.

N-grams that occur once are discounted by 1, so that leaving them out changes no probability.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from nlgauge.models.lexicon.kneser_ney import DISCOUNT, estimate_trigrams
from nlgauge.models.lexicon.ngram_model import PREPARATION

__all__ = ["DISCOUNT", "fit_language_model"]


def fit_language_model(texts: Iterable[str], *, least: int = 2) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of an `NGramModel`, in half precision; words that occur less than `least`
    times are unknown, and share the probability of unknown words.
    """
    words = [text for text in PREPARATION.words(dict.fromkeys(texts)) if text]
    arrays = estimate_trigrams(words, least=least, once=1.0)
    return {
        name: array.astype(np.float16) if array.dtype == np.float64 else array
        for name, array in arrays.items()
    }
