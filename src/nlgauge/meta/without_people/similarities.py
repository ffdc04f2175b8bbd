"""How alike the texts of each topic are by each metric."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from nlgauge.core.metric import Metric
from nlgauge.core.outputs import Outputs, OutputScores
from nlgauge.data.corpus import Corpus, Suite
from nlgauge.data.labels import Labels
from nlgauge.data.topic_similarities import TopicSimilarities
from nlgauge.errors import DataError
from nlgauge.kernels import Floats
from nlgauge.run.scoring import score_outputs


def similarities(
    suite: Suite,
    metrics: Iterable[str | Metric],
    *,
    peers: bool = True,
    shared_options: Mapping[str, object] | None = None,
    threads: int | None = None,
) -> TopicSimilarities:
    """Compute similarities of all texts of a suite to its references, each of which is a model.

    x(a, b) is the score of a as the hypothesis with b as the one reference; of error metrics, its
    negative. `peers` also compares the systems with each other, as JACK needs.
    """
    texts, names = _texts(suite)
    first = len(suite.systems)
    places = [
        (topic, a, b)
        for topic, row in enumerate(texts)
        for a in range(len(row))
        for b in range(0 if peers and a < first else first, len(row))
        if a != b
    ]
    scores = score_pairs(
        suite,
        [(topic, texts[topic][a], [texts[topic][b]]) for topic, a, b in places],
        metrics,
        shared_options=shared_options,
        threads=threads,
    )
    values = np.full((len(scores.columns), len(texts), len(names), len(names)), np.nan)
    where = tuple(np.array(places).T)
    for k, column in enumerate(scores.columns):
        values[k][where] = oriented(scores, column.name)
    return TopicSimilarities(
        metrics=tuple(scores.names),
        peers=tuple(names[:first]),
        models=tuple(names[first:]),
        topics=topics_of(suite),
        values=values,
        signatures=tuple(column.signature for column in scores.columns),
    )


def topics_of(suite: Suite) -> tuple[str, ...]:
    """Return ids of the segments, or their numbers from 1."""
    return tuple(next(iter(suite)).ids or (str(i + 1) for i in range(len(suite))))


def oriented(scores: OutputScores, name: str) -> Floats:
    """Return scores of which more is better."""
    sign = 1 if scores.column(name).metric.info.higher_is_better else -1
    return sign * scores.segment_scores(name)


def _texts(suite: Suite) -> tuple[list[list[str]], list[str]]:
    """Return the texts of every topic, those of the systems first; and their names."""
    references = next(iter(suite)).references
    texts = [
        [*(corpus.hypotheses[i] for corpus in suite), *references[i]] for i in range(len(suite))
    ]
    most = int(references.counts.max())
    return texts, [*suite.systems, *(f"reference {k + 1}" for k in range(most))]


def score_pairs(
    suite: Suite,
    pairs: Sequence[tuple[int, str, list[str]]],
    metrics: Iterable[str | Metric],
    *,
    shared_options: Mapping[str, object] | None = None,
    threads: int | None = None,
) -> OutputScores:
    """Score any texts with any references, given as (segment, text, references), in one batch.
    Metrics that look at the whole test set see the suite's own references.
    """
    whole = next(iter(suite))
    if not pairs:
        raise DataError("no reference to compare with; give reference files, one for each set")
    segments = [segment for segment, _, _ in pairs]
    columns = {
        name: [column[i] for i in segments]
        for name in ("sources", "tables")
        if (column := getattr(whole, name)) is not None
    }
    contexts = None if whole.contexts is None else whole.contexts.take(segments)
    corpus = Corpus.build(
        [text for _, text, _ in pairs],
        [refs for _, _, refs in pairs],
        name="texts",
        contexts=contexts,
        **columns,
    )
    outputs = Outputs(
        corpus=corpus,
        items=Labels.build(map(str, segments)),
        systems=Labels.build(["texts"] * len(pairs)),
    )
    return score_outputs(
        outputs, metrics, shared_options=shared_options, threads=threads, fit_on=whole
    )
