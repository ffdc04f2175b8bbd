"""Write questions to a judge as the requests that servers of this kind take."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class JudgeQuestion:
    """A question is all that can change the reply; equal ones are asked once."""

    model: str
    system: str
    text: str
    temperature: float
    max_tokens: int
    top_logprobs: int = 0  # how many candidates of each token are asked for; 0: none

    @property
    def key(self) -> bytes:
        """Return what tells this question from others, for the cache."""
        told = json.dumps([1, *vars(self).values()], ensure_ascii=True)
        return hashlib.sha256(told.encode()).digest()

    def payload(self, samples: int, *, limit: str = "max_tokens") -> dict[str, Any]:
        """Return the body of the request for so many replies; `limit` is how the server calls the
        most tokens of a reply.
        """
        messages = [
            {"role": "system", "content": self.system},
            {"role": "user", "content": self.text},
        ]
        body: dict[str, Any] = {
            "model": self.model,
            "messages": messages,
            "temperature": self.temperature,
            limit: self.max_tokens,
        }
        if samples > 1:
            body["n"] = samples
        if self.top_logprobs:
            body |= {"logprobs": True, "top_logprobs": self.top_logprobs}
        return body


def sample_key(key: bytes, sample: int) -> bytes:
    """Return the key under which one of several replies to a question is kept."""
    return key if sample == 0 else hashlib.sha256(key + sample.to_bytes(4, "big")).digest()
