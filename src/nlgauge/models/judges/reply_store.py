"""Keep replies by question: on disk, so that no reply is paid for twice, or in memory.

A reply is on disk before the connection that brought it takes the next question. Replies that come
together are written together.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Sequence

from nlgauge.data.judge_server import JudgeServer
from nlgauge.models.cache.database import Database
from nlgauge.models.judges.chat_replies import Choice

KIND = "replies"


class ReplyStore:
    """A store holds the replies of one model at one server."""

    def __init__(self, server: JudgeServer, model: str) -> None:
        place = f"{model} at {server.url.rstrip('/')}"
        self._disk = None if server.cache is None else Database(server.cache, KIND, place)
        self._memory: dict[bytes, bytes] = {}
        self._waiting: list[tuple[bytes, bytes]] = []
        self._writing: asyncio.Lock | None = None

    def read(self, keys: Sequence[bytes]) -> list[Choice | None]:
        """Return the reply under each key, or None."""
        found = [*map(self._memory.get, keys)] if self._disk is None else self._disk.read(keys)
        return [None if data is None else self._unpacked(data) for data in found]

    def _unpacked(self, data: bytes) -> Choice:
        try:
            return Choice.unpacked(data)
        except (zlib.error, ValueError, TypeError, LookupError, RecursionError) as error:
            if self._disk is None:
                raise
            raise self._disk.damaged(error) from None

    def begin(self) -> None:
        """Get ready to keep replies in the event loop that runs now."""
        self._writing = asyncio.Lock()

    async def keep(self, replies: Sequence[tuple[bytes, Choice]]) -> None:
        """Keep replies; returns when they, and all that came before them, are safe."""
        rows = [(key, choice.packed()) for key, choice in replies]
        if self._disk is None or self._writing is None:
            self._memory.update(rows)
            return
        self._waiting += rows
        async with self._writing:
            if self._waiting:  # whoever was here before has written them otherwise
                batch, self._waiting = self._waiting, []
                loop = asyncio.get_running_loop()
                await loop.run_in_executor(None, self._disk.write, batch)
