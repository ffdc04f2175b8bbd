"""Find parsers by name, as metrics have them for their option `parser`."""

from __future__ import annotations

from functools import lru_cache

from nlgauge.core.file_cache import FileCache
from nlgauge.data.parses import Chain, Parser
from nlgauge.data.paths import is_folder
from nlgauge.models.syntax.parse_files import ENDINGS, ParseFiles
from nlgauge.models.syntax.spacy_parser import SpacyParser

HELP = "en, a pipeline of spaCy, a file or folder of parses (.conllu, .mrg), or chain"


def find_parser(name: str, *, entities: bool = False) -> Parser:
    """Return the parser of a name: `en` is the English pipeline that is installed, and `chain` lets
    words depend on the one before. With `entities`, pipelines find these, too.

    Raises ResourceMissing, with the command to run.
    """
    if name.endswith(ENDINGS) or (name not in ("", "en", "chain") and is_folder(name)):
        return _files.get([name], name)
    return _named(name, entities)


_files = FileCache(ParseFiles, most=4)


@lru_cache(maxsize=4)
def _named(name: str, entities: bool) -> Parser:
    return Chain() if name == "chain" else SpacyParser(name, entities=entities)
