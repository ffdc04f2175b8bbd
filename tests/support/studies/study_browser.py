"""A browser that takes part in studies by keyboard alone, and looks for barriers with axe-core."""

from __future__ import annotations

import json
import time
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from support.chromium import Browser

_CODES = {
    "Tab": 9, "Enter": 13, "Space": 32, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38,
    "ArrowRight": 39, "ArrowDown": 40, "Backspace": 8, "Escape": 27,
}  # fmt: skip
_MODIFIERS = {"Alt": 1, "Control": 2, "Shift": 8}
_MOST_TABS = 80


@cache
def axe_source() -> str | None:
    """The text of axe-core: of npm (`npm install --no-save axe-core`) or of a Python package."""
    root = Path(__file__).parents[3]
    places = [root / "node_modules" / "axe-core" / "axe.min.js"]
    if (spec := find_spec("axe_playwright_python")) and spec.submodule_search_locations:
        places.append(Path(spec.submodule_search_locations[0]) / "axe.min.js")
    return next((place.read_text("utf-8") for place in places if place.exists()), None)


class StudyBrowser(Browser):
    """A tab in which only keys are pressed."""

    def press(self, keys: str) -> None:
        """Press a key, such as "Enter" or "Shift+ArrowRight"; "text:..." types; "Tab:..." presses
        Tab until the focus is on what the selector names.
        """
        if keys.startswith("text:"):
            for character in keys.removeprefix("text:"):
                self._key(character, character, 0)
            return
        if keys.startswith("Tab:"):
            self.tab_to(keys.removeprefix("Tab:"))
            return
        *held, key = keys.split("+")
        self._key(key, "", sum(_MODIFIERS[name] for name in held))

    def _key(self, key: str, text: str, modifiers: int) -> None:
        if len(key) == 1:
            text, code = key, ord(key.upper()) if key.isalnum() else 0
        else:
            code = _CODES[key]
            text = {"Enter": "\r", "Space": " "}.get(key, "")
            key = " " if key == "Space" else key
        event = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        if text and not modifiers:
            event["text"] = text
        self.call("Input.dispatchKeyEvent", type="keyDown", **event)
        event.pop("text", None)
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def tab_to(self, selector: str) -> None:
        """Press Tab until the focus is on what the selector names."""
        for _ in range(_MOST_TABS):
            if self.evaluate(f"document.activeElement.matches({json.dumps(selector)})"):
                return
            self.press("Tab")
        raise AssertionError(f"{selector} cannot be reached with the Tab key")

    def until(self, expression: str, seconds: float = 60) -> None:
        """Wait until an expression is true, through loads of pages."""
        end = time.monotonic() + seconds
        while True:
            try:
                if self.evaluate(expression):
                    return
            except RuntimeError:  # the page was just being replaced
                pass
            if time.monotonic() > end:
                page = self.evaluate("document.body.innerText")
                raise TimeoutError(f"{expression}; the page says: {page[:400]}")
            time.sleep(0.02)

    def enter(self, link: str, **window: Any) -> None:
        """Open a link, agree, and go to the first task."""
        self.visit(link, **window)
        self.until("document.querySelector('form[action=\"/consent\"]') !== null")
        self.tab_to("button[type=submit]")
        self.press("Enter")
        self.until(
            "document.readyState === 'complete' && "
            "document.querySelector('form[data-send], a.button') !== null"
        )
        if self.evaluate("document.querySelector('form[data-send]') === null"):
            self.tab_to("a.button")
            self.press("Enter")
        self.until(
            "document.readyState === 'complete' && "
            "document.querySelector('form[data-send]') !== null"
        )  # before, keys would go to a page whose scripts do not listen yet

    def to_form(self) -> None:
        """Press Tab until the focus is on the first field of the form."""
        self.tab_to("form[data-send] *")

    def send(self) -> None:
        """Press the button, and wait for the page after."""
        self.evaluate("window.here = true")
        self.tab_to("form[data-send] button[type=submit]")
        self.press("Enter")
        self.until("window.here === undefined && document.readyState === 'complete'")

    def barriers(self, but: str = "") -> list[str]:
        """What axe-core finds against WCAG 2.2 AA on the page, but for what a selector names."""
        source = axe_source()
        assert source is not None
        self.evaluate(source + ";0")
        tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
        where = json.dumps({"exclude": [but]}) if but else "document"
        found = self.evaluate(
            f"axe.run({where}, {{runOnly: {json.dumps(tags)}}}).then((r) => r.violations.map("
            "(v) => `${v.id}: ${v.nodes.map((n) => n.html).join(' ')}`))"
        )
        return list(found)

    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        return int(
            self.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            )
        )
