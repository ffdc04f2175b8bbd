"""Take bracketed trees from files, so that the output of any parser can be scored."""

from __future__ import annotations

from collections.abc import Sequence

from nlgauge.core.resources import digest
from nlgauge.data.constituents import Constituent
from nlgauge.data.parses import glued
from nlgauge.errors import ResourceMissing
from nlgauge.io.annotations.brackets import read_trees, unescaped
from nlgauge.models.files.located import SentenceFinder, parse_command, paths_of

TREES = (".mrg", ".mrg.gz")  # bracketed, as in the Penn Treebank


class TreeFiles:
    """These files give the trees of a text by its words."""

    def __init__(self, path: str) -> None:
        paths = paths_of("trees", path, "trees", TREES)
        self.path = path
        self.name = "file " + "+".join(digest("trees", p) for p in paths)
        trees = (tree for p in paths for tree in read_trees(p))
        self._located = SentenceFinder(
            (glued(unescaped("".join(tree.words))), tree) for tree in trees
        )

    def trees(self, texts: Sequence[str], *, threads: int = 1) -> list[list[Constituent]]:  # noqa: ARG002
        """Return the sentences of each text; a text that is in no file is an error."""
        return self._located.of(
            map(unescaped, texts),
            lambda text: (
                f"{self.path}: has no tree of {text}; parse all hypotheses and references, without "
                "changing their words"
            ),
        )

    @staticmethod
    def unknown(name: str) -> ResourceMissing:
        """Return what to say of a name that is none of a file."""
        return ResourceMissing(
            f"trees={name}: no such parser; give en, flat, or files of bracketed trees that end in "
            + " or ".join(TREES),
            remedy=parse_command("trees", TREES[0]),
        )
