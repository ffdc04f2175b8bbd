"""What a language changes about a recommendation: what it refuses, and what was measured in it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nlgauge.core.language_options import choice
from nlgauge.text.languages import Language, find_pair

if TYPE_CHECKING:
    from nlgauge.meta.choose.recommend import Candidate

ENCODED = "yisi-1"  # the best metric with the multilingual encoder
# By target language: the set, and Pearson's r of chrf and of the best metric with an encoder, from
# docs/results/languages.md.
MEASURED = {
    "de": ("MLQE-PE en-de", 0.417, 0.407),
    "ru": ("WMT16 en-ru", 0.681, 0.677),
}


def in_language(candidates: tuple[Candidate, ...], lang: str) -> tuple[Candidate, ...]:
    """Return the candidates with those that a language refuses at the end, and why."""
    source, language = find_pair(lang)
    found = [_judged(candidate, language, source) for candidate in candidates]
    return tuple(sorted(found, key=lambda candidate: bool(candidate.missing)))


def _judged(candidate: Candidate, language: Language, source: Language | None) -> Candidate:
    if candidate.missing:
        return candidate
    refused = choice(candidate.name, language, source).refused
    missing = f"{candidate.name}: {refused}" if refused else ""
    return replace(candidate, missing=missing)


def language_notes(lang: str) -> tuple[str, ...]:
    """Say what to know about metrics in a language before one is chosen."""
    language = find_pair(lang)[1]
    notes = [f"{language.name}: {language.note}"] if language.note else []
    if language.english:
        return tuple(notes)
    if language.code in MEASURED:
        where, chrf, encoder = MEASURED[language.code]
        verdict = "better" if chrf >= encoder + 0.005 else "as good"
        notes.append(
            f"{language.name}: chrf is {verdict} ({where}: Pearson {chrf:.2f}, {ENCODED} with the "
            f"multilingual encoder {encoder:.2f}), and needs no model"
        )
    elif language.encoder:
        notes.append(
            f"{language.name}: no ratings were at hand; in German and Russian chrf is as good as "
            "the multilingual encoder, so give both"
        )
    else:
        notes.append(
            f"{language.name}: no encoder that comes with nlgauge knows it; chrf needs none, and "
            "is the metric to start with"
        )
    return tuple(notes)
