"""Look at paths that users give: any text may be one."""

from __future__ import annotations

import os
from pathlib import Path


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Return whether there is such a folder; a name that cannot be one is none."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):  # too long, a part that may not be entered, a NUL
        return False


def is_file(path: str | os.PathLike[str]) -> bool:
    """Return whether there is such a file; a name that cannot be one is none."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def is_there(path: str | os.PathLike[str]) -> bool:
    """Return whether there is anything of that name."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False
