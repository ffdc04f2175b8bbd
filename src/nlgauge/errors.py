"""The exceptions and warnings of nlgauge. Every message names what was given and the remedy."""

from __future__ import annotations


class NlgaugeError(Exception):
    """Anything nlgauge refuses; `str(error)` is fit to be shown to a user."""


class DataError(NlgaugeError):
    """The input cannot be scored as it is: lengths, encoding, identifiers, layout."""


class SpecError(NlgaugeError):
    """A metric, option or value that does not exist or does not fit."""


class ResourceMissing(NlgaugeError):  # noqa: N818
    """Something the metric needs is not installed; the message says the one command to run."""


class NlgaugeWarning(UserWarning):
    """Input that can be scored but is probably not what was meant."""
