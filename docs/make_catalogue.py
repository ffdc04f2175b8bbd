"""Write docs/metrics.md from the registry."""

from __future__ import annotations

import sys
from pathlib import Path

from nlgauge.cli.setup.metrics import facts
from nlgauge.core import registry
from nlgauge.core.tasks import TASKS
from nlgauge.text.preparation import TOKENIZERS


def catalogue() -> str:
    """The page."""
    lines = [
        "# Metrics",
        "",
        "Made from the registry by `make docs`; `nlgauge metrics NAME` shows the same. An arrow",
        "tells whether higher or lower is better; scores are printed on the official tool's scale.",
        "",
        "Tasks: " + ", ".join(f"{short} {name}" for short, name in TASKS.items()) + ".",
        "",
        "| metric | | title | family | tasks | checked against |",
        "|---|---|---|---|---|---|",
    ]
    for cls in registry.classes():
        info = cls.info
        arrow = "↑" if info.higher_is_better else "↓"
        lines.append(
            f"| [{info.name}](#{info.name}) | {arrow} | {info.title} | {info.family} "
            f"| {' '.join(info.tasks)} | {info.checked_against} |"
        )
    for cls in registry.classes():
        lines += _section(cls.info.name)
    lines += ["", "## Tokenisers", "", "| name | what it does |", "|---|---|"]
    lines += [f"| {t.name} | {t.description} |" for t in TOKENIZERS.values()]
    return "\n".join(lines) + "\n"


def _section(name: str) -> list[str]:
    found = facts(name)
    low, high = (bound * found["scale"] for bound in found["bounds"])
    lines = ["", f"## {name}", "", f"**{found['title']}.** {_prose(found['description'])}", ""]
    lines.append(f"{found['paper']}. Printed from {low:g} to {high:g}. ")
    lines.append(f"Taxonomy {found['cell']}. Needs {', '.join(found['needs']) or 'nothing else'}.")
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
