"""Signatures: one line that carries everything that can change a metric's number.

    bleu|nrefs:2|tokenizer:13a|lowercase:no|...|rev:1|nlgauge:0.1.0

Derived from the metric's fields, never written by hand; `parse` rebuilds the metric.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from nlgauge.core import options
from nlgauge.errors import NlgaugeError, SpecError
from nlgauge.version import __version__

if TYPE_CHECKING:
    from nlgauge.core.metric import Metric
    from nlgauge.data.corpus import Corpus

# Entries that are no options of the metric.
_NREFS, _REVISION, _VERSION, _RESOURCE = "nrefs", "rev", "nlgauge", "with."
_BOOTSTRAP = "bootstrap"


def signature(metric: Metric, corpus: Corpus | None = None) -> str:
    """Return the signature of a metric, or of its score on a corpus."""
    if corpus is None:
        return signature_with(metric)
    return signature_with(metric, reference_counts([corpus]), metric.resources_found(corpus))


def reference_counts(suite: Iterable[Corpus]) -> tuple[int, int]:
    """Return the fewest and the most references that a segment has."""
    counts = next(iter(suite)).references.counts
    return int(counts.min()), int(counts.max())


def signature_with(
    metric: Metric,
    references: tuple[int, int] | None = None,
    found: Mapping[str, str] | None = None,
) -> str:
    """Return the signature of a metric, or of its score where segments have as few and as many
    references as that, and these versions of resources were `found` when it was computed.
    """
    entries = [metric.info.name]
    if references is not None and "references" in metric.info.needs:
        least, most = references
        entries.append(f"{_NREFS}:{least if least == most else 'var'}")
    entries += (
        f"{name}:{options.encode(getattr(metric, name), hint)}"
        for name, hint in options.types_of(type(metric)).items()
    )
    entries += (
        f"{_RESOURCE}{name}:{options.encode(version)}"
        for name, version in sorted({**metric.resources(), **(found or {})}.items())
    )
    entries += (f"{_REVISION}:{metric.info.revision}", f"{_VERSION}:{__version__}")
    return "|".join(entries)


def with_bootstrap(text: str, name: str) -> str:
    """Return a signature that also names the bootstrap by which its score was resampled."""
    before, revision, after = text.rpartition(f"|{_REVISION}:")
    entry = f"|{_BOOTSTRAP}:{name}"
    if entry in text:
        return text
    return f"{before}{entry}{revision}{after}" if revision else text + entry


def shortened(text: str) -> str:
    """Return a signature without the options that are as by default; `parse` takes it, too."""
    from nlgauge.core.registry import metric_class

    name, *entries = text.split("|")
    try:
        cls = metric_class(name)
    except NlgaugeError:  # scores from elsewhere
        return text
    hints = options.types_of(cls)
    usual = {
        f"{f.name}:{options.encode(f.default, hints[f.name])}" for f in dataclasses.fields(cls)
    }
    return "|".join([name, *(entry for entry in entries if entry not in usual)])


def identity(metric: Metric) -> str:
    """Return the signature without the version of nlgauge: what must be the same for the same
    numbers.
    """
    return signature(metric).rpartition(f"|{_VERSION}:")[0]


def parse(text: str) -> Metric:
    """Return the metric whose signature this is."""
    from nlgauge.core.registry import metric_class

    name, *entries = text.split("|")
    cls = metric_class(name)
    hints = options.types_of(cls)
    values = {}
    for entry in entries:
        key, colon, value = entry.partition(":")
        if not colon:
            raise SpecError(f"signature {text!r}: {entry!r} is not of the form name:value")
        if key in hints:
            values[key] = options.decode(value, hints[key], f"{name}: {key}")
        elif key == _REVISION:
            if value != str(cls.info.revision):
                raise SpecError(
                    f"signature {text!r}: made by revision {value} of {name}, this nlgauge has "
                    f"revision {cls.info.revision} and gives other numbers"
                )
        elif key not in (_NREFS, _VERSION, _BOOTSTRAP) and not key.startswith(_RESOURCE):
            raise SpecError(f"signature {text!r}: {name} has no option {key!r}")
    return cls(**values)
