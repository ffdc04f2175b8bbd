"""Read WMT XML (2021 and later): dataset / collection / doc / src, ref, hyp / p / seg.

Documents of a test suite (attribute `testsuite`) have no references and are left out, as in
sacreBLEU 2.6.0. Expat, which xml.etree is built on, is used directly: only it tells lines.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from xml.parsers import expat

from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError
from nlgauge.io.files import read_bytes, recode, shown, warn
from nlgauge.io.request import Request
from nlgauge.io.texts.documents import Layer, build_suite

_KINDS = ("src", "ref", "hyp")
_DECLARED = re.compile(
    rb"""<\?xml[^>]{0,200}?\sencoding\s{0,9}=\s{0,9}["']([A-Za-z][\w.-]{0,40})["']"""
)
_EXPAT = ("utf-8", "utf-16", "iso-8859-1", "us-ascii")  # what expat reads itself


def read(request: Request) -> Suite:
    """Read XML files (`paths`), which may divide documents, references and systems between them;
    `systems`: further hypotheses, as XML or as text with a line for each segment.
    """
    given = request.systems or ()
    xml = [path for path in given if path.lower().removesuffix(".gz").endswith(".xml")]
    found = _Found()
    for path in (*request.data_files(), *xml):
        _Parser(path, request.encoding, found).run()
    files = ", ".join(map(shown, request.paths))
    if found.suites:
        warn(
            f"{files}: left out {len(found.suites)} documents of test suites, which have no "
            "references"
        )
    if len(found.languages) > 1:
        raise DataError(
            f"{files}: the references are in several languages "
            f"({', '.join(sorted(found.languages))}); give one language pair at a time"
        )
    texts = tuple(path for path in given if path not in xml)
    return build_suite(
        request._replace(systems=texts or None),
        found.layers["src"].get(""),
        list(found.layers["ref"].values()),
        found.layers["hyp"],
    )


@dataclass
class _Found:
    """What all files hold together, as far as they were read."""

    layers: dict[str, dict[str, Layer]] = field(default_factory=lambda: {k: {} for k in _KINDS})
    languages: set[str] = field(default_factory=set)
    suites: set[str] = field(default_factory=set)


def _known_encoding(data: bytes, given: str) -> str | None:
    """Return the encoding that the caller knows better, or that the file declares; or None."""
    if codecs.lookup(given).name != "utf-8":
        return given
    declared = _DECLARED.match(data)
    return None if declared is None else declared[1].decode("ascii").lower()


class _Parser:
    """A parser that adds the segments of one file to what was found."""

    def __init__(self, path: str, encoding: str, found: _Found) -> None:
        self.path = path
        self.found = found
        self.doc: str | None = None
        self.in_suite = False
        self.translator = ""
        self.layer: Layer | None = None
        self.repeated = False
        self.seg: str | None = None
        self.text: list[str] = []
        self.data = read_bytes(path)
        known = _known_encoding(self.data, encoding)
        if known is not None and known not in _EXPAT:
            self.data, known = recode(path, self.data, known), "utf-8"
        self.parser = expat.ParserCreate(known)
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters

    def run(self) -> None:
        try:
            self.parser.Parse(self.data, True)
        except expat.ExpatError as error:
            raise DataError(
                f"{shown(self.path)}, line {error.lineno}, column {error.offset + 1}: not "
                f"well-formed XML ({expat.ErrorString(error.code)}); check the tags, and write "
                "& as &amp;"
            ) from None

    def _place(self) -> str:
        return f"{shown(self.path)}, line {self.parser.CurrentLineNumber}"

    def _doctype(self, *_: object) -> None:
        # Entities can be declared only here, and could name other files or grow without limit.
        raise DataError(f"{self._place()}: DOCTYPE and entities are refused; delete the DOCTYPE")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "doc":
            self.doc = self._attribute(tag, attributes, "id")
            self.translator = ""
            self.in_suite = "testsuite" in attributes
            if self.in_suite:
                self.found.suites.add(self.doc)
        elif tag in _KINDS:
            self.layer = self._layer(tag, attributes)
        elif tag == "seg":
            if self.layer is None or self.doc is None:
                raise DataError(f"{self._place()}: <seg> must be in src, ref or hyp of a doc")
            self.seg, self.text = self._attribute(tag, attributes, "id"), []

    def _layer(self, kind: str, attributes: dict[str, str]) -> Layer:
        name, label = "", "the source"
        if kind == "src":
            # Some development sets of 2021 name the translator here, not at the reference.
            self.translator = attributes.get("translator", "")
        elif kind == "ref":
            name = attributes.get("translator", self.translator)
            label = f"reference of translator {name!r}"
            if "lang" in attributes:
                self.found.languages.add(attributes["lang"])
        else:
            name = self._attribute(kind, attributes, "system")
            label = f"system {name!r}"
        layer = Layer(label, shown(self.path))
        if not self.in_suite:
            layer = self.found.layers[kind].setdefault(name, layer)
        # Submissions repeat the source of the test set.
        self.repeated = kind == "src" and layer.file != shown(self.path)
        return layer

    def _end(self, tag: str) -> None:
        if tag == "seg" and self.layer and self.doc is not None and self.seg is not None:
            text = "".join(self.text)
            self.layer.add(self._place(), self.doc, self.seg, text, repeated=self.repeated)
            self.seg = None
        elif tag in _KINDS:
            self.layer = None
        elif tag == "doc":
            self.doc = None

    def _characters(self, text: str) -> None:
        if self.seg is not None:
            self.text.append(text)

    def _attribute(self, tag: str, attributes: dict[str, str], name: str) -> str:
        if name not in attributes:
            raise DataError(f"{self._place()}: <{tag}> has no attribute {name!r}; add it")
        return attributes[name]
