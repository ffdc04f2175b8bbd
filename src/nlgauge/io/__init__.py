"""Readers of texts, judgements, scores and annotations, and writers that leave no half file."""

from typing import TYPE_CHECKING

from nlgauge.lazy import exports

if TYPE_CHECKING:
    from nlgauge.io.texts.suites import FORMATS as FORMATS
    from nlgauge.io.texts.suites import guess_format as guess_format
    from nlgauge.io.texts.suites import read_suite as read_suite
    from nlgauge.io.write import atomic_write as atomic_write
    from nlgauge.io.write import write_jsonl as write_jsonl
    from nlgauge.io.write import write_tsv as write_tsv

__all__, __getattr__, __dir__ = exports(
    __name__,
    {
        "nlgauge.io.texts.suites": ["FORMATS", "guess_format", "read_suite"],
        "nlgauge.io.write": ["atomic_write", "write_jsonl", "write_tsv"],
    },
)
