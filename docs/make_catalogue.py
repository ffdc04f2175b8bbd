"""Write docs/reference/metrics.md from the registry."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from nlgauge.cli.setup.metrics import facts
from nlgauge.core import registry
from nlgauge.core.facts.tasks import CRITERIA, TASKS, Criterion, Task
from nlgauge.human.scales import QUESTIONS
from nlgauge.text.preparation import TOKENIZERS


def catalogue() -> str:
    """Return the text of the page."""
    lines = [
        "# Metrics",
        "",
        "Made from the registry by `make docs`; `nlgauge metrics NAME` shows the same. An arrow",
        "tells whether higher or lower is better; scores are printed on the official tool's scale.",
        "",
        "Next: `nlgauge recommend --task mt` says which of them agree with people on a task, and",
        "[other tools' numbers](tools.md) how to get those of a program you know.",
        "",
        "Tasks: " + ", ".join(f"{task.short} {task.name}" for task in _tasks()) + ".",
        "",
        "| metric | | title | family | tasks | checked against |",
        "|---|---|---|---|---|---|",
    ]
    for cls in registry.classes():
        info = cls.info
        arrow = "↑" if info.higher_is_better else "↓"
        lines.append(
            f"| [{info.name}](#{_anchor(info.name)}) | {arrow} | {info.title} | {info.family} "
            f"| {' '.join(info.tasks)} | {info.checked_against} |"
        )
    for cls in registry.classes():
        lines += _section(cls.info.name)
    lines += ["", "## Tokenisers", "", "| name | what it does |", "|---|---|"]
    lines += [f"| {t.name} | {t.description} |" for t in TOKENIZERS.values()]
    lines += [*_names("Tasks", TASKS.values()), *_names("Criteria", CRITERIA.values())]
    lines += _questions()
    return "\n".join(lines) + "\n"


def _anchor(name: str) -> str:
    """Return the anchor of a heading, from which GitHub leaves out dots."""
    return name.replace(".", "")


def _names(title: str, known: Iterable[Task | Criterion]) -> list[str]:
    """Return a table of tasks or criteria, with the other spellings that commands take."""
    lines = ["", f"## {title}", "", "| name | what it is | also written |", "|---|---|---|"]
    for entry in known:
        name = f"{entry.short}, {entry.name}" if isinstance(entry, Task) else entry.name
        lines.append(f"| {name} | {entry.description} | {', '.join(entry.spellings)} |")
    return lines


def _questions() -> list[str]:
    """Return a table of the questions that people may be asked, and of what they can answer."""
    lines = ["", "## Questions", "", "| criterion | question | answers |", "|---|---|---|"]
    for question in QUESTIONS.values():
        answers = ", ".join(f"{value} {text}" for value, text in question.scale.anchors.items())
        lines.append(f"| {question.criterion} | {question.text} | {answers} |")
    return lines


def _tasks() -> list[Task]:
    used = {task for cls in registry.classes() for task in cls.info.tasks}
    return [task for task in TASKS.values() if task.short in used]


def _section(name: str) -> list[str]:
    found = facts(name)
    low, high = (bound * found["scale"] for bound in found["bounds"])
    lines = ["", f"## {name}", "", f"**{found['title']}.** {_prose(found['description'])}", ""]
    lines.append(f"{found['paper']}. Printed from {low:g} to {high:g}. ")
    if found["cell"]:
        lines.append(f"Of the kind: {found['cell']}.")
    lines.append(f"Needs {', '.join(found['needs']) or 'nothing else'}.")
    names = [*found["presets"].items(), *found["aliases"].items()]
    if names:
        lines += ["", "Also: " + ", ".join(f"`{k}` = `{v}`" for k, v in names) + "."]
    if found["options"]:
        lines += ["", "| option | default | values | meaning |", "|---|---|---|---|"]
        lines += [
            f"| {option} | {entry['value']} | {entry['values']} | {entry['help']} |"
            for option, entry in found["options"].items()
        ]
    return lines


def _prose(docstring: str) -> str:
    return " ".join(docstring.split())


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(catalogue(), encoding="utf-8")
