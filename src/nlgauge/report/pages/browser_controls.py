"""Make the controls that filter and sort the segments of a report, as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_PAGER = (
    '<div class="pager"><button type="button" data-turn="-1" aria-label="previous">←</button>'
    '<output></output><button type="button" data-turn="1" aria-label="next">→</button></div>'
)

_KEY_OF_TRACES = '<span class="run">matched</span> '
_KEY_OF_ERRORS = '<span class="error">minor</span> <span class="error major">major error</span>'
_SAVE = '<button type="button" data-segments-csv="">CSV file</button>'


def controls(
    identifier: str,
    system_names: Sequence[str],
    metric_names: Sequence[str],
    traced: Sequence[str],
    *,
    marked: bool = False,
) -> str:
    """Return a form, the key to the marks, and an empty list between two pagers.

    `traced` are the metrics whose own comparisons can be shown; `marked` says whether somebody
    marked errors.
    """
    metrics = [(str(i), name) for i, name in enumerate(metric_names)]
    systems = [(str(i), name) for i, name in enumerate(system_names)]
    sorts = [("position", "position"), ("length", "length")]
    if metrics:
        sorts.append(("score", "score"))
    if metrics and len(systems) > 1:
        sorts.append(("difference", "difference of two systems"))
    ways = [("edits", "edits of words"), ("none", "nothing")]
    ways += [(f"trace{i}", f"as {name} sees it") for i, name in enumerate(traced)]
    hidden = "" if metrics else " hidden"
    boxes = "".join(
        f'<label><input type="checkbox" name="system{i}" checked>{escape(name)}</label>'
        for i, name in systems
    )
    other = f"against{_select('against', systems[-1:] + systems[:-1])}"
    return (
        f'<div class="browser" data-segments="{identifier}"><details class="filters"><summary>'
        'filter, sort, highlight</summary><form class="controls">'
        '<label>search<input type="search" name="search"></label>'
        f"<label>words{_range('shortest', 'longest')}</label>"
        f"<label{hidden}>metric{_select('metric', metrics)}</label>"
        f"<label{hidden}>of{_select('system', [('any', 'mean of shown'), *systems])}</label>"
        f"<label{hidden}>score{_range('lowest', 'highest')}</label>"
        f"<label>sort by{_select('sort', sorts)}</label>"
        f"<label>direction{_select('direction', [('up', 'upwards'), ('down', 'downwards')])}"
        f"</label><label{'' if len(sorts) > 3 else ' hidden'}>{other}</label>"
        f"<label>highlight{_select('highlight', ways)}</label>"
        f"<fieldset{'' if len(systems) > 1 else ' hidden'}><legend>show</legend>{boxes}"
        '<button type="button" data-all="">all or none</button></fieldset></form></details>'
        '<p class="key said"><mark>changed</mark> <ins>added</ins> <del>missing</del> '
        f"{_KEY_OF_TRACES if traced else ''}{_KEY_OF_ERRORS if marked else ''}</p>"
        f'{_PAGER.replace("</div>", _SAVE + "</div>")}<div class="list"></div>{_PAGER}'
        "<noscript><p>The segments need JavaScript.</p></noscript></div>"
    )


def _select(name: str, options: Sequence[tuple[str, str]]) -> str:
    inner = "".join(f'<option value="{value}">{escape(text)}</option>' for value, text in options)
    return f'<select name="{name}">{inner}</select>'


def _range(low: str, high: str) -> str:
    field = '<input type="number" step="any" name="{}" aria-label="{}" placeholder="{}">'
    ends = field.format(low, low, "from") + field.format(high, high, "to")
    return f'<span class="pair">{ends}</span>'
