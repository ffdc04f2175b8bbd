"""Serve a study over HTTP, with one process or, on PostgreSQL, several."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Callable
from types import FrameType

import uvicorn

from nlgauge.annotate.store.database import is_address, open_database
from nlgauge.annotate.web.app import make_app
from nlgauge.errors import DataError, SpecError


def bound_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address; port 0 takes any that is free."""
    if not 0 <= port <= 65535:
        raise SpecError(f"port={port}: expected a number from 0 to 65535")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        raise DataError(
            f"{host}, port {port}: cannot be listened on ({error.strerror}); give another --port"
        ) from None
    made.listen(1024)
    return made


def server_for(name: str, *, secure: bool = False) -> tuple[uvicorn.Server, Callable[[], None]]:
    """Return a server of a study, and what closes its database."""
    database = open_database(name)
    config = uvicorn.Config(
        make_app(database, secure=secure),
        log_level="warning",
        access_log=False,  # addresses are nobody's business
        server_header=False,
        lifespan="off",
        proxy_headers=secure,
        timeout_keep_alive=75,
        limit_concurrency=2000,
    )
    return uvicorn.Server(config), database.close


def check_workers(name: str, workers: int) -> None:
    """Refuse more processes than a study can have."""
    if workers < 1:
        raise SpecError(f"workers={workers}: at least one is needed")
    if workers > 1 and not is_address(name):
        raise SpecError(
            f"workers={workers}: a study in a file is served by one process; for more, make it in "
            "PostgreSQL (annotate new ... -o postgresql://...)"
        )


def serve(name: str, listening: socket.socket, *, secure: bool = False, workers: int = 1) -> None:
    """Serve a study until the process is told to end."""
    if workers == 1:
        _serve(name, listening, secure)
        return
    children = []
    for _ in range(workers):
        if not (child := os.fork()):
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            _serve(name, listening, secure)
            os._exit(0)
        children.append(child)

    def end(number: int, _: FrameType | None) -> None:
        for child in children:
            os.kill(child, number)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    for child in children:
        os.waitpid(child, 0)


def _serve(name: str, listening: socket.socket, secure: bool) -> None:
    # The thread that writes gives the interpreter away at every statement, and has to get it back
    # from the one that speaks HTTP: at the usual 5 ms it would wait for most of its time.
    sys.setswitchinterval(0.001)
    server, close = server_for(name, secure=secure)
    try:
        server.run(sockets=[listening])
    finally:
        close()
