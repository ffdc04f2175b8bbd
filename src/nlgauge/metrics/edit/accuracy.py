"""SSA and GSA: string accuracies for generation (Bangalore, Rambow & Whittaker, 2000)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nlgauge.core.metric import Info, KernelMetric, Metric
from nlgauge.core.options import option
from nlgauge.explain import builders
from nlgauge.explain.traces import Trace
from nlgauge.kernels import Floats, Kernel, native
from nlgauge.text.preparation import STEM_HELP, STOP_HELP


class Accuracy(Metric):
    """From counts of substitutions, insertions, deletions, moves and reference words."""

    def score(self, totals: Floats) -> Floats:
        """Return 1 - errors / |r|; 0 if nothing but the hypothesis is empty."""
        errors, length = totals[..., :4].sum(axis=-1), totals[..., 4]
        rate = np.divide(errors, length, out=np.ones(errors.shape), where=length > 0)
        accuracy: Floats = 1.0 - rate
        return accuracy

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the counts of errors and of reference words."""
        names = ("substitutions", "insertions", "deletions", "moves", "ref_len")
        return {name: int(n) for name, n in zip(names, totals, strict=True)}


@dataclass(frozen=True, kw_only=True)
class SSA(Accuracy, KernelMetric):
    """Simple string accuracy: 1 less the errors of an alignment that avoids substitutions."""

    info: ClassVar[Info] = Info(
        name="ssa",
        title="Simple String Accuracy",
        family="edit",
        cell="CF·U·word-edit",
        tasks=("NLG",),
        criteria=("understandability", "well-formedness"),
        bounds=(float("-inf"), 1.0),
        scale=1.0,
        perfect_on_itself=True,
        pair_seconds=4e-9,
        paper="Bangalore et al. (2000), Evaluation metrics for generation",
        checked_against="Bangalore et al. (2000), table 1",
    )

    tokenizer: str = option(
        "none", "how texts are split into words: see `nlgauge metrics --tokenizers`"
    )
    lowercase: bool = option(False, "ignore case")
    substitutions: bool = option(True, "no: count a deletion and an insertion, or a move, instead")
    stem: str = option("none", STEM_HELP)
    stop: str = option("none", STOP_HELP)

    moves: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.preparation()

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel, whose columns are substitutions, insertions, deletions, moves, |r|, of
        the best reference.
        """
        return native.StringAccuracy(moves=self.moves, substitutions=self.substitutions)

    def trace_words(self, hyp: list[str], ref: list[str]) -> Trace:
        """Show the fewest edits between the texts."""
        return builders.edits(hyp, ref)


@dataclass(frozen=True, kw_only=True)
class GSA(SSA):
    """Generation string accuracy: a word deleted here and inserted there is one move."""

    info: ClassVar[Info] = Info(
        name="gsa",
        title="Generation String Accuracy",
        family="edit",
        cell="CF·U·word-edit",
        tasks=("NLG",),
        criteria=("understandability", "well-formedness"),
        bounds=(float("-inf"), 1.0),
        scale=1.0,
        perfect_on_itself=True,
        pair_seconds=4e-9,
        paper="Bangalore et al. (2000), Evaluation metrics for generation",
        checked_against="Bangalore et al. (2000), table 1",
    )

    moves: ClassVar[bool] = True
