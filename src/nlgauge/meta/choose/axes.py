"""The two axes of the evaluation plane, and where tasks and guidelines lie on them (Soricut and
Brill, 2004, section 2).

The application axis orders tasks by faithfulness over compactness: long n-grams (N = 4) at one
end, single words (N = 1) at the other. The guideline axis orders what judges are told to look at
by precision over recall: alpha = 1 at one end, alpha = 0 at the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from nlgauge.errors import SpecError

REACH = 1 / 3  # the paper only says low, median and high: a region reaches this far to both sides
_ROUNDING = 1e-9
MAX_ORDER = 4


@dataclass(frozen=True)
class AxisPlace:
    """A task or guideline, its position on its axis from 0 to 1, and why it lies there."""

    name: str
    position: float | None  # None: nothing can be said
    reason: str
    published: bool = False  # placed by the paper itself


@dataclass(frozen=True)
class Region:
    """Members AEv(alpha, N) that should agree best with people; both bounds belong to it."""

    alpha_low: float
    alpha_high: float
    order_low: int
    order_high: int
    alpha: float  # its middle
    order: int
    reason: str

    def __contains__(self, member: tuple[float, int]) -> bool:
        alpha, order = member
        return (
            self.alpha_low - _ROUNDING <= alpha <= self.alpha_high + _ROUNDING
            and self.order_low <= order <= self.order_high
        )


TASKS = {
    "MT": AxisPlace("machine translation", 1.0, "says all of its input", published=True),
    "NLG": AxisPlace("realisation", 1.0, "says all of its input"),
    "PARA": AxisPlace("paraphrasing", 0.75, "says its input with some latitude", published=True),
    "D2T": AxisPlace("data to text", 0.75, "says its input with some latitude"),
    "QA": AxisPlace("question answering", 0.5, "is faithful and concise alike", published=True),
    "QG": AxisPlace("question generation", 0.5, "is faithful and concise alike"),
    "VIEW": AxisPlace(
        "summarisation with a viewpoint", 0.25, "is compact for its purpose", published=True
    ),
    "IC": AxisPlace("image captioning", 0.25, "is compact for its purpose"),
    "AS": AxisPlace("abstractive summarisation", 0.0, "is as compact as possible", published=True),
    "DG": AxisPlace("dialogue generation", None, "does not render its input"),
    "ASR": AxisPlace("speech recognition", 1.0, "says all of its input"),
}

_TASK_NAMES = {
    "MT": "translation machine-translation nmt",
    "NLG": "realisation realization surface-realisation surface-realization generation",
    "PARA": "paraphrase paraphrasing paraphrases simplification text-simplification",
    "D2T": "data-to-text data2text table-to-text graph-to-text",
    "QA": "question-answering answering",
    "QG": "question-generation questions",
    "VIEW": "viewpoint query-focused-summarisation query-focused-summarization",
    "IC": "captioning caption captions image-captioning image-caption",
    "AS": "summarisation summarization summary summaries abstractive-summarisation "
    "abstractive-summarization automatic-summarisation automatic-summarization sum",
    "DG": "dialogue dialog dialogue-generation dialog-generation conversation chat response",
    "ASR": "speech speech-recognition transcription",
}

_PRECISE = "judges the wording of what is said"
_SUPPORTED = "asks that all that is said is right, not that all is said"
_COMPLETE = "rewards content and does not punish extra words"
_BOTH = "rewards the right content and punishes extra words"

GUIDELINES = {
    "fluency": AxisPlace("fluency", 1.0, _PRECISE, published=True),
    "wording": AxisPlace("wording", 1.0, _PRECISE),
    "faithfulness": AxisPlace("faithfulness", 1.0, _SUPPORTED),
    "correctness": AxisPlace("correctness", 0.5, _BOTH, published=True),
    "quality": AxisPlace("quality", 0.5, _BOTH),
    "relevance": AxisPlace("relevance", 0.5, _BOTH),
    "adequacy": AxisPlace("adequacy", 0.0, _COMPLETE, published=True),
    "coverage": AxisPlace("coverage", 0.0, _COMPLETE, published=True),
}

_GUIDELINE_NAMES = {
    "wording": "naturalness grammaticality grammar readability coherence clarity structure focus "
    "well-formedness understandability understanding writing non-redundancy",
    "faithfulness": "consistency factuality precision support",
    "quality": "overall overall-quality humanness score rating rank",
    "correctness": "accuracy answerability",
    "adequacy": "meaning meaning-preservation da da-z direct-assessment",
    "coverage": "informativeness informativity recall completeness thoroughness content",
}


def _spellings(names: Mapping[str, str], keys: Mapping[str, AxisPlace]) -> dict[str, str]:
    found = {key.lower(): key for key in keys}
    return found | {word: key for key, words in names.items() for word in words.split()}


_TASKS = _spellings(_TASK_NAMES, TASKS)
_GUIDELINES = _spellings(_GUIDELINE_NAMES, GUIDELINES)


def normal(name: str) -> str:
    """A name without regard to case, blanks and the like."""
    return "-".join(name.lower().replace("_", " ").replace("-", " ").split())


def find_task(name: str) -> str:
    """The short name of a task (a key of `TASKS`), whichever way it is spelled."""
    key = normal(name)
    if key not in _TASKS:
        known = (f"{short} ({place.name})" for short, place in TASKS.items())
        raise SpecError(f"task {name!r} is not known; {_hint(key, _TASKS, known)}")
    return _TASKS[key]


def find_guideline(criterion: str) -> str | None:
    """The guideline (a key of `GUIDELINES`) that a criterion's name tells; `fluency_expert` too
    is fluency.
    """
    key = normal(criterion)
    while key not in _GUIDELINES and "-" in key:
        key = key.rpartition("-")[0]
    return _GUIDELINES.get(key)


def guideline(criterion: str, given: str | float | None = None) -> AxisPlace:
    """Where a criterion lies: by what is `given` for it, a guideline or a position from 0 (recall)
    to 1 (precision), otherwise by its name.
    """
    if given is None:
        found = find_guideline(criterion)
    else:
        try:
            position = float(given)
        except ValueError:
            found = find_guideline(str(given))
        else:
            if not 0 <= position <= 1:
                raise SpecError(f"guideline {criterion}={given}: a position lies from 0 to 1")
            return AxisPlace(criterion, position, "is placed by hand")
        if found is None:
            raise SpecError(
                f"guideline {given!r} of {criterion} is not known; "
                f"{_hint(normal(str(given)), _GUIDELINES, GUIDELINES)} "
                "Or give a position from 0 (recall) to 1 (precision)"
            )
    if found is None:
        return AxisPlace(criterion, None, "is not a known guideline")
    place = GUIDELINES[found]
    if normal(criterion).startswith(found):
        return replace(place, name=criterion)
    return replace(place, name=f"{criterion}, read as {found},", published=False)


def _hint(key: str, spellings: Iterable[str], known: Iterable[str]) -> str:
    import difflib

    close = difflib.get_close_matches(key, spellings, n=3)
    return f"did you mean {' or '.join(close)}?" if close else f"known are {', '.join(known)}."


def predict(task: AxisPlace | None, guideline: AxisPlace) -> Region | None:
    """The members that should agree best; None if neither axis tells anything. An axis that tells
    nothing leaves its whole length open.
    """
    applied = None if task is None else task.position
    if applied is None and guideline.position is None:
        return None
    low, high = _around(guideline.position)
    first, last = (1 + (MAX_ORDER - 1) * end for end in _around(applied))
    orders = [n for n in range(1, MAX_ORDER + 1) if first - _ROUNDING <= n <= last + _ROUNDING]
    middle = 0.5 if applied is None else applied
    return Region(
        alpha_low=low,
        alpha_high=high,
        order_low=orders[0],
        order_high=orders[-1],
        alpha=0.5 if guideline.position is None else guideline.position,
        # A half is rounded down, to the member with fewer zeros.
        order=round(1 + (MAX_ORDER - 1) * middle - _ROUNDING),
        reason="; ".join(filter(None, [_said(task), _said(guideline)])),
    )


def _around(position: float | None) -> tuple[float, float]:
    if position is None:
        return 0.0, 1.0
    return max(0.0, position - REACH), min(1.0, position + REACH)


def _said(place: AxisPlace | None) -> str:
    if place is None:
        return ""
    whose = "" if place.published or place.position is None else " (our placing)"
    return f"{place.name} {place.reason}{whose}"
