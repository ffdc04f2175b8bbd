"""Find parsers of constituents and labellers of roles by name, as metrics have them for the options
`trees` and `roles`: our own model, or files.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any

from nlgauge.core.file_cache import FileCache
from nlgauge.data.constituents import Flat, TreeParser
from nlgauge.data.frames import NoFrames, RoleLabeller
from nlgauge.data.paths import is_folder
from nlgauge.errors import ResourceMissing, fetch
from nlgauge.models.syntax.role_files import ROLES, RoleFiles
from nlgauge.models.syntax.tree_files import TREES, TreeFiles

TREES_HELP = "en, a file or folder of bracketed trees (.mrg), or flat"
ROLES_HELP = "en, a file or folder of roles (.jsonl, .assert, .props, .conll05, .conll09, .conll12)"

_flat, _none = Flat(), NoFrames()
_tree_files, _role_files = FileCache(TreeFiles, most=4), FileCache(RoleFiles, most=4)


def find_trees(name: str) -> TreeParser:
    """Return the tree parser of a name: `en` is ours; `flat` takes a text for one constituent.

    Raises ResourceMissing, with the command to run.
    """
    if name == "flat":
        return _flat
    if name == "en":
        own: TreeParser = _model("trees")
        return own
    if not name.endswith(TREES) and not is_folder(name):
        raise TreeFiles.unknown(name)
    return _tree_files.get([name], name)


def find_frames(name: str) -> RoleLabeller:
    """Return the role labeller of a name: `en` is our own, and `none` finds no frames.

    Raises ResourceMissing, with the command to run.
    """
    if name == "none":
        return _none
    if name == "en":
        own: RoleLabeller = _model("roles")
        return own
    if not name.endswith(ROLES) and not is_folder(name):
        raise RoleFiles.unknown(name)
    return _role_files.get([name], name)


def english_annotator(option: str, name: str) -> tuple[str, ...]:
    """Name an annotator if it was made for English: ours, or a pipeline of spaCy."""
    return (f"{option}={name}",) if name.partition("_")[0] == "en" else ()


@lru_cache(maxsize=2)
def _model(what: str) -> Any:
    try:
        # Late, because it brings the encoder.
        structure = import_module("nlgauge.models.structure.annotator")
    except ImportError as error:
        raise ResourceMissing(f"{what}=en: {error}", remedy=fetch("neural")) from None
    return structure.parser() if what == "trees" else structure.labeller()
