"""Name systems, and join files of text to what a data file holds."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from nlgauge.data.paths import is_there
from nlgauge.errors import DataError
from nlgauge.io.files import read_lines, shown
from nlgauge.io.request import STDIN, Request
from nlgauge.kernels import Texts

Column = Sequence[str] | Texts

_NOT_TEXT = (".jsonl", ".ndjson", ".tsv", ".csv", ".parquet", ".json")


def system_names(given: Sequence[str]) -> dict[str, str]:
    """Return the systems' files by name: the one before `=`, as in north=out/1.txt, or stems, with
    the folders that make them unique.
    """
    named = dict(filter(None, map(_named, given)))
    paths = [path for path in given if _named(path) is None]
    _check_distinct([*paths, *named.values()])
    if len(named) + len(paths) < len(given):
        raise DataError(f"systems {', '.join(given)}: two have the same name; choose others")
    groups: dict[str, list[str]] = {}
    for path in paths:
        groups.setdefault(stem(path), []).append(path)
    labels: dict[str, str] = {}
    for group in groups.values():
        labels |= dict(zip(group, _labels(group), strict=True))
    names = {labels[path]: path for path in paths}
    if len(names) < len(paths) or names.keys() & named.keys():
        names = {path: path for path in paths}
    # In the order given.
    found = {path: name for name, path in (named | names).items()}
    order = [named[own[0]] if (own := _named(text)) else text for text in given]
    return {found[path]: path for path in order}


def refuse_records(path: str, data: bytes) -> None:
    """Refuse a file of outputs whose lines are JSON objects and no texts."""
    named = path.lower().removesuffix(".gz").endswith((".json", ".jsonl", ".ndjson"))
    if named and data.lstrip().startswith((b"{", b"[")):
        raise DataError(
            f"{path}: holds records of JSON, and beside files of text only texts are read, one on "
            'each line or in an array ["...", "..."]; give records alone, with their references '
            "(nlgauge score FILE), or take the texts out: "
            f"jq -r .hypothesis {path} > outputs.txt"
        )


def _named(text: str) -> tuple[str, str] | None:
    """Return name and file of NAME=FILE; None if that is a file itself, or there is no name."""
    name, equals, path = text.partition("=")
    return (name, path) if equals and name and path and not is_there(text) else None


def stem(path: str) -> str:
    """Return the file name without its extension and without .gz; bytes that are no UTF-8, which
    no file of results can hold, are escaped.
    """
    if path == STDIN:
        return "stdin"
    name = Path(path)
    bare = name.with_suffix("").stem if name.suffix.lower() == ".gz" else name.stem
    return bare.encode("utf-8", "backslashreplace").decode("utf-8")


def join_systems(request: Request, systems: Mapping[str, Column], n: int) -> dict[str, Column]:
    """Return the systems of a data file with `n` segments, and those of the hypothesis files."""
    joined = dict(systems)
    for name, path in system_names(request.systems or ()).items():
        if path.removesuffix(".gz").lower().endswith(_NOT_TEXT):
            raise DataError(
                f"{path}: a hypothesis file beside a data file is text with one line per segment; "
                "give this one among the data files, with a `system` field in every record"
            )
        if name in joined:
            raise DataError(
                f"{shown(path)}: {_data(request)} has a system called {name!r} as well; "
                "rename the file"
            )
        joined[name] = _matching(request, path, n)
    if not joined:
        raise DataError(
            f"{_data(request)}: there are no hypotheses; say which field or column has them "
            "(--columns hypothesis=NAME), or give hypothesis files as systems (-i)"
        )
    return joined


def check_sizes(sizes: Sequence[tuple[str, int]], blank_ends: Collection[str] = ()) -> None:
    """Refuse files of different lengths; `blank_ends` are those whose last line is empty."""
    if len({size for _, size in sizes}) > 1:
        listing = ", ".join(f"{shown(path)}: {size}" for path, size in sizes)
        raise DataError(
            f"the files differ in their number of lines ({listing}); all need one line per "
            f"segment, in the same order{_extra_lines(sizes, blank_ends)}"
        )


def _extra_lines(sizes: Sequence[tuple[str, int]], blank_ends: Collection[str]) -> str:
    """Say which files have an empty line too much at their end, if that is all that differs."""
    longer = [path for path, size in sizes if size > min(size for _, size in sizes)]
    without = {size - (path in blank_ends) for path, size in sizes if path in longer}
    if without != {min(size for _, size in sizes)}:
        return ""
    return f"; the last line of {' and '.join(map(shown, longer))} is empty: delete it"


def join_sources(request: Request, sources: Column | None, n: int) -> Column | None:
    """Return the sources of a data file with `n` segments, or those of a file of their own."""
    if request.sources is None:
        return sources
    if sources is not None:
        raise DataError(
            f"{shown(request.sources)}: {_data(request)} has sources of its own; give only one"
        )
    return _matching(request, request.sources, n)


def _matching(request: Request, path: str, n: int) -> Texts:
    texts = read_lines(path, request.encoding)
    if len(texts) != n:
        raise DataError(
            f"{shown(path)} has {len(texts)} lines, {_data(request)} has {n} segments; "
            "each segment needs exactly one line"
        )
    return texts


def _data(request: Request) -> str:
    return ", ".join(map(shown, request.paths))


def _labels(group: Sequence[str]) -> Sequence[str]:
    for depth in range(1, max(len(Path(path).parts) for path in group) + 1):
        labels = ["/".join([*Path(path).parts[-depth:-1], stem(path)]) for path in group]
        if len(set(labels)) == len(labels):
            return labels
    return group  # they differ only in their extensions


def _check_distinct(paths: Sequence[str]) -> None:
    seen: dict[str, str] = {}
    for path in paths:
        key = path if path == STDIN else str(Path(path).resolve())
        if key in seen:
            raise DataError(
                f"systems {shown(seen[key])} and {shown(path)} are the same file; "
                "name every system once"
            )
        seen[key] = path
