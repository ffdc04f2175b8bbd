"""Parsers by name, as metrics have them for their option `parser`."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from nlgauge.data.parses import Chain, Parser
from nlgauge.models.syntax.parse_files import ENDINGS, ParseFiles
from nlgauge.models.syntax.spacy_parser import SpacyParser

HELP = "en, a pipeline of spaCy, a file or folder of parses (.conllu, .mrg), or chain"


def find_parser(name: str, *, entities: bool = False) -> Parser:
    """`en` is the English pipeline that is installed; `chain` lets words depend on the one before.
    With `entities`, pipelines find these, too.

    Raises ResourceMissing, with the command to run.
    """
    path = Path(name)
    if name.endswith(ENDINGS) or (name not in ("", "en", "chain") and path.is_dir()):
        found = [*path.iterdir()] if path.is_dir() else [path]
        states = [p.stat() for p in found if p.exists()]
        return _files(name, tuple(sorted((s.st_mtime_ns, s.st_size) for s in states)))
    return _named(name, entities)


@lru_cache(maxsize=4)
def _named(name: str, entities: bool) -> Parser:
    return Chain() if name == "chain" else SpacyParser(name, entities=entities)


@lru_cache(maxsize=4)
def _files(name: str, states: tuple[tuple[int, int], ...]) -> Parser:  # noqa: ARG001
    return ParseFiles(name)
