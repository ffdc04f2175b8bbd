"""The two axes of the evaluation plane, and where tasks and guidelines lie on them (Soricut and
Brill, 2004, section 2).

The application axis orders tasks by faithfulness over compactness: long n-grams (N = 4) at one
end, single words (N = 1) at the other. The guideline axis orders what judges are told to look at
by precision over recall: alpha = 1 at one end, alpha = 0 at the other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from nlgauge.core.facts import tasks
from nlgauge.errors import SpecError

REACH = 1 / 3  # the paper only says low, median and high: a region reaches this far to both sides
_ROUNDING = 1e-9
MAX_ORDER = 4


@dataclass(frozen=True)
class AxisPlace:
    """A place is a task's or guideline's position on its axis from 0 to 1, and why it lies
    there.
    """

    name: str
    position: float | None  # None: nothing can be said
    reason: str
    published: bool = False  # placed by the paper itself


@dataclass(frozen=True)
class Region:
    """A region has the members AEv(alpha, N) that should agree best with people; both bounds belong
    to it.
    """

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


_FAITHFUL = "says all of its input"
_LATITUDE = "says its input with some latitude"
_BALANCED = "is faithful and concise alike"
_PURPOSE = "is compact for its purpose"
_COMPACT = "is as compact as possible"

# Position and reason by task, and whether the paper itself says so.
_APPLICATIONS: dict[str, tuple[float | None, str, bool]] = {
    "MT": (1.0, _FAITHFUL, True),
    "NLG": (1.0, _FAITHFUL, False),
    "ASR": (1.0, _FAITHFUL, False),
    "PARA": (0.75, _LATITUDE, True),
    "D2T": (0.75, _LATITUDE, False),
    "QA": (0.5, _BALANCED, True),
    "QG": (0.5, _BALANCED, False),
    "VIEW": (0.25, _PURPOSE, True),
    "IC": (0.25, _PURPOSE, False),
    "AS": (0.0, _COMPACT, True),
    "DG": (None, "does not render its input", False),
}
TASKS = {
    short: AxisPlace(tasks.TASKS[short].name, *placed) for short, placed in _APPLICATIONS.items()
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


def find_guideline(criterion: str) -> str | None:
    """Return the guideline (a key of `GUIDELINES`) that a criterion's name tells, or None."""
    found = tasks.find_criterion(criterion)
    return None if found is None else found.guideline


def guideline(criterion: str, given: str | float | None = None) -> AxisPlace:
    """Return where a criterion lies: by what is `given` for it, a guideline or a position from 0
    (recall) to 1 (precision), otherwise by its name.
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
            hint = tasks.nearest(tasks.normal(str(given)), GUIDELINES, GUIDELINES)
            raise SpecError(
                f"guideline {given!r} of {criterion} is not known; {hint} "
                "Or give a position from 0 (recall) to 1 (precision)"
            )
    if found is None:
        return AxisPlace(criterion, None, "is not a known guideline")
    place = GUIDELINES[found]
    if tasks.normal(criterion).startswith(found):
        return replace(place, name=criterion)
    return replace(place, name=f"{criterion}, read as {found},", published=False)


def predict(task: AxisPlace | None, guideline: AxisPlace) -> Region | None:
    """Return the members that should agree best; None if neither axis tells anything. An axis that
    tells nothing leaves its whole length open.
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
