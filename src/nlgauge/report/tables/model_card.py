"""Make the card of a trained model: what it was fitted to, and how it does on what it did not see.

All of it comes from the header of the model's file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nlgauge.report.tables.grid import Cell, Estimate, Field, Grid

ABOUT = "What it is"


def card_grids(header: Mapping[str, Any]) -> list[Grid]:
    """Return facts, figures and common sense of a model."""
    grids = [_facts(header)]
    if header["figures"]:
        grids.append(_figures(header))
    if header.get("common_sense"):
        grids.append(_sense(header))
    return grids


def _facts(header: Mapping[str, Any]) -> Grid:
    options = ", ".join(f"{k}={v}" for k, v in header["options"].items()) or "none"
    rows: list[list[Cell]] = [["metric", header["metric"]], ["options", options]]
    named = ("tuned", "criterion", "encoder", "predictor", "settings")
    rows += ([name, _text(header[name])] for name in named if header.get(name))
    if header["features"]:
        rows.append(["features", str(len(header["features"]))])
    total = _rows_of_all(header)
    for file in header["data"]:
        own = file.get("rows") if total is None else None
        parts = [file.get("name"), f"{own:,} rows" if own else None]
        parts += [file.get("licence"), (file.get("sha256") or "")[:12]]
        rows.append(["fitted to", ", ".join(part for part in parts if part)])
    if total is not None:
        rows.append(["rows", f"{total:,}"])
    rows.append(["held out", _text(header["split"])])
    if header.get("seed") is not None:
        rows.append(["seed", str(header["seed"])])
    if header.get("other_seeds"):
        others = (f"{seed}: {value:.3f}" for seed, value in header["other_seeds"].items())
        rows.append(["figures of other seeds", ", ".join(others)])
    if header.get("seconds") is not None:
        rows.append(["processor time of the fit", f"{header['seconds']:,.0f} s"])
    rows.append(["versions", _text(header["versions"])])
    return Grid(ABOUT, (Field("fact"), Field("value")), rows)


def _rows_of_all(header: Mapping[str, Any]) -> int | None:
    """Return the rows of several files together, if that is all that is known of them: headers
    have it for themselves or, older ones, with each file.
    """
    counts = [file.get("rows") for file in header["data"]]
    if len(counts) < 2 or len(set(counts)) > 1:
        return None
    total: int | None = counts[0] or header.get("rows")
    return total


def _figures(header: Mapping[str, Any]) -> Grid:
    fields = (Field("on"), Field("what"), Field("measure"), Field("value", "+.3f", apart=True))
    rows: list[list[Cell]] = []
    for figure in header["figures"]:
        measure = figure.get("measure", "Pearson")
        low, high = figure.get("interval", (None, None))
        rows.append([figure["on"], figure["name"], measure, Estimate(figure["value"], low, high)])
    notes = (
        "on outputs that the model was not fitted to, with 95 % intervals over groups; of several "
        "parts, such as language pairs, the mean",
        *(("control: ridge regression on the same features",) if _controlled(header) else ()),
        *header.get("notes", ()),
    )
    return Grid("Held-out figures", fields, rows, notes)


def _controlled(header: Mapping[str, Any]) -> bool:
    return any(figure["name"] == "control" for figure in header["figures"])


def _sense(header: Mapping[str, Any]) -> Grid:
    rows = [[kind, place] for kind, place in header["common_sense"].items()]
    notes = (
        "where changed references stand among the scores of real outputs, held out; identical "
        "ones should be at 99 at least, broken ones at 10 at most",
    )
    return Grid("Common sense", (Field("reference"), Field("percentile", ".1f")), rows, notes)


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{k} {v}" for k, v in value.items())
    return str(value)
