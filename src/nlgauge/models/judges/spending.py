"""Estimate what questions cost before they are asked, and stop before a budget is exceeded."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from nlgauge.data.judge_server import JudgeServer
from nlgauge.models.judges.chat_replies import ChatReply
from nlgauge.models.judges.questions import JudgeQuestion

MILLION = 1_000_000
_LETTERS = 4  # of the Latin alphabet in a token, on average; others have one each, about
_FRAME = 12  # tokens that a request has beside its texts


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a text has, for whatever model."""
    latin = sum(map(str.isascii, text))
    return math.ceil(latin / _LETTERS) + len(text) - latin


def input_tokens(question: JudgeQuestion) -> int:
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


@dataclass
class Bill:
    """A bill is what one request costs: the most that it can, as long as nobody knows better, as a
    reply that is lost on the way may have been written, and charged for.
    """

    amount: float


class OverBudget(Exception):  # noqa: N818
    """The next request could cost more than is left of the budget."""


class Account:
    """An account pays for requests out of a server's budget, which all its users share."""

    def __init__(self, server: JudgeServer) -> None:
        self._server, self._ledger = server, server.ledger

    @contextmanager
    def request(self, question: JudgeQuestion, samples: int) -> Iterator[Bill]:
        """Put aside the most that a request can cost, and count what it did cost. Raises OverBudget
        if the budget does not allow it.
        """
        most = self._amount(input_tokens(question), samples * question.max_tokens)
        budget, ledger = self._server.budget, self._ledger
        if budget is not None and ledger.spent + ledger.reserved + most > budget:
            raise OverBudget
        ledger.reserved += most
        bill = Bill(most)
        try:
            yield bill
        finally:
            ledger.reserved -= most
            ledger.spent += bill.amount

    def charge(self, bill: Bill, question: JudgeQuestion, reply: ChatReply) -> None:
        """Write what a reply took; what the server does not tell is estimated."""
        told, written = reply.input_tokens, reply.output_tokens
        if written is None:
            written = sum(estimated_tokens(choice.text) for choice in reply.choices)
        bill.amount = self._amount(input_tokens(question) if told is None else told, written)

    def _amount(self, inputs: float, outputs: float) -> float:
        cost = cost_of(self._server, inputs, outputs)
        return inputs + outputs if cost is None else cost
