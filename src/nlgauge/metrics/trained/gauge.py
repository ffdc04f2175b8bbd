"""Gauge: our own metric of metrics, the best estimate of what people would say."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar, Literal, cast

import numpy as np

from nlgauge.core.metric import Info, Metric
from nlgauge.core.options import option
from nlgauge.data.corpus import Corpus
from nlgauge.explain.traces import TokenSimilarities
from nlgauge.kernels import Floats
from nlgauge.metrics.contextual.bertscore import BERTScore
from nlgauge.metrics.trained.blend import LEXICAL, layer_features, match_features
from nlgauge.metrics.trained.feature_model import LearnedMetric
from nlgauge.metrics.trained.features import Feature, feature_values
from nlgauge.metrics.trained.nubia import BACK, FLUENCY, MEANING
from nlgauge.metrics.trained.sentence_columns import COSINES, LAYERS
from nlgauge.models.predictors.ensemble_predictor import EnsemblePredictor

Inputs = Literal["all", "shared"]
# Networks that were tuned to ratings themselves, and how much each counts where all else counts 1.
# A fit to the ratings that they saw would trust them too much. That of RUSE was chosen on language
# pairs of wmt15 that it had not seen; the others read both texts at once.
NETWORKS = {"ruse": 0.3, "bert-mte": 0.4, "bleurt": 0.4}
KINDS = ("lexical", "matches", "sentences", "meaning", "networks")
STRONGEST = 4  # single features that an explanation names


@dataclass(frozen=True, kw_only=True)
class Gauge(LearnedMetric):
    """What people would say of a text, estimated from lexical scores, the statistics of BERTScore's
    matches, the similarity of sentences, what follows from what, and networks tuned to ratings.

    A linear model and a support vector regression say what they think of all but the networks, and
    a weighted mean of all counts. With `inputs=shared`, each text is encoded once, as far as
    BERTScore does: there are no networks, and a linear model of sentence vectors is among the
    features.
    """

    info: ClassVar[Info] = Info(
        name="gauge",
        title="Gauge",
        family="trained",
        cell="CF·T·feature",
        tasks=("MT",),
        criteria=("adequacy", "overall"),
        bounds=(float("-inf"), float("inf")),
        scale=1.0,
        slow_on_long_lines=True,
        extras=("neural",),
        paper="of nlgauge itself",
        revision=3,
        checked_against="hand calculation from the numbers of its file",
    )
    predictor_class: ClassVar[type[EnsemblePredictor]] = EnsemblePredictor

    inputs: Inputs = option("all", "what is looked at; shared: what one pass of the encoder gives")

    def looked_at(self) -> list[Feature]:
        """Return lexical scores, match statistics, the cosine of sentences, what follows from what,
        and networks, which are the last.
        """
        return list(_features(self.inputs))

    def segment_rows(self, corpus: Corpus, state: list[Any], *, threads: int) -> Floats:
        """Compute the columns of all learned metrics; a copy of a reference is as good as can be,
        also where it is shorter than the sentences by which common sense was taught to see that.
        """
        rows = super().segment_rows(corpus, state, threads=threads)
        pairs = zip(corpus.hypotheses, corpus.references, strict=True)
        copies = np.fromiter((hyp in refs for hyp, refs in pairs), bool, len(corpus))
        rows[copies, 0] = np.maximum(rows[copies, 0], self.learned().of_a_copy())
        return rows

    def reads_sentences(self) -> bool:
        """Return whether sentence vectors are looked at; RUSE's network does so for all inputs."""
        return self.inputs == "shared"

    def shipped(self) -> str:
        """Return the name of the file of these inputs."""
        return f"gauge-{self.inputs}"

    def trace(self, hypothesis: str, reference: str) -> TokenSimilarities:
        """Show BERTScore's matches of words, and in a note what each kind of feature and the
        strongest single ones add to the score.
        """
        corpus = Corpus.build([hypothesis], [[reference]])
        return replace(BERTScore().trace(hypothesis, reference), note=self._contributions(corpus))

    def _contributions(self, corpus: Corpus) -> str:
        """Say by how much the score would change if features had their mean values."""
        from nlgauge.core import registry

        own = feature_values(self.looked_at(), self.terms(), self.fitted(corpus), corpus, threads=1)
        columns = self.columns(own, corpus, threads=1)
        # Several features are of one metric with other options, so that its name is not enough.
        names = [f"{registry.spec(metric)}{f'.{p}' if p else ''}" for metric, p in self.looked_at()]
        model = self.learned()
        features = model.joined(columns)
        names += [*COSINES, "sentences"] if self.reads_sentences() else []
        kinds = [_kind(metric) for metric, _ in self.looked_at()]
        kinds += ["sentences"] * (len(names) - len(kinds))
        ensemble = cast(EnsemblePredictor, model.predictor)
        usual = ensemble.usual(features.shape[1])
        groups = {kind: [k for k, own in enumerate(kinds) if own == kind] for kind in KINDS}
        single = [[k] for k in range(len(names))]
        changed = np.repeat(features, 1 + len(groups) + len(single), axis=0)
        for row, places in enumerate([*groups.values(), *single], 1):
            changed[row, places] = usual[places]
        said = ensemble.predict(changed) * model.deviation
        added = (said[0] - said[1:]).tolist()
        by_kind = dict(zip(groups, added[: len(groups)], strict=True))
        strongest = sorted(zip(names, added[len(groups) :], strict=True), key=lambda x: -abs(x[1]))
        sense = float(model.predict(columns)[0]) - model.mean - float(said[0])
        parts = [f"{kind} {value:+.2f}" for kind, value in by_kind.items() if groups[kind]]
        parts += [f"common sense {sense:+.2f}"] if abs(sense) >= 0.005 else []
        listed = ", ".join(f"{name} {value:+.2f}" for name, value in strongest[:STRONGEST])
        return f"added to the usual score: {', '.join(parts)}; strongest: {listed}"


def _kind(metric: Metric) -> str:
    names = {"bertscore": "matches", "simile": "sentences", "nubia": "meaning"}
    return {**names, **dict.fromkeys(NETWORKS, "networks")}.get(metric.info.name, "lexical")


@cache
def _features(inputs: Inputs) -> tuple[Feature, ...]:
    from nlgauge.core import registry

    found: list[Feature] = [(registry.metric(spec), None) for spec in LEXICAL]
    if inputs == "shared":
        return (*found, *layer_features(LAYERS))
    found += match_features()
    found += [(registry.metric("nubia"), part) for part in (*MEANING, *BACK, *FLUENCY)]
    return (*found, *((registry.metric(name), None) for name in NETWORKS))
