"""Run the notebooks of a folder again, and store what they show now."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient


def executed(path: Path) -> Any:
    """Return the notebook with the outputs of today, without what differs from run to run."""
    notebook = nbformat.read(path, as_version=4)
    # The kernel starts in the notebook's folder, as for a reader; tables are as wide as a page.
    os.environ["COLUMNS"] = "100"
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", record_timing=False)
    client.execute(cwd=str(path.parent))
    for cell in notebook.cells:
        cell.metadata.clear()
    notebook.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


def shown(notebook: Any) -> list[list[str]]:
    """Return the texts and tables that each cell shows."""
    return [
        [
            output.get("text") or data.get("text/html") or data.get("text/plain") or str(output)
            for output in cell.get("outputs", [])
            for data in [output.get("data", {})]
        ]
        for cell in notebook.cells
    ]


if __name__ == "__main__":
    for file in sorted(Path(sys.argv[1]).glob("*.ipynb")):
        nbformat.write(executed(file), file)
