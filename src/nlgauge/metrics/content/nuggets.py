"""Nuggets of answers to definition questions: TREC's F from assessors' labels, and POURPRE, which
finds the nuggets by their words (Voorhees, 2003; Lin and Demner-Fushman, 2005).
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge.data import Corpus
from nlgauge.errors import DataError, NlgaugeWarning, SpecError
from nlgauge.kernels import Floats
from nlgauge.metric import Info, Mean
from nlgauge.metrics.content.annotations import Fields, annotations_of
from nlgauge.options import option
from nlgauge.resources import digest, read_resource
from nlgauge.text.tokenise import Preparation

NUGGETS = "a list of objects with id (text for pourpre) and vital (true or false) or weight"


@dataclass(frozen=True, kw_only=True)
class NuggetF(Mean):
    """TREC's nugget F.

    Annotation: {"nuggets": [{"id": 1, "vital": true}, ...], "found": [1, 6], "length": 347}.
    `found` are the nuggets that assessors saw in the answer. The answer is the hypothesis; where
    there is none, `length` gives its number of characters without white space. In place of
    `vital`, a nugget may have a `weight`, the number of assessors who call it vital (the nugget
    pyramid). Questions without a vital nugget score 0 and are counted as `undefined`.
    """

    info: ClassVar[Info] = Info(
        name="nugget-f",
        title="TREC nugget F",
        family="content",
        cell="human-judged",
        tasks=("QA",),
        criteria=("recall of facts", "brevity"),
        scale=1.0,
        needs=("annotations",),
        paper="Voorhees (2003), Overview of the TREC 2003 question answering track",
        checked_against="hand calculation on the example of Lin and Demner-Fushman (2005)",
    )

    beta: float = option(3.0, "how much more recall counts: 5 in TREC 2003, 3 later", low=0.0)
    allowance: float = option(100.0, "characters granted for every nugget found", low=0.0)

    def rows(self, corpus: Corpus, state: Any = None, *, threads: int = 1) -> Floats:  # noqa: ARG002
        """Columns: F, 1, recall, precision, undefined."""
        rows = []
        labelled = zip(corpus.hypotheses, annotations_of(corpus, self.info.name), strict=True)
        for answer, labels in labelled:
            weights = {n.name("id"): weight(n) for n in labels.objects("nuggets", NUGGETS)}
            found = dict.fromkeys(labels.names("found"))
            unknown = [nugget for nugget in found if nugget not in weights]
            if unknown:
                raise labels.wrong("found", f"ids of its nuggets, and {unknown[0]!r} is none")
            length = characters(answer)
            if length == 0 and "length" in labels:
                length = int(labels.number("length"))
            total = sum(weights.values())
            recall = sum(weights[nugget] for nugget in found) / total if total else 0.0
            rows.append(self._row(recall, len(found), length, total == 0))
        return np.array(rows)

    def _row(self, recall: float, found: int, length: int, undefined: bool) -> list[float]:
        granted = self.allowance * found
        if length == 0:
            precision, recall = 0.0, 0.0
        else:
            precision = 1.0 if length < granted else granted / length
        bottom = self.beta**2 * precision + recall
        f = (1 + self.beta**2) * precision * recall / bottom if bottom > 0 else 0.0
        return [f, 1.0, recall, precision, undefined]

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Means of recall and precision, and questions without vital nuggets."""
        recall, precision = (totals[2:4] / max(totals[1], 1)).tolist()
        return {"recall": recall, "precision": precision, "undefined": int(totals[4])}


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
    tokenizer: str = option("nopunct", "how texts are split into terms")
    lowercase: bool = option(True, "ignore case")
    stem: bool = option(False, "compare Porter stems")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._preparation()
        if self.df is not None and self.weighting == "count":
            raise SpecError("pourpre(df=...): document frequencies are for weighting=idf")

    def _preparation(self) -> Preparation:
        stem = "porter" if self.stem else "none"
        return Preparation(self.tokenizer, lowercase=self.lowercase, stem=stem)

    def resources(self) -> dict[str, str]:
        """The tokeniser's dictionary, and the file of document frequencies."""
        found = self._preparation().resources()
        if self.df is not None:
            found["df"] = digest("df", self.df)
        return found

    def _terms(self, texts: Iterable[str]) -> list[list[str]]:
        """Distinct terms of each text, in order."""
        return [list(dict.fromkeys(words)) for words in self._preparation().words(texts)]

    def rows(self, corpus: Corpus, state: Any = None, *, threads: int = 1) -> Floats:  # noqa: ARG002
        """Columns as of NUGGET-F."""
        keys = [n.objects("nuggets", NUGGETS) for n in annotations_of(corpus, self.info.name)]
        terms = [self._terms([nugget.text("text") for nugget in key]) for key in keys]
        idf = self._idf(terms)
        rows = []
        for answer, key, nuggets in zip(corpus.hypotheses, keys, terms, strict=True):
            strings = [set(text) for text in self._terms(answer.split("\n"))]
            matches = [_match(nugget, strings, idf) for nugget in nuggets]
            weights = [weight(nugget) for nugget in key]
            sizes = [_mass(nugget, idf) if self.average == "micro" else 1.0 for nugget in nuggets]
            if self.match == "binary":
                matches = [float(m > 0 and m >= self.threshold) for m in matches]
            total = sum(w * size for w, size in zip(weights, sizes, strict=True))
            matched = sum(w * size * m for w, size, m in zip(weights, sizes, matches, strict=True))
            found = sum(m > 0 for m in matches)
            recall = matched / total if total else 0.0
            rows.append(self._row(recall, found, characters(answer), total == 0))
        return np.array(rows)

    def _idf(self, terms: Sequence[Sequence[Sequence[str]]]) -> dict[str, float] | None:
        if self.weighting == "count":
            return None
        documents: float = sum(map(len, terms))
        counts = Counter(term for key in terms for nugget in key for term in nugget)
        df: Mapping[str, float] = counts
        if self.df is not None:
            documents, df = _read_df(self.df)
        elif documents < 2:
            warnings.warn(
                "pourpre(weighting=idf): with one nugget in all, every idf and score is 0; "
                "give document frequencies (df=...)",
                NlgaugeWarning,
                stacklevel=3,
            )
        return {
            term: math.log(documents / min(max(df.get(term, 1), 1), documents)) for term in counts
        }


def _mass(terms: Iterable[str], idf: dict[str, float] | None) -> float:
    return sum(1.0 if idf is None else idf[term] for term in terms)


def _match(
    nugget: Sequence[str], strings: Sequence[set[str]], idf: dict[str, float] | None
) -> float:
    """The largest share of the nugget's terms that a single string has."""
    whole = _mass(nugget, idf)
    if whole == 0:
        return 0.0
    return max(_mass((t for t in nugget if t in string), idf) for string in strings) / whole


def weight(nugget: Fields) -> float:
    """How much a nugget counts for recall."""
    return nugget.number("weight") if "weight" in nugget else float(nugget.flag("vital"))


def characters(answer: str) -> int:
    """Without white space."""
    return sum(map(len, answer.split()))


def _read_df(path: str) -> tuple[float, dict[str, float]]:
    from nlgauge.io.json_text import parse_json

    content = parse_json(read_resource("df", path), path, lines=True)
    try:
        return float(content["documents"]), {t: float(n) for t, n in content["df"].items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        raise DataError(
            f'{path}: expected an object {{"documents": N, "df": {{term: count}}}}'
        ) from None
