"""What the owner of a study sees, after giving the password: how it stands."""

from __future__ import annotations

import asyncio
import time

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from nlgauge.annotate.store.database import StudyDatabase, Transaction
from nlgauge.annotate.web.guards import refusal
from nlgauge.annotate.web.rendering import draw
from nlgauge.annotate.web.requests import (
    OWNER_COOKIE,
    Stop,
    client,
    form_of,
    session_of,
    site_of,
)
from nlgauge.annotate.web.tokens import OWNER, WebSession
from nlgauge.errors import SpecError

SHORTEST = 10  # characters of a password
_HOURS = 12
_SETTING = "owner"
_LOGIN = WebSession(OWNER, "login", 0)


def set_password(database: StudyDatabase, password: str) -> None:
    """Set the password of the owner; only its hash is kept."""
    if len(password) < SHORTEST:
        raise SpecError(f"the password has {len(password)} characters; give {SHORTEST} or more")
    hashed = PasswordHasher().hash(password)

    def write(db: Transaction) -> None:
        db.run("DELETE FROM setting WHERE name = ?", _SETTING)
        db.run("INSERT INTO setting (name, value) VALUES (?, ?)", _SETTING, hashed)

    database.write(write)


async def _hash(request: Request) -> str | None:
    row = await site_of(request).read(
        lambda db: db.one("SELECT value FROM setting WHERE name = ?", _SETTING)
    )
    return row[0] if row else None


async def status(request: Request) -> Response:
    """Show how the study stands, or ask for the password."""
    site = site_of(request)
    if await _hash(request) is None:
        raise Stop(
            404, "This study has no owner's page",
            "Set a password with `nlgauge annotate password`, then reload.",
        )  # fmt: skip
    session = session_of(request, OWNER_COOKIE)
    if session is None or session.annotator != OWNER:
        return _login(request, "")
    from nlgauge.annotate.web.status_page import status_body

    body = Markup(await asyncio.to_thread(status_body, site.database))
    page = draw("status.html", site.study, body=body, csrf=site.tokens.csrf(session))
    return HTMLResponse(page)


def _login(request: Request, told: str, status: int = 200) -> Response:
    site = site_of(request)
    page = draw("login.html", site.study, told=told, csrf=site.tokens.csrf(_LOGIN))
    return HTMLResponse(page, status)


async def login(request: Request) -> Response:
    """Check the password; a few attempts are allowed, then one every few seconds."""
    site = site_of(request)
    guesser = f"owner {client(request)}"
    if not site.guesses.allows(guesser):
        return refusal(request.headers, 429, "Too many attempts; please wait a minute.")
    form = await form_of(request, _LOGIN)
    hashed = await _hash(request)
    try:
        # Made to take long: annotators must not wait for it.
        given = form.get("password", [""])[0]
        await asyncio.to_thread(PasswordHasher().verify, hashed or "", given)
    except (Argon2Error, InvalidHashError):
        return _login(request, "That is not the password.", 403)
    site.guesses.forgive(guesser)
    response = RedirectResponse("/owner", 303)
    response.set_cookie(
        OWNER_COOKIE, site.tokens.session(OWNER, time.time() + _HOURS * 3600),
        max_age=_HOURS * 3600, httponly=True, samesite="strict", secure=site.secure, path="/owner",
    )  # fmt: skip
    return response


async def logout(request: Request) -> Response:
    """End the session of the owner."""
    session = session_of(request, OWNER_COOKIE)
    if session is not None:
        await form_of(request, session)
    response = RedirectResponse("/owner", 303)
    response.delete_cookie(OWNER_COOKIE, path="/owner")
    return response
