"""Say which fields of records are not known, and how to say what they hold."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from nlgauge.errors import did_you_mean
from nlgauge.io.fields import FIELD_NAMES, KNOWN, Record
from nlgauge.io.files import warn

# What outputs and references are often called; which they are, only people know.
_OUTPUTS = (
    "summary",
    "response",
    "reply",
    "generated",
    "generated_text",
    "generation",
    "completion",
    "candidate",
    "caption",
    "pred",
    "predictions",
    "prediction_text",
    "model_output",
    "answer",
    "text",
)
_SOURCES = ("document", "article", "input", "src_text", "source_text")
_REFERENCES = (
    "gold",
    "golden",
    "label",
    "labels",
    "truth",
    "ground_truth",
    "expected",
    "reference_text",
    "target_text",
    "tgt",
    "highlights",
    "answers",
    "answer",
    "summary",
)


def warn_of_unknown(files: str, unknown: Collection[str], records: Sequence[Record]) -> None:
    """Warn of fields that are left alone, with the option that names them."""
    named = [name for name in unknown if name]
    if not named:
        if unknown:
            warn(
                f"{files}: ignored a column without a name, such as the index that pandas writes "
                "unless it is told index=False"
            )
        return
    listing = ", ".join([*map(_with_hint, named), *(["one without a name"] * ("" in unknown))])
    warn(
        f"{files}: ignored fields that are not known: {listing}; known are: {KNOWN}"
        f"{_remedy(named, records)}"
    )


def _remedy(names: Collection[str], records: Sequence[Record]) -> str:
    """Return the option for what no known field holds, with the likely names."""
    pairs = likely_columns(
        names,
        hypothesis=not any(record.hypotheses for record in records),
        reference=not any(record.references for record in records),
    )
    return f". Say what a field holds, such as --columns {pairs}" if pairs else ""


def likely_columns(names: Collection[str], *, hypothesis: bool, reference: bool) -> str:
    """Return what --columns may be given, if any of the names says what its field holds."""
    wanted = {}
    if hypothesis:
        wanted["hypothesis"] = _likely(names, _OUTPUTS)
    if reference:
        wanted["reference"] = _likely(names, _REFERENCES, but=wanted.get("hypothesis"))
    if any(wanted.values()):
        wanted["source"] = _likely(names, _SOURCES)
    return ",".join(f"{field}={name}" for field, name in wanted.items() if name)


def _likely(names: Collection[str], usual: Sequence[str], but: str | None = None) -> str | None:
    by_kind = {name.lower().replace(" ", "_"): name for name in names if name != but}
    return next((by_kind[kind] for kind in usual if kind in by_kind), None)


def _with_hint(name: str) -> str:
    hint = did_you_mean(name.lower(), FIELD_NAMES, cutoff=0.8)
    return f"{name!r} ({hint})" if hint else repr(name)
