"""Read the key of a server, and keep it out of everything that is shown or stored."""

from __future__ import annotations

import os
from pathlib import Path

from nlgauge.data.judge_server import JudgeServer
from nlgauge.errors import ResourceMissing

HIDDEN = "[key]"


class ServerKey:
    """A key knows itself, sends itself, and takes itself out of texts."""

    __slots__ = ("_value",)

    def __init__(self, value: str = "") -> None:
        self._value = value

    def __repr__(self) -> str:
        return f"ServerKey({HIDDEN if self._value else ''})"

    def headers(self) -> dict[str, str]:
        """Return the header that carries the key; none if there is no key."""
        return {"Authorization": f"Bearer {self._value}"} if self._value else {}

    def without(self, text: str) -> str:
        """Return a text in which the key, if a server repeated it, is not to be read."""
        return text.replace(self._value, HIDDEN) if self._value else text


def read_key(server: JudgeServer) -> ServerKey:
    """Read the key from where the user said that it is; without that, none is sent."""
    if server.key_env:
        found = os.environ.get(server.key_env, "").strip()
        place = f"environment variable {server.key_env}"
    elif server.key_file:
        place = f"key file {server.key_file}"
        try:
            found = Path(server.key_file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "is no text"
            raise ResourceMissing(f"{place}: {reason}; check the path") from None
    else:
        return ServerKey()
    if not found:
        raise ResourceMissing(f"{place}: holds no key; check that the key of {server.url} is there")
    if not found.isascii() or not found.isprintable() or " " in found:
        raise ResourceMissing(f"{place}: holds more than a key; check that it is the key alone")
    return ServerKey(found)
