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
from nlgauge.meta.stress.perturbations import Original, perturbation
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
# Copies with one wrong word, for models that see more than counts of words.
DAMAGED = "damaged"
RATED[DAMAGED] = 0.3
# Copies whose verbs disagree with their subjects, which counts of words hardly see.
DISAGREEING = "disagreeing"
RATED[DISAGREEING] = 0.3
_DAMAGES = ("negation", "antonyms", "numbers", "entities", "roles", "drop")
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
    if kind == DISAGREEING:
        return perturbation("agreement")(text, 0.1, seed=seed)
    if kind == DAMAGED:
        return _damaged(references, k, rng)
    other = references[int(rng.integers(len(references)))]
    return other if not set(other.lower().split()) & set(words[:1]) and other != text else None


def _damaged(references: Sequence[str], k: int, rng: np.random.Generator) -> str | None:
    """Return a reference with a word that is wrong, too much, missing or misspelt."""
    words = references[k].split()
    long = [i for i, word in enumerate(words) if len(word) > 3]
    how = int(rng.integers(len(_DAMAGES) + 4))
    if how < len(_DAMAGES):
        given = Original(references[k], None, references)
        return perturbation(_DAMAGES[how])(given, 0.1, seed=int(rng.integers(1 << 30)))
    if not long:
        return None
    at = int(rng.choice(long))
    others = [
        word for word in references[int(rng.integers(len(references)))].split() if word.islower()
    ]
    other = str(rng.choice(others)) if others else "thing"
    if how == len(_DAMAGES):
        words[at] = other
    elif how == len(_DAMAGES) + 1:
        words.insert(at + 1, f"and {other}")
    elif how == len(_DAMAGES) + 2:
        cut = int(rng.integers(1, len(words[at]) - 1))
        words[at] = words[at][:cut] + words[at][cut + 1] + words[at][cut] + words[at][cut + 2 :]
    else:
        words[at] = words[at].removesuffix("s") if words[at].endswith("s") else words[at] + "s"
    return " ".join(words)


def synthetic_rows(
    rows: JudgedRows, *, share: float = SHARE, seed: int = 1, kinds: Sequence[str] = KINDS
) -> SyntheticRows:
    """Return changed copies of references: `share` of the rows' number, of all kinds alike."""
    if not kinds or not share:
        return SyntheticRows((), np.zeros(0), np.zeros(0, np.intp), ())
    references = [texts[0] for texts in rows.corpus.references]
    each = round(share * len(rows) / len(KINDS))
    drawn = np.random.default_rng(seed)
    texts, origins, made = [], [], []
    for kind in kinds:
        found = 0
        for k in drawn.permutation(len(rows)).tolist():
            if found == each:
                break
            text = changed_reference(kind, references, k, seed=seed)
            if text is not None:
                texts.append(text)
                origins.append(k)
                made.append(kind)
                found += 1
    low, high = rows.ratings.min(), rows.ratings.max()
    ratings = [
        {0.0: low, 1.0: high}.get(RATED[kind], float(np.quantile(rows.ratings, RATED[kind])))
        for kind in made
    ]
    origins_of = np.array(origins, np.intp)
    return SyntheticRows(tuple(texts), np.array(ratings, np.float64), origins_of, tuple(made))
