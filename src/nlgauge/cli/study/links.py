"""Make signed links that expire, one for each annotator, and print them.

nlgauge annotate links study.db -n 20 --url https://study.example.org
nlgauge annotate links study.db --names ann ben --days 7
nlgauge annotate links study.db --again                    those that were made before, once more
"""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `nlgauge annotate links`."""
    parser.add_argument("database", metavar="STUDY.DB", help="file or address of the study")
    parser.add_argument(
        "-n", "--count", type=int, default=1, metavar="N",
        help="number of annotators, who get pseudonyms (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--names", nargs="+", default=[], metavar="NAME", help="names in place of drawn pseudonyms"
    )
    parser.add_argument(
        "--role", default="", metavar="NAME",
        help="role that some protocols have, such as judge (default: none)",
    )  # fmt: skip
    parser.add_argument(
        "--again", action="store_true",
        help="print the links that were made before and are valid, and make none",
    )  # fmt: skip
    parser.add_argument(
        "--days", type=float, default=30.0, metavar="N",
        help="days until the links expire (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--url", default="http://127.0.0.1:8000", metavar="URL",
        help="address that annotators reach the server by (default: %(default)s)",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> None:
    """Add the annotators and print their links."""
    from nlgauge.annotate.store.database import open_database
    from nlgauge.annotate.studies import known_links, new_links

    with open_database(arguments.database) as database:
        if arguments.again:
            links = known_links(database, url=arguments.url)
        else:
            links = new_links(
                database, arguments.count, names=arguments.names, role=arguments.role,
                days=arguments.days, url=arguments.url,
            )  # fmt: skip
    for name, link in links.items():
        print(f"{name}\t{link}")
