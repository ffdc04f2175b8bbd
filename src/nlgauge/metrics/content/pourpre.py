"""POURPRE: nuggets found by their words (Lin and Demner-Fushman, 2005)."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, Literal

import numpy as np

from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.core.resources import digest, read_resource
from nlgauge.data.corpus import Corpus
from nlgauge.errors import DataError, NlgaugeWarning, SpecError
from nlgauge.kernels import Floats
from nlgauge.metrics.content.annotations import Fields, annotations_of
from nlgauge.metrics.content.nuggets import NUGGETS, NuggetF, characters, weight
from nlgauge.text.preparation import Preparation

Frequencies = tuple[float, Mapping[str, float]]  # documents, and those that have each term
Worth = Callable[[str], float]  # of a term


@dataclass(frozen=True, kw_only=True)
class POURPRE(NuggetF):
    """Automatic nugget F: a nugget is found to the degree that one answer string has its words.

    Annotation: {"nuggets": [{"text": "first words", "vital": true}, ...]}. The answer strings are
    the lines of the hypothesis. A nugget's terms are its distinct words.
    """

    info: ClassVar[Info] = Info(
        name="pourpre",
        title="POURPRE, automatic nugget F",
        family="content",
        cell="CF·U·word-ngram",
        tasks=("QA",),
        criteria=("recall of facts", "brevity"),
        scale=1.0,
        needs=("annotations",),
        paper="Lin and Demner-Fushman (2005), Automatically evaluating answers to definition "
        "questions",
        checked_against="hand calculation",
    )

    weighting: Literal["count", "idf"] = option("count", "every term counts 1, or ln(N / df)")
    df: str | None = option(
        None,
        'JSON file {"documents": N, "df": {term: count}} for idf; none: all nuggets are documents',
    )
    match: Literal["soft", "binary"] = option(
        "soft", "nuggets are found in part, or all or nothing"
    )
    threshold: float = option(
        0.5, "share of a nugget's terms from which match=binary finds it", low=0.0, high=1.0
    )
    average: Literal["macro", "micro"] = option(
        "macro", "recall as mean over nuggets, or as share of all their terms"
    )
    tokenizer: str = option("unicode", "how texts are split into terms")
    lowercase: bool = option(True, "ignore case")
    stem: bool = option(False, "compare Porter stems")

    def __post_init__(self) -> None:
        super().__post_init__()
        self.preparation()
        if self.df is not None and self.weighting == "count":
            raise SpecError("pourpre(df=...): document frequencies are for weighting=idf")

    def preparation(self) -> Preparation:
        """Return how texts are split into words."""
        stem = "porter" if self.stem else "none"
        return Preparation(self.tokenizer, lowercase=self.lowercase, stem=stem)

    def resources(self) -> dict[str, str]:
        """Name the tokeniser's dictionary, and the file of document frequencies."""
        found = self.preparation().resources()
        if self.df is not None:
            found["df"] = digest("df", self.df)
        return found

    def _terms(self, groups: Sequence[Sequence[str]]) -> list[list[list[str]]]:
        """Return the distinct terms of each text of each group, in order."""
        words = iter(self.preparation().words(text for group in groups for text in group))
        return [
            [list(dict.fromkeys(text)) for text in islice(words, len(group))] for group in groups
        ]

    def _keys(self, corpus: Corpus) -> tuple[list[list[Fields]], list[list[list[str]]]]:
        """Return every question's nuggets, and their terms."""
        keys = [n.objects("nuggets", NUGGETS) for n in annotations_of(corpus, self.info.name)]
        return keys, self._terms([[nugget.text("text") for nugget in key] for key in keys])

    def count_part(self, part: Corpus) -> Frequencies | None:
        """Count the documents, and in how many of them each term is, unless terms count 1 or a file
        says so.
        """
        if self.weighting == "count" or self.df is not None:
            return None
        terms = self._keys(part)[1]
        found = Counter(term for key in terms for nugget in key for term in nugget)
        return sum(map(len, terms)), found

    def settle(self, counts: Frequencies | None) -> Frequencies | None:
        """Return what was counted, or what the file says; None if terms count 1."""
        if self.df is not None:
            return _read_df(self.df)
        if counts is not None and counts[0] < 2:
            warnings.warn(
                "pourpre(weighting=idf): with one nugget in all, every idf and score is 0; "
                "give document frequencies (df=...)",
                NlgaugeWarning,
                stacklevel=3,
            )
        return counts

    def segment_rows(self, corpus: Corpus, state: Frequencies | None, *, threads: int) -> Floats:
        """Compute the columns that NUGGET-F has."""
        worth = _worth(state)
        answers = list(corpus.hypotheses)
        strings = self._terms([answer.split("\n") for answer in answers])
        rows = []
        for answer, lines, key, nuggets in zip(answers, strings, *self._keys(corpus), strict=True):
            sets = [set(line) for line in lines]
            matches = [_match(nugget, sets, worth) for nugget in nuggets]
            if self.match == "binary":
                matches = [float(m > 0 and m >= self.threshold) for m in matches]
            weights = [weight(nugget) for nugget in key]
            if self.average == "micro":
                masses = (sum(map(worth, nugget)) for nugget in nuggets)
                weights = [w * mass for w, mass in zip(weights, masses, strict=True)]
            total = sum(weights)
            matched = sum(w * m for w, m in zip(weights, matches, strict=True))
            found = sum(m > 0 for m in matches)
            recall = matched / total if total else 0.0
            rows.append(self._row(recall, found, characters(answer), total == 0))
        return np.array(rows)


def _worth(state: Frequencies | None) -> Worth:
    if state is None:
        return lambda _term: 1.0
    documents, df = state
    return lambda term: math.log(documents / min(max(df.get(term, 1), 1), documents))


def _match(nugget: Sequence[str], strings: Iterable[set[str]], worth: Worth) -> float:
    """Return the largest share of the nugget's terms that a single string has."""
    whole = sum(map(worth, nugget))
    if whole == 0:
        return 0.0
    return max(sum(worth(term) for term in nugget if term in s) for s in strings) / whole


def _read_df(path: str) -> tuple[float, Mapping[str, float]]:
    from nlgauge.io.json_text import parse_json

    content = parse_json(read_resource("df", path), path, lines=True)
    try:
        documents, df = float(content["documents"]), content["df"]
        if documents >= 1:
            return documents, {term: float(count) for term, count in df.items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        pass
    raise DataError(f'{path}: expected an object {{"documents": N, "df": {{term: count}}}}')
