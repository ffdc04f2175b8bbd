"""Split words as mteval does, and expand English contractions (Leusch et al., 2005, section 3.1).

The source leaves the ambiguities open ('d may be "had", 's a possessive); one fixed table settles
them. Pronouns in front of an expansion are lower-cased, as in the source's sample.
"""

from __future__ import annotations

import re

from nlgauge.text.tokenizers import mteval

_WHOLE = {"won't": "will not", "can't": "can not", "shan't": "shall not", "let's": "let us"}
_ENDINGS = {
    "n't": "not",
    "'d": "would",
    "'s": "is",
    "'ll": "will",
    "'re": "are",
    "'ve": "have",
    "'m": "am",
}
_PRONOUNS = frozenset(
    "i you he she it we they this that these those who what where when why how there here".split()
)
_CONTRACTION = re.compile(rf"(?i)^(.+?)({'|'.join(_ENDINGS)})$")


def _expand(word: str) -> str:
    plain = word.replace("’", "'")
    whole = _WHOLE.get(plain.lower())
    if whole is not None:
        return whole
    match = _CONTRACTION.match(plain)
    if match is None:
        return word
    stem, ending = match.groups()
    if stem.lower() in _PRONOUNS:
        stem = stem.lower()
    return f"{stem} {_ENDINGS[ending.lower()]}"


def tokenise(text: str) -> str:
    """Return the words of a text, joined by blanks."""
    return " ".join(_expand(word) for word in mteval.tokenise(text).split())
