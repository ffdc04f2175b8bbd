"""TERp: TER with stems, synonyms, paraphrases and tuned costs (Snover et al., 2009)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from nlgauge.core.metric import Info, KernelMetric
from nlgauge.core.options import option
from nlgauge.core.resources import digest
from nlgauge.errors import SpecError
from nlgauge.explain import builders
from nlgauge.explain.traces import Trace
from nlgauge.kernels import Floats, Kernel, native
from nlgauge.metrics.edit.rate import error_rate
from nlgauge.metrics.edit.terp_files import read_phrases
from nlgauge.models.lexicon.wordnet import wordnet
from nlgauge.text.preparation import Preparation
from nlgauge.text.tokenizers.tercom import Terp
from nlgauge.text.word_lists import lines


class Parameters(NamedTuple):
    """One of the tool's parameter files (terp.v1)."""

    # Of an insertion, a deletion, a substitution, a stem, a synonym, a shift.
    costs: tuple[float, ...]
    # What a phrase costs: 1, log10(p) · edits, p · edits and edits times these.
    adjustment: tuple[float, ...]
    beam: int


PARAMETERS = {
    "terpa": Parameters(
        (
            0.2588527567630183,
            1.4269364675533365,
            1.5565478292505814,
            0.0,
            0.0,
            0.5620538767397316,
        ),
        (-0.2306579294476191, -0.1469465037633749, -0.07843705907022736, 0.17708577297831574),
        35,
    ),
    "terph": Parameters(
        (
            0.5160029868027748,
            0.8897481530721948,
            1.6362908525843867,
            0.9574806141940626,
            0.16474604979800672,
            0.686718582391978,
        ),
        (1.0366410752548514, 0.6518645817002747, -0.008317921340980746, 1.1121928362344298),
        35,
    ),
    "ter": Parameters((1.0, 1.0, 1.0, 999.0, 999.0, 1.0), (999.0, 0.0, 0.0, 0.0), 20),
}
KINDS = (
    *("insertions", "deletions", "substitutions", "stems", "synonyms", "phrases"),
    *("shifts", "shifted_words"),
)
PLUS = "; for terpa and terph only"


@dataclass(frozen=True, kw_only=True)
class TERp(KernelMetric):
    """Translation edit rate plus: TER with stems, synonyms, paraphrases and tuned costs."""

    info: ClassVar[Info] = Info(
        name="terp",
        title="Translation Edit Rate Plus",
        family="edit",
        cell="CF·U·word-edit",
        tasks=("MT",),
        criteria=("adequacy", "post-editing effort"),
        higher_is_better=False,
        scale=1.0,
        paper="Snover et al. (2009), TER-Plus: paraphrase, semantic, and alignment enhancements to "
        "translation edit rate",
        checked_against="TERp 0.1 (terp.v1, 2009) with WordNet 3.0",
    )

    profile: Literal["terpa", "terph", "ter"] = option(
        "terpa",
        "the tool's parameters: tuned to adequacy, tuned to human-targeted TER, or its own TER",
    )
    stems: bool = option(True, f"words with the same Porter stem may match{PLUS}")
    synonyms: bool = option(True, f"words that share a synset of WordNet may match{PLUS}")
    paraphrases: str | None = option(
        None, f"path of a table of lines like 0.8 <p>more than</p> <p>over</p>{PLUS}"
    )
    stop_words: bool = option(True, f"common words are not moved without another{PLUS}")
    normalized: bool = option(True, "the tool's normalisation and tokenisation")
    no_punct: bool = option(False, "remove punctuation")
    case_sensitive: bool = option(False, "do not ignore case")
    max_shift_size: int = option(10, "longest block that may be moved", low=1, high=1000)
    max_shift_distance: int = option(50, "how far a block may be moved", low=0, high=10000)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.paraphrases is not None and not self._plus:
            raise SpecError("terp(profile=ter) has no paraphrases; choose profile=terpa or terph")

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the range of scores: TERp's are cut at 1, the tool's TER is not."""
        return (0.0, 1.0 if self._plus else float("inf"))

    @property
    def _plus(self) -> bool:
        return self.profile != "ter"

    def preparation(self) -> Preparation:
        """Return how texts become words: by the tool's own normaliser."""
        rewrite = Terp(self.normalized, self.no_punct)
        return Preparation(lowercase=not self.case_sensitive, rewrite=rewrite)

    def resources(self) -> dict[str, str]:
        """Name WordNet and the phrase table, where they are used."""
        found = dict(super().resources())
        if self._plus and self.synonyms:
            found["wordnet"] = wordnet().version
        if self._plus and self.paraphrases is not None:
            found["paraphrases"] = digest("paraphrases", self.paraphrases)
        return found

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel, whose columns are cost of the edits, mean reference length, and the
        counts of KINDS.
        """
        return self._kernel()

    def _kernel(self) -> native.Terp:
        chosen, plus = PARAMETERS[self.profile], self._plus
        table = read_phrases(self.paraphrases) if plus and self.paraphrases is not None else None
        return native.Terp(
            costs=chosen.costs,
            adjustment=chosen.adjustment,
            beam=chosen.beam,
            shift_size=self.max_shift_size,
            shift_distance=self.max_shift_distance,
            relaxed=plus,
            stems=plus and self.stems,
            synonyms=wordnet().lexicon if plus and self.synonyms else None,
            phrases=table,
            stop_words=set(lines("terp-stop-words")) if plus and self.stop_words else set(),
        )

    def score(self, totals: Floats) -> Floats:
        """Return the cost of the edits per reference word, of TERp at most 1; 1 for words against
        nothing.
        """
        rate = error_rate(totals[..., 0], totals[..., 1])
        return np.minimum(rate, 1.0) if self._plus else rate

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return cost, words, and how often each kind of edit was made."""
        counts = {kind: int(n) for kind, n in zip(KINDS, totals[2:], strict=True)}
        return {"cost": float(totals[0]), "ref_len": float(totals[1]), **counts}

    def trace_words(self, hyp: list[str], ref: list[str]) -> Trace:
        """Show the shifts, and the edits that are left; which of them are stems, synonyms or
        phrases.
        """
        return builders.terp(hyp, ref, *self._kernel().script(hyp, ref))
