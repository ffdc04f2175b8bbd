"""BEER: a linear model of matched characters, words and pairs of words (Stanojević & Sima'an,
2014, 2015), by default with the weights of BEER 2.0.

The program departs from its papers, and its weights were trained with that, so that it is kept:
pieces of n characters have n - 1, the last character is left out, and characters outside of 16 bits
count as two. Its total divides by one segment too many; this is an option.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from nlgauge.core import options
from nlgauge.core.arithmetic import ratio
from nlgauge.core.best_reference import ReferencePairs
from nlgauge.core.metric import Info, WordMetric
from nlgauge.core.options import option
from nlgauge.core.resources import digest
from nlgauge.data.corpus import Corpus
from nlgauge.explain import builders
from nlgauge.explain.traces import Trace
from nlgauge.kernels import Floats
from nlgauge.metrics.trained.beer1_features import first_features
from nlgauge.metrics.trained.beer_features import (
    FEATURES,
    BeerText,
    pair_features,
)
from nlgauge.metrics.trained.beer_model import (
    SHIPPED,
    BeerModel,
    file_of,
    find_beer_model,
    is_trained,
)
from nlgauge.metrics.trained.learned_beer import LearnedBeer, read_learned_beer
from nlgauge.text.preparation import Preparation, prepare


@dataclass(frozen=True, kw_only=True)
class BEER(WordMetric[None]):
    """What a linear model, trained on rankings by people, says of matched characters, words and
    pairs of words, and of lengths; with the best reference. A text without characters scores 0.
    """

    info: ClassVar[Info] = Info(
        name="beer",
        title="BEtter Evaluation as Ranking",
        family="trained",
        cell="CF·T·feature",
        tasks=("MT",),
        criteria=("adequacy",),
        scale=1.0,
        paper="Stanojević & Sima'an (2015), BEER 1.1: ILLC UvA submission to metrics and tuning "
        "task",
        checked_against="BEER 2.0 (its jar), with both of its models",
    )

    feature_names: ClassVar[tuple[str, ...]] = FEATURES

    model: str = option(
        SHIPPED[0],
        "the weights: beer-2.0, beer-2.0-self-trained, beer-wmt15, or the file of another model, "
        "such as `nlgauge train beer` writes",
    )
    average: Literal["mean", "official"] = option(
        "mean", "official: BEER 2.0's total, which divides n segments' sum by n + 1, for n > 1"
    )
    tokenizer: str = option("blank", "how texts are split into words")
    lowercase: bool = option(False, "ignore case")

    def weights(self) -> BeerModel | LearnedBeer:
        """Read the model that scores."""
        if is_trained(self.model):
            return read_learned_beer(file_of(self.model), self.words())
        return find_beer_model(self.model)

    def words(self) -> str:
        """Return how texts are prepared, as the files of trained models say it."""
        return f"beer(tokenizer={self.tokenizer},lowercase={options.encode(self.lowercase, bool)})"

    def english_only(self) -> tuple[str, ...]:
        """Name the function words, if the model looks at them."""
        return (*super().english_only(), *(("function words",) if self.weights().first else ()))

    def resources(self) -> dict[str, str]:
        """Name a user's model, by its content, and the tokeniser's dictionary."""
        self.weights()
        given = {} if self.model in SHIPPED else {"model": digest("model", file_of(self.model))}
        return {**super().resources(), **given}

    def features(self, corpus: Corpus, *, first: bool = False, threads: int = 1) -> Floats:
        """Return the features of every hypothesis with each of its references, in the order of
        `ReferencePairs`: [pairs, feature_names]. With `first`, those of the first BEER follow.
        """
        texts = Preparation("blank", self.lowercase, rewrite=BeerText(self.tokenizer))
        prepared, _, _ = prepare(corpus, texts)
        pairs = ReferencePairs.of(corpus.references)
        hyps = pairs.repeated(list(prepared.hypotheses))
        refs = list(prepared.references.flat)
        found = pair_features(hyps, refs, threads=threads)
        if not first:
            return found
        return np.column_stack([found, first_features(hyps, refs, threads=threads)])

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:
        """Compute the columns: the score, 1, the model's features, of the best reference."""
        model = self.weights()
        values = model.chosen(self.features(corpus, first=model.first, threads=threads))
        scores = model.predict(values)
        best = ReferencePairs.of(corpus.references).chosen(scores)
        return np.column_stack([scores[best], np.ones(len(best)), values[best]])

    def score(self, totals: Floats) -> Floats:
        """Return the mean of the segments' scores, or what the official program has for it."""
        count = totals[..., 1]
        return ratio(totals[..., 0], count + (count > 1) if self.average == "official" else count)

    def parts(self, totals: Floats) -> dict[str, Any]:
        """Return the total that BEER 2.0 prints, and the means of the features."""
        names = self.weights().names
        means = (totals[2:] / max(totals[1], 1)).tolist()
        return {
            "official_total": float(totals[0] / (totals[1] + 1)),
            **dict(zip(names, means, strict=True)),
        }

    def trace_words(self, hyp: list[str], ref: list[str]) -> Trace:
        """Show the runs of words that both texts have."""
        return builders.runs(hyp, ref)
