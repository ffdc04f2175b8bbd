"""Read what a server answers, and refuse what is no answer.

A body that is not what the protocol says is a `BrokenReply`; whether the text in it can be used as
a verdict is for the metrics to say.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from dataclasses import dataclass
from typing import Any

from nlgauge.models.judges.keys import ServerKey

MOST_BYTES = 1 << 20  # of a body; a verdict is a few hundred
MOST_CHARACTERS = 1 << 16  # of the text in it
MOST_POSITIONS = 64  # whose candidates are kept
# What some models think aloud before they answer; only the answer is a reply.
_THOUGHTS = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_REFUSING = ("content_filter", "refusal")
# How refusals begin that are told as text, in lower case.
_SORRY = (
    "i'm sorry", "i’m sorry", "i am sorry", "sorry, ", "i can't", "i can’t", "i cannot", "i won't",
    "i won’t", "i'm unable", "i’m unable", "i am unable", "as an ai",
)  # fmt: skip

Candidates = tuple[
    tuple[str, float], ...
]  # tokens that might have stood here, with log-probability


class BrokenReply(Exception):  # noqa: N818
    """The body of a reply is not what the protocol says."""


@dataclass(frozen=True)
class ReplyChoice:
    """A choice is one reply of a model, with what the server reports of itself."""

    text: str
    refused: bool = False
    candidates: tuple[Candidates, ...] = ()  # by position; the first is the one that was written
    served: str = ""  # the model and the version that the server says has answered

    def packed(self) -> bytes:
        """Return the choice as the cache keeps it."""
        fields = [self.text, self.refused, self.candidates, self.served]
        return zlib.compress(json.dumps(fields).encode(), 1)

    @classmethod
    def unpacked(cls, data: bytes) -> ReplyChoice:
        """Return what `packed` packed; raises ValueError or the like if it is anything else."""
        text, refused, candidates, served = json.loads(zlib.decompress(data))
        places = tuple(tuple((str(t), float(p)) for t, p in place) for place in candidates)
        return cls(str(text), bool(refused), places, str(served))


@dataclass(frozen=True)
class ChatReply:
    """A reply has one or several choices, and what they used up."""

    choices: tuple[ReplyChoice, ...]
    input_tokens: int | None = None
    output_tokens: int | None = None


def read_reply(body: bytes, wanted: int, key: ServerKey) -> ChatReply:
    """Read a body; of more choices than were wanted, the first count."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise BrokenReply("the reply is no JSON") from None
    listed = found.get("choices") if isinstance(found, dict) else None
    if not isinstance(listed, list) or not listed:
        raise BrokenReply("the reply has no choices")
    model, version = (found.get(name) for name in ("model", "system_fingerprint"))
    served = " ".join(part for part in (model, version) if isinstance(part, str) and part)
    served = key.without(served)[:200]
    choices = tuple(_choice(each, served, key) for each in listed[:wanted])
    usage = found.get("usage")
    used = usage if isinstance(usage, dict) else {}
    counts = (_count(used.get(name)) for name in ("prompt_tokens", "completion_tokens"))
    return ChatReply(choices, *counts)


def _count(given: Any) -> int | None:
    """Return a number of tokens; what is none, or cannot be one, is not believed."""
    whole = isinstance(given, int) and not isinstance(given, bool) and 0 <= given < 1 << 31
    return given if whole else None


def _choice(given: Any, served: str, key: ServerKey) -> ReplyChoice:
    message = given.get("message") if isinstance(given, dict) else None
    if not isinstance(message, dict):
        raise BrokenReply("a choice has no message")
    content, refusal = message.get("content"), message.get("refusal")
    if content is not None and not isinstance(content, str):
        raise BrokenReply("the content of a message is no text")
    text = key.without((content or "").encode("utf-8", "replace").decode())
    if len(text) > MOST_CHARACTERS:
        raise BrokenReply(f"the text of a reply has more than {MOST_CHARACTERS} characters")
    text = _THOUGHTS.sub("", text, count=1)
    refused = bool(refusal) or given.get("finish_reason") in _REFUSING
    refused = refused or text.lstrip().lower().startswith(_SORRY)
    return ReplyChoice(text, refused, _candidates(given.get("logprobs")), served)


def _candidates(given: Any) -> tuple[Candidates, ...]:
    """Return the candidates of each position; none if the server sent nothing of that form."""
    content = given.get("content") if isinstance(given, dict) else None
    if not isinstance(content, list):
        return ()
    places = []
    for entry in content[:MOST_POSITIONS]:
        try:
            top = entry.get("top_logprobs") or []
            tokens = [(t["token"], float(t["logprob"])) for t in [entry, *top]]
        except (AttributeError, KeyError, TypeError, ValueError):
            return ()
        written, *others = tokens
        if not all(isinstance(t, str) and not math.isnan(p) for t, p in tokens):
            return ()
        # The token that was written is mostly, but not always, among the likeliest.
        unique = dict([*others, written])
        places.append(((written[0], unique.pop(written[0])), *unique.items()))
    return tuple(places)
