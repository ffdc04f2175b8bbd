"""Collect segments of documents, as SGML and WMT XML have them; ids are "document:segment"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError
from nlgauge.io.files import warn
from nlgauge.io.request import Request
from nlgauge.io.texts.systems import join_sources, join_systems

_LINE_BREAK = re.compile(r"(?<!\s)[^\S\r\n]*[\r\n]\s*")  # from where white space starts: linear

Key = tuple[str, str]  # document, segment


@dataclass
class Layer:
    """A text for every segment of some documents, which a source, a reference or a system gives."""

    label: str  # as messages call it
    file: str
    documents: dict[str, dict[str, str]] = field(default_factory=dict)

    def add(self, place: str, doc: str, seg: str, text: str, *, repeated: bool = False) -> None:
        """Add a segment. White space around it and line breaks within belong to the markup. Only a
        `repeated` segment may be there already, and must be the same.
        """
        text = _LINE_BREAK.sub(" ", text.strip())
        segments = self.documents.setdefault(doc, {})
        if seg in segments and not repeated:
            raise DataError(
                f"{place}: {self.label}, document {doc!r}: segment {seg!r} is there twice; "
                "ids must be unique"
            )
        if segments.setdefault(seg, text) != text:
            raise DataError(
                f"{place}: {self.label}, document {doc!r}: segment {seg!r} differs from that in "
                f"{self.file}; check that the files belong together"
            )


def build_suite(
    request: Request,
    source: Layer | None,
    references: Sequence[Layer],
    systems: Mapping[str, Layer],
) -> Suite:
    """Put the segments in the order of the source, or of the references if there is no source."""
    layers = [source] if source is not None else references
    keys = _keys(layers or list(systems.values()))
    if not keys:
        raise DataError(f"{', '.join(request.paths)}: there are no segments; check the format")
    docs: dict[str, dict[str, None]] = {}
    for doc, seg in keys:
        docs.setdefault(doc, {})[seg] = None
    for layer in (*references, *systems.values()):
        _check_segments(layer, docs)
    for layer in systems.values():
        _check_documents(layer, docs)
    _check_references(references, docs)
    refs = [
        [layer.documents[doc][seg] for layer in references if doc in layer.documents]
        for doc, seg in keys
    ]
    own = {name: _column(layer, keys) for name, layer in systems.items()}
    sources = None if source is None else _column(source, keys)
    return Suite.build(
        join_systems(request, own, len(keys)),
        refs if references else None,
        ids=[f"{doc}:{seg}" for doc, seg in keys],
        sources=join_sources(request, sources, len(keys)),
    )


def _keys(layers: Iterable[Layer]) -> list[Key]:
    keys: dict[Key, None] = {}
    for layer in layers:
        for doc, segments in layer.documents.items():
            keys |= {(doc, seg): None for seg in segments}
    return list(keys)


def _column(layer: Layer, keys: Sequence[Key]) -> list[str]:
    return [layer.documents[doc][seg] for doc, seg in keys]


def _check_segments(layer: Layer, docs: Mapping[str, Mapping[str, None]]) -> None:
    for doc, segments in layer.documents.items():
        if doc not in docs:
            raise DataError(
                f"{layer.file}: {layer.label} has document {doc!r}, which is not in the source "
                "or references; check that the files belong together"
            )
        for seg in docs[doc]:
            if seg not in segments:
                raise DataError(
                    f"{layer.file}: {layer.label}, document {doc!r}: segment {seg!r} is missing; "
                    "add it (it may be empty)"
                )
        for seg in segments:
            if seg not in docs[doc]:
                raise DataError(
                    f"{layer.file}: {layer.label}, document {doc!r}: segment {seg!r} is not in "
                    "the source or references; check that the files belong together"
                )


def _check_documents(layer: Layer, docs: Mapping[str, Mapping[str, None]]) -> None:
    for doc, segments in docs.items():
        if doc not in layer.documents:
            raise DataError(
                f"{layer.file}: {layer.label}: document {doc!r} is missing, with segment "
                f"{next(iter(segments))!r} and all others; every system needs all documents"
            )


def _check_references(references: Sequence[Layer], docs: Mapping[str, Mapping[str, None]]) -> None:
    """Refuse a document without any reference; it may lack one translator's."""
    if not references:
        return
    for doc in docs:
        if not any(doc in layer.documents for layer in references):
            raise DataError(
                f"{references[0].file}: document {doc!r} has no reference, others have; "
                "add it, or take the document out"
            )
    for layer in references:
        lacking = sum(doc not in layer.documents for doc in docs)
        if lacking:
            warn(
                f"{layer.file}: {layer.label} is missing for {lacking} of {len(docs)} documents; "
                "their segments have fewer references than the others"
            )
