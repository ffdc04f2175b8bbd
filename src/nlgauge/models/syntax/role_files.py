"""Take roles from files, so that the output of any labeller can be scored."""

from __future__ import annotations

from collections.abc import Sequence

from nlgauge.core.resources import digest
from nlgauge.data.frames import FrameSentence
from nlgauge.data.parses import glued
from nlgauge.errors import ResourceMissing
from nlgauge.io.annotations.roles import READERS, read_roles
from nlgauge.models.files.located import SentenceFinder, parse_command, paths_of

ROLES = tuple(ending + gz for ending in READERS for gz in ("", ".gz"))


class RoleFiles:
    """These files give the frames of a text by its words."""

    def __init__(self, path: str) -> None:
        paths = paths_of("roles", path, "roles", ROLES)
        self.path = path
        self.name = "file " + "+".join(digest("roles", p) for p in paths)
        sentences = (sentence for p in paths for sentence in read_roles(p))
        self._located = SentenceFinder((glued("".join(s.words)), s) for s in sentences)

    def frames(self, texts: Sequence[str], *, threads: int = 1) -> list[list[FrameSentence]]:  # noqa: ARG002
        """Return the sentences of each text; a text that is in no file is an error."""
        return self._located.of(
            texts,
            lambda text: (
                f"{self.path}: has no sentence {text}; label all hypotheses and references, and "
                "let the file have those without any role, too"
            ),
        )

    @staticmethod
    def unknown(name: str) -> ResourceMissing:
        """Return what to say of a name that is none of a file."""
        return ResourceMissing(
            f"roles={name}: no such labeller; give en, none, or files of roles that end in "
            + ", ".join(READERS),
            remedy=parse_command("roles", ".jsonl"),
        )
