"""A server that answers as OpenAI-compatible ones do, and fails as they do, on demand.

It speaks HTTP/1.1 on a socket of its own, so that it can cut, reset and spoil replies in every way
that networks know. Run as a program, it serves the overlap judge until it is stopped:

    python tests/support/judge_host.py --port 8077
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import math
import re
import socket
import struct
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

KEY = "sk-test-0f9d8c7b6a5e4d3c2b1a"
Fault = str  # 429, 503, 401, slow, broken, cut, reset, huge, empty, fewer, more, redirect
Body = Mapping[str, Any]
_FENCED = re.compile(
    r"^\[([a-z]+)(?: \d+)? ([0-9a-f]{16})\]\n(.*?)\n\[/\1(?: \d+)? \2\]$", re.M | re.S
)
_WORD = re.compile(r"\w+")


def fenced_texts(body: Body) -> dict[str, list[str]]:
    """The texts of a question by name, as a judge that keeps to the fences sees them."""
    found: dict[str, list[str]] = {}
    for name, _, text in _FENCED.findall(body["messages"][1]["content"]):
        found.setdefault(name, []).append(text)
    return found


def overlap(one: str, others: list[str]) -> float:
    """The best Dice coefficient of the words of two texts."""
    words = Counter(_WORD.findall(one.lower()))
    best = 0.0
    for other in others:
        theirs = Counter(_WORD.findall(other.lower()))
        total = words.total() + theirs.total()
        best = max(best, 2 * (words & theirs).total() / total if total else 1.0)
    return best


def overlap_judge(body: Body) -> str:
    """A judge of little sense: it counts common words, likes long texts, prefers the first of two
    that are about equally good, and marks words that are in no other text.
    """
    texts = fenced_texts(body)
    asked = body["messages"][1]["content"]
    held = texts.get("reference") or texts.get("source") or texts.get("context") or [""]
    if "first" in texts:
        one, other = (texts[name][0] for name in ("first", "second"))
        if held == [""]:  # nothing to compare with: the longer one
            return "FIRST" if len(one) >= 0.9 * len(other) else "SECOND"
        return "FIRST" if overlap(one, held) >= overlap(other, held) - 0.1 else "SECOND"
    share = overlap(texts["output"][0], held)
    if '"errors"' in asked:
        known = {word for text in held for word in _WORD.findall(text.lower())}
        strange = [w for w in _WORD.findall(texts["output"][0]) if w.lower() not in known]
        errors = [
            {"span": word, "category": "accuracy/mistranslation",
             "severity": "major" if len(word) > 5 else "minor"}
            for word in strange[:5]
        ]  # fmt: skip
        return json.dumps({"errors": errors, "score": round(100 * share)})
    if "from 0 to 100" in asked:
        return str(round(100 * share))
    return str(1 + round(4 * share))


@dataclass
class JudgeHost:
    """A server in a thread of its own; use it in a `with` statement."""

    judge: Callable[[Body], str] = overlap_judge
    # What goes wrong with a request: its number from 1, its contents, and the how-manieth time.
    fault: Callable[[int, Body, int], Fault | None] = lambda *_: None
    port: int = 0
    key: str = ""  # that is demanded; "": none is
    logprobs: Callable[[Body], list[Any] | None] = lambda _: None
    model: str | None = None  # reported in place of the one that was asked for
    retry_after: str = "0.01"
    version: str = "fp_1"
    usage: tuple[int, int] | None = None  # tokens that are reported; None: words and replies
    seen: Counter[str] = field(default_factory=Counter)  # requests by contents
    answered: Counter[str] = field(default_factory=Counter)  # of which a whole reply was sent
    bodies: list[Body] = field(default_factory=list)
    headers: list[str] = field(default_factory=list)
    number: int = 0
    most_open: int = 0

    def __enter__(self) -> JudgeHost:
        self._loop = asyncio.new_event_loop()
        self._open: set[asyncio.StreamWriter] = set()
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        ready.wait()
        return self

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        made = asyncio.start_server(
            self._serve, "127.0.0.1", self.port, reuse_address=True, limit=1 << 22
        )
        self._server = self._loop.run_until_complete(made)
        self.port = self._server.sockets[0].getsockname()[1]
        ready.set()
        self._loop.run_forever()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Close the door, and every connection in the middle of what it is doing."""

        async def close() -> None:
            self._server.close()
            for writer in list(self._open):
                _reset(writer)
            own = asyncio.current_task()
            for task in asyncio.all_tasks():
                if task is not own:
                    task.cancel()

        if not self._loop.is_closed():
            asyncio.run_coroutine_threadsafe(close(), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        self.most_open = max(self.most_open, len(self._open))
        try:
            while await self._one(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._open.discard(writer)
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        size = int(re.search(r"content-length: (\d+)", head, re.I)[1])  # type: ignore[index]
        raw = await reader.readexactly(size)
        body: Body = json.loads(raw)
        self.number += 1
        contents = hashlib.sha256(raw).hexdigest()
        self.seen[contents] += 1
        self.bodies.append(body)
        self.headers.append(head)
        if self.key and f"Authorization: Bearer {self.key}" not in head:
            said = {"error": {"message": f"Incorrect API key provided: {self.key}"}}
            await _send(writer, "401 Unauthorized", json.dumps(said).encode())
            return True
        fault = self.fault(self.number, body, self.seen[contents])
        if fault in ("429", "503", "500", "400"):
            more = f"Retry-After: {self.retry_after}\r\n" if fault == "429" else ""
            said = {"error": {"message": f"fault {fault}"}}
            await _send(writer, f"{fault} Fault", json.dumps(said).encode(), more)
            return True
        if fault == "no-logprobs":
            said = {"error": {"message": "logprobs are not supported with this model"}}
            await _send(writer, "400 Bad Request", json.dumps(said).encode())
            return True
        if fault == "new-limit" and "max_tokens" in body:
            said = {"error": {"message": "max_tokens: use 'max_completion_tokens' instead"}}
            await _send(writer, "400 Bad Request", json.dumps(said).encode())
            return True
        if fault == "redirect":
            await _send(writer, "307 Moved", b"{}", "Location: http://127.0.0.1:9/v1\r\n")
            return True
        if fault == "reset":
            _reset(writer)
            return False
        if fault == "slow":
            await asyncio.sleep(3600)
        payload = self._reply(body, fault)
        if fault == "broken":
            payload = payload[: len(payload) // 2]
        if fault == "huge":
            payload = json.dumps({"choices": [{"message": {"content": "7" * 1_200_000}}]}).encode()
        if fault == "cut":
            writer.write(_head("200 OK", len(payload)) + payload[: len(payload) // 2])
            await writer.drain()
            return False
        await _send(writer, "200 OK", payload)
        self.answered[contents] += 1
        return True

    def _reply(self, body: Body, fault: Fault | None) -> bytes:
        count = {"fewer": 1, "more": body.get("n", 1) + 3, "empty": 0}.get(
            fault or "", body.get("n", 1)
        )
        choices = []
        for _ in range(count):
            message: dict[str, Any] = {"role": "assistant", "content": self.judge(body)}
            if fault == "refusal":
                message = {"role": "assistant", "content": None, "refusal": "I will not judge."}
            choice: dict[str, Any] = {"message": message, "finish_reason": "stop"}
            if body.get("logprobs") and (likely := self.logprobs(body)) is not None:
                choice["logprobs"] = {"content": likely}
            choices.append(choice)
        model = body["model"] if self.model is None else self.model
        words = sum(len(m["content"].split()) for m in body["messages"])
        told, written = (words, count) if self.usage is None else self.usage
        usage = {"prompt_tokens": told, "completion_tokens": written}
        reply = {"model": model, "system_fingerprint": self.version, "choices": choices}
        return json.dumps(reply | {"usage": usage}, ensure_ascii=False).encode()


def scripted_host(
    replies: Mapping[str, str], grades: Mapping[str, Mapping[str, float]]
) -> JudgeHost:
    """A server that gives each output the reply, or the probabilities of grades, written for it."""

    def judged(body: Body) -> str:
        texts = fenced_texts(body)
        return (
            texts["output"][0]
            if "output" in texts
            else f"{texts['first'][0]} | {texts['second'][0]}"
        )

    def judge(body: Body) -> str:
        text = judged(body)
        return replies[text] if text in replies else max(grades[text], key=grades[text].__getitem__)

    def logprobs(body: Body) -> list[Any] | None:
        likely = grades.get(judged(body))
        if likely is None:
            return None
        tokens = [{"token": t, "logprob": math.log(p)} for t, p in likely.items()]
        best = max(tokens, key=lambda token: token["logprob"])
        return [best | {"top_logprobs": tokens}]

    return JudgeHost(judge=judge, logprobs=logprobs)


def _head(status: str, size: int, more: str = "") -> bytes:
    kind = "Content-Type: application/json\r\n"
    return f"HTTP/1.1 {status}\r\n{kind}{more}Content-Length: {size}\r\n\r\n".encode()


async def _send(writer: asyncio.StreamWriter, status: str, payload: bytes, more: str = "") -> None:
    writer.write(_head(status, len(payload), more) + payload)
    await writer.drain()


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close a connection with a reset, as a crashed server does."""
    plug = writer.get_extra_info("socket")
    if plug is not None:
        plug.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    with JudgeHost(port=parser.parse_args().port) as host:
        print(host.url, flush=True)
        try:
            host._thread.join()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
