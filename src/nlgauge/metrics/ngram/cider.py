"""CIDEr and CIDEr-D: tf-idf weighted n-gram similarity to a consensus of references (Vedantam et
al., 2015).

Document frequencies come from the corpus' own references, one document per segment, or from a file
(`df=`): JSON with the number of `documents` and, under `df`, in how many of them each n-gram
occurs, its words joined by blanks:

    {"documents": 40504, "df": {"a": 38912, "a man": 12044, "a man riding": 910}}

N-grams that are not listed count as occurring in one document. The caption tools' own table,
coco-val-df, is a Python pickle of `{("a", "man"): 12044.0, ...}` over 40504 images: join each key
by blanks to write it in this form.

`df=flickr8k` takes those of 994 pictures with five captions each, which ship: stems of up to four
words that the captions of three pictures have at least.

Words are stemmed, as the paper says; its authors' program does not stem (`stem=none`).
"""

from __future__ import annotations

import hashlib
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from nlgauge.core.metric import Info, MeanMetric
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.errors import NlgaugeWarning, ResourceMissing, SpecError
from nlgauge.io.json_text import parse_json
from nlgauge.kernels import Floats, Kernel, Texts, native
from nlgauge.metrics.ngram.frequencies import frequencies
from nlgauge.models.files.shipped import shipped_file
from nlgauge.text.preparation import STEM_HELP, STOP_HELP, Preparation

FLICKR = "flickr8k"  # document frequencies that ship


@dataclass(frozen=True, kw_only=True)
class CIDEr(MeanMetric[native.Frequencies]):
    """Mean cosine of the tf-idf vectors of n-grams."""

    info: ClassVar[Info] = Info(
        name="cider",
        title="Consensus-based Image Description Evaluation",
        family="ngram",
        cell="CF·U·word-ngram",
        tasks=("IC",),
        criteria=("consensus",),
        scale=10.0,
        paper="Vedantam et al. (2015), CIDEr: consensus-based image description evaluation",
        checked_against="github.com/vrama91/cider, which does not stem",
    )

    tokenizer: str = option(
        "13a", "how texts are split into words; none for text of the caption tools' tokeniser"
    )
    lowercase: bool = option(True, "ignore case")
    stem: str = option("porter", STEM_HELP)
    stop: str = option("none", STOP_HELP)
    max_order: int = option(4, "longest n-grams counted", low=1, high=9)
    df: str | None = option(
        None, "JSON file of document frequencies, or flickr8k; none: of the references"
    )

    clipped: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.preparation()

    def preparation(self) -> Preparation:
        """Return how texts become stems of words."""
        return Preparation(self.tokenizer, lowercase=self.lowercase, stem=self.stem, stop=self.stop)

    def count_part(self, part: Corpus) -> native.Frequencies | None:
        """Count in how many segments' references each n-gram occurs, if no file says so."""
        return self._counted(part, least=1)

    def fit(self, corpus: Corpus) -> native.Frequencies:
        """Count a whole corpus, where n-grams that occur once need never be kept."""
        return self.settle(self._counted(corpus, least=2))

    def settle(self, counts: native.Frequencies | None) -> native.Frequencies:
        """Keep n-grams that occur twice, or read the file of frequencies."""
        if self.df is not None or counts is None:
            return read_frequencies(_path(str(self.df)))
        if counts.documents == 1:
            warnings.warn(
                f"{self.info.name}: there is only one segment, so every n-gram occurs in all of "
                "them, weighs nothing, and the score is 0; score more segments at once, or give "
                "document frequencies: df=FILE",
                NlgaugeWarning,
                stacklevel=2,
            )
        return counts.at_least(2)

    def _counted(self, corpus: Corpus, *, least: int) -> native.Frequencies | None:
        if self.df is not None:
            return None
        order = self.max_order
        return frequencies(corpus, self.preparation(), order=order, unit="segment", least=least)

    def resources(self) -> dict[str, str]:
        """Name the frequency file by its content."""
        if self.df is None:
            return super().resources()
        digest = hashlib.sha256(_read(_path(self.df))).hexdigest()
        return {**super().resources(), "df": digest[:16]}

    def kernel(self, state: native.Frequencies) -> Kernel:
        """Return the kernel, whose columns are the score, 1, similarities of the orders 1..N."""
        return native.Cider(state, order=self.max_order, clipped=self.clipped, sigma=self._sigma())

    def _sigma(self) -> float:
        return 0.0

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the mean similarity of each order, on the printed scale."""
        return {"orders": (self.info.scale * totals[2:] / max(totals[1], 1)).tolist()}


LEAST_SIGMA = 0.001  # with less, any difference of length gives 0


@dataclass(frozen=True, kw_only=True)
class CIDErD(CIDEr):
    """CIDEr that cannot be raised by repeating words or by odd lengths: what COCO reports."""

    info: ClassVar[Info] = Info(
        name="cider-d",
        title="CIDEr-D",
        family="ngram",
        cell="CF·U·word-ngram",
        tasks=("IC",),
        criteria=("consensus",),
        scale=10.0,
        paper="Vedantam et al. (2015), CIDEr: consensus-based image description evaluation",
        checked_against="pycocoevalcap 1.2, github.com/vrama91/cider",
    )

    stem: str = option("none", STEM_HELP)
    sigma: float = option(
        6.0, "of the penalty on length differences; 0: no penalty", low=0.0, high=1e6
    )

    clipped: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if 0 < self.sigma < LEAST_SIGMA:
            raise SpecError(
                f"cider-d(sigma={self.sigma}): must be 0, for no penalty, or at least {LEAST_SIGMA}"
            )

    def _sigma(self) -> float:
        return self.sigma


def _path(df: str) -> Path:
    return shipped_file(f"cider-{df}.json") if df == FLICKR else Path(df)


def read_frequencies(path: Path) -> native.Frequencies:
    """Read a file of document frequencies."""
    try:
        content = parse_json(_read(path), f"df={path}", lines=True)
        documents, df = content["documents"], content["df"]
        counts = np.array([round(count) for count in df.values()], np.uint32)
        if not documents >= 1:
            raise ValueError
        return native.Frequencies.given(Texts(list(df)), counts, documents=int(documents))
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        raise SpecError(
            f"df={path}: not a frequency file; it must be JSON like "
            '{"documents": 2, "df": {"a": 2, "a cat": 1}}'
        ) from None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ResourceMissing(f"df={path}: {error.strerror}; give an existing file") from None
