"""UNI-PRF: precision, recall and F of single words (Banerjee and Lavie, 2005; Isozaki, 2010)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge.core.metric import Info, KernelMetric
from nlgauge.core.options import option
from nlgauge.kernels import Floats, Kernel, native
from nlgauge.metrics.alignment import stages as stages_by_name
from nlgauge.metrics.alignment.stages import Linking
from nlgauge.text.stem import Dialect

Measure = Literal["fmean", "f1", "precision", "recall"]

# The weight of recall in a harmonic mean that gives each measure.
ALPHA: dict[str, float] = {"precision": 0.0, "f1": 0.5, "fmean": 0.9, "recall": 1.0}


@dataclass(frozen=True, kw_only=True)
class UniPRF(KernelMetric):
    """Linked words over the words of the hypothesis, of the reference, or both."""

    info: ClassVar[Info] = Info(
        name="uni-prf",
        title="Unigram precision, recall, F1 and Fmean",
        family="alignment",
        cell="CF·U·word-ngram",
        tasks=("MT",),
        scale=1.0,
        perfect_on_itself=True,
        paper="Banerjee and Lavie (2005), METEOR: an automatic metric for MT evaluation",
        checked_against="hand calculation; brute force",
        revision=2,
    )

    tokenizer: str = option("13a", "how texts are split into words")
    lowercase: bool = option(True, "ignore case")
    measure: Measure = option("fmean", "10PR/(R+9P), the F-score 2PR/(P+R), or one of the two")
    words: Literal["alignment", "order"] = option(
        "alignment", "METEOR's links, or the words whose order NKT looks at"
    )
    stages: tuple[str, ...] = option(("exact",), "what links words, like exact:stem")
    stemmer: Dialect = option("porter", "of the stem stage")
    stop_words: bool = option(True, "link stop words in the exact stage")

    def __post_init__(self) -> None:
        super().__post_init__()
        stages_by_name.check(self.stages)

    def resources(self) -> dict[str, str]:
        """Name WordNet, if a stage asks it."""
        return {**super().resources(), **stages_by_name.resources(self.stages)}

    def english_only(self) -> tuple[str, ...]:
        """Name what the stages use that was made for English."""
        return (*super().english_only(), *stages_by_name.english_only(self.stages))

    def kernel(self, state: None = None) -> Kernel:
        """Return the kernel, whose columns are METEOR's, or those of NKT."""
        alpha = ALPHA[self.measure]
        if self.words == "alignment":
            # Where stages number words, any linking has as many links, and this one is quick.
            linking: Linking = "best" if stages_by_name.ask_wordnet(self.stages) else "last"
            return native.Meteor(
                stages=stages_by_name.make(self.stages, self.stemmer, self.stop_words, linking),
                linking=linking,
                alpha=alpha,
                beta=1.0,
                gamma=0.0,
            )
        return native.WordOrder(
            measure="kendall",
            contexts="one",
            order=0.0,
            precision=float(self.measure == "precision"),
            recall=float(self.measure == "recall"),
            f=float(self.measure in ("f1", "fmean")),
            brevity=0.0,
            beta=(alpha / (1 - alpha)) ** 0.5 if alpha < 1 else 1.0,
            bend=False,
            skip_empty=False,
            distance=False,
        )

    def _counts(self, totals: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the linked words, |h| and |r|."""
        columns = (0, 2, 3) if self.words == "alignment" else (6, 7, 8)
        linked, hyp, ref = (totals[..., k] for k in columns)
        return linked, hyp, ref

    def score(self, totals: Floats) -> Floats:
        """Return the chosen measure of summed counts."""
        return self._measure(totals, ALPHA[self.measure])

    def _measure(self, totals: Floats, alpha: float) -> Floats:
        linked, hyp, ref = self._counts(totals)
        words = alpha * ref + (1 - alpha) * hyp
        value: Floats = np.divide(linked, words, out=np.zeros(np.shape(words)), where=words > 0)
        return value

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return all four measures of the counts."""
        return {name: float(self._measure(totals, alpha)) for name, alpha in ALPHA.items()}
