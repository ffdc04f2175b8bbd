"""Read plain text: one segment per line; references, systems and sources in files of their own.

Texts go from bytes to `Texts` without a str per line: test sets of some gigabytes are scored on
machines that hold them only about twice.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from nlgauge.data.corpus import References, Suite
from nlgauge.errors import DataError
from nlgauge.io.files import count_lines, read_line_bytes, read_lines, shown, warn
from nlgauge.io.request import Request
from nlgauge.io.texts.systems import check_sizes, refuse_records, system_names
from nlgauge.kernels import Texts


def read(request: Request) -> Suite:
    """Read reference files (`paths`) and hypothesis files (`systems`), maybe from .gz or stdin."""
    return read_columns(request, request.paths, system_names(request.systems or ()))


def read_columns(request: Request, refs: Sequence[str], systems: Mapping[str, str]) -> Suite:
    """Read the given reference files and system files (name -> file), and sources if asked for."""
    columns = [read_line_bytes(path, request.encoding) for path in refs]
    sizes = [(path, count_lines(data)) for path, data in zip(refs, columns, strict=True)]
    sources = None
    if request.sources is not None:
        sources = read_lines(request.sources, request.encoding)
        sizes.append((request.sources, len(sources)))
    hyps: dict[str, Texts] = {}
    blank_ends = {path for path, data in zip(refs, columns, strict=True) if _ends_blank(data)}
    for name, path in systems.items():
        data = read_line_bytes(path, request.encoding)
        refuse_records(path, data)
        if request.format == "plain":  # folders of mt-metrics-eval have such systems on purpose
            _warn_of_copies(name, path, data, dict(zip(refs, columns, strict=True)))
        blank_ends |= {path} if _ends_blank(data) else set()
        hyps[name] = Texts.from_lines(data)
        del data  # so that no file is held twice for long
        sizes.append((path, len(hyps[name])))
    check_sizes(sizes, blank_ends)
    _warn_of_blank_ends([path for path, _ in sizes if path != request.sources], blank_ends)
    _warn_of_twins(refs, columns)
    return Suite.build(hyps, references_of(refs, columns, request.num_refs), sources=sources)


def references_of(paths: Sequence[str], columns: list[bytes], num_refs: int) -> References | None:
    """Return the references of files' lines, and empty `columns`, so that no file is held twice for
    long.
    """
    if not columns:
        return None
    if num_refs > 1:
        for path, data in zip(paths, columns, strict=True):
            _check_fields(path, data, num_refs)
    per_segment = len(columns) * num_refs
    data = columns.pop() if len(columns) == 1 else _interleaved(columns)
    if num_refs > 1:
        data = data.replace(b"\t", b"\n")
    flat = Texts.from_lines(data)
    return References(flat, np.arange(0, len(flat) + 1, per_segment, dtype=np.int64))


def _interleaved(columns: list[bytes]) -> bytes:
    """Yield the first lines of all files, then the second lines, and so on."""
    merged = io.BytesIO()
    streams = [io.BytesIO(data if data.endswith(b"\n") else data + b"\n") for data in columns]
    columns.clear()
    for lines in zip(*streams, strict=True):
        merged.writelines(lines)
    return merged.getvalue()


def _check_fields(path: str, data: bytes, num_refs: int) -> None:
    for number, line in enumerate(io.BytesIO(data), start=1):
        fields = line.count(b"\t") + 1
        if fields != num_refs:
            raise DataError(
                f"{shown(path)}, line {number}: {fields} references separated by tabs, "
                f"num_refs={num_refs} asks for {num_refs} on every line"
            )


def _warn_of_twins(paths: Sequence[str], columns: Sequence[bytes]) -> None:
    for i, path in enumerate(paths):
        for k in range(i):
            if columns[i] == columns[k]:
                warn(
                    f"references {shown(paths[k])} and {shown(path)} are identical; "
                    "the second adds nothing to the first"
                )
                break


def _warn_of_copies(name: str, path: str, data: bytes, refs: Mapping[str, bytes]) -> None:
    """Warn of outputs that are a file of references, which somebody may have named twice."""
    same = next((ref for ref, found in refs.items() if found == data), None)
    if same is not None:
        warn(
            f"the outputs of {name} ({shown(path)}) are the references {shown(same)} themselves, "
            "so that a perfect score says nothing; check which files were named"
        )


def _ends_blank(data: bytes) -> bool:
    return data.endswith(b"\n\n") or data == b"\n"


def _warn_of_blank_ends(paths: Sequence[str], blank_ends: Collection[str]) -> None:
    """Warn if the last line of all files is empty, which makes a segment of it."""
    if len(paths) > 1 and all(path in blank_ends for path in paths):
        warn(
            f"the last line of {', '.join(map(shown, paths))} is empty and counts as a segment; "
            "delete it everywhere if it is none"
        )
