"""Write docs/reference/api.md from the docstrings of all public names."""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

# The doors, in the order in which a reader needs them; `metrics` has a page of its own.
DOORS = (
    *("nlgauge", "nlgauge.data", "nlgauge.io", "nlgauge.core", "nlgauge.explain", "nlgauge.stats"),
    *("nlgauge.meta", "nlgauge.human", "nlgauge.annotate", "nlgauge.models", "nlgauge.train"),
    *("nlgauge.report", "nlgauge.report.figures", "nlgauge.baselines", "nlgauge.experiments"),
)


def page() -> str:
    """Return the text of the page."""
    lines = [
        "# Python names",
        "",
        "Made from the docstrings by `make docs`; `help(nlgauge.score)` shows the same. A name is",
        "imported from the package that heads its section; all others are private. The metrics'",
        "own classes (`nlgauge.metrics.BLEU`) have the options that [metrics](metrics.md) lists.",
        "",
        "Next: [Python](../guide/python.md) shows how these names work together.",
    ]
    for name in DOORS:
        door = import_module(name)
        lines += ["", f"## {name}", "", _prose(inspect.getdoc(door) or "")]
        for public in sorted(door.__all__, key=str.lower):
            if not public.startswith("__"):
                lines += ["", *_entry(name, public, door)]
    return "\n".join(lines) + "\n"


def _entry(door: str, name: str, module: ModuleType) -> list[str]:
    """Return what the page says of one name."""
    value = getattr(module, name)
    if not callable(value) or not inspect.getdoc(value):
        return [f"### {name}", "", f"`{door}.{name}` is a table of names."]
    lines = [f"### {name}", "", "```text", f"{door}.{name}{_signature(value)}", "```", ""]
    lines.append(_prose(inspect.getdoc(value) or ""))
    if isinstance(value, type) and not hasattr(value, "info"):  # a metric has a page of its own
        lines += _methods(value)
    return lines


def _methods(cls: type) -> list[str]:
    """Return a list of the class's own public methods with their first sentences."""
    found = []
    for name, member in vars(cls).items():
        function = getattr(member, "__func__", getattr(member, "fget", member))
        if name.startswith("_") or not inspect.isfunction(function) or not function.__doc__:
            continue
        call = name if isinstance(member, property) else f"{name}{_signature(function)}"
        first = _prose(inspect.getdoc(function) or "").partition("\n\n")[0]
        found.append(f"- `{call}`: {' '.join(first.split())}")
    return ["", *found] if found else []


def _signature(value: Any) -> str:
    """Return the parameters without their types, which `help` has."""
    if isinstance(value, type) and not dataclasses.is_dataclass(value):
        own = vars(value).get("__init__")
        if own is None:
            return ""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    kept = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in found.parameters.values()
        if parameter.name not in ("self", "cls")
    ]
    text = str(found.replace(parameters=kept, return_annotation=inspect.Signature.empty))
    text = text.replace("<function <lambda>", "<function")
    return re.sub(r"<([\w.]+)[^<>]*>", r"\1", text)  # objects as defaults, without their addresses


def _prose(text: str) -> str:
    """Return a docstring as Markdown: calls are code, and a < stands for itself. Options of
    metrics are left to the page that lists them.
    """
    blocks = []
    for block in text.partition("\n\nOptions:\n")[0].split("\n\n"):
        lines = block.splitlines()
        code = block.startswith(">>> ") or all(line.startswith("nlgauge.") for line in lines)
        quoted = f"```text\n{block}\n```" if code else re.sub(r"(?<!`)<(?=\w)", "&lt;", block)
        blocks.append(quoted)
    return "\n\n".join(blocks)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
