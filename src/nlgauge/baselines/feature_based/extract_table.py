"""Hold FB1 and FB2 against MMR, LSA and trivial summaries, on documents they were not fitted to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nlgauge.baselines.document import Length, Summary
from nlgauge.baselines.feature_based.summariser import FeatureSummariser
from nlgauge.baselines.lsa import lsa
from nlgauge.baselines.mmr import mmr
from nlgauge.baselines.trivial import lead, random
from nlgauge.core.facts.choices import CovarianceShape
from nlgauge.core.facts.defaults import SEED
from nlgauge.errors import DataError
from nlgauge.io.annotations.extracts import MarkedDocument
from nlgauge.kernels import Floats

FEATURE_BASED = {"fb1": False, "fb2": True}  # whether the LSA score is a feature


@dataclass(frozen=True, eq=False)
class ExtractTable:
    """This table has the summaries of several systems, and how far they share people's extracts."""

    documents: Sequence[MarkedDocument]
    summaries: Mapping[str, Sequence[Summary]]

    def overlap(self, system: str) -> Floats:
        """Return, for each document, the mean F1 of a system's sentences and people's extracts."""
        found = []
        for document, summary in zip(self.documents, self.summaries[system], strict=True):
            own = set(summary.indices)
            shares = []
            for marks in document.extracts:
                theirs = {i for i, kept in enumerate(marks) if kept}
                shares.append(2 * len(own & theirs) / (len(own) + len(theirs)))
            found.append(np.mean(shares) if shares else np.nan)
        return np.array(found)

    @property
    def texts(self) -> dict[str, list[str]]:
        """Return the summaries of each system as texts."""
        return {name: [s.text for s in found] for name, found in self.summaries.items()}


def held_out_models(
    documents: Sequence[MarkedDocument],
    *,
    folds: int,
    components: int = 2,
    shape: CovarianceShape = "diag",
) -> list[dict[str, FeatureSummariser]]:
    """Return, for each document, FB1 and FB2 fitted to the documents of the other folds."""
    if not 2 <= folds <= len(documents):
        raise DataError(
            f"{folds} folds of {len(documents)} documents; give at least two documents, and from 2 "
            "to as many folds as there are documents"
        )
    fold_of = [k % folds for k in range(len(documents))]
    fitted = []
    for fold in range(folds):
        rest = [d for d, own in zip(documents, fold_of, strict=True) if own != fold]
        fitted.append(
            {
                name: FeatureSummariser.train(
                    rest, latent=latent, components=components, shape=shape
                )
                for name, latent in FEATURE_BASED.items()
            }
        )
    return [fitted[fold] for fold in fold_of]


def summarise_all(
    documents: Sequence[MarkedDocument],
    models: Sequence[Mapping[str, FeatureSummariser]],
    *,
    length: Length | None = None,
    seed: int = SEED,
) -> ExtractTable:
    """Summarise each document with its own models, and with every other baseline."""
    chosen = length or Length()
    pairs = list(zip(documents, models, strict=True))
    summaries: dict[str, list[Summary]] = {
        name: [model[name].summarise(document, length=chosen) for document, model in pairs]
        for name in FEATURE_BASED
    }
    sentences = [document.sentences for document in documents]
    summaries["mmr"] = [mmr(each, length=chosen) for each in sentences]
    summaries["lsa"] = [lsa(each, length=chosen) for each in sentences]
    summaries["lead"] = [lead(each, length=chosen) for each in sentences]
    summaries["random"] = [random(each, length=chosen, seed=seed) for each in sentences]
    return ExtractTable(documents, summaries)
