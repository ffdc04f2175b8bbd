"""Serve the pages of a study until interrupted.

    nlgauge annotate serve study.db
    nlgauge annotate serve study.db --host 0.0.0.0 --port 8080 --https

For other machines, put a server that speaks https (nginx, Caddy) before it and give --https.
"""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge annotate serve`."""
    parser.add_argument("database", metavar="STUDY.DB", help="file or address of the study")
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="ADDRESS",
        help="address to listen on (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--port", type=int, default=8000, metavar="N",
        help="port to listen on; 0 is any that is free (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--https", action="store_true",
        help="annotators come by https, through a server before this one",
    )  # fmt: skip
    parser.add_argument(
        "--workers", type=int, default=1, metavar="N",
        help="number of processes, on PostgreSQL only (default: %(default)s)",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> None:
    """Listen, say where, and serve."""
    from nlgauge.annotate.store.database import open_database
    from nlgauge.annotate.store.studies import check_writable, load_settings
    from nlgauge.annotate.web.serving import bound_socket, check_workers, serve

    check_workers(arguments.database, arguments.workers)
    with open_database(arguments.database) as database:
        load_settings(database)  # what is wrong is said before anyone connects
        check_writable(database)
    listening = bound_socket(arguments.host, arguments.port)
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    print(f"serving {arguments.database} on http://{shown}:{port}; end with Ctrl-C", flush=True)
    serve(arguments.database, listening, secure=arguments.https, workers=arguments.workers)
