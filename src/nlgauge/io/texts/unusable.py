"""Leave out records that cannot be scored (`skip_unusable`), count and list them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from nlgauge.errors import DataError
from nlgauge.io.fields import Record
from nlgauge.io.files import warn

REMEDY = "leave such records out with skip_unusable=True (--skip-unusable)"
_COLUMNS = ("references", "source", "turns", "features", "table", "weights")
LISTED = 20  # names of each reason that a message holds

T = TypeVar("T")


def lacking(records: Sequence[Record]) -> list[str | None]:
    """Return why each record of a suite cannot be used: it lacks what others have."""
    columns = [name for name in _COLUMNS if any(_has(record, name) for record in records)]
    systems = dict.fromkeys(name for record in records for name in record.hypotheses)
    reasons = []
    for record in records:
        lacks = [name for name in columns if not _has(record, name)]
        lacks += [f"output of {name}" if name else "output" for name in systems
                  if name not in record.hypotheses]  # fmt: skip
        reasons.append(f"no {' and no '.join(lacks)}" if lacks else None)
    return reasons


def _has(record: Record, name: str) -> bool:
    """Return whether a record has something in a field; of turns, something that was said."""
    value = getattr(record, name)
    if name == "turns" and value is not None:
        return any(text.strip() for _, text in value)
    return value is not None


def warn_of_whole_dialogues(files: str, whole: int, records: int) -> None:
    """Warn of dialogues without a reply beside others that have one, as FED's file has them."""
    if 0 < whole < records:
        warn(
            f"{files}: {whole} of {records} records have turns and no reply: they count as whole "
            f"dialogues, which cmade scores, and have an empty reply for other metrics; {REMEDY}"
        )


def left_out(
    files: str, found: Sequence[T], names: Sequence[str], reasons: Sequence[str | None]
) -> list[T]:
    """Return what has no reason to be left out, and warn of the rest by their names."""
    by_reason: dict[str, list[str]] = {}
    for name, reason in zip(names, reasons, strict=True):
        if reason is not None:
            by_reason.setdefault(reason, []).append(name)
    if not by_reason:
        return list(found)
    count = sum(map(len, by_reason.values()))
    listing = "; ".join(f"{reason}: {_listed(own)}" for reason, own in by_reason.items())
    if count == len(found):
        raise DataError(f"{files}: nothing is left to use ({listing})")
    warn(f"{files}: left out {count} of {len(found)} records ({listing})")
    return [one for one, reason in zip(found, reasons, strict=True) if reason is None]


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:LISTED])
    more = len(names) - LISTED
    return f"{shown} and {more} more" if more > 0 else shown
