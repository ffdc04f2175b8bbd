"""CharacTER: TER on the level of characters (Wang, Peter, Rosendahl & Ney, 2016)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nlgauge.core.metric import Info, MeanMetric
from nlgauge.core.options import option
from nlgauge.kernels import Kernel, native


@dataclass(frozen=True, kw_only=True)
class CharacTER(MeanMetric):
    """Character edits after shifts of words, and the shifts' costs, per character of h.

    The shifts are those of the authors' tool: only words that are equal are shifted, whatever the
    paper says of a threshold, and of equally good shifts the one with the largest list of words is
    taken.
    """

    info: ClassVar[Info] = Info(
        name="character",
        title="Character-level Translation Edit Rate",
        family="character",
        cell="CF·U·char",
        tasks=("MT",),
        criteria=("adequacy",),
        higher_is_better=False,
        scale=1.0,
        slow_on_long_lines=True,
        paper="Wang et al. (2016), CharacTER: translation edit rate on character level",
        checked_against="CharacTER.py c4b25cb",
        revision=2,
    )

    tokenizer: str = option(
        "none", "how texts are split into words: see `nlgauge metrics --tokenizers`"
    )
    lowercase: bool = option(False, "ignore case")
    clip: bool = option(True, "at most 1 for a segment, as in the tool; the paper has no limit")
    max_steps: int = option(
        250_000_000,
        "effort for the shifts of a segment, shared by its references, in steps of 64 word "
        "comparisons; the tool knows no limit, and sentences are far below it",
        low=0,
        high=10**18,
    )

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the range of scores, which ends at 1 only where they are clipped."""
        return (0.0, 1.0 if self.clip else float("inf"))

    def __post_init__(self) -> None:
        super().__post_init__()
        self.preparation()

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel, whose columns are the score of the best reference, 1."""
        return native.Character(clip=self.clip, steps=self.max_steps)
