"""Read outputs and references in any format, guessed from the names of their files."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from nlgauge.data.corpus import Suite
from nlgauge.data.paths import is_file, is_folder
from nlgauge.errors import DataError, SpecError
from nlgauge.io.column_names import ColumnNames, GivenColumns
from nlgauge.io.files import read_start
from nlgauge.io.request import SEPARATOR, STDIN, Request
from nlgauge.io.texts.systems import system_names
from nlgauge.io.texts.text_arrays import holds_texts

if TYPE_CHECKING:
    from nlgauge.io.fields import RecordPlace

PathLike = str | os.PathLike[str]

_MODULES = {
    "plain": "plain",
    "tsv": "tables",
    "csv": "tables",
    "jsonl": "jsonl",
    "parquet": "parquet",
    "wmt-xml": "datasets.wmt_xml",
    "sgml": "datasets.sgml",
    "coco": "datasets.coco",
    "mtme": "datasets.mtme",
    "dialogue-json": "datasets.dialogue_json",
    "parlai": "datasets.parlai",
    "json": "jsonl",
    "xlsx": "spreadsheet",
    "webnlg": "datasets.published",
    "json-texts": "text_arrays",
}
FORMATS = tuple(_MODULES)
RECORD_FORMATS = (
    "jsonl",
    "tsv",
    "csv",
    "parquet",
    "json",
    "xlsx",
    "webnlg",
    "dialogue-json",
    "parlai",
)

_BY_EXTENSION = {
    ".tsv": "tsv",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".xml": "wmt-xml",
    ".sgm": "sgml",
    ".sgml": "sgml",
    ".json": "coco",
    ".xlsx": "xlsx",
}
# What a file begins with where its extension tells too little.
_BY_OPENING = {".json": (b"[", "json"), ".xml": (b"<benchmark", "webnlg")}
# Their hypotheses are files of their own, so stdin takes the place of a file that is not named.
_SEPARATE_HYPOTHESES = ("plain", "sgml", "coco", "json-texts")


def read_suite(
    paths: PathLike | Sequence[PathLike],
    systems: PathLike | Sequence[PathLike] | None = None,
    *,
    format: str | None = None,
    sources: PathLike | None = None,
    encoding: str = "utf-8",
    num_refs: int = 1,
    id_fields: Sequence[str] = (),
    skip_unusable: bool = False,
    contexts: PathLike | None = None,
    turn_separator: str = SEPARATOR,
    features: PathLike | None = None,
    columns: GivenColumns = ColumnNames(),  # noqa: B008
) -> Suite:
    """Read what is to be scored; the module of each format says what its files look like.

    `paths`: the reference files (plain, sgml, coco), the data files (tsv, csv, jsonl, parquet,
    wmt-xml), or folder and language pair (mtme). `systems`: the hypothesis files; "-", and None for
    plain, sgml and coco, is stdin. The other formats hold hypotheses themselves, and files given
    here (text, one line per segment) join them. `format`: one of `FORMATS`, or None to go by the
    extension. `sources`: a file of sources. `num_refs`: every line of a plain reference file holds
    this many references, separated by tabs. Of records only: `id_fields` are the fields whose
    values together make the id, `columns` says which columns hold what, such as {"hypothesis":
    "summary"}, and `skip_unusable` leaves out segments without references or without some system's
    hypothesis, with a warning that lists them. `contexts`: a file with what was said before each
    segment on a line, its turns separated by `turn_separator`. `features`: an .npz file with a row
    of numbers for each id.
    """
    names, columns = names_of(paths), ColumnNames.of(columns)
    if num_refs < 1:
        raise SpecError(f"num_refs={num_refs}: it must be at least 1")
    if format is None:
        # Only plain files hold references separated by tabs, also when they are called .tsv.
        format = guess_format(names) if num_refs == 1 else "plain"
    if format not in _MODULES:
        raise SpecError(
            f"format={format!r} is not known; choose one of: {', '.join(FORMATS)}; "
            "how results are written is -f"
        )
    if num_refs > 1 and format != "plain":
        raise SpecError(f"num_refs={num_refs} is only for plain reference files, not for {format}")
    hyps = None if systems is None else names_of(systems)
    if format == "plain" and num_refs == 1 and _texts_among(hyps or ()):
        format = "json-texts"
    of_records = {"id_fields": id_fields, "skip_unusable": skip_unusable, "columns": columns.given}
    if format not in RECORD_FORMATS and any(of_records.values()):
        option = next(name for name, value in of_records.items() if value)
        raise SpecError(f"{option}: only for records ({', '.join(RECORD_FORMATS)}), not {format}")
    if skip_unusable and any(given is not None for given in (hyps, sources, contexts)):
        raise SpecError(
            "skip_unusable: not with systems, sources or contexts in files of their own, whose "
            "lines count "
            "on every record"
        )
    if hyps is None and format in _SEPARATE_HYPOTHESES:
        hyps = (STDIN,)
    request = Request(
        format,
        names,
        hyps,
        None if sources is None else os.fspath(sources),
        encoding,
        num_refs,
        tuple(id_fields),
        skip_unusable,
        None if contexts is None else os.fspath(contexts),
        turn_separator,
        None if features is None else os.fspath(features),
        columns,
    )
    request.check()
    suite: Suite = _reader(format).read(request)
    return _with_context_files(suite, request)


def read_suites_apart(
    paths: PathLike | Sequence[PathLike],
    *,
    format: str | None = None,
    encoding: str = "utf-8",
    id_fields: Sequence[str] = (),
    skip_unusable: bool = False,
    features: PathLike | None = None,
    columns: GivenColumns = ColumnNames(),  # noqa: B008
) -> dict[str, Suite]:
    """Read records as a suite of each system, of the segments that it has an output for: systems
    need not share any. Arguments are as for `read_suite`.
    """
    from nlgauge.io.texts.records import build_suites_apart

    names, columns = names_of(paths), ColumnNames.of(columns)
    format = format or guess_format(names)
    if format not in RECORD_FORMATS:
        raise SpecError(
            f"apart: systems with segments of their own are read from records "
            f"({', '.join(RECORD_FORMATS)}), not {format}"
        )
    request = Request(
        format,
        names,
        encoding=encoding,
        id_fields=tuple(id_fields),
        skip_unusable=skip_unusable,
        features=None if features is None else os.fspath(features),
        columns=columns,
    )
    request.check()
    suites = build_suites_apart(request, _reader(format).rows(request))
    return {name: _with_context_files(suite, request) for name, suite in suites.items()}


def _with_context_files(suite: Suite, request: Request) -> Suite:
    if request.contexts is None and request.features is None:
        return suite
    from nlgauge.io.texts.context_columns import with_context_files

    return with_context_files(suite, request)


def read_rows(
    request: Request, keep: Collection[str] = ()
) -> Iterator[tuple[RecordPlace, dict[str, Any]]]:
    """Yield every record of files in one of RECORD_FORMATS, and where it stands; `keep` are
    columns to keep beside those that hold fields.
    """
    for place, fields in _reader(request.format).rows(request):
        yield place, request.columns.renamed(place, fields, keep)


def _reader(format: str) -> ModuleType:
    return import_module(f"nlgauge.io.texts.{_MODULES[format]}")


def guess_format(paths: Sequence[PathLike]) -> str:
    """Return the format that extensions tell, also before .gz; plain for unknown ones."""
    if paths and is_folder(paths[0]):
        return "mtme"
    guesses = {os.fspath(path): _by_extension(Path(path)) for path in paths}
    if set(guesses.values()) == {"plain", "json-texts"}:
        return "json-texts"
    if len(set(guesses.values())) > 1:
        listing = ", ".join(f"{path}: {guess}" for path, guess in guesses.items())
        raise DataError(f"the extensions tell different formats ({listing}); give format=...")
    return next(iter(guesses.values()), "plain")


def _by_extension(path: Path) -> str:
    ending = (path.with_suffix("") if path.suffix.lower() == ".gz" else path).suffix.lower()
    if ending in _BY_OPENING and is_file(path):
        opening, format = _BY_OPENING[ending]
        start = read_start(os.fspath(path)).lstrip(b"\xef\xbb\xbf \t\r\n")
        captions = b'"image_id"' in start  # results of COCO, which are given as systems
        if ending == ".json" and holds_texts(os.fspath(path)):
            return "json-texts"
        if (opening in start if ending == ".xml" else start.startswith(opening)) and not captions:
            return format
    return _BY_EXTENSION.get(ending, "plain")


def _texts_among(systems: Sequence[str]) -> bool:
    """Return whether some system's outputs are an array of texts."""
    if not any(".json" in path.lower() for path in systems):  # nobody else waits for the imports
        return False
    return any(map(holds_texts, system_names(systems).values()))


def names_of(paths: PathLike | Sequence[PathLike]) -> tuple[str, ...]:
    """Return one or several paths as text."""
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    return tuple(os.fspath(path) for path in paths)
