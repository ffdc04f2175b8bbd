"""FB1 and FB2: summaries of the sentences that look most like extracted ones (Murray et al., 2005).

One mixture of Gaussians is fitted to the features of sentences that people extracted, another to
those of all others; a sentence's score is the logarithm of the ratio of the two densities. FB2 has
the LSA score of sentences among the features.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nlgauge.baselines.document import Document, Length, Summary
from nlgauge.baselines.feature_based.mixture import GaussianMixture, check_mixture, fit_mixture
from nlgauge.baselines.feature_based.sentence_features import sentence_features
from nlgauge.core.facts.choices import CovarianceShape
from nlgauge.errors import DataError, SpecError
from nlgauge.io.annotations.extracts import PROSODY, MarkedDocument
from nlgauge.kernels import Floats


@dataclass(frozen=True, eq=False)
class FeatureSummariser:
    """A feature-based summariser has two mixtures, and the means and deviations of features."""

    latent: bool  # FB2
    prosodic: bool
    centre: Floats
    spread: Floats
    extracted: GaussianMixture
    others: GaussianMixture

    @classmethod
    def train(
        cls,
        documents: Sequence[MarkedDocument],
        *,
        latent: bool,
        components: int = 2,
        shape: CovarianceShape = "diag",
    ) -> FeatureSummariser:
        """Fit both mixtures to marked documents; where several people marked a document, each of
        their extracts counts.
        """
        unmarked = [document.name for document in documents if not document.extracts]
        if unmarked or not documents:
            which = f"document {unmarked[0]!r} has no extract" if unmarked else "no documents"
            raise DataError(f"{which}; mark the sentences to learn from with `extract`")
        prosodic = documents[0].prosody is not None
        rows, marks = [], []
        for document in documents:
            own = _rows(document, latent=latent, prosodic=prosodic)
            for extract in document.extracts:
                rows.append(own)
                marks.append(np.array(extract))
        matrix, marked = np.concatenate(rows), np.concatenate(marks)
        for name, count in (("extracted", int(marked.sum())), ("other", int((~marked).sum()))):
            check_mixture(count, components, shape, f"{name} sentences")
        centre, spread = matrix.mean(axis=0), matrix.std(axis=0)
        spread[spread == 0] = 1
        scaled = (matrix - centre) / spread
        mixtures = [
            fit_mixture(scaled[which], components=components, shape=shape)
            for which in (marked, ~marked)
        ]
        return cls(latent, prosodic, centre, spread, *mixtures)

    def scores(self, document: MarkedDocument) -> Floats:
        """Return how much more each sentence looks like an extracted one than like another."""
        rows = _rows(document, latent=self.latent, prosodic=self.prosodic)
        scaled = (rows - self.centre) / self.spread
        return self.extracted.log_density(scaled) - self.others.log_density(scaled)

    def summarise(self, document: MarkedDocument, *, length: Length | None = None) -> Summary:
        """Summarise a document by the sentences with the highest scores, the first of equals."""
        order = np.argsort(-np.round(self.scores(document), 10), kind="stable")
        return Document.build(document.sentences).summary(order.tolist(), length or Length())


def _rows(document: MarkedDocument, *, latent: bool, prosodic: bool) -> Floats:
    if prosodic and document.prosody is None:
        raise SpecError(
            f"document {document.name!r} has no prosody, and the summariser looks at it; give a "
            f"file with {', '.join(PROSODY)}"
        )
    prosody = document.prosody if prosodic else None
    return sentence_features(document.sentences, prosody=prosody, latent=latent)
