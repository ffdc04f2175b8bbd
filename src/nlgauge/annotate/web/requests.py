"""What handlers need of a request: the study, the session behind a cookie, and the form."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from nlgauge.annotate.design.study import Study
from nlgauge.annotate.forms.protocol import StudyTask
from nlgauge.annotate.store.annotators import Annotator, find_annotator
from nlgauge.annotate.store.assigning import Given, shown_task
from nlgauge.annotate.store.database import StudyDatabase, Transaction
from nlgauge.annotate.web.guards import TOO_LARGE, BodyTooLarge, RateLimit, wants_json
from nlgauge.annotate.web.rendering import draw
from nlgauge.annotate.web.tokens import Tokens, WebSession

T = TypeVar("T")
COOKIE = "nlgauge_study"
OWNER_COOKIE = "nlgauge_owner"
_MOST_FIELDS = 5000
_MOST_KEPT = 10_000  # tasks in memory


@dataclass
class Site:
    """A study as it is served."""

    database: StudyDatabase
    study: Study
    tokens: Tokens
    secure: bool = False  # cookies are sent over https only
    answers: RateLimit = field(default_factory=lambda: RateLimit(40, 80))
    pages: RateLimit = field(default_factory=lambda: RateLimit(40, 200))
    guesses: RateLimit = field(default_factory=lambda: RateLimit(0.2, 10))  # links, passwords

    tasks: dict[int, tuple[int, StudyTask]] = field(default_factory=dict)

    def task(self, db: Transaction, given: Given) -> tuple[int, StudyTask]:
        """Return the page and the task that was given; those that never change are kept."""
        if given.kind != "control" and given.task in self.tasks:
            return self.tasks[given.task]
        page, task = shown_task(db, self.study, given)
        if given.kind != "control" and not task.data:
            if len(self.tasks) >= _MOST_KEPT:
                self.tasks.clear()
            self.tasks[given.task] = page, task
        return page, task

    async def read(self, work: Callable[[Transaction], T]) -> T:
        """Read, here if that takes no time, otherwise in a thread."""
        if self.database.at_once:
            return self.database.read(work)
        return await asyncio.to_thread(self.database.read, work)

    async def write(self, work: Callable[[Transaction], T]) -> T:
        """Write, and go on when it is on disk."""
        return await asyncio.wrap_future(self.database.submit(work))


class Stop(Exception):  # noqa: N818
    """A request that ends with a page that says why."""

    def __init__(self, status: int, heading: str, *lines: str) -> None:
        super().__init__(heading)
        self.status, self.heading, self.lines = status, heading, lines


def site_of(request: Request) -> Site:
    """Return the study that is served."""
    site: Site = request.app.state.site
    return site


def stopped(request: Request, error: Exception) -> Response:
    """Answer a request that was stopped."""
    assert isinstance(error, Stop)
    if wants_json(request.headers):
        return JSONResponse({"message": " ".join([error.heading, *error.lines])}, error.status)
    page = draw(
        "message.html", site_of(request).study, heading=error.heading, lines=error.lines,
        code="", href="", button="",
    )  # fmt: skip
    return HTMLResponse(page, error.status)


def client(request: Request) -> str:
    """Return who asks, for counting only; it is neither stored nor logged."""
    return request.client.host if request.client else ""


def session_of(request: Request, cookie: str = COOKIE) -> WebSession | None:
    """Return the session of a request, if it has one that verifies."""
    token = request.cookies.get(cookie, "")
    return site_of(request).tokens.of_session(token) if token else None


async def annotator_of(request: Request) -> tuple[WebSession, Annotator]:
    """Return the session and annotator of a request, or stop it."""
    site, session = site_of(request), session_of(request)
    annotator = None
    if session is not None and session.annotator:
        annotator = await site.read(lambda db: find_annotator(db, session.annotator))
    if session is None or annotator is None:
        raise Stop(
            403, "Please open your link again",
            "Your session has ended, or there was none. The link that you were sent brings you "
            "back to where you were.",
        )  # fmt: skip
    if annotator.state == "withdrawn":
        raise Stop(410, "You have left this study", "Your answers are deleted.")
    return session, annotator


async def form_of(request: Request, session: WebSession) -> dict[str, list[str]]:
    """Return the fields of a form that came from a page of this session, or stop."""
    try:
        body = await request.body()
        form = parse_qs(
            body.decode("ascii"), keep_blank_values=True, max_num_fields=_MOST_FIELDS,
            errors="strict",
        )  # fmt: skip
    except BodyTooLarge:
        raise Stop(413, TOO_LARGE) from None
    except ValueError:
        raise Stop(400, "That could not be read") from None
    if not site_of(request).tokens.is_csrf(session, form.pop("csrf", [""])[0]):
        raise Stop(403, "This form has expired", "Please go back, reload the page and send again.")
    return form
