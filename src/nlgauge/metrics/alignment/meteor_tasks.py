"""METEOR 1.5's languages and the parameters it was tuned to for each task."""

from __future__ import annotations

from typing import Literal

Language = Literal[
    "en", "cz", "fr", "es", "de", "ru", "pt", "da", "ro", "hu", "tr", "fi", "nl", "it", "no", "se",
    "other",
]  # fmt: skip
Task = Literal["rank", "adq", "hter", "util", "li", "tune", "universal"]
Parameters = tuple[float, float, float, float]

# The names of its word lists, and of Snowball's stemmers.
NAMES = {
    "en": "english", "cz": "czech", "fr": "french", "es": "spanish", "de": "german",
    "ru": "russian", "pt": "portuguese", "da": "danish", "ro": "romanian", "hu": "hungarian",
    "tr": "turkish", "fi": "finnish", "nl": "dutch", "it": "italian", "no": "norwegian",
    "se": "swedish", "other": "other",
}  # fmt: skip
NORMALISED = ("en", "cz", "fr", "es", "de", "ru")  # with rules for its tokeniser
WITHOUT_STEMMER = ("cz", "other")

# alpha, beta, gamma, delta; then weights of modules by their place.
_ANY: dict[str, tuple[Parameters, Parameters]] = {
    "li": ((0.75, 1.40, 0.70, 0.50), (1.0, 0.5, 0.5, 0.5)),
    "tune": ((0.5, 1.0, 0.5, 0.5), (1.0, 0.5, 0.5, 0.5)),
    "universal": ((0.70, 1.40, 0.30, 0.70), (1.0, 0.6, 0.0, 0.0)),
}
_TUNED: dict[tuple[str, str], tuple[Parameters, Parameters]] = {
    ("en", "adq"): ((0.75, 1.40, 0.45, 0.70), (1.0, 1.0, 0.6, 0.8)),
    ("en", "rank"): ((0.85, 0.20, 0.60, 0.75), (1.0, 0.6, 0.8, 0.6)),
    ("en", "hter"): ((0.40, 1.50, 0.35, 0.55), (1.0, 0.2, 0.6, 0.8)),
    ("en", "util"): ((0.65, 0.10, 0.55, 0.65), (1.0, 0.0, 0.0, 0.8)),
    ("cz", "rank"): ((0.95, 0.20, 0.60, 0.80), (1.0, 0.4, 0.0, 0.0)),
    ("fr", "rank"): ((0.90, 1.40, 0.60, 0.65), (1.0, 0.2, 0.4, 0.0)),
    ("es", "rank"): ((0.65, 1.30, 0.50, 0.80), (1.0, 0.8, 0.6, 0.0)),
    ("de", "rank"): ((0.95, 1.00, 0.55, 0.55), (1.0, 0.8, 0.2, 0.0)),
    ("ru", "rank"): ((0.75, 1.40, 0.70, 0.50), (1.0, 0.5, 0.5, 0.0)),
}


def tuned(language: str, task: str) -> tuple[Parameters, Parameters] | None:
    """Return the published parameters and weights, if there are any."""
    return _ANY.get(task) or _TUNED.get((language, task))


def default_modules(language: str, task: str) -> tuple[str, ...]:
    """Return the modules of a language, among them paraphrases where the authors made a table."""
    if task == "universal":
        return ("exact", "paraphrase")
    if language == "other":
        return ("exact",)
    stem = () if language in WITHOUT_STEMMER else ("stem",)
    synonym = ("synonym",) if language == "en" else ()
    paraphrase = ("paraphrase",) if language in NORMALISED else ()
    return ("exact", *stem, *synonym, *paraphrase)
