"""Score tables as JSON, TSV, Markdown and LaTeX."""

from __future__ import annotations

import json
from collections.abc import Callable

from nlgauge.core.lookup import LookupMetric
from nlgauge.core.metric import Score
from nlgauge.core.table import Column, ScoreTable
from nlgauge.report.tables.escapes import (
    json_text,
    latex,
    markdown,
    markdown_cell,
    one_line,
    printable,
    tsv_cell,
)


def heading(column: Column) -> str:
    """A metric's name with its direction."""
    return f"{column.name} {'↑' if column.metric.info.higher_is_better else '↓'}"


def scale_note(column: Column) -> str:
    """The range scores are printed on."""
    low, high = (bound * column.metric.info.scale for bound in column.metric.bounds)
    return f"{low:g}–{high:g}".replace("-inf", "−∞").replace("inf", "∞")


def unknown_words(table: ScoreTable) -> list[str]:
    """Say for each metric that asks a model what shares of words this does not know."""
    notes = []
    for column in table.columns:
        if not isinstance(column.metric, LookupMetric) or not column.metric.asks_model():
            continue
        parts = {system: table.score(system, column.name).parts for system in table.systems}
        shares = [f"{system} {found['unknown']:.1%}" for system, found in parts.items()]
        other = column.metric.other
        shares.append(f"{other}s {parts[table.systems[0]][f'{other}_unknown']:.1%}")
        notes.append(f"unknown words, {column.name}: {', '.join(shares)}")
    return notes


def cell(score: Score, width: int) -> str:
    """A score, with its interval and p-value if it has them."""
    text = score.shown(width=width)
    if score.interval is not None:
        low, high = score.interval.low, score.interval.high
        text += f" [{score.shown(low, width)}, {score.shown(high, width)}]"
    if score.p_value is not None:
        text += f" (p = {score.p_value:.4f})"
    return text


def to_json(table: ScoreTable, width: int) -> str:  # noqa: ARG001
    """All numbers as they are, not rounded."""
    text = json.dumps(table.to_dict(), ensure_ascii=False, indent=1, allow_nan=False)
    return json_text(text) + "\n"


def to_tsv(table: ScoreTable, width: int) -> str:  # noqa: ARG001
    """One line per system and metric, numbers not rounded."""
    lines = ["system\tmetric\tscore\tlow\thigh\tp_value\tsignature"]
    for system in table.systems:
        for column in table.columns:
            s = table.score(system, column.name)
            low, high = (s.interval.low, s.interval.high) if s.interval else ("", "")
            p = "" if s.p_value is None else s.p_value
            row = (system, column.name, s.score, low, high, p, s.signature)
            lines.append("\t".join(map(tsv_cell, map(str, row))))
    return "\n".join(lines) + "\n"


def to_markdown(table: ScoreTable, width: int) -> str:
    """A Markdown table; the best score of each metric in bold."""
    names = [markdown_cell(heading(column)) for column in table.columns]
    lines = ["| system | " + " | ".join(names) + " |", "|---|" + "---:|" * len(names)]
    for system in table.systems:
        cells = []
        for column in table.columns:
            text = cell(table.score(system, column.name), width)
            cells.append(f"**{text}**" if system in table.best(column.name) else text)
        lines.append(f"| {markdown_cell(system)} | " + " | ".join(cells) + " |")
    lines.append("")
    lines += [
        f"- {markdown(c.name)} ({scale_note(c)}): `{one_line(c.signature)}`" for c in table.columns
    ]
    return "\n".join(lines) + "\n"


def to_latex(table: ScoreTable, width: int) -> str:
    """A booktabs table; needs \\usepackage{booktabs}. Signatures follow as comments."""
    lines = [
        rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}",
        r"\toprule",
        " & ".join(["System", *(latex(heading(column)) for column in table.columns)]) + r" \\",
        r"\midrule",
    ]
    for system in table.systems:
        cells = [latex(system)]
        for column in table.columns:
            score = table.score(system, column.name)
            number = score.shown(width=width)
            if system in table.best(column.name):
                number = rf"\textbf{{{number}}}"
            if score.interval is not None:
                half = (score.interval.high - score.interval.low) / 2
                number += rf" $\pm$ {score.shown(half, width)}"
            if score.p_value is not None:
                number += rf" ($p={score.p_value:.4f}$)"
            cells.append(number)
        lines.append(" & ".join(cells) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [f"% {printable(column.signature)}" for column in table.columns]
    return "\n".join(lines) + "\n"


WRITERS: dict[str, Callable[[ScoreTable, int], str]] = {
    "json": to_json,
    "tsv": to_tsv,
    "markdown": to_markdown,
    "latex": to_latex,
}
