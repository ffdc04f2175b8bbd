"""Keep replies by question: on disk, so that no reply is paid for twice, or in memory.

A reply is written before the connection that brought it takes the next question.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from nlgauge.data.judge_server import JudgeServer
from nlgauge.models.cache.database import Database, Entry
from nlgauge.models.judges.chat_replies import ReplyChoice

KIND = "replies"


class ReplyStore:
    """A store holds the replies of one model at one server."""

    def __init__(self, server: JudgeServer, model: str) -> None:
        place = f"{model} at {server.url.rstrip('/')}"
        self._disk = None if server.cache is None else Database(server.cache, KIND, place)
        self._memory: dict[bytes, bytes] = {}
        self._write: Callable[[Iterable[Entry]], None] = self._memory.update

    def read(self, keys: Sequence[bytes]) -> list[ReplyChoice | None]:
        """Return the reply under each key, or None."""
        found = [*map(self._memory.get, keys)] if self._disk is None else self._disk.read(keys)
        return [None if data is None else self._unpacked(data) for data in found]

    def _unpacked(self, data: bytes) -> ReplyChoice:
        try:
            return ReplyChoice.unpacked(data)
        except (zlib.error, ValueError, TypeError, LookupError, RecursionError) as error:
            if self._disk is None:
                raise
            raise self._disk.damaged(error) from None

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Keep the file open while replies come in."""
        if self._disk is None:
            yield
            return
        with self._disk.kept_open() as self._write:
            yield

    def keep(self, replies: Iterable[tuple[bytes, ReplyChoice]]) -> None:
        """Keep replies; when this returns, they are safe from whatever happens to this process."""
        self._write((key, choice.packed()) for key, choice in replies)
