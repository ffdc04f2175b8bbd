"""Finders of constituents and of roles by name, as metrics have them for the options `trees` and
`roles`: our own model, or files.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from nlgauge.data.constituents import Flat, TreeParser
from nlgauge.data.frames import NoFrames, RoleLabeller
from nlgauge.errors import ResourceMissing, fetch
from nlgauge.models.syntax.role_files import ROLES, RoleFiles
from nlgauge.models.syntax.tree_files import TREES, TreeFiles

TREES_HELP = "en, a file or folder of bracketed trees (.mrg), or flat"
ROLES_HELP = "en, a file or folder of roles (.jsonl, .assert, .props, .conll05, .conll09, .conll12)"


_flat, _none = Flat(), NoFrames()


def find_trees(name: str) -> TreeParser:
    """`en` is our own parser; `flat` takes a text for one constituent of its words.

    Raises ResourceMissing, with the command to run.
    """
    if name == "flat":
        return _flat
    found: TreeParser = _model("trees") if name == "en" else _files(TreeFiles, name, TREES)
    return found


def find_frames(name: str) -> RoleLabeller:
    """`en` is our own labeller; `none` finds no frames.

    Raises ResourceMissing, with the command to run.
    """
    if name == "none":
        return _none
    found: RoleLabeller = _model("roles") if name == "en" else _files(RoleFiles, name, ROLES)
    return found


def english_annotator(option: str, name: str) -> tuple[str, ...]:
    """Name an annotator if it was made for English: ours, or a pipeline of spaCy."""
    return (f"{option}={name}",) if name.partition("_")[0] == "en" else ()


@lru_cache(maxsize=2)
def _model(what: str) -> Any:
    try:
        structure = import_module(
            "nlgauge.models.structure.annotator"
        )  # late: it brings the encoder
    except ImportError as error:
        raise ResourceMissing(f"{what}=en: {error}", remedy=fetch("neural")) from None
    return structure.parser() if what == "trees" else structure.labeller()


def _files(kind: Any, name: str, endings: tuple[str, ...]) -> Any:
    """Read again when a file has changed."""
    path = Path(name)
    if not path.is_dir() and not name.endswith(endings):
        raise kind.unknown(name)
    found = [*path.iterdir()] if path.is_dir() else [path]
    states = [p.stat() for p in found if p.exists()]
    return _read(kind, name, tuple(sorted((s.st_mtime_ns, s.st_size) for s in states)))


@lru_cache(maxsize=8)
def _read(kind: Any, name: str, states: tuple[tuple[int, int], ...]) -> Any:  # noqa: ARG001
    return kind(name)
