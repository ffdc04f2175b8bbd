"""Write what commands and code print today into pages that show it."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from page_runner import renewed


def main() -> None:
    """Renew the pages that are named."""
    for page in map(Path, sys.argv[1:]):
        with tempfile.TemporaryDirectory() as folder:
            page.write_text(renewed(page.read_text("utf-8"), Path(folder)), "utf-8")


if __name__ == "__main__":
    main()
