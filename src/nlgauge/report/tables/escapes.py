"""Make text safe for the places it is written to: terminals, TSV, Markdown, LaTeX."""

from __future__ import annotations

import re

from nlgauge.io.write import quoted

_LATEX = {c: f"\\{c}" for c in "&%$#_{}"} | {
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "–": "--",
    "†": r"$^{\dagger}$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    # What LaTeX's own font would print as other signs.
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    # What it does not know without further packages.
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "→": r"$\rightarrow$",
    "∞": r"$\infty$",
    "½": r"$\frac{1}{2}$",
    "²": "$^{2}$",
    "…": r"\dots{}",
    "✓": r"$\surd$",
    "✗": r"$\times$",
}
_LATEX |= {
    letter: rf"${name}$"
    for letter, name in {
        "α": r"\alpha",
        "β": r"\beta",
        "δ": r"\delta",
        "ε": r"\epsilon",
        "κ": r"\kappa",
        "λ": r"\lambda",
        "μ": r"\mu",
        "ν": r"\nu",
        "ρ": r"\rho",
        "σ": r"\sigma",
        "τ": r"\tau",
        "χ": r"\chi",
        "Δ": r"\Delta",
    }.items()
}
# What moves a cursor, starts a control sequence, ends a line somewhere, or cannot be encoded.
_CONTROL = "[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]"
_LEFT_BY_JSON = "[\x7f-\x9f\u2028\u2029\ud800-\udfff]"
_SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


def printable(text: str) -> str:
    r"""Return the text with escapes such as \x1b for characters that are no signs."""
    return text if text.isprintable() else re.sub(_CONTROL, _escape, text)


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    code = ord(character)
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")


def json_text(text: str) -> str:
    """Return JSON of `json.dumps` with the control characters that it leaves escaped, too."""
    return re.sub(_LEFT_BY_JSON, lambda match: f"\\u{ord(match[0]):04x}", text)


def latex(text: str) -> str:
    """Return the text escaped for the running text of LaTeX."""
    return "".join(_LATEX.get(c, c) for c in printable(text))


def latex_number(text: str) -> str:
    """Return a number, and its interval if it has one, with signs that are no hyphens."""
    return re.sub(r"(?<![\w-])-(?=[\d.])", "$-$", latex(text))


def one_line(text: str) -> str:
    """Return the text with escapes for tabs, line ends and other control characters."""
    return printable(text.replace("\\", "\\\\"))


def tsv_cell(text: str) -> str:
    """Return the text for a cell of TSV that a spreadsheet may open.

    Text that it would compute gets a ' before it; numbers stay as they are.
    """
    return one_line(quoted(text))


def markdown(text: str) -> str:
    """Return the text for a line of Markdown, where HTML and links would be followed."""
    text = one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("](", "]\\(")


def markdown_cell(text: str) -> str:
    """Return the text for a cell of a table in Markdown."""
    return markdown(text).replace("|", "\\|")
