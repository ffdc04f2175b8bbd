"""What was read from files, kept as long as the files stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class FileCache(Generic[P, T]):
    """Remembers what a function made of files; a file that has changed is read again.

    The results of the last `most` different calls are kept. An error is not.
    """

    def __init__(self, load: Callable[P, T], *, most: int) -> None:
        def anew(_states: Hashable, *args: P.args, **options: P.kwargs) -> T:
            return load(*args, **options)

        self._known = lru_cache(maxsize=most)(anew)

    def get(self, files: Iterable[str | Path], *args: P.args, **options: P.kwargs) -> T:
        """Return what the function makes of the arguments, for which it reads these files.

        A folder stands for all files in it, and one that is missing is for the function to refuse.
        """
        known: Callable[..., T] = self._known
        return known(tuple(_state(Path(file)) for file in files), *args, **options)

    def clear(self) -> None:
        """Forget everything, so that all files are read again."""
        self._known.cache_clear()


def _state(path: Path) -> Hashable:
    """What changes when a file is written or replaced; None if there is none."""
    try:
        found = path.stat()
        inside = tuple(map(_state, sorted(path.iterdir()))) if path.is_dir() else ()
    except OSError:
        return None
    return str(path), found.st_mtime_ns, found.st_size, found.st_ino, inside
