"""Let results show themselves: in a terminal, in notebooks, as frames, for papers, as a page."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any


class Result:
    """A result is printed as the commands print it, and turns into what other tools read.

    What shows results stands above them, and is looked up by name when it is asked for.
    """

    def __str__(self) -> str:
        return str(_views().to_text(self))

    def __repr__(self) -> str:
        return str(_views().summary(self))

    def _repr_html_(self) -> str:
        """Return tables for a notebook."""
        return str(_views().to_html(self))

    def record(self) -> Any:
        """Return what JSON has of the result: all its fields, unless a kind says otherwise."""
        return self

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as the commands write them as JSON."""
        return dict(_views().to_dict(self))

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame, with the bounds of intervals in columns of their own."""
        return _views().to_frame(self, "pandas")

    def to_polars(self) -> Any:
        """Return a polars DataFrame, with the bounds of intervals in columns of their own."""
        return _views().to_frame(self, "polars")

    def to_latex(self, *, caption: str = "", label: str = "") -> str:
        """Return tables for a paper; with a caption or a label, each in a table environment."""
        return str(_views().to_latex(self, caption=caption, label=label))

    def to_markdown(self) -> str:
        """Return tables as Markdown, such as for the summary of a CI job."""
        return str(_views().to_markdown(self))

    def report(self, path: str | os.PathLike[str], *, title: str = "") -> None:
        """Write one HTML page with tables, figures and, if they are known, the texts."""
        _views().write(self, path, title)

    def plot(self) -> Any:
        """Return the figures of the page; notebooks show them, and `save(folder)` writes them."""
        return _views().plot(self)


def _views() -> Any:
    return import_module("nlgauge.report.views")
