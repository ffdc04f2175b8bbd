"""Read the folder layout of mt-metrics-eval: one folder per test set, several language pairs in it.

    sources/en-de.txt  references/en-de.refA.txt  system-outputs/en-de/<system>.txt

`documents`, `human-scores` and `metric-scores` may lie beside them; they are not read here.
"""

from __future__ import annotations

from pathlib import Path

from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError
from nlgauge.io.request import Request
from nlgauge.io.texts.plain import read_columns
from nlgauge.io.texts.systems import system_names


def read(request: Request) -> Suite:
    """Read a test set. `paths`: the folder, the language pair unless there is only one, and, to use
    only some, the names of references. `systems`: further hypothesis files.
    """
    if request.sources is not None:
        raise DataError(f"sources={request.sources!r}: the folder has its own; leave it out")
    folder = Path(request.data_files()[0])
    pair = _pair(folder, request.paths[1:2])
    refs = _references(folder, pair, request.paths[2:])
    outputs = folder / "system-outputs" / pair
    systems = {path.name.removesuffix(".txt"): str(path) for path in _texts(outputs)}
    for name, path in system_names(request.systems or ()).items():
        if name in systems:
            raise DataError(f"{path}: {outputs} has a system {name!r} as well; rename the file")
        systems[name] = path
    if not systems:
        raise DataError(f"{outputs}: there are no files *.txt, so there is no system to score")
    source = folder / "sources" / f"{pair}.txt"
    return read_columns(request._replace(sources=str(source)), refs, systems)


def _pair(folder: Path, named: tuple[str, ...]) -> str:
    pairs = [path.name.removesuffix(".txt") for path in _texts(folder / "sources")]
    if not pairs:
        raise DataError(
            f"{folder}: there is no sources/<language pair>.txt, so this is no test set in the "
            "layout of mt-metrics-eval; name the folder of one test set, such as wmt22"
        )
    if not named and len(pairs) > 1:
        raise DataError(
            f"{folder}: there are several language pairs; name one after the folder: "
            f"{', '.join(pairs)}"
        )
    if named and named[0] not in pairs:
        raise DataError(f"{folder}: no language pair {named[0]!r}; there is: {', '.join(pairs)}")
    return named[0] if named else pairs[0]


def _references(folder: Path, pair: str, named: tuple[str, ...]) -> list[str]:
    found = {
        path.name.removeprefix(f"{pair}.").removesuffix(".txt"): str(path)
        for path in _texts(folder / "references")
        if path.name.startswith(f"{pair}.")
    }
    for name in named:
        if name not in found:
            listing = ", ".join(found) or "none"
            raise DataError(f"{folder}: no reference {name!r} for {pair}; there is: {listing}")
    return [found[name] for name in named or found]


def _texts(folder: Path) -> list[Path]:
    # Names that start with a dot are left by file managers.
    return sorted(path for path in folder.glob("*.txt") if not path.name.startswith("."))
