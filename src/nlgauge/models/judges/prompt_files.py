"""Read prompts: TOML files with what a judge is told, ours or one's own.

    title = "Coherence, 1 to 5"
    kind = "number"              # what the reply is: number, errors, scored-errors or choice
    lowest = 1                   # of numbers
    highest = 5
    system = "You judge ..."
    prompt = "... {source?} ... {output} ..."

`{output}`, `{source}`, `{reference}` and `{context}` become the texts, each in its fence; `{first}`
and `{second}` are those of a choice. A paragraph with `{source?}` is left out where there is no
source.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal, get_args

from nlgauge.core.file_cache import FileCache
from nlgauge.core.resources import read_text
from nlgauge.errors import DataError, ResourceMissing, SpecError, did_you_mean, fetch
from nlgauge.models.judges.fencing import RULE, fenced, make_mark

ReplyKind = Literal["number", "errors", "scored-errors", "choice"]
TEXTS = ("output", "source", "reference", "context", "first", "second")
WORDS = ("source_language", "target_language")
_HOLE = re.compile(r"\{([a-z_]+)(\??)\}")
_FOLDER = Path(__file__).parent / "prompts"
_REQUIRED: dict[ReplyKind, tuple[str, ...]] = {
    "number": ("output",),
    "errors": ("output",),
    "scored-errors": ("output",),
    "choice": ("first", "second"),
}


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """A prompt has holes for texts; all that a judge is told follows from it and the texts."""

    name: str
    title: str
    kind: ReplyKind
    system: str
    prompt: str
    lowest: int = 0
    highest: int = 100

    @property
    def digest(self) -> str:
        """Return what tells this prompt, with the rule about fences, from others."""
        told = "\0".join(
            (self.kind, str(self.lowest), str(self.highest), self.system, self.prompt, RULE)
        )
        return hashlib.sha256(told.encode()).hexdigest()[:12]

    @cached_property
    def paragraphs(self) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
        """Return the paragraphs of the prompt, each with its holes."""
        texts = self.prompt.strip().split("\n\n")
        return tuple((text, tuple(_HOLE.findall(text))) for text in texts)

    def holes(self) -> dict[str, bool]:
        """Return the names of the texts that the prompt has a place for, and whether it needs
        them.
        """
        found: dict[str, bool] = {}
        for _, holes in self.paragraphs:
            for name, optional in holes:
                found[name] = found.get(name, False) or not optional
        return found

    def filled(self, texts: Mapping[str, Sequence[str]], words: Mapping[str, str]) -> list[str]:
        """Return what the judge is told first, and what it is asked."""
        mark = make_mark(text for given in texts.values() for text in given)
        values = {name: fenced(name, given, mark) for name, given in texts.items() if given}
        values |= {name: word for name, word in words.items() if word}

        kept = []
        for text, holes in self.paragraphs:
            if any(optional and name not in values for name, optional in holes):
                continue
            for name, _ in holes:
                if name not in values:
                    raise DataError(f"prompt {self.name}: needs a {name}, and there is none")
            kept.append(_HOLE.sub(lambda hole: values[hole[1]], text) if holes else text)
        return [f"{self.system.strip()}\n\n{RULE.format(mark=mark)}", "\n\n".join(kept)]


@cache
def prompt_names() -> tuple[str, ...]:
    """Return the names of the prompts that ship."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


def find_prompt(name: str) -> Prompt:
    """Return a prompt by its name, or from a file of one's own, which ends in .toml."""
    if name.endswith(".toml"):
        return _own.get([name], name)
    if name not in prompt_names():
        hint = did_you_mean(name, prompt_names(), f"there are {', '.join(prompt_names())}")
        raise SpecError(f"prompt={name}: {hint}; or give a file that ends in .toml")
    return _shipped(name)


@cache
def _shipped(name: str) -> Prompt:
    path = _FOLDER / f"{name}.toml"
    return _parsed(name, path.read_text(encoding="utf-8"))


def _read(path: str) -> Prompt:
    return _parsed(path, read_text("prompt", path))


_own: FileCache[[str], Prompt] = FileCache(_read, most=16)  # read once, as long as it stays


def _parsed(name: str, text: str) -> Prompt:
    try:
        found: dict[str, Any] = _toml().loads(text)
    except ValueError as error:
        raise DataError(f"prompt={name}: is no TOML ({error}); see the prompts that ship") from None
    known = {"title": str, "kind": str, "system": str, "prompt": str, "lowest": int, "highest": int}
    for key, value in found.items():
        if key not in known or not isinstance(value, known[key]) or isinstance(value, bool):
            expected = known[key].__name__ if key in known else f"one of {', '.join(known)}"
            raise DataError(f"prompt={name}: {key} = {value!r:.60}; expected {expected}")
    if missing := [key for key in ("title", "kind", "prompt") if not found.get(key)]:
        raise DataError(f"prompt={name}: has no {missing[0]}; see the prompts that ship")
    if found["kind"] not in get_args(ReplyKind):
        raise DataError(
            f"prompt={name}: kind is {found['kind']!r:.60}, expected one of "
            f"{', '.join(get_args(ReplyKind))}"
        )
    made = Prompt(**{"name": name, "system": "", **found})
    for hole in made.holes():
        if hole not in TEXTS + WORDS:
            raise DataError(
                f"prompt={name}: {{{hole}}} is no text; there are {', '.join(TEXTS + WORDS)}"
            )
    for hole in _REQUIRED[made.kind]:
        if not made.holes().get(hole):
            raise DataError(f"prompt={name}: lacks {{{hole}}}, the text that is to be judged")
    if not made.lowest < made.highest:
        raise DataError(f"prompt={name}: lowest is {made.lowest}, highest {made.highest}")
    return made


def _toml() -> Any:
    """Return the module that reads TOML; older Pythons get it with the extra."""
    if sys.version_info >= (3, 11):
        import tomllib

        return tomllib
    try:
        import tomli  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise ResourceMissing("prompts: need tomli", remedy=fetch("judge")) from None
    return tomli
