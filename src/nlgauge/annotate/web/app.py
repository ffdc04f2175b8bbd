"""The web application of a study."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from nlgauge.annotate.store.database import StoreError, StudyDatabase
from nlgauge.annotate.store.studies import load_settings
from nlgauge.annotate.web import owner, work
from nlgauge.annotate.web.guards import Guard
from nlgauge.annotate.web.requests import Site, Stop, stopped
from nlgauge.annotate.web.tokens import Tokens


def make_app(database: StudyDatabase, *, secure: bool = False) -> ASGIApp:
    """Return the application that serves a study; `secure`: over https only."""
    settings = load_settings(database)
    app = Starlette(
        routes=[
            Route("/", work.home),
            Route("/a/{token}", work.enter),
            Route("/work", work.work),
            Route("/consent", work.consent, methods=["POST"]),
            Route("/instructions", work.instructions),
            Route("/answer", work.answer, methods=["POST"]),
            Route("/leave", work.leave, methods=["GET", "POST"]),
            Route("/static/{name}", work.static),
            Route("/media/{name}", work.media),
            Route("/owner", owner.status),
            Route("/owner/login", owner.login, methods=["POST"]),
            Route("/owner/logout", owner.logout, methods=["POST"]),
        ],
        exception_handlers={
            Stop: stopped,
            HTTPException: _missing,
            StoreError: _unwritten,
            Exception: _failed,
        },
    )
    app.state.site = Site(database, settings.study, Tokens(settings.secret), secure)
    return Guard(app)


def _missing(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    return stopped(request, Stop(status, "There is nothing here"))


def _unwritten(request: Request, error: Exception) -> Response:
    del error  # its text names files of the server
    return stopped(
        request, Stop(503, "That did not work just now", "Please try again in a moment.")
    )


def _failed(request: Request, error: Exception) -> Response:
    del error
    return stopped(request, Stop(500, "Something went wrong", "Please try again in a moment."))
