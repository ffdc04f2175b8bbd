"""Columns for models that look at the sentence vectors of both texts, beside scores of metrics.

They come from layers that BERTScore's matches read, too, so that no text is encoded for them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nlgauge.core.best_reference import ReferencePairs
from nlgauge.data.corpus import Corpus
from nlgauge.kernels import Floats
from nlgauge.models.cache.embeddings import embeddings_of
from nlgauge.models.networks.sentence_regressor import pair_features

LAYERS = (0, 2, 4)  # none above the one that agrees best with people, where BERTScore stops
COSINES = tuple(f"sentences.layer_{layer}_cosine" for layer in LAYERS)


def sentence_columns(corpus: Corpus, *, threads: int) -> Floats:
    """Return the cosines of both sentences by layer, then [h; r; |h - r|; h * r] at the last, for
    the reference that is most like the hypothesis there: [segments, layers + 4 * width].
    """
    store = embeddings_of(corpus, "minilm")
    number = {
        t: k for k, t in enumerate(dict.fromkeys([*corpus.hypotheses, *corpus.references.flat]))
    }
    pairs = ReferencePairs.of(corpus.references)
    left = np.array(pairs.repeated([number[text] for text in corpus.hypotheses]), np.intp)
    right = np.array([number[text] for text in corpus.references.flat], np.intp)
    sentences = store.sentences(number, LAYERS, threads=threads)
    cosines = sentences.cosines(left.tolist(), right.tolist())
    best = pairs.chosen(cosines[-1])
    vectors = replace(sentences, means=sentences.means[-1:]).vectors()
    compared = pair_features(vectors[left[best]], vectors[right[best]])
    return np.hstack([cosines[:, best].T, compared])
