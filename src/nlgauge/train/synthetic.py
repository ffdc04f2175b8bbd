"""Rows for common sense: what nobody needs to be asked about.

Ratings alone teach a model nothing of empty, shuffled or unrelated texts, as no system writes them;
it then says of them whatever it likes. Copies of references that were changed in these ways are
mixed into what is learnt from, with ratings from the ends of the scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlgauge.data.labels import Codes
from nlgauge.kernels import Floats
from nlgauge.meta.stress.perturbations import perturbation
from nlgauge.train.judged_rows import JudgedRows

# What is done to a reference, and the share of ratings that are worse than its rating then.
RATED = {
    "identical": 1.0,
    "negated": 0.2,
    "halved": 0.0,
    "shuffled": 0.0,
    "unrelated": 0.0,
    "empty": 0.0,
}
KINDS = tuple(RATED)
SHARE = 0.2  # of synthetic rows, for each rated one


@dataclass(frozen=True, eq=False)
class SyntheticRows:
    """These are changed references in place of hypotheses."""

    texts: tuple[str, ...]
    ratings: Floats
    origins: Codes  # the rows whose references, and so groups, they have
    kinds: tuple[str, ...]


def changed_reference(kind: str, references: Sequence[str], k: int, *, seed: int) -> str | None:
    """Return what one kind makes of reference `k` of a list; None if it changes nothing."""
    text = references[k]
    words = text.split()
    rng = np.random.default_rng((seed, k))
    if kind == "identical":
        return text
    if kind == "empty":
        return ""
    if kind == "halved":
        return " ".join(words[: len(words) // 2]) if len(words) > 1 else None
    if kind == "shuffled":
        mixed = [words[i] for i in rng.permutation(len(words))]
        return " ".join(mixed) if mixed != words else None
    if kind == "negated":
        return perturbation("negation")(text, seed=seed)
    other = references[int(rng.integers(len(references)))]
    return other if not set(other.lower().split()) & set(words[:1]) and other != text else None


def synthetic_rows(rows: JudgedRows, *, share: float = SHARE, seed: int = 1) -> SyntheticRows:
    """Return changed copies of references: `share` of the rows' number, of all kinds alike."""
    references = [texts[0] for texts in rows.corpus.references]
    each = round(share * len(rows) / len(KINDS))
    drawn = np.random.default_rng(seed)
    texts, origins, kinds = [], [], []
    for kind in KINDS:
        found = 0
        for k in drawn.permutation(len(rows)).tolist():
            if found == each:
                break
            text = changed_reference(kind, references, k, seed=seed)
            if text is not None:
                texts.append(text)
                origins.append(k)
                kinds.append(kind)
                found += 1
    low, high = rows.ratings.min(), rows.ratings.max()
    ratings = [
        {0.0: low, 1.0: high}.get(RATED[kind], float(np.quantile(rows.ratings, RATED[kind])))
        for kind in kinds
    ]
    origins_of = np.array(origins, np.intp)
    return SyntheticRows(tuple(texts), np.array(ratings, np.float64), origins_of, tuple(kinds))
