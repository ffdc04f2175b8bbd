"""Annotators that answer as fast as they can, and remember what was acknowledged."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from nlgauge.annotate import new_links, new_study, open_database

TOML = """
title = "Load"
show = ["source"]
[[question]]
protocol = "fluency"
[[question]]
protocol = "slider"
criterion = "adequacy"
[assignment]
annotators = {annotators}
"""


def make_study(items: int, annotators: int, name: str | None = None) -> str:
    """Make a study of so many items, each for all annotators, in a folder that stays."""
    folder = Path(tempfile.mkdtemp(prefix="nlgauge-load"))
    (folder / "study.toml").write_text(TOML.format(annotators=annotators), "utf-8")
    with (folder / "outputs.jsonl").open("w", encoding="utf-8") as file:
        for k in range(items):
            text = f"This is the output of number {k}, some ten words long."
            record = {"id": k, "source": f"Quelle {k}.", "system": f"s{k % 4}", "hypothesis": text}
            file.write(json.dumps(record) + "\n")
    name = name or str(folder / "study.db")
    new_study(str(folder / "study.toml"), [str(folder / "outputs.jsonl")], name).close()
    return name


@dataclass
class SimulatedAnnotator:
    """One connection that is kept open, and one session."""

    host: str
    port: int
    link: str
    cookie: str = ""
    csrf: str = ""
    given: str = ""
    latencies: list[float] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)  # keys of answers
    doubtful: dict[str, str] | None = None  # an answer that was sent and not acknowledged
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None

    async def enter(self) -> None:
        """Open the link, agree, and load the first task."""
        await self.connect()
        _, headers, _ = await self.request("GET", urlsplit(self.link).path)
        self.cookie = headers["set-cookie"].partition(";")[0]
        _, _, page = await self.request("GET", "/work")
        self.csrf = _hidden(page, "csrf")
        await self.request("POST", "/consent", {"csrf": self.csrf})
        await self.load()

    async def connect(self) -> None:
        """Connect anew, as after the server ended."""
        if self.writer is not None:
            self.writer.close()
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port)

    async def load(self) -> bool:
        """Load the page of the next task; False if there is none."""
        _, _, page = await self.request("GET", "/work")
        found = re.search(r'name="given" value="(\d+)"', page)
        self.given = found[1] if found else ""
        return bool(found)

    async def answer(self) -> None:
        """Answer the task, or send once more what was not acknowledged."""
        fields = self.doubtful or {
            "csrf": self.csrf, "given": self.given, "key": secrets.token_hex(8), "seconds": "1",
            "q0.fluency": "3", "q1.adequacy": "70",
        }  # fmt: skip
        self.doubtful = fields
        start = time.perf_counter()
        status, _, text = await self.request("POST", "/answer", fields)
        if status != 200:
            raise ConnectionError(f"{status}: {text[:200]}")
        self.latencies.append(time.perf_counter() - start)
        self.acknowledged.append(fields["key"])
        self.doubtful = None
        self.given = str(json.loads(text)["given"] or "")

    async def request(
        self, method: str, path: str, fields: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], str]:
        """Send a request and read the answer."""
        assert self.reader is not None
        assert self.writer is not None
        body = urlencode(fields or {}).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n"
        head += f"Cookie: {self.cookie}\r\nAccept: application/json\r\n"
        if fields is not None:
            head += "Content-Type: application/x-www-form-urlencoded\r\n"
        self.writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in lines[1:])}
        text = await self.reader.readexactly(int(headers["content-length"]))
        return int(lines[0].split()[1]), headers, text.decode()


def _hidden(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]+)"', page)
    if not found:
        raise ConnectionError(f"no {name} on the page: {page[:300]}")
    return found[1]


def annotators_for(name: str, port: int, count: int) -> list[SimulatedAnnotator]:
    """Make links, and an annotator for each."""
    with open_database(name) as database:
        links = new_links(database, count).values()
    return [SimulatedAnnotator("127.0.0.1", port, link) for link in links]


async def start_server(name: str, *options: str) -> tuple[asyncio.subprocess.Process, int]:
    """Start `nlgauge annotate serve` as a process of its own, and wait until it listens."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "nlgauge", "annotate", "serve", name, "--port", "0", *options,
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    line = (await process.stdout.readline()).decode()
    return process, int(re.findall(r":(\d+);", line)[0])
