"""Send questions to a server, again where it makes sense, and never faster than it asks for."""

from __future__ import annotations

import asyncio
import json
import random
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from nlgauge.data.judge_server import JudgeServer
from nlgauge.errors import ResourceMissing, ServerFailed, fetch
from nlgauge.models.judges.chat_replies import MOST_BYTES, BrokenReply, ChatReply, read_reply
from nlgauge.models.judges.keys import ServerKey, read_key
from nlgauge.models.judges.questions import JudgeQuestion
from nlgauge.models.judges.spending import Account

if TYPE_CHECKING:
    import aiohttp

LONGEST_WAIT = 60.0  # seconds between two tries, unless the server asks for more
PATIENCE = 900.0  # seconds that the server may ask for in all, for one request
BROKEN_TRIES = 3  # of a request whose replies are no replies
_AGAIN = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
# How servers call the most tokens of a reply; newer ones refuse the first name, and name the other.
_LIMITS = ("max_tokens", "max_completion_tokens")


class NoLogProbabilities(Exception):  # noqa: N818
    """The server refuses to return the probabilities of tokens."""


def client_library() -> Any:
    """Return the library that speaks HTTP, which comes with the extra."""
    try:
        import aiohttp
    except ImportError:
        raise ResourceMissing("judges need aiohttp", remedy=fetch("judge")) from None
    return aiohttp


class ChatClient:
    """A client has one pool of connections; it is entered where it is used."""

    def __init__(self, server: JudgeServer) -> None:
        self._server = server
        self._key: ServerKey = read_key(server)
        self._account = Account(server)
        self._http = client_library()
        self._limit = _LIMITS[0]
        self._not_before = 0.0  # the loop's time at which the server wants to hear from us again
        self._broken_off = ""
        self.sent = self.again = 0

    async def __aenter__(self) -> ChatClient:
        http, server = self._http, self._server
        self._session: aiohttp.ClientSession = http.ClientSession(
            connector=http.TCPConnector(limit=server.connections, enable_cleanup_closed=True),
            timeout=http.ClientTimeout(total=server.timeout),
            headers={"Content-Type": "application/json", **self._key.headers()},
            auto_decompress=True,
            cookie_jar=http.DummyCookieJar(),
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    def break_off(self, reason: str) -> None:
        """Let no request be tried again: another one has failed for good."""
        self._broken_off = self._broken_off or reason

    async def send(self, question: JudgeQuestion, samples: int) -> ChatReply:
        """Return the reply; raises BrokenReply if it is none, OverBudget if there is no money for
        it, and ServerFailed if the server cannot be reached or refuses.
        """
        tries, broken, waited = 0, 0, 0.0
        while True:
            await self._turn()
            wait: float | None = None
            try:
                status, headers, found = await self._paid(question, samples)
                if isinstance(found, ChatReply):
                    return found
                failure = self._refused(status, found, question)
                if failure is None:
                    continue
                wait = _retry_after(headers.get("Retry-After", "")) if status in _AGAIN else None
            except BrokenReply:
                broken += 1
                if broken == BROKEN_TRIES:
                    raise
                failure = "the reply was no reply"
            except (self._http.ClientError, asyncio.TimeoutError, OSError) as error:
                failure = self._key.without(str(error)) or type(error).__name__
            # A server that says when to come back is heard, however often it does.
            tries += wait is None
            if wait is not None and waited + wait > PATIENCE:
                raise self._failed(f"asks to wait for more than {PATIENCE:g} s", tries)
            if tries > self._server.retries:
                raise self._failed(failure, tries)
            if self._broken_off:
                raise ServerFailed(self._broken_off)
            self.again += 1
            backed_off = min(LONGEST_WAIT, self._server.first_wait * 2 ** max(0, tries - 1))
            if wait is not None:
                waited += wait
                loop = asyncio.get_running_loop()
                self._not_before = max(self._not_before, loop.time() + wait)
            else:
                await asyncio.sleep(backed_off * random.uniform(0.5, 1.0))

    async def _turn(self) -> None:
        """Wait until the server wants to hear from us again."""
        loop = asyncio.get_running_loop()
        while (left := self._not_before - loop.time()) > 0:
            await asyncio.sleep(left)

    async def _paid(
        self, question: JudgeQuestion, samples: int
    ) -> tuple[int, Any, ChatReply | bytes]:
        """Send a request once, and count what it costs; what was refused costs nothing."""
        with self._account.request(question, samples) as bill:
            try:
                status, headers, body = await self._post(question, samples)
            except self._http.ClientConnectorError:
                bill.amount = 0.0
                raise
            if status != 200:
                bill.amount = 0.0
                return status, headers, body
            reply = read_reply(body, samples, self._key)
            self._account.charge(bill, question, reply)
            return status, headers, reply

    async def _post(self, question: JudgeQuestion, samples: int) -> tuple[int, Any, bytes]:
        body = json.dumps(question.payload(samples, limit=self._limit)).encode()
        self.sent += 1
        # A redirection could lead the key elsewhere.
        async with self._session.post(
            self._server.address, data=body, allow_redirects=False
        ) as answer:
            parts, size = [], 0
            async for part in answer.content.iter_chunked(1 << 16):
                parts.append(part)
                size += len(part)
                if size > MOST_BYTES:
                    answer.close()
                    raise BrokenReply(f"the reply has more than {MOST_BYTES} bytes")
            return answer.status, answer.headers, b"".join(parts)

    def _refused(self, status: int, body: bytes, question: JudgeQuestion) -> str | None:
        """Return why the request failed, if it may be tried again; None if it is to be sent at
        once, in another form. Raises ServerFailed for what will fail again.
        """
        said = self._key.without(_message(body))
        if status in _AGAIN:
            return f"HTTP {status} {said}".strip()
        if status in (400, 422):
            if _LIMITS[1] in said and self._limit == _LIMITS[0]:
                self._limit = _LIMITS[1]
                return None
            if question.top_logprobs and "logprob" in said.lower():
                raise NoLogProbabilities(said)
        hint = {
            401: "check the key (--judge-key-env, --judge-key-file)",
            403: "check what the key allows",
            404: "check the address (--judge-url) and the name of the model (--judge-model)",
        }.get(status, "check the address, the model and the options")
        raise ServerFailed(f"{self._server.address}: HTTP {status} {said}".strip() + f"; {hint}")

    def _failed(self, failure: str, tries: int) -> ServerFailed:
        kept = (
            f"replies so far are in {self._server.cache}; run it again to go on"
            if self._server.cache
            else "with a cache (--judge-cache FOLDER), a run can go on where it stopped"
        )
        return ServerFailed(
            f"{self._server.address}: {failure[:300]} (tried {tries} times); {kept}"
        )


def _message(body: bytes) -> str:
    """Return what a server says of an error, short enough to be shown."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        found = body.decode("utf-8", "replace")
    if isinstance(found, dict):
        inner = found.get("error", found.get("message", found.get("detail", "")))
        found = inner.get("message", "") if isinstance(inner, dict) else inner
    return " ".join(str(found).split())[:300]


def _retry_after(text: str) -> float | None:
    """Return the seconds that a server asks to wait, from a number or a date."""
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        when = parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=timezone.utc)
    return max(0.0, (when - datetime.now(timezone.utc)).total_seconds())
