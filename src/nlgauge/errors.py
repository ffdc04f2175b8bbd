"""The exceptions and warnings of nlgauge. Every message names what was given and the remedy."""

from __future__ import annotations

from collections.abc import Iterable


class NlgaugeError(Exception):
    """Anything nlgauge refuses; `str(error)` is fit to be shown to a user."""


class DataError(NlgaugeError):
    """The input cannot be scored as it is: lengths, encoding, identifiers, layout."""


class SpecError(NlgaugeError):
    """A metric, option or value that does not exist or does not fit."""


class ResourceMissing(NlgaugeError):  # noqa: N818
    """Something that a metric needs is not there.

    `remedy` is the one command that brings it, which ends the message. It is empty where no command
    can, as for a path that was mistyped; then the message ends with what to give.
    """

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(f"{message}; run: {remedy}" if remedy else message)
        self.remedy = remedy


class MetricFailed(NlgaugeError):  # noqa: N818
    """A metric that is not nlgauge's own raised an error, or returned what is no score."""


class ServerFailed(NlgaugeError):  # noqa: N818
    """A server that was asked did not answer, or what may be spent on it is used up."""


def fetch(extra: str) -> str:
    """Return the command that brings an extra with all its packages and weights."""
    return f"nlgauge fetch {extra}"


def close_words(word: str, known: Iterable[str], *, cutoff: float = 0.6) -> list[str]:
    """Return up to three known words that a mistyped one is close to, the closest first, without
    those that are much farther than it.
    """
    import difflib  # only those who mistype wait for it

    close = difflib.get_close_matches(word, list(known), n=3, cutoff=cutoff)
    ratios = [difflib.SequenceMatcher(None, one, word).ratio() for one in close]
    return [one for one, ratio in zip(close, ratios, strict=True) if ratio > ratios[0] - 0.15]


def did_you_mean(
    word: str, known: Iterable[str], otherwise: str = "", *, cutoff: float = 0.6
) -> str:
    """Return the known words that a mistyped one is close to, as a question; or `otherwise`."""
    close = close_words(word, known, cutoff=cutoff)
    return f"did you mean {' or '.join(close)}?" if close else otherwise


class NlgaugeWarning(UserWarning):
    """Input that can be scored but is probably not what was meant."""


class TextWarning(NlgaugeWarning):
    """Text that a metric may not understand: unknown words, another script, no blanks ..."""
