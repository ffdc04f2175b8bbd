"""Read COCO captions: annotations `{"annotations": [{"image_id": 1, "caption": "..."}, ...], ...}`
as references and results `[{"image_id": 1, "caption": "..."}, ...]`, one file per system.

As in the COCO tools only the images that the results name are scored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nlgauge.data.corpus import Suite
from nlgauge.errors import DataError
from nlgauge.io.files import read_utf8, shown, warn
from nlgauge.io.json_text import parse_json
from nlgauge.io.request import Request
from nlgauge.io.texts.systems import system_names


def read(request: Request) -> Suite:
    """Read a file of annotations (`paths`) and files of results (`systems`); ids are image ids."""
    if len(request.paths) != 1:
        raise DataError(
            f"coco: {len(request.paths)} annotation files are given, expected one; "
            "results are given as systems (-i)"
        )
    if request.sources is not None:
        raise DataError(f"sources={request.sources!r}: captions have none; leave it out")
    path = request.paths[0]
    refs = _annotations(path, request.encoding)
    results = {
        name: _results(file, request.encoding, refs, shown(path))
        for name, file in system_names(request.systems or ()).items()
    }
    _check_same_images(results)
    named = next(iter(results.values()))
    ids = [image for image in refs if image in named]
    if len(ids) < len(refs):
        warn(
            f"{shown(path)}: {len(refs) - len(ids)} of {len(refs)} images have no result and are "
            f"left out; the first are {_first(image for image in refs if image not in named)}"
        )
    return Suite.build(
        {name: [captions[image] for image in ids] for name, captions in results.items()},
        [refs[image] for image in ids],
        ids=ids,
    )


def _annotations(path: str, encoding: str) -> dict[str, list[str]]:
    """Return the captions of each image, in the order of the images."""
    data = parse_json(read_utf8(path, encoding), shown(path), lines=True)
    found = data.get("annotations") if isinstance(data, dict) else None
    if not isinstance(found, list) or not found:
        raise DataError(
            f'{shown(path)}: expected an object with a list "annotations" of '
            '{"image_id": ..., "caption": ...}; results are given as systems (-i). Other JSON is '
            'an array: of records [{"reference": ..., "hypothesis": ...}] or texts ["...", "..."]'
        )
    refs: dict[str, list[str]] = {}
    for image, caption in _captions(shown(path), "annotations", found):
        refs.setdefault(image, []).append(caption)
    return refs


def _results(
    path: str, encoding: str, refs: Mapping[str, Sequence[str]], annotations: str
) -> dict[str, str]:
    data = parse_json(read_utf8(path, encoding), shown(path), lines=True)
    if not isinstance(data, list) or not data:
        raise DataError(
            f'{shown(path)}: expected a list of results [{{"image_id": ..., "caption": ...}}, ...]'
        )
    captions: dict[str, str] = {}
    for image, caption in _captions(shown(path), "results", data):
        if image in captions:
            raise DataError(f"{shown(path)}: image {image!r} has two results; keep one")
        captions[image] = caption
    strange = [image for image in captions if image not in refs]
    if strange:
        raise DataError(
            f"{shown(path)}: {len(strange)} images have no annotation in {annotations}; the first "
            f"are {_first(strange)}; check that the files belong together"
        )
    return captions


def _captions(file: str, what: str, entries: Sequence[Any]) -> Iterator[tuple[str, str]]:
    for i, entry in enumerate(entries):
        fields = entry if isinstance(entry, dict) else {}
        image, caption = fields.get("image_id"), fields.get("caption")
        if isinstance(image, bool) or not isinstance(image, (int, str)):
            raise DataError(
                f"{file}: {what}[{i}]: image_id is {image!r}, expected a number or text"
            )
        if not isinstance(caption, str):
            raise DataError(f"{file}: {what}[{i}]: caption is {caption!r}, expected a text")
        yield str(image), caption


def _check_same_images(results: Mapping[str, Mapping[str, str]]) -> None:
    (name, first), *others = results.items()
    for other, captions in others:
        for has, lacks, missing in (
            (name, other, first.keys() - captions.keys()),
            (other, name, captions.keys() - first.keys()),
        ):
            if missing:
                raise DataError(
                    f"system {lacks!r} has no result for {len(missing)} images that system "
                    f"{has!r} has; the first are {_first(sorted(missing))}; all systems need the "
                    "same images"
                )


def _first(images: Any) -> str:
    listed = list(images)
    return ", ".join(listed[:5]) + (", ..." if len(listed) > 5 else "")
