"""Folders that other people's checkpoints come in: what is in them, its hash, and its licence."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from nlgauge.core.resources import contents_hash
from nlgauge.data.paths import is_folder
from nlgauge.errors import ResourceMissing

# What can change a number: weights, settings, tokenisers.
ENDINGS = (".safetensors", ".bin", ".ckpt", ".json", ".yaml", ".model", ".txt", ".pt")
UNSTATED = "not stated"
_STATED = re.compile(r"^license(?:_name)?:\s*[\"']?([\w .+-]+?)[\"']?\s*$", re.MULTILINE)


@dataclass(frozen=True)
class CheckpointFolder:
    """A checkpoint folder holds weights that somebody else trained."""

    path: Path

    @classmethod
    def at(cls, path: Path, option: str = "model") -> CheckpointFolder:
        """Return the folder, or raise ResourceMissing if there is none."""
        if not is_folder(path):
            raise ResourceMissing(
                f"{option}={path}: there is no such folder; give that of a checkpoint, as nothing "
                "is downloaded"
            )
        return cls(path)

    @property
    def files(self) -> list[Path]:
        """Return the files that can change a number, by name."""
        found = (p for p in sorted(self.path.rglob("*")) if p.suffix in ENDINGS and p.is_file())
        return [p for p in found if not p.name.endswith(".index.json")]

    @property
    def name(self) -> str:
        """Return the folder and the hash of its files, as they stand in signatures."""
        return f"{self.path.resolve().name} {contents_hash(*self.files)[:12]}"

    @property
    def licence(self) -> str:
        """Return what the folder says of its licence: in the head of its README, or in a file of
        that name.
        """
        for path in sorted(self.path.glob("README*")):
            stated = _STATED.search(_start(path))
            if stated:
                return stated[1]
        for path in sorted((*self.path.glob("LICEN[CS]E*"), *self.path.glob("licen[cs]e*"))):
            lines = (line.strip(" #*\t") for line in _start(path).splitlines())
            return next(filter(None, lines), UNSTATED)[:80]
        return UNSTATED

    def facts(self) -> dict[str, str]:
        """Name the checkpoint and its licence, for signatures."""
        return {"model": self.name, "licence": self.licence}


def _start(path: Path) -> str:
    with path.open(encoding="utf-8", errors="replace") as file:
        return file.read(4096)


@contextmanager
def offline() -> Iterator[None]:
    """Keep libraries of Hugging Face from asking a server for anything."""
    names = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, "1"))
    try:
        from huggingface_hub import constants

        own, constants.HF_HUB_OFFLINE = constants.HF_HUB_OFFLINE, True
        try:
            yield
        finally:
            constants.HF_HUB_OFFLINE = own
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
