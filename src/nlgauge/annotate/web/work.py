"""What annotators see: their link, consent, instructions, tasks, and how they leave."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from nlgauge.annotate.design.study import Study
from nlgauge.annotate.forms.protocol import StudyTask
from nlgauge.annotate.store.annotators import (
    Annotator,
    delete_answers,
    find_annotator,
    give_consent,
)
from nlgauge.annotate.store.answer_saving import AnswerRefused, GivenAnswer, save_answer
from nlgauge.annotate.store.assigning import (
    Given,
    at_position,
    find_given,
    next_task,
    open_task,
)
from nlgauge.annotate.store.database import StoreError, Transaction
from nlgauge.annotate.web.guards import wants_json
from nlgauge.annotate.web.markdown import to_html
from nlgauge.annotate.web.rendering import draw, draw_task, static_files
from nlgauge.annotate.web.requests import (
    COOKIE,
    Site,
    Stop,
    annotator_of,
    client,
    form_of,
    site_of,
)

_CONSENT = """## Before you start

Your answers are stored under a pseudonym, with the time each of them took, and nothing else: no
name, no address. You may stop at any time, and have your answers deleted on the page *Leave*."""


async def enter(request: Request) -> Response:
    """Open a link: begin a session and go to work."""
    site = site_of(request)
    found = site.tokens.of_link(request.path_params["token"])
    # Many annotators may share an address: only links that nobody signed are guesses.
    if found is None and not site.guesses.allows(f"link {client(request)}"):
        raise Stop(429, "Too many attempts", "Please wait a minute and open your link again.")
    annotator = None
    if found is not None:
        annotator = await site.read(lambda db: find_annotator(db, found[0]))
    if found is None or annotator is None or min(found[1], annotator.expires) < time.time():
        raise Stop(
            403, "This link is not valid",
            "It may have expired, or belong to another study. Please ask who sent it to you for a "
            "new one.",
        )  # fmt: skip
    response = RedirectResponse("/work", 303)
    response.set_cookie(
        COOKIE, site.tokens.session(annotator.id, annotator.expires),
        max_age=int(annotator.expires - time.time()), httponly=True, samesite="lax",
        secure=site.secure, path="/",
    )  # fmt: skip
    return response


async def work(request: Request) -> Response:
    """Show consent, instructions or the task that is next, or an earlier one with its answer."""
    site = site_of(request)
    session, annotator = await annotator_of(request)
    if not site.pages.allows(f"page {annotator.id}"):
        raise Stop(429, "Too many requests", "Please wait a moment and reload the page.")
    csrf = site.tokens.csrf(session)
    if not annotator.consented:
        own = {} if site.study.consent else {"lang": "en"}
        return _page(
            "prose.html", site.study, body=Markup(to_html(site.study.consent or _CONSENT)),
            action="/consent", csrf=csrf, button="I agree and take part", danger=False, **own,
        )  # fmt: skip
    at = request.query_params.get("at", "")
    if at.isdigit() and len(at) < 8:
        return await _earlier(site, annotator, int(at), csrf)
    given = await site.read(lambda db: open_task(db, site.study, annotator))
    if given is None:
        given = await site.write(lambda db: next_task(db, site.study, annotator))
    if given is None:
        return await _finished(site, annotator)
    return await _task(site, annotator, given, csrf)


async def _task(
    site: Site, annotator: Annotator, given: Given, csrf: str, **filled: Any
) -> Response:
    study = site.study

    def load(db: Transaction) -> tuple[int, StudyTask, int, int]:
        page, task = site.task(db, given)
        return page, task, _total(db, study, annotator), _back(db, study, annotator, given)

    page, task, total, back = await site.read(load)
    status = filled.pop("status", 200)
    return HTMLResponse(
        draw_task(study, page, task, given, csrf=csrf, total=total, back=back, **filled), status
    )


def _total(db: Transaction, study: Study, annotator: Annotator) -> int:
    """Return how many tasks the annotator will have, if that is known."""
    if annotator.slot is not None:
        ((planned,),) = db.rows("SELECT COUNT(*) FROM plan WHERE slot = ?", annotator.slot)
        count = int(planned)
    else:
        count = study.assignment.most_tasks
    ((more,),) = db.rows(
        "SELECT COUNT(*) FROM assignment WHERE annotator = ? AND kind <> 'main'", annotator.id
    )
    return count + int(more) if count else 0


def _back(db: Transaction, study: Study, annotator: Annotator, given: Given) -> int:
    """Return the position of the task before, if the annotator may go back to it."""
    before = at_position(db, annotator, given.position - 1)
    if before is None or before.kind != "main":
        return 0
    row = db.one("SELECT page FROM task WHERE id = ?", before.task)
    return before.position if row and study.pages[row[0]].can_return else 0


async def _earlier(site: Site, annotator: Annotator, position: int, csrf: str) -> Response:
    def load(db: Transaction) -> tuple[Given, Any] | None:
        given = at_position(db, annotator, position)
        if given is None or given.kind != "main":
            return None
        row = db.one(
            "SELECT content FROM answer WHERE assignment = ? ORDER BY id DESC LIMIT 1", given.id
        )
        (page,) = db.one("SELECT page FROM task WHERE id = ?", given.task) or (0,)
        fine = site.study.pages[page].can_return
        return (given, row) if fine and row else None

    found = await site.read(load)
    if found is None:
        return RedirectResponse("/work", 303)
    given, (content,) = found
    return await _task(site, annotator, given, csrf, values=json.loads(content)["form"])


async def _finished(site: Site, annotator: Annotator) -> Response:
    if annotator.state == "failed":
        lines = ["Thank you. For this study we need others; there is nothing more for you to do."]
        return _message(site, "Thank you", lines)
    lines = ["There is nothing more for you to do at the moment. Your answers are saved."]
    return _message(site, "Thank you", lines, code=site.tokens.completion(annotator))


def _message(site: Site, heading: str, lines: Sequence[str], code: str = "") -> Response:
    return _page(
        "message.html", site.study, heading=heading, lines=lines, code=code, href="", button=""
    )


def _page(template: str, study: Study, **values: Any) -> Response:
    usual = {"action": "", "href": "", "lang": study.language}
    return HTMLResponse(draw(template, study, **{**usual, **values}))


async def consent(request: Request) -> Response:
    """Take note of consent, then show the instructions if there are any."""
    site = site_of(request)
    session, annotator = await annotator_of(request)
    await form_of(request, session)
    await site.write(lambda db: give_consent(db, annotator.id))
    return RedirectResponse("/instructions" if site.study.instructions else "/work", 303)


async def instructions(request: Request) -> Response:
    """Show the instructions of the study."""
    site = site_of(request)
    await annotator_of(request)
    body = Markup(to_html(site.study.instructions))
    return _page("prose.html", site.study, body=body, button="Go to the task", href="/work")


async def leave(request: Request) -> Response:
    """Ask whether answers shall be deleted, and delete them."""
    site = site_of(request)
    session, annotator = await annotator_of(request)
    if request.method == "GET":
        contact = f"\n\nQuestions? {site.study.contact}" if site.study.contact else ""
        body = to_html(
            "## Leave the study\n\nYou may close this page at any time and come back with your "
            "link; what you saved stays.\n\nIf you do not want your answers to be used, have them "
            f"deleted here. That cannot be undone, and ends your part in the study.{contact}"
        )
        return _page(
            "prose.html", site.study, body=Markup(body), action="/leave", danger=True, lang="en",
            csrf=site.tokens.csrf(session), button="Delete all my answers",
        )  # fmt: skip
    await form_of(request, session)
    count = await site.write(lambda db: delete_answers(db, annotator.id))
    response = _message(site, "Your answers are deleted", [f"Deleted: {count} answers. Thank you."])
    response.delete_cookie(COOKIE)
    return response


async def answer(request: Request) -> Response:
    """Save an answer; the browser hears that it is saved once it is on disk."""
    site = site_of(request)
    study = site.study
    session, annotator = await annotator_of(request)
    if not site.answers.allows(f"answer {annotator.id}"):
        raise Stop(429, "Too many requests", "Please wait a moment.")
    form = await form_of(request, session)
    key, number = form.pop("key", [""])[0], form.pop("given", [""])[0]
    seconds = _seconds(form.pop("seconds", [""])[0])
    if not 8 <= len(key) <= 64 or not number.isdigit() or len(number) > 15:
        raise Stop(400, "That is no answer to a task")

    def load(db: Transaction) -> tuple[Given, int, StudyTask] | None:
        given = find_given(db, annotator, int(number))
        return None if given is None else (given, *site.task(db, given))

    found = await site.read(load)
    if found is None or not annotator.consented or annotator.state != "active":
        raise Stop(403, "This task is not yours", "Please open your link again.")
    given, page, task = found
    by_question, errors = _checked(study, page, task, form)
    csrf = site.tokens.csrf(session)
    if errors:
        if wants_json(request.headers):
            return JSONResponse({"errors": errors}, 422)
        return await _task(
            site, annotator, given, csrf, values=form, errors=errors, key=key, status=422,
            told="Not saved yet: please look at what is marked.",
        )  # fmt: skip
    made = GivenAnswer(key, form, by_question, seconds)

    def write(db: Transaction) -> Given | None:
        saved = save_answer(db, study, annotator, given, task, page, made)
        now = annotator if saved.correct is None else find_annotator(db, annotator.id)
        # The next task is ready when the browser asks for it.
        return None if now is None else next_task(db, study, now)

    try:
        following = await site.write(write)
    except AnswerRefused as error:
        raise Stop(409, str(error)) from None
    except StoreError:
        message = "The answer could not be written."
        if wants_json(request.headers):
            return JSONResponse({"message": message}, 503)
        return await _task(
            site, annotator, given, csrf, values=form, key=key, status=503,
            told=f"Not saved: {message} It is still here; please send it again.",
        )  # fmt: skip
    if wants_json(request.headers):
        waiting = None if following is None else following.id
        return JSONResponse({"saved": True, "next": "/work", "given": waiting})
    return RedirectResponse("/work", 303)


def _checked(
    study: Study, page: int, task: StudyTask, form: Mapping[str, Sequence[str]]
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    answers: list[dict[str, Any]] = []
    errors: dict[str, str] = {}
    for number, question in enumerate(study.pages[page].questions):
        start = f"q{number}."
        own = {k.removeprefix(start): v for k, v in form.items() if k.startswith(start)}
        read = question.read(task, own)
        answers.append(read.answers)
        errors |= {start + name: text for name, text in read.errors.items()}
    return answers, errors


def _seconds(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


async def static(request: Request) -> Response:
    """Send a file of the package; there are no others."""
    name = request.path_params["name"]
    if name == "figures.css":
        from nlgauge.annotate.web.status_page import figure_styles

        return Response(figure_styles(), media_type="text/css")
    found = static_files().get(name)
    if found is None:
        raise Stop(404, "There is nothing here")
    kind, data = found
    return Response(data, media_type=kind, headers={"Cache-Control": "public, max-age=300"})


async def media(request: Request) -> Response:
    """Send a picture of the study to who takes part."""
    site = site_of(request)
    await annotator_of(request)
    name = request.path_params["name"]
    row = await site.read(lambda db: db.one("SELECT type, data FROM media WHERE name = ?", name))
    if row is None:
        raise Stop(404, "There is nothing here")
    return Response(bytes(row[1]), media_type=row[0], headers={"Cache-Control": "private"})


async def home(request: Request) -> Response:
    """Tell who comes without a link what this is."""
    site = site_of(request)
    lines = ["This is a study. To take part, please open the link that you were sent."]
    return _message(site, site.study.title, lines)
