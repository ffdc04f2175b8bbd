"""Draw pages: templates, and what they show of a task."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from nlgauge.annotate.design.study import CONTEXT, Study
from nlgauge.annotate.forms.protocol import StudyTask
from nlgauge.annotate.forms.widgets import Option, Widget
from nlgauge.annotate.store.assigning import Given, order_of_outputs

_LONG = 1500  # characters from which a text scrolls
_SCRIPTS = {
    "amount": "slider.js",
    "choice": "keys.js",
    "marks": "marks.js",
    "writing": "editing.js",
}
_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


@dataclass(frozen=True)
class ContextPart:
    """A part of the context of an output, ready to be shown."""

    heading: str
    kind: str  # text, turns, table, image
    value: Any
    head: Sequence[str] = ()
    long: bool = False


def exact(text: str) -> Markup:
    """Return text that the browser holds character by character; it would join CR and LF."""
    return Markup(str(escape(text)).replace("\r", "&#13;"))


def arranged(options: Sequence[Option], order: Sequence[int]) -> list[Option]:
    """Return options with the texts among them in the order of this annotator."""
    texts = [option for option in options if option.text is not None]
    if len(texts) != len(order):
        return list(options)
    rest = [option for option in options if option.text is None]
    return [texts[k] for k in order] + rest


@cache
def environment() -> Environment:
    """Return the templates of the package, which escape whatever they are given."""
    made = Environment(
        loader=PackageLoader("nlgauge.annotate.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        auto_reload=False,
    )
    made.filters["exact"] = exact
    made.globals["arranged"] = arranged
    return made


@cache
def static_files() -> Mapping[str, tuple[str, bytes]]:
    """Return the static files by name, with their types; no other name can be asked for."""
    folder = resources.files("nlgauge.annotate.web") / "static"
    return {
        file.name: (_TYPES[file.name.rpartition(".")[2]], file.read_bytes())
        for file in folder.iterdir()
    }


def draw(template: str, study: Study, **values: Any) -> str:
    """Return a page, drawn from its template."""
    return environment().get_template(template).render(study=study, **values)


def task_widgets(study: Study, page: int, task: StudyTask) -> list[tuple[str, Widget]]:
    """Return the widgets of all questions of a task, with names that are unique on the page."""
    return [
        (f"q{number}.{widget.name}", widget)
        for number, question in enumerate(study.pages[page].questions)
        for widget in question.form(task)
    ]


def draw_task(
    study: Study, page: int, task: StudyTask, given: Given, *, csrf: str,
    values: Mapping[str, Sequence[str]] | None = None, errors: Mapping[str, str] | None = None,
    told: str = "", key: str = "", total: int = 0, back: int = 0,
) -> str:  # fmt: skip
    """Return the page of a task, with what was filled in before and what was wrong with it."""
    questions = study.pages[page].questions
    form = task_widgets(study, page, task)
    kinds = {widget.kind for _, widget in form}
    shown = questions[0].shown_context(task, study.show)
    inside = all(question.shows_outputs(task) for question in questions)
    return draw(
        "task.html",
        study,
        heading=questions[0].heading(task) if len(questions) == 1 else "Your judgement",
        parts=context_parts(task, shown),
        outputs=[output.text for output in task.outputs] if inside else [],
        form=form,
        given=given,
        csrf=csrf,
        key=key or secrets.token_urlsafe(12),
        values=values or {},
        errors=errors or {},
        told=told,
        order=order_of_outputs(study, given, len(task.outputs)),
        total=total,
        back=back,
        scripts=[*sorted(_SCRIPTS[kind] for kind in kinds if kind in _SCRIPTS), "send.js"],
    )


def context_parts(task: StudyTask, fields: Sequence[str]) -> list[ContextPart]:
    """Return the fields of the record that are shown, each as what it is."""
    found = []
    for name in fields:
        value, heading = task.record.get(name), CONTEXT[name]
        if value is None:
            continue
        if name == "image":
            found.append(ContextPart(heading, "image", value))
        elif name == "references":
            many = len(value) > 1
            found += [
                _text(f"{heading} {k}" if many else heading, text)
                for k, text in enumerate(value, 1)
            ]
        elif name == "context" and isinstance(value, list):
            found.append(ContextPart(heading, "turns", _turns(value)))
        elif name == "table" and not isinstance(value, str):
            found.append(_table(heading, value))
        else:
            heading = "Context" if name == "context" else heading
            found.append(_text(heading, value if isinstance(value, str) else str(value)))
    return found


def _text(heading: str, text: str) -> ContextPart:
    return ContextPart(heading, "text", text, long=len(text) > _LONG)


def _turns(turns: Sequence[Any]) -> list[dict[str, Any]]:
    """Return turns of a conversation; speakers, or else every second turn, have a side each."""
    speakers: list[str] = []
    found = []
    for number, turn in enumerate(turns):
        speaker = str(turn.get("speaker", "")) if isinstance(turn, Mapping) else ""
        text = str(turn.get("text", "")) if isinstance(turn, Mapping) else str(turn)
        if speaker and speaker not in speakers:
            speakers.append(speaker)
        side = speakers.index(speaker) % 2 if speaker else number % 2
        found.append({"speaker": speaker, "text": text, "side": bool(side)})
    return found


def _table(heading: str, value: Any) -> ContextPart:
    if isinstance(value, Mapping):
        return ContextPart(heading, "table", [(key, _cell(cell)) for key, cell in value.items()])
    rows = value if isinstance(value, list) else [value]
    if rows and all(isinstance(row, Mapping) for row in rows):
        head = list(dict.fromkeys(key for row in rows for key in row))
        cells = [[_cell(row.get(key, "")) for key in head] for row in rows]
        return ContextPart(heading, "table", cells, head=head)
    return ContextPart(
        heading,
        "table",
        [[_cell(c) for c in row] if isinstance(row, list) else [_cell(row)] for row in rows],
    )


def _cell(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
