"""A study that is served for real, and an annotator who fills in its forms over HTTP."""

from __future__ import annotations

import http.client
import json
import re
import threading
import time
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from nlgauge.annotate.store.database import StudyDatabase, open_database
from nlgauge.annotate.studies import new_links, new_study
from nlgauge.annotate.web.guards import RateLimit
from nlgauge.annotate.web.requests import Site
from nlgauge.annotate.web.serving import bound_socket, server_for


def make_study(folder: Path, toml: str, records: list[dict[str, Any]], name: str = "") -> str:
    """Write a study and its records, and make its database; return the database's name."""
    (folder / "study.toml").write_text(toml, encoding="utf-8")
    lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    (folder / "outputs.jsonl").write_text(lines, encoding="utf-8")
    name = name or str(folder / "study.db")
    new_study(str(folder / "study.toml"), [str(folder / "outputs.jsonl")], name).close()
    return name


class StudyServer:
    """A server in a thread of its own; use it in a `with` statement.

    Its annotators may be as fast as the machine is; only guesses are slowed down.
    """

    def __init__(self, name: str, port: int = 0) -> None:
        self.name, self.port = name, port

    def __enter__(self) -> StudyServer:
        self.socket = bound_socket("127.0.0.1", self.port)
        self.port = self.socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.server, self.close = server_for(self.name)
        self.site: Site = self.server.config.app.app.state.site
        self.site.pages = self.site.answers = RateLimit(1e9, 10**9)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.socket]})
        self.thread.start()
        while not self.server.started:
            time.sleep(0.005)
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.server.force_exit = True
        self.thread.join()
        self.close()
        self.socket.close()

    def database(self) -> StudyDatabase:
        return open_database(self.name)

    def links(self, count: int = 1, **options: Any) -> list[str]:
        with self.database() as database:
            return list(new_links(database, count, url=self.url, **options).values())

    def annotator(self, **options: Any) -> HttpAnnotator:
        """An annotator who has opened the link and agreed."""
        made = HttpAnnotator(self.url)
        made.get(urlsplit(self.links(**options)[0]).path)
        made.agree()
        return made


@dataclass
class Answered:
    status: int
    headers: dict[str, str]
    text: str

    def json(self) -> Any:
        return json.loads(self.text)


class HttpAnnotator:
    """A browser without a screen: cookies, forms and nothing else."""

    def __init__(self, url: str) -> None:
        self.host = urlsplit(url).netloc
        self.cookies: dict[str, str] = {}
        self.page = ""
        self.connection = http.client.HTTPConnection(self.host, timeout=30)

    def request(self, method: str, path: str, body: str | None = None, **headers: str) -> Answered:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        if body is not None:
            sent.setdefault("Content-Type", "application/x-www-form-urlencoded")
        self.connection.request(method, path, body, sent)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        found = {}
        for name, value in answer.getheaders():
            found[name.lower()] = value
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0]
        return Answered(answer.status, found, text)

    def get(self, path: str) -> Answered:
        answer = self.request("GET", path)
        self.page = answer.text
        return answer

    def post(self, path: str, fields: dict[str, Any], **headers: str) -> Answered:
        return self.request("POST", path, urlencode(fields, doseq=True), **headers)

    def agree(self) -> None:
        self.get("/work")
        if 'action="/consent"' in self.page:
            assert self.post("/consent", {"csrf": self.hidden("csrf")}).status == 303
            self.get("/work")

    def hidden(self, name: str) -> str:
        (value,) = re.findall(rf'<input type="hidden" name="{name}" value="([^"]*)"', self.page)
        return unescape(value)

    def open(self) -> bool:
        """Load the next task; False if there is none."""
        self.get("/work")
        return 'action="/answer"' in self.page

    def fields(self, **answers: Any) -> dict[str, Any]:
        kept = {name: self.hidden(name) for name in ("csrf", "given", "key")}
        return {**kept, "seconds": "1.5", **answers}

    def answer(self, answers: dict[str, Any], **headers: str) -> Answered:
        """Send answers to the task that is open, as the script of the page does."""
        return self.post(
            "/answer", {**self.fields(), **answers}, Accept="application/json", **headers
        )

    def texts(self) -> list[str]:
        """The texts on the page, in order."""
        found = re.findall(r'class="text"[^>]*>(.*?)</(?:p|span)>', self.page, re.DOTALL)
        return [unescape(text) for text in found]

    def options(self, name: str) -> dict[str, str]:
        """The values of a choice of texts, by text."""
        pattern = (
            rf'name="{re.escape(name)}" value="(\d+)"[^>]*>\s*<span class="text"[^>]*>(.*?)</span>'
        )
        return {unescape(text): value for value, text in re.findall(pattern, self.page, re.DOTALL)}
