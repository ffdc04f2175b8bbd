"""A real browser without further packages: Chromium, spoken to over two pipes."""

from __future__ import annotations

import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

SILENCE = 120  # seconds after which a browser is taken for stuck
BINARY = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)


class Browser:
    """One tab; use it in a `with` statement."""

    served: tuple[str, ...] = ()  # addresses that pages may ask for

    def __enter__(self) -> Browser:
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        commands, answers = os.pipe(), os.pipe()

        def connect() -> None:  # Chromium reads commands from 3 and writes answers to 4
            # Copied out of the way first: one of them may itself be 3 or 4.
            read, write = os.dup(commands[0]), os.dup(answers[1])
            read, write = _above(read), _above(write)
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.process = subprocess.Popen(
            [str(BINARY), "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--disable-dev-shm-usage", f"--user-data-dir={self.folder.name}", "about:blank"],
            preexec_fn=connect, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(commands[0])
        os.close(answers[1])
        self.commands, self.answers = commands[1], answers[0]
        self.waiting = b""
        self.numbers = itertools.count(1)
        self.errors: list[str] = []
        self.loaded = False
        self.session: str | None = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        self.folder.cleanup()

    def call(self, method: str, **params: Any) -> Any:
        """A command of the DevTools protocol, and its answer."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": params}
        if self.session is not None:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self.waiting:
            if not select.select([self.answers], [], [], SILENCE)[0]:
                raise TimeoutError(f"the browser has said nothing for {SILENCE} seconds")
            block = os.read(self.answers, 1 << 20)
            if not block:
                raise RuntimeError("the browser has ended")
            self.waiting += block
        text, _, self.waiting = self.waiting.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        self._note(message.get("method", ""), message.get("params", {}))
        return message

    def _note(self, method: str, params: Any) -> None:
        if method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(params["exceptionDetails"])[:600])
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.errors.append(params["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
            self.errors.append(str(params["args"]))
        elif method == "Network.requestWillBeSent":
            url = params["request"]["url"]
            if not url.startswith(("file:", "data:", "blob:", "about:", *self.served)):
                self.errors.append(f"asks for {url}")
        elif method == "Page.loadEventFired":
            self.loaded = True

    def open(self, page: Path, *, width: int = 1200, height: int = 900, dark: bool = False) -> None:
        """Load a file in a window of that size."""
        self.visit(page.resolve().as_uri(), width=width, height=height, dark=dark)

    def visit(self, url: str, *, width: int = 1200, height: int = 900, dark: bool = False) -> None:
        """Load a page in a window of that size."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=width < 600,
        )  # fmt: skip
        theme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[theme])
        self.loaded = False
        if "loaderId" not in self.call("Page.navigate", url=url):  # the same page, at another place
            self.wait_for(f"location.href === {json.dumps(url)}")  # or it loads the old one
            self.call("Page.reload")
        while not self.loaded:
            self._next()

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page."""
        found = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in found:
            raise RuntimeError(json.dumps(found["exceptionDetails"])[:600])
        return found["result"].get("value")

    def wait_for(self, expression: str, seconds: float = 10) -> None:
        """Until the expression is true."""
        end = time.monotonic() + seconds
        while not self.evaluate(expression):
            if time.monotonic() > end:
                raise TimeoutError(expression)
            time.sleep(0.05)

    def screenshot(self, path: Path, *, whole: bool = True) -> None:
        """A PNG of the page."""
        found = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(found["data"]))

    def pdf(self, path: Path) -> None:
        """The page as it is printed."""
        path.write_bytes(base64.b64decode(self.call("Page.printToPDF")["data"]))


def _above(descriptor: int) -> int:
    """A copy of the descriptor that is neither 3 nor 4."""
    while descriptor in (3, 4):
        descriptor = os.dup(descriptor)
    return descriptor
