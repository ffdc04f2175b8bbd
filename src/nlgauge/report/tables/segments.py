"""Write the scores of segments to files."""

from __future__ import annotations

from collections.abc import Iterator

from nlgauge.core.table import ScoreTable
from nlgauge.errors import SpecError
from nlgauge.io.streams.segment_files import UnwrittenScores
from nlgauge.io.write import write_jsonl, write_tsv


def write_segments(path: str, table: ScoreTable) -> None:
    """Write segment scores in the format that the file's name tells.

    JSONL has the parts of every score, TSV and Parquet the scores alone.
    """
    format = segments_format(path)
    if format == "parquet":
        names = [c.name for c in table.columns]
        scores = {s: [table.segment_scores(s, name) for name in names] for s in table.systems}
        columns = {system: [columns] for system, columns in scores.items()}
        UnwrittenScores(names, columns=columns, ids=[table.ids]).write(path, "parquet")
    elif format == "jsonl":
        write_jsonl(path, table.records())
    else:
        write_tsv(path, ["system", "id", *(c.name for c in table.columns)], _rows(table))


def segments_format(path: str) -> str:
    """Return jsonl, tsv or parquet, as the name of the file tells."""
    if path.endswith(".parquet"):
        return "parquet"
    name = path.removesuffix(".gz")
    if path == "-" or name.endswith((".jsonl", ".ndjson")):
        return "jsonl"
    if name.endswith(".tsv"):
        return "tsv"
    raise SpecError(
        f"segments file {path}: its name must end in .jsonl or .tsv (or .gz after it), or .parquet"
    )


def _rows(table: ScoreTable) -> Iterator[list[str | float]]:
    for system in table.systems:
        scores = [table.segment_scores(system, c.name).tolist() for c in table.columns]
        for i, segment_id in enumerate(table.segment_ids):
            yield [system, segment_id, *(values[i] for values in scores)]
