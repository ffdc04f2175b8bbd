"""Signed tokens: links for annotators, sessions in cookies, and tokens in forms.

All are signed with the secret that was drawn when the study was made; those of another study, or
made up, do not verify.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from itsdangerous import BadSignature, URLSafeSerializer

from nlgauge.annotate.store.annotators import Annotator

OWNER = 0  # in place of an annotator's number


@dataclass(frozen=True)
class WebSession:
    """A session belongs to one annotator, or to the owner."""

    annotator: int
    nonce: str
    expires: int


class Tokens:
    """Tokens belong to the study whose secret signs them."""

    def __init__(self, secret: str) -> None:
        self._secret = secret
        self._serializers = {purpose: self._signed(purpose) for purpose in ("link", "session")}
        # A session is verified once, not with every answer.
        self._verified = lru_cache(10_000)(self._verify)

    def link(self, annotator: Annotator) -> str:
        """Return what an annotator's link ends in."""
        return self._serializers["link"].dumps([annotator.id, annotator.expires])

    def of_link(self, token: str) -> tuple[int, int] | None:
        """Return whom a link is for and when it expires; None if it is forged or foreign."""
        found = self._verified("link", token, 2)
        return None if found is None else (int(found[0]), int(found[1]))

    def session(self, annotator: int, expires: float) -> str:
        """Return a new session, as the cookie holds it."""
        return self._serializers["session"].dumps(
            [annotator, secrets.token_urlsafe(12), int(expires)]
        )

    def of_session(self, token: str) -> WebSession | None:
        """Return the session of a cookie; None if it is forged or expired."""
        found = self._verified("session", token, 3)
        return None if found is None or found[2] < time.time() else WebSession(*found)

    def csrf(self, session: WebSession) -> str:
        """Return the token that forms of a session carry."""
        text = f"form {session.annotator} {session.nonce}"
        return hmac.new(self._secret.encode(), text.encode(), hashlib.sha256).hexdigest()

    def is_csrf(self, session: WebSession, token: str) -> bool:
        """Return whether a form came from a page of this session."""
        return hmac.compare_digest(self.csrf(session).encode(), token.encode())

    def completion(self, annotator: Annotator) -> str:
        """Return the code that proves to the owner that an annotator has finished."""
        text = f"completion {annotator.id}"
        return hmac.new(self._secret.encode(), text.encode(), hashlib.sha256).hexdigest()[:10]

    def _signed(self, purpose: str) -> URLSafeSerializer:
        return URLSafeSerializer(
            self._secret, salt=f"nlgauge {purpose}", signer_kwargs={"digest_method": hashlib.sha256}
        )

    def _verify(self, purpose: str, token: str, parts: int) -> list[Any] | None:
        try:
            found = self._serializers[purpose].loads(token)
        except BadSignature:
            return None
        return found if isinstance(found, list) and len(found) == parts else None
