"""A page that was written, taken apart."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

VOID = {"meta", "input", "br", "link", "img"}


class Page(HTMLParser):
    """Elements with their attributes, texts by element, and a check that all are closed."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.cells: list[tuple[dict[str, str | None], str]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.text = ""
        self.source = path.read_text(encoding="utf-8")
        self.feed(self.source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append((dict(attrs), ""))
        if tag == "script":
            self.scripts.append((dict(attrs), ""))

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "script" in self.open:
            self.scripts[-1] = (self.scripts[-1][0], self.scripts[-1][1] + data)
        elif "td" in self.open or "th" in self.open:
            self.cells[-1] = (self.cells[-1][0], self.cells[-1][1] + data)
        self.text += data

    def check_that_nothing_is_fetched(self) -> None:
        for tag, attrs in self.tags:
            assert tag not in ("link", "img", "iframe", "object", "base")
            assert "src" not in attrs
            assert not any(name.startswith("on") for name in attrs)
            assert (attrs.get("href") or "#").startswith("#")
        urls = set(re.findall(r"https?://[^\s\"'<>)]+", self.source))
        assert urls <= {"http://www.w3.org/2000/svg"}  # a name, not a place
        assert "@import" not in self.source
        assert "url(" not in self.source

    def data(self, identifier: str) -> Any:
        (text,) = (text for attrs, text in self.scripts if attrs.get("id") == f"_{identifier}")
        return json.loads(text)
