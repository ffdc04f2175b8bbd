"""Ask many questions, some at a time, each once, and keep every reply.

What was answered in an earlier run is taken from the store. The rest is asked by as many workers
as there are connections; a worker takes its next question when its last reply is safe. The event
loop runs in a thread of its own, so that a notebook, which has one already, does not mind.
"""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from nlgauge.data.judge_server import JudgeServer
from nlgauge.errors import NlgaugeError, ServerFailed
from nlgauge.models.judges.chat_client import ChatClient, NoLogProbabilities
from nlgauge.models.judges.chat_replies import BrokenReply, ReplyChoice
from nlgauge.models.judges.questions import JudgeQuestion, sample_key
from nlgauge.models.judges.reply_store import ReplyStore
from nlgauge.models.judges.spending import JudgeEstimate, OverBudget, cost_of, input_tokens

_BATCH = 500  # questions that are looked up in the store together

# Hears the replies to a question as soon as they are there; None: the server gave no usable reply.
Heard = Callable[[int, Sequence[ReplyChoice] | None], None]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False, kw_only=True)
class Inquiry:
    """An inquiry is a number of questions to one server, each of which gets so many replies.

    `question` makes the question of that number when it is needed; equal questions are asked once.
    """

    server: JudgeServer
    store: ReplyStore
    count: int
    question: Callable[[int], JudgeQuestion]
    samples: int = 1
    progress: Progress | None = None

    def ask(self, heard: Heard) -> None:
        """Ask all questions, and tell `heard` the replies to each, in any order."""
        unanswered = dict(self._unanswered(heard))
        if not unanswered:
            return
        run = _Run(self, heard, unanswered)
        _in_a_thread(run)

    def estimate(self, segments: int) -> JudgeEstimate:
        """Estimate what is left to be asked, without asking."""
        requests = kept = inputs = outputs = 0
        for i, known in self._grouped(lambda _, __: None):
            asked = self.question(i[0])
            missing = self.samples - len(known)
            kept += len(known)
            requests += missing > 0
            inputs += input_tokens(asked) if missing else 0
            outputs += missing * asked.max_tokens
        return JudgeEstimate(
            segments=segments, requests=requests, kept=kept, input_tokens=inputs,
            output_tokens=outputs, cost=cost_of(self.server, inputs, outputs),
        )  # fmt: skip

    def _unanswered(self, heard: Heard) -> Iterator[tuple[bytes, _Open]]:
        """Tell what is known already, and yield what is not, by the keys of the questions."""
        for numbers, known in self._grouped(heard):
            if len(known) < self.samples:
                yield self.question(numbers[0]).key, _Open(numbers, known)

    def _grouped(self, heard: Heard) -> Iterator[tuple[list[int], dict[int, ReplyChoice]]]:
        """Yield the numbers of each distinct question, and which of its replies are known."""
        groups: dict[bytes, list[int]] = {}
        for i in range(self.count):
            groups.setdefault(self.question(i).key, []).append(i)
        keys = list(groups)
        for start in range(0, len(keys), _BATCH):
            batch = keys[start : start + _BATCH]
            wanted = [sample_key(key, k) for key in batch for k in range(self.samples)]
            found = self.store.read(wanted)
            for place, key in enumerate(batch):
                own = found[place * self.samples : (place + 1) * self.samples]
                known = {k: choice for k, choice in enumerate(own) if choice is not None}
                if len(known) == self.samples:
                    for i in groups[key]:
                        heard(i, [known[k] for k in range(self.samples)])
                yield groups[key], known


@dataclass(frozen=True)
class _Open:
    """A question without all its replies: its numbers, and the replies that are known."""

    numbers: list[int]
    known: dict[int, ReplyChoice] = field(default_factory=dict)


class _Run:
    """A run asks what is left of an inquiry."""

    def __init__(self, inquiry: Inquiry, heard: Heard, unanswered: dict[bytes, _Open]) -> None:
        self._inquiry, self._heard = inquiry, heard
        self._left = unanswered
        self._todo = iter(unanswered.items())
        self._failure: NlgaugeError | NoLogProbabilities | OverBudget | None = None
        self._done = inquiry.count - sum(len(each.numbers) for each in unanswered.values())

    async def run(self) -> None:
        """Ask until all is answered, or something fails for good."""
        inquiry = self._inquiry
        client = ChatClient(inquiry.server)
        with inquiry.store.opened():
            await self._run_with(client)
        if isinstance(self._failure, OverBudget):
            raise self._over_budget()  # now that it is known what requests under way have cost
        if self._failure is not None:
            raise self._failure

    async def _run_with(self, client: ChatClient) -> None:
        inquiry = self._inquiry
        async with client:
            workers = min(inquiry.server.connections, len(self._left))
            tasks = [asyncio.ensure_future(self._work(client)) for _ in range(workers)]
            try:
                await asyncio.gather(*tasks)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, client: ChatClient) -> None:
        """Take one question after the other, until none is left or the run has failed."""
        for key, left in self._todo:
            try:
                await self._answer(client, key, left)
            except (NlgaugeError, NoLogProbabilities, OverBudget) as error:
                self._failure = self._failure or error
                client.break_off(str(error))
            if self._failure is not None:
                return

    async def _answer(self, client: ChatClient, key: bytes, left: _Open) -> None:
        inquiry = self._inquiry
        question = inquiry.question(left.numbers[0])
        while missing := [k for k in range(inquiry.samples) if k not in left.known]:
            try:
                reply = await client.send(question, len(missing))
            except BrokenReply:
                self._tell(left, None)
                return
            # A server may send fewer than it was asked for: the rest is asked for again.
            new = dict(zip(missing, reply.choices, strict=False))
            inquiry.store.keep([(sample_key(key, k), c) for k, c in new.items()])
            left.known.update(new)
        self._tell(left, [left.known[k] for k in range(inquiry.samples)])
        left.known.clear()

    def _tell(self, left: _Open, choices: Sequence[ReplyChoice] | None) -> None:
        for i in left.numbers:
            self._heard(i, choices)
        self._done += len(left.numbers)
        if self._inquiry.progress is not None:
            self._inquiry.progress(self._done, self._inquiry.count)

    def _over_budget(self) -> ServerFailed:
        server = self._inquiry.server
        unit = "tokens" if server.input_price is None else "in money"
        kept = (
            f"replies so far are in {server.cache}; raise the budget and run it again to go on"
            if server.cache
            else "raise it (--judge-budget), and keep replies (--judge-cache FOLDER)"
        )
        return ServerFailed(
            f"judge budget {server.budget:g} ({unit}): the next request could exceed it; "
            f"{self._done} of {self._inquiry.count} questions are answered, "
            f"{math.ceil(server.ledger.spent * 1e6) / 1e6:g} spent; {kept}"
        )


def _in_a_thread(run: _Run) -> None:
    """Run in an event loop of its own, and stop it if the caller is interrupted."""
    result: Future[None] = Future()
    loop = asyncio.new_event_loop()
    task = loop.create_task(run.run())

    def work() -> None:
        try:
            result.set_result(loop.run_until_complete(task))
        except BaseException as error:
            result.set_exception(error)
        finally:
            loop.run_until_complete(loop.shutdown_default_executor())
            loop.close()

    thread = threading.Thread(target=work, name="judge", daemon=True)
    thread.start()
    try:
        while not result.done():
            # In slices, so that Ctrl-C is heard on every system.
            thread.join(0.1)
    except BaseException:
        loop.call_soon_threadsafe(task.cancel)
        thread.join()
        raise
    result.result()
