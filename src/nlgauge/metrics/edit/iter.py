"""ITER: TER with stems and tunable costs (Panja & Naskar, 2018)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from nlgauge.core.metric import Info
from nlgauge.core.options import LARGEST, option
from nlgauge.kernels import Floats, Kernel, native
from nlgauge.metrics.edit.rate import ErrorRate
from nlgauge.text.preparation import Preparation


@dataclass(frozen=True, kw_only=True)
class ITER(ErrorRate):
    """Improved translation edit rate: words with the right stem cost less.

    The paper's tuned costs are not public; the defaults here are TER's, and half of a substitution
    for a word with the right stem.
    """

    info: ClassVar[Info] = Info(
        name="iter",
        title="Improved Translation Edit Rate",
        family="edit",
        cell="CF·U·word-edit",
        tasks=("MT",),
        criteria=("adequacy", "post-editing effort"),
        higher_is_better=False,
        bounds=(0.0, float("inf")),
        scale=1.0,
        paper="Panja & Naskar (2018), ITER: improving translation edit rate",
        checked_against="hand calculations",
        revision=2,
    )

    lowercase: bool = option(True, "ignore case")
    norm: Literal["matches", "ref"] = option(
        "matches",
        "divide by costs plus exact matches, which stays below 1 and takes the best reference; or "
        "by reference words, as TER",
    )
    insertion: float = option(1.0, "cost of a word only h has", low=0.0, high=1000.0)
    deletion: float = option(1.0, "cost of a word only r has", low=0.0, high=1000.0)
    substitution: float = option(1.0, "cost of another word", low=0.0, high=1000.0)
    stem: float = option(0.5, "cost of a word with the same stem", low=0.0, high=1000.0)
    shift: float = option(1.0, "cost of moving a block", low=0.0, high=1000.0)
    max_shift_size: int = option(10, "longest block that may be moved", low=1, high=LARGEST)
    max_shift_distance: int = option(50, "how far a block may be moved", low=0, high=LARGEST)
    max_candidates: int = option(1000, "shifts tried before the search stops", low=1, high=LARGEST)

    def preparation(self) -> Preparation:
        """Return how words are read as they are; the kernel compares their stems."""
        return Preparation(self.tokenizer, lowercase=self.lowercase)

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel, whose columns are cost, what it is divided by, |h|, exact matches."""
        return native.Iter(
            insertion=self.insertion,
            deletion=self.deletion,
            substitution=self.substitution,
            stem=self.stem,
            shift=self.shift,
            shift_size=self.max_shift_size,
            shift_distance=self.max_shift_distance,
            candidates=self.max_candidates,
            per_match=self.norm == "matches",
            ref_length="best" if self.norm == "matches" else self.ref_length,
        )

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the cost and the matches."""
        return {"cost": float(totals[0]), "matches": int(totals[3]), "hyp_len": int(totals[2])}
