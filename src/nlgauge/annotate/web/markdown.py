"""Turn Markdown into HTML that can do nothing: whatever is no Markdown is shown as text.

Headings, paragraphs, lists, quotations, emphasis, code and links to web and mail addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

_INLINE = (
    (re.compile(r"`([^`]+)`"), r"<code>\1</code>"),
    (re.compile(r"\*\*(\S(?:.*?\S)?)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"(?<!\w)[*_](\S(?:[^*_]*\S)?)[*_](?!\w)"), r"<em>\1</em>"),
)
# The text was escaped before: no quote, < or > is left in an address.
_LINK = re.compile(r"\[([^\[\]]+)\]\(((?:https?://|mailto:)[^\s()]+)\)")
_ITEM = re.compile(r"(?:[-*+]|(\d+)[.)])\s+(.*)")


def to_html(text: str) -> str:
    """Return Markdown as HTML without scripts."""
    return "\n".join(_blocks(text.replace("\r\n", "\n").split("\n")))


def _blocks(lines: list[str]) -> Iterator[str]:
    k = 0
    while k < len(lines):
        line = lines[k].strip()
        if not line:
            k += 1
        elif heading := re.match(r"(#{1,4})\s+(.*)", line):
            level = len(heading[1])
            yield f"<h{level}>{_inline(heading[2])}</h{level}>"
            k += 1
        elif item := _ITEM.match(line):
            tag = "ol" if item[1] else "ul"
            items = []
            while k < len(lines) and (lines[k].strip()):
                found = _ITEM.match(lines[k].strip())
                if found:
                    items.append(found[2])
                else:
                    items[-1] += " " + lines[k].strip()
                k += 1
            yield f"<{tag}>{''.join(f'<li>{_inline(each)}</li>' for each in items)}</{tag}>"
        else:
            quoted = line.startswith(">")
            part = []
            while k < len(lines) and lines[k].strip() and not re.match(r"#{1,4}\s", lines[k]):
                part.append(
                    lines[k].strip().removeprefix(">").strip() if quoted else lines[k].strip()
                )
                k += 1
            said = f"<p>{_inline(' '.join(part))}</p>"
            yield f"<blockquote>{said}</blockquote>" if quoted else said


def _inline(text: str) -> str:
    shown = escape(text, quote=True)
    links: list[str] = []

    def kept(found: re.Match[str]) -> str:
        links.append(f'<a href="{found[2]}" rel="noopener noreferrer">{found[1]}</a>')
        return f"\0{len(links) - 1}\0"

    shown = _LINK.sub(kept, shown.replace("\0", ""))
    for pattern, made in _INLINE:
        shown = pattern.sub(made, shown)
    return re.sub("\0(\\d+)\0", lambda found: links[int(found[1])], shown)
