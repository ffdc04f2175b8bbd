"""How fast judges ask: segments a second against a server that answers at once.

    python benchmarks/judges.py --segments 10000 --connections 64

The server runs in a process of its own. With --cache, every reply is on disk before the next
question of its connection is asked; a second run then takes all replies from there.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import tempfile
import time
from typing import Any

from nlgauge import Corpus, RunContext
from nlgauge.core import registry
from nlgauge.data import JudgeServer

REPLY = (
    b'{"model":"m","system_fingerprint":"fp_1","choices":[{"message":{"role":"assistant",'
    b'"content":"85"},"finish_reason":"stop"}],"usage":{"prompt_tokens":220,"completion_tokens":1}}'
)
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (
    len(REPLY),
    REPLY,
)


def serve(pipe: Any) -> None:
    import asyncio

    class Instant(asyncio.Protocol):
        def connection_made(self, transport: Any) -> None:
            self.transport, self.waiting = transport, b""

        def data_received(self, data: bytes) -> None:
            self.waiting += data
            while (end := self.waiting.find(b"\r\n\r\n")) >= 0:
                head = self.waiting[:end].lower()
                size = int(head.split(b"content-length: ")[1].split(b"\r\n")[0])
                if len(self.waiting) < end + 4 + size:
                    return
                self.waiting = self.waiting[end + 4 + size :]
                self.transport.write(ANSWER)

    async def run() -> None:
        server = await asyncio.get_running_loop().create_server(Instant, "127.0.0.1", 0)
        pipe.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


def measure(url: str, corpus: Corpus, connections: int, cache: str | None) -> float:
    server = JudgeServer(url=url, connections=connections, cache=cache)
    metric = registry.metric("judge-da(judge=m)")
    start = time.perf_counter()
    rows = metric.rows(corpus.within(RunContext(judge=server)))
    assert rows[:, 1].all()
    return len(corpus) / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=10_000)
    parser.add_argument("--connections", type=int, default=64)
    arguments = parser.parse_args()
    texts = [f"The {i}th boat left the harbour at dawn." for i in range(arguments.segments)]
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=serve, args=(theirs,), daemon=True
    )
    process.start()
    url = f"http://127.0.0.1:{ours.recv()}/v1"
    try:
        for kind, cached in (("no cache", False), ("cache", True)):
            with tempfile.TemporaryDirectory() as folder:
                where = folder if cached else None
                corpus = Corpus.build(texts, texts)
                speed = measure(url, corpus, arguments.connections, where)
                print(f"{kind}: {speed:,.0f} segments/s, {arguments.connections} connections")
                if cached:
                    again = measure(url, Corpus.build(texts, texts), arguments.connections, where)
                    print(f"all replies kept: {again:,.0f} segments/s")
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"peak memory: {most:,.0f} MiB")
    finally:
        process.terminate()
        process.join()


if __name__ == "__main__":
    main()
