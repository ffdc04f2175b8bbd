"""Write the cards of the models that ship, from the headers of their files.

python docs/make_cards.py docs/reference/cards.md
"""

from __future__ import annotations

import sys
from pathlib import Path

from nlgauge.models.files.shipped import shipped_folders
from nlgauge.models.files.tensor_file import read_tensors
from nlgauge.models.files.trained_model import HEADER, read_any_model
from nlgauge.report.tables.grid import WRITERS
from nlgauge.report.tables.model_card import card_grids

INTRODUCTION = """# Cards of the models that ship

Written by `docs/make_cards.py` from the headers of the files; `nlgauge train card FILE` shows the
same of a model of your own. [train](../guide/train.md) says what the figures mean.

Next: `nlgauge train --help` lists what can be fitted to judgements of yours.
"""


def shipped() -> list[Path]:
    """Return the files that `nlgauge train` wrote."""
    found = (path for folder in shipped_folders() for path in folder.glob("*.safetensors"))
    files = sorted(found, key=lambda path: path.name)
    return [path for path in files if HEADER in read_tensors(path)[0]]


def page() -> str:
    """Return the cards of all models that ship."""
    parts = [INTRODUCTION]
    for path in shipped():
        size = path.stat().st_size / 1e6
        parts.append(f"## {path.stem}\n\nThe file has {size:.1f} MB.\n")
        parts.append(WRITERS["markdown"](card_grids(read_any_model(str(path)).header)))
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
