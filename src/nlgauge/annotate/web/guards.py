"""Guards before every request: size, origin, rate, and the headers of every answer."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 1 << 20
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not "no-referrer": browsers would then hide the origin of our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_RAW_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
TOO_LARGE = "That is more than can be sent at once."
_SAFE = ("GET", "HEAD")


class RateLimit:
    """A rate limit counts in memory, under hashes that mean nothing after the process ends."""

    def __init__(
        self, per_second: float, burst: int, *, clock: Callable[[], float] = time.monotonic
    ):
        self._rate, self._burst, self._clock = per_second, burst, clock
        self._salt = secrets.token_bytes(16)
        self._left: OrderedDict[bytes, tuple[float, float]] = OrderedDict()

    def allows(self, who: str) -> bool:
        """Return whether one more request is fine, and count it."""
        key = hashlib.blake2b(who.encode(), key=self._salt, digest_size=12).digest()
        now = self._clock()
        left, then = self._left.pop(key, (float(self._burst), now))
        left = min(self._burst, left + (now - then) * self._rate)
        fine = left >= 1
        self._left[key] = (left - 1 if fine else left, now)
        while len(self._left) > 10_000:
            self._left.popitem(last=False)
        return fine

    def forgive(self, who: str) -> None:
        """Forget what was counted, as after a guess that was right."""
        key = hashlib.blake2b(who.encode(), key=self._salt, digest_size=12).digest()
        self._left.pop(key, None)


class BodyTooLarge(Exception):  # noqa: N818
    """A body that grew larger than its header said."""


class Guard:
    """The outermost part of the application."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse what is too large or comes from another site; add the headers."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        size = headers.get("content-length", "0")
        refused: Response | None = None
        if not size.isdigit() or int(size) > LARGEST_BODY:
            refused = refusal(headers, 413, TOO_LARGE)
        elif scope["method"] not in _SAFE and not same_origin(headers):
            refused = refusal(headers, 403, "This came from another site and was refused.")
        elif scope["method"] not in (*_SAFE, "POST"):
            refused = refusal(headers, 405, "That is not possible here.")

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = message["headers"] = list(message.get("headers", ()))
                given += _RAW_HEADERS
                if not any(name == b"cache-control" for name, _ in given):
                    given.append((b"cache-control", b"no-store"))
            await send(message)

        seen = 0

        async def limited() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > LARGEST_BODY:
                raise BodyTooLarge
            return message

        await (refused or self.app)(scope, limited, guarded)


def same_origin(headers: Headers) -> bool:
    """Return whether a request comes from a page of this server, as far as the browser tells."""
    site = headers.get("sec-fetch-site")
    if site is not None:  # which no page can forge; a server before this one may rename the host
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host", "")


def wants_json(headers: Headers) -> bool:
    """Return whether a script asks, and not a person."""
    return "application/json" in headers.get("accept", "")


def refusal(headers: Headers, status: int, message: str) -> Response:
    """Return a refusal in the form that was asked for; never with a status that means success."""
    if wants_json(headers):
        return JSONResponse({"message": message}, status)
    return PlainTextResponse(message, status)
