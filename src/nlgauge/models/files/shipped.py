"""Find files that come with nlgauge: small ones in it, trained weights in nlgauge-models.

The second is a package of its own, in `packages/`, so that who needs no weights installs none.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from nlgauge.errors import ResourceMissing, fetch

PACKAGE = "nlgauge_models"
EXTRA = "models"
_OWN = Path(__file__).parents[1] / "data"


def shipped_folders() -> list[Path]:
    """Return the folders that have such files: nlgauge's own, and the package's if installed."""
    package = find_spec(PACKAGE)
    places = (package and package.submodule_search_locations) or ()
    return [_OWN, *(Path(place) / "data" for place in places)]


def shipped_file(name: str) -> Path:
    """Return the path of such a file, or raise ResourceMissing with the command to run."""
    folders = shipped_folders()
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    if len(folders) == 1:
        raise ResourceMissing(
            f"{name} comes with nlgauge-models, which is not installed", remedy=fetch(EXTRA)
        )
    raise ResourceMissing(f"{name} is not in {folders[-1]}", remedy=f"{fetch(EXTRA)} --again")


def shipped_model(metric: str, name: str) -> str:
    """Return the path of a metric's trained model, or raise ResourceMissing: the package of models
    is to be installed, or it has none for the options that were asked for.
    """
    folders = shipped_folders()
    file = f"{name}.safetensors"
    if len(folders) > 1 and not any((folder / file).is_file() for folder in folders):
        raise ResourceMissing(
            f"{metric}: no model ships for these options",
            remedy=f"nlgauge train {metric} judged.jsonl -o FILE, and give model=FILE",
        )
    return str(shipped_file(file))
