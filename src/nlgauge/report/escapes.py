"""Text made safe for the formats it is written in."""

from __future__ import annotations

_LATEX = {c: f"\\{c}" for c in "&%$#_{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "–": "--",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
}


def latex(text: str) -> str:
    """For the running text of LaTeX."""
    return "".join(_LATEX.get(c, c) for c in text)


def one_line(text: str) -> str:
    """Without tabs and line ends, which become escapes."""
    for character, escape in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(character, escape)
    return text
