"""Read verdicts out of replies. What cannot be read is no verdict: nothing is guessed."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

from nlgauge.data.error_spans import SEVERITIES, ErrorSpan
from nlgauge.models.judges.chat_replies import Candidates

_BARE = re.compile(
    r"[\s*_`\"']*(?:(?:final\s+)?(?:score|rating|answer)\s*(?:is|:|=)?[\s*_`\"']*)?"
    r"(-?\d+(?:\.\d+)?)\s*(?:/\s*(\d+))?[\s*_`\"'.%]*",
    re.IGNORECASE,
)
_CHOICES = {"first": 1.0, "second": 0.0, "tie": 0.5}
_WORDS = re.compile(r"[a-z]+")
_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)\n?\s*```", re.DOTALL | re.IGNORECASE)


def read_number(text: str, lowest: int, highest: int) -> float | None:
    """Return the one number that a reply consists of, maybe as "Score: 85/100"; None if there is
    none, if there are others beside it, or if it is out of range.
    """
    found = _BARE.fullmatch(text)
    if found is None:
        # Some give reasons first; then the last line must be the verdict, in so many words.
        *before, last = text.strip().splitlines() or [""]
        found = None if any(map(_BARE.fullmatch, before)) else _BARE.fullmatch(last)
        if found is None or not re.search(r"score|rating|answer", last, re.IGNORECASE):
            return None
    if found[2] is not None and int(found[2]) != highest:
        return None
    number = float(found[1])
    return number if lowest <= number <= highest else None


def read_choice(text: str) -> float | None:
    """Return 1 for the first of two texts, 0 for the second and 0.5 for a tie; None if the reply
    names none of them, or several.
    """
    named = {word for word in _WORDS.findall(text.lower()) if word in _CHOICES}
    return _CHOICES[named.pop()] if len(named) == 1 else None


def read_errors(text: str, output: str) -> tuple[tuple[ErrorSpan, ...], Any] | None:
    """Return the errors that a reply lists, found in the output, and what it gives as score; None
    if the reply is anything else.
    """
    found = _object(text)
    listed = None if found is None else found.get("errors")
    if found is None or not isinstance(listed, list):
        return None
    errors = []
    taken: dict[str, int] = {}
    for entry in listed:
        if not isinstance(entry, dict):
            return None
        quote, severity = entry.get("span"), entry.get("severity")
        category = entry.get("category") or ""
        if not isinstance(quote, str | None) or not isinstance(category, str):
            return None
        severity = severity.strip().lower() if isinstance(severity, str) else ""
        if severity not in SEVERITIES:
            return None
        start, end = _place(quote or "", output, taken)
        errors.append(
            ErrorSpan(start=start, end=end, severity=severity, category=category.strip().lower())
        )
    return tuple(errors), found.get("score")


def _object(text: str) -> dict[str, Any] | None:
    fenced = _FENCED.findall(text)
    inner = fenced[0] if len(fenced) == 1 else text
    try:
        found = json.loads(inner)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _place(quote: str, output: str, taken: dict[str, int]) -> tuple[int | None, int | None]:
    """Return where a quotation stands; the same words again are the next such words."""
    quote = quote.strip()
    if not quote:
        return None, None
    start = output.find(quote, taken.get(quote, 0))
    if start < 0:
        start = output.find(quote)
    if start < 0:
        folded = output.lower()
        start = folded.find(quote.lower()) if len(folded) == len(output) else -1
    if start < 0:
        return None, None
    taken[quote] = start + len(quote)
    return start, start + len(quote)


def weighted_number(
    places: Sequence[Candidates], lowest: int, highest: int
) -> tuple[float, float] | None:
    """Return the mean of the numbers that the judge might have written, weighted by their
    probabilities, and how much probability they have together (Liu et al., 2023, G-Eval).

    The candidates are those of the first place at which a number was written; spellings of one
    number, such as "4" and " 4", count together.
    """
    for candidates in places:
        written = _whole(candidates[0][0])
        if written is None:
            if candidates[0][0].strip():
                return None  # words, not a number
            continue
        likely = ((_whole(token), math.exp(p)) for token, p in candidates)
        usable = [(n, p) for n, p in likely if n is not None and lowest <= n <= highest]
        mass = math.fsum(p for _, p in usable)
        if not lowest <= written <= highest or mass <= 0:
            return None
        return math.fsum(n * p for n, p in usable) / mass, mass
    return None


def _whole(token: str) -> int | None:
    bare = token.strip()
    return int(bare) if bare.isascii() and bare.isdecimal() else None


def shortened_reply(replies: Iterable[str]) -> str:
    """Return the beginning of the first reply, for messages."""
    return " ".join(next(iter(replies), "").split())[:80]
