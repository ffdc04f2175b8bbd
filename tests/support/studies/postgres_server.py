"""A PostgreSQL server of its own, from Debian's package, in a temporary folder."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

FOLDER = max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)


class PostgresServer:
    """Use it in a `with` statement; `address()` is a new, empty database."""

    def __enter__(self) -> PostgresServer:
        self.folder = Path(tempfile.mkdtemp(prefix="nlgauge-pg"))
        # The server refuses to run as root.
        self.user: dict[str, Any] = {"user": "postgres"} if os.geteuid() == 0 else {}
        if self.user:
            shutil.chown(self.folder, "postgres")
        self._run("initdb", "-D", str(self.folder / "data"), "-U", "postgres", "-A", "trust")
        options = f"-c listen_addresses='' -c unix_socket_directories={self.folder}"
        self._run(
            "pg_ctl", "-D", str(self.folder / "data"), "-l", str(self.folder / "log"), "-w",
            "-o", options, "start",
        )  # fmt: skip
        self.numbers = itertools.count(1)
        return self

    def __exit__(self, *_: object) -> None:
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        assert FOLDER is not None
        subprocess.run(
            [str(FOLDER / program), *arguments], check=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, cwd=self.folder, **self.user,
        )  # fmt: skip

    def address(self) -> str:
        name = f"study{next(self.numbers)}"
        self._run("createdb", "-h", str(self.folder), "-U", "postgres", name)
        return f"postgresql://postgres@/{name}?host={quote(str(self.folder), safe='')}"
