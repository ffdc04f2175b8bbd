"""TER: edits with block shifts over reference words (Snover et al., 2006)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from nlgauge.core.metric import Info, KernelMetric
from nlgauge.core.options import LARGEST, option
from nlgauge.kernels import Floats, Kernel, native
from nlgauge.metrics.edit.rate import error_rate
from nlgauge.text.preparation import Preparation
from nlgauge.text.tokenizers.tercom import JavaTercom, Tercom

if TYPE_CHECKING:
    from nlgauge.explain.traces import Trace

MOST = 2**31 - 1


@dataclass(frozen=True, kw_only=True)
class TER(KernelMetric):
    """Translation edit rate: the edits per reference word that make a text equal to a reference."""

    info: ClassVar[Info] = Info(
        name="ter",
        title="Translation Edit Rate",
        family="edit",
        cell="CF·U·word-edit",
        tasks=("MT",),
        criteria=("post-editing effort",),
        higher_is_better=False,
        bounds=(0.0, float("inf")),
        perfect_on_itself=True,
        perfect_among_many=True,
        paper="Snover et al. (2006), A study of translation edit rate with human annotation",
        checked_against="sacreBLEU 2.6.0; tercom 0.7.25 and 0.10.0 (profile=tercom)",
        revision=2,
    )

    normalized: bool = option(False, "tercom's normalisation and tokenisation")
    no_punct: bool = option(False, "remove punctuation")
    asian_support: bool = option(False, "normalise and remove punctuation of Asian scripts too")
    case_sensitive: bool = option(False, "do not ignore case")
    max_shift_size: int = option(10, "longest block that may be moved", low=1, high=MOST)
    max_shift_distance: int = option(50, "how far a block may be moved", low=0, high=MOST)
    max_candidates: int = option(
        1000, "shifts tried for a pair of texts before the search stops", low=1, high=MOST
    )

    profile: Literal["sacrebleu", "tercom"] = option(
        "sacrebleu", "tercom: the Java tool's own search, white space and counts of edits"
    )
    beam: int = option(20, "width of tercom's beam; for profile=tercom only", low=0, high=LARGEST)

    def preparation(self) -> Preparation:
        """Return how texts become words: by tercom's own normaliser, where it has anything to
        do.
        """
        if self.profile == "tercom":
            java = JavaTercom(self.normalized, self.no_punct, self.asian_support)
            return Preparation(lowercase=not self.case_sensitive, rewrite=java)
        if not (self.normalized or self.no_punct):
            return Preparation(lowercase=not self.case_sensitive)
        rewrite = Tercom(self.normalized, self.no_punct, self.asian_support)
        # sacreBLEU 2.6 normalises references twice, which changes a few of them once more.
        return Preparation(
            lowercase=not self.case_sensitive,
            rewrite=rewrite,
            rewrite_references=replace(rewrite, times=2),
        )

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel, whose columns are fewest edits over the references, mean reference
        length, tercom's counts.
        """
        if self.profile == "tercom":
            return native.Tercom(
                shift_size=self.max_shift_size,
                shift_distance=self.max_shift_distance,
                beam=self.beam,
            )
        return native.Ter(
            shift_size=self.max_shift_size,
            shift_distance=self.max_shift_distance,
            candidates=self.max_candidates,
        )

    def score(self, totals: Floats) -> Floats:
        """Return edits per reference word; 1 for words against nothing."""
        return error_rate(totals[..., 0], totals[..., 1])

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the edits and words; with profile=tercom, also the kinds of edits."""
        kinds = ("insertions", "deletions", "substitutions", "shifts", "shifted_words")
        counts = {kind: int(n) for kind, n in zip(kinds, totals[2:], strict=False)}
        return {"edits": int(totals[0]), "ref_len": float(totals[1]), **counts}

    def trace_words(self, hyp: list[str], ref: list[str]) -> Trace:
        """Show the shifts, and the edits that are left."""
        from nlgauge.explain import builders  # late: most scores are not explained

        return builders.shifts_and_edits(
            hyp,
            ref,
            shift_size=self.max_shift_size,
            shift_distance=self.max_shift_distance,
            candidates=self.max_candidates,
        )
