"""Estimate what questions cost before they are asked, and stop before a budget is exceeded."""

from __future__ import annotations

import math
from dataclasses import dataclass

from nlgauge.data.judge_server import JudgeServer
from nlgauge.models.judges.chat_replies import ChatReply
from nlgauge.models.judges.questions import Question

MILLION = 1_000_000
_LETTERS = 4  # of the Latin alphabet in a token, on average; others have one each, about
_FRAME = 12  # tokens that a request has beside its texts


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a text has, for whatever model."""
    latin = sum(map(str.isascii, text))
    return math.ceil(latin / _LETTERS) + len(text) - latin


def input_tokens(question: Question) -> int:
    """Return about how many tokens a question has."""
    return estimated_tokens(question.system) + estimated_tokens(question.text) + _FRAME


@dataclass(frozen=True, kw_only=True)
class JudgeEstimate:
    """An estimate says what is still to be asked, about how many tokens that takes, and what it
    costs where prices are known; replies count as long as they may be.
    """

    segments: int
    requests: int
    kept: int  # replies that are in the cache
    input_tokens: int
    output_tokens: int
    cost: float | None = None


def cost_of(server: JudgeServer, inputs: float, outputs: float) -> float | None:
    """Return the price of so many tokens; None without prices."""
    if server.input_price is None or server.output_price is None:
        return None
    return (inputs * server.input_price + outputs * server.output_price) / MILLION


class Account:
    """An account adds up what was spent and what requests under way may cost at most."""

    def __init__(self, server: JudgeServer) -> None:
        self._server = server
        self._reserved = 0.0
        self.input_tokens = self.output_tokens = 0

    def _amount(self, inputs: float, outputs: float) -> float:
        cost = cost_of(self._server, inputs, outputs)
        return inputs + outputs if cost is None else cost

    @property
    def spent(self) -> float:
        """Return what was spent, in money or in tokens."""
        return self._amount(self.input_tokens, self.output_tokens)

    def reserve(self, question: Question, samples: int) -> float | None:
        """Put aside the most that a request can cost; None if the budget does not allow it."""
        amount = self._amount(input_tokens(question), samples * question.max_tokens)
        budget = self._server.budget
        if budget is not None and self.spent + self._reserved + amount > budget:
            return None
        self._reserved += amount
        return amount

    def settle(self, reserved: float, question: Question, reply: ChatReply | None) -> None:
        """Count what a request really took; what the server does not tell is estimated."""
        self._reserved -= reserved
        if reply is None:
            return
        told, written = reply.input_tokens, reply.output_tokens
        self.input_tokens += input_tokens(question) if told is None else told
        if written is None:
            written = sum(estimated_tokens(choice.text) for choice in reply.choices)
        self.output_tokens += written
