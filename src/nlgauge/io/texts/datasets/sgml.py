"""Read NIST and WMT SGML (.sgm): srcset, refset and tstset files with docs of segs.

The files are rarely well-formed: bare & and < are common, tags vary in case. So only the tags
srcset, refset, tstset, doc and seg are looked at, and everything else is text. By the definition of
the format &amp; &lt; &gt; &quot; &apos; and numeric references stand for characters; they are
replaced once. (sacreBLEU 2.6.0 leaves that to its tokenisers, so only some metrics see it.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError
from nlgauge.io.files import read_utf8, shown
from nlgauge.io.request import Request
from nlgauge.io.texts.documents import Layer, build_suite
from nlgauge.io.texts.systems import stem

_TAG = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg)\b([^<>]*)>", re.IGNORECASE)
# The name must start where a word does: inside of a long one each place would be tried.
_ATTRIBUTE = re.compile(r"""(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6}));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
# Where a set says whose texts it holds; both the set and each doc can.
_NAMES: dict[str, tuple[str, ...]] = {
    "srcset": (),
    "refset": ("refid", "sysid"),
    "tstset": ("sysid",),
}
_LABELS = {"srcset": "the source", "refset": "reference {!r}", "tstset": "system {!r}"}


def read(request: Request) -> Suite:
    """Read refset files (`paths`). `systems` and `sources`: tstset files and a srcset file, or text
    with one line per segment; only files called .sgm or .sgml (.gz) are read as SGML.
    """
    encoding = request.encoding
    files = request.data_files()
    refs = [layer for path in files for layer in _layers(path, "refset", encoding).values()]
    source = None
    if request.sources is not None and _is_sgml(request.sources):
        source = _layers(request.sources, "srcset", encoding)[""]
        request = request._replace(sources=None)
    systems: dict[str, Layer] = {}
    given = request.systems or ()
    for path in filter(_is_sgml, given):
        for name, layer in _layers(path, "tstset", encoding).items():
            if name in systems:
                raise DataError(
                    f"{path}: system {name!r} is in {systems[name].file} as well; "
                    "change the sysid in one of them"
                )
            systems[name] = layer
    texts = tuple(path for path in given if not _is_sgml(path))
    return build_suite(request._replace(systems=texts or None), source, refs, systems)


def _is_sgml(path: str) -> bool:
    return path.lower().removesuffix(".gz").endswith((".sgm", ".sgml"))


@dataclass
class _Segment:
    place: str
    doc: str
    id: str
    name: str  # of the reference or system; "" where the file does not say
    start: int  # of its text
    text: str = ""


def _layers(path: str, kind: str, encoding: str) -> dict[str, Layer]:
    """Return the layers of one file by name; it may hold several references or systems."""
    text = read_utf8(path, encoding).decode("utf-8")
    layers: dict[str, Layer] = {}
    for seg in _segments(shown(path), text, kind):
        name = "" if kind == "srcset" else seg.name or stem(path)
        layer = layers.setdefault(name, Layer(_LABELS[kind].format(name), shown(path)))
        layer.add(seg.place, seg.doc, seg.id, _unescaped(seg))
    if not layers:
        raise DataError(f"{shown(path)}: there is no <seg>, so this is no {kind} in SGML")
    return layers


def _segments(file: str, text: str, expected: str) -> Iterator[_Segment]:
    line, position = 1, 0
    of_set: dict[str, str] = {}
    of_doc: dict[str, str] | None = None
    seg: _Segment | None = None
    for tag in _TAG.finditer(text):
        line += text.count("\n", position, tag.start())
        position = tag.start()
        place = f"{file}, line {line}"
        closing, kind, attributes = bool(tag[1]), tag[2].lower(), _attributes(tag[3])
        if seg is not None:
            if not closing or kind != "seg":
                break
            seg.text = text[seg.start : tag.start()]
            yield seg
            seg = None
        elif closing:
            if kind == "seg":
                raise DataError(f"{place}: </seg> without <seg>; delete it")
            of_doc = None
        elif kind == "seg":
            if of_doc is None:
                raise DataError(f"{place}: <seg> outside of a <doc>; check the file")
            names = [attrs.get(key) for attrs in (of_doc, of_set) for key in _NAMES[expected]]
            name = next(filter(None, names), "")
            ident = _required(place, attributes, "seg", "id")
            doc = _required(place, of_doc, "doc", "docid")
            seg = _Segment(place, doc, ident, name, tag.end())
        elif kind == "doc":
            of_doc = attributes
        elif kind == expected:
            of_set = attributes
        else:
            raise DataError(f"{place}: <{kind}>, expected <{expected}>; give the files in order")
    if seg is not None:
        raise DataError(f"{seg.place}: <seg id={seg.id!r}> is not closed; add </seg>")


def _attributes(text: str) -> dict[str, str]:
    return {key.lower(): a or b or c for key, a, b, c in _ATTRIBUTE.findall(text)}


def _required(place: str, attributes: dict[str, str], tag: str, name: str) -> str:
    if not attributes.get(name):
        raise DataError(f"{place}: <{tag}> has no attribute {name!r}; add it")
    return attributes[name]


def _unescaped(seg: _Segment) -> str:
    def character(entity: re.Match[str]) -> str:
        if entity[1]:
            return _NAMED[entity[1]]
        code = int(entity[2]) if entity[2] else int(entity[3], 16)
        if not 0 < code <= 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            raise DataError(f"{seg.place}: {entity[0]} stands for no character; correct it")
        return chr(code)

    return _ENTITY.sub(character, seg.text)
