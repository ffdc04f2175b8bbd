"""MER, WIL, WIP and CER: the measures of speech recognition, as jiwer computes them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from nlgauge.core.metric import Info, KernelMetric
from nlgauge.core.options import option
from nlgauge.explain import builders
from nlgauge.explain.traces import Trace
from nlgauge.kernels import Floats, Kernel, native
from nlgauge.metrics.edit.rate import RefLength


@dataclass(frozen=True, kw_only=True)
class Recognition(KernelMetric):
    """A measure of how many words an alignment hits, substitutes, inserts and deletes.

    Counts are pooled over the segments. Alignments with equally many errors may differ in hits;
    jiwer counts those of the one that rapidfuzz finds, and so does this. Of several references,
    each segment takes the one that is best for the measure; jiwer knows one.
    """

    tokenizer: str = option(
        "jiwer", "how texts are split into words: see `nlgauge metrics --tokenizers`"
    )
    lowercase: bool = option(False, "ignore case")

    information: ClassVar[bool] = True  # references are judged by WIP; otherwise by MER

    def __post_init__(self) -> None:
        super().__post_init__()
        self.preparation()

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel, whose columns are hits, substitutions, insertions, deletions."""
        return native.Recognition(information=self.information)

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the counts of hits and of the three kinds of errors."""
        names = ("hits", "substitutions", "insertions", "deletions")
        return {name: int(n) for name, n in zip(names, totals, strict=True)}

    def trace_words(self, hyp: list[str], ref: list[str]) -> Trace:
        """Show the edits that are counted."""
        return builders.recognition(hyp, ref)


@dataclass(frozen=True, kw_only=True)
class MER(Recognition):
    """Match error rate: the share of the alignment's steps that are errors."""

    info: ClassVar[Info] = Info(
        name="mer",
        title="Match Error Rate",
        family="edit",
        cell="CF·U·word-edit",
        tasks=("ASR",),
        criteria=("adequacy",),
        higher_is_better=False,
        scale=1.0,
        perfect_on_itself=True,
        paper="Morris et al. (2004), From WER and RIL to MER and WIL: improved evaluation measures "
        "for connected speech recognition",
        checked_against="jiwer 4.0.0",
    )

    information: ClassVar[bool] = False

    def score(self, totals: Floats) -> Floats:
        """Return errors per step; 0 for nothing against nothing."""
        errors, steps = totals[..., 1:].sum(axis=-1), totals.sum(axis=-1)
        rate: Floats = np.divide(errors, steps, out=np.zeros(steps.shape), where=steps > 0)
        return rate


def preserved(totals: Floats) -> Floats:
    """Return H/|r| · H/|h|: 1 for nothing against nothing, 0 if only one side has words."""
    hits, substitutions, insertions, deletions = np.moveaxis(totals, -1, 0)
    ref, hyp = hits + substitutions + deletions, hits + substitutions + insertions
    both = (ref > 0) & (hyp > 0)
    recall = np.divide(hits, ref, out=np.ones(ref.shape), where=both)
    precision = np.divide(hits, hyp, out=np.where(ref == hyp, 1.0, 0.0), where=both)
    product: Floats = recall * precision
    return product


@dataclass(frozen=True, kw_only=True)
class WIP(Recognition):
    """Word information preserved: precision times recall of the words hit."""

    info: ClassVar[Info] = replace(
        MER.info, name="wip", title="Word Information Preserved", higher_is_better=True
    )

    def score(self, totals: Floats) -> Floats:
        """Return the product of the shares of both texts' words that are hit."""
        return preserved(totals)


@dataclass(frozen=True, kw_only=True)
class WIL(Recognition):
    """Word information lost: 1 - WIP."""

    info: ClassVar[Info] = replace(MER.info, name="wil", title="Word Information Lost")

    def score(self, totals: Floats) -> Floats:
        """Return what WIP lacks to 1."""
        lost: Floats = 1 - preserved(totals)
        return lost


@dataclass(frozen=True, kw_only=True)
class CER(KernelMetric):
    """Character error rate: fewest edits of characters, blanks too, per reference character."""

    info: ClassVar[Info] = Info(
        name="cer",
        title="Character Error Rate",
        family="edit",
        cell="CF·U·char",
        tasks=("ASR", "MT"),
        criteria=("adequacy",),
        higher_is_better=False,
        bounds=(0.0, float("inf")),
        scale=1.0,
        perfect_on_itself=True,
        pair_seconds=1.8e-9,
        paper="Morris et al. (2004), From WER and RIL to MER and WIL: improved evaluation measures "
        "for connected speech recognition",
        checked_against="jiwer 4.0.0",
    )
    reads_words: ClassVar[bool] = False

    lowercase: bool = option(False, "ignore case")
    ref_length: RefLength = option(
        "best", "with several references, which distance and length count: as in wer"
    )

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel, whose columns are distance, reference length, hypothesis length, 0;
        all in characters.
        """
        return native.Cer(ref_length=self.ref_length)

    def score(self, totals: Floats) -> Floats:
        """Return errors per reference character; against an empty reference, as in jiwer, the
        errors.
        """
        errors, length = totals[..., 0], totals[..., 1]
        rate: Floats = np.divide(errors, length, out=errors.copy(), where=length > 0)
        return rate

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the numbers of errors and characters."""
        return {
            "errors": int(totals[0]),
            "ref_len": float(totals[1]),
            "hyp_len": int(totals[2]),
        }

    def trace(self, hypothesis: str, reference: str) -> Trace:
        """Show the fewest edits of characters."""
        texts = (hypothesis, reference)
        hyp, ref = (list((t.lower() if self.lowercase else t).strip()) for t in texts)
        return builders.edits(hyp, ref)
