"""YiSi-1 and YiSi-2: n-grams of words that are as similar as their vectors (Lo, 2019)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from nlgauge.core.best_reference import texts_of
from nlgauge.core.metric import Info
from nlgauge.core.options import option
from nlgauge.core.understanding.lookup import TextSide
from nlgauge.data.corpus import Corpus
from nlgauge.data.frames import on_words
from nlgauge.explain.traces import TokenSimilarities
from nlgauge.kernels import Floats
from nlgauge.metrics.contextual.rarity import WordRarity
from nlgauge.metrics.contextual.units import TextUnits, without_copies
from nlgauge.metrics.contextual.yisi_family import YiSi
from nlgauge.metrics.semantics.meant import WEIGHTS_HELP, RoleWeights, check_weights, weights_of
from nlgauge.metrics.semantics.structure import FIXED, RolePhrases, frequencies, structure
from nlgauge.models.cache.analysis_stores import frames_of
from nlgauge.models.syntax.annotators import ROLES_HELP, english_annotator, find_frames

PAPER = "Lo (2019), YiSi: a unified semantic MT quality evaluation and estimation metric"


@dataclass(frozen=True, kw_only=True)
class YiSi1(YiSi[tuple[WordRarity, Floats]]):
    """Words are as similar as their vectors' cosine, and weigh by their rarity.

    With an encoder, n-grams are of pieces of words. Of several references, the best precision and
    the best recall count. With semantic roles, precision and recall of frames count for `beta`;
    where neither text has frames, the words count for all (the tool has 0 there).
    """

    info: ClassVar[Info] = Info(
        name="yisi-1",
        title="YiSi-1",
        family="contextual",
        cell="CF·U·ctx-emb",
        tasks=("MT",),
        criteria=("adequacy",),
        scale=1.0,
        extras=("neural",),
        pair_seconds=2e-8,
        paper=PAPER,
        checked_against="YiSi of 2019-05-28 (github.com/chikiulo/yisi, fd07bfc), static vectors",
    )

    roles: str = option("none", f"none, or semantic roles: {ROLES_HELP}")
    beta: float = option(0.2, "with roles: how much frames count", low=0.0, high=1.0)
    role_weights: RoleWeights = option("fixed", WEIGHTS_HELP, low=0.0, high=1e6)
    frame_weights: Literal["coverage", "uniform"] = option(
        "coverage", "of frames: the words they cover, or all alike"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_weights("yisi-1", self.role_weights)

    def resources(self) -> dict[str, str]:
        """Name the model or vectors, and the labeller of roles."""
        roles = {} if self.roles == "none" else {"roles": find_frames(self.roles).name}
        return {**super().resources(), **roles}

    def english_only(self) -> tuple[str, ...]:
        """Name the labeller of roles, if it is English."""
        return (*super().english_only(), *english_annotator("roles", self.roles))

    def count_part(self, part: Corpus) -> tuple[tuple[Counter[str], int], Floats]:
        """Count in how many references each word occurs, and roles if they weigh by that."""
        flat = part.references.flat
        texts = frames_of(part, self.roles).sentences(flat) if self._counts_roles else []
        return self._counted(flat), frequencies(texts)

    def settle(self, counts: tuple[tuple[Counter[str], int], Floats]) -> tuple[WordRarity, Floats]:
        """Return the rarity of words, and the weights of roles."""
        words, roles = counts
        weights = weights_of(self.role_weights, roles)
        if self._counts_roles:  # as the tool has it: one more of each, and predicates for a quarter
            weights = 1 + roles * FIXED
        return WordRarity(*words), weights

    @property
    def _counts_roles(self) -> bool:
        return self.roles != "none" and self.role_weights == "frequency"

    def _roled(
        self, corpus: Corpus, texts: Sequence[str], units: Sequence[TextUnits], threads: int
    ) -> list[RolePhrases]:
        """Return the frames of each text by its units."""
        found = frames_of(corpus, self.roles).sentences(texts, threads=threads)
        return [
            RolePhrases.build(on_words(sentences, own.surfaces or own.words))
            for sentences, own in zip(found, units, strict=True)
        ]

    def _structured(
        self,
        hyp: TextUnits,
        ref: TextUnits,
        roled: tuple[RolePhrases, RolePhrases],
        state: tuple[WordRarity, Floats],
    ) -> tuple[float, float]:
        """Return P_struct and R_struct of two texts; NaN if neither has frames."""
        rarity, weights = state
        return structure(
            *roled,
            self._similarities(hyp, ref),
            self._weights(hyp, rarity),
            self._weights(ref, rarity),
            order=self.order,
            role_weights=weights,
            uniform=self.frame_weights == "uniform",
            tool=self.profile == "yisi",
        )

    def segment_rows(
        self, corpus: Corpus, state: tuple[WordRarity, Floats], *, threads: int
    ) -> Floats:
        """Compute the columns: the score, 1, precision, recall, counts of words."""
        rarity = state[0]
        found = []
        for block in self._blocks(corpus):
            own, others, pairs = texts_of(corpus, block)
            hyps, refs = (self._units(corpus, texts, threads) for texts in (own, others))
            both = zip(pairs.repeated(hyps), refs, strict=True)
            matched = self._matched(both, rarity, rarity, threads=threads)
            best = pairs.best(matched)
            if self.roles != "none":
                left = self._roled(corpus, own, hyps, threads)
                right = self._roled(corpus, others, refs, threads)
                framed = np.array(
                    [
                        self._structured(hyps[i], refs[j], (left[i], right[j]), state)
                        for j, i in enumerate(pairs.hyps)
                    ]
                )
                frames = pairs.best(np.where(np.isnan(framed), matched, framed))
                best = self.beta * frames + (1 - self.beta) * best
            found.append(best)
        precision, recall = np.concatenate(found).T
        return self._rows(corpus, precision, recall)

    def trace(self, hypothesis: str, reference: str) -> TokenSimilarities:
        """Show similarities of all units, and for each the best one of the other side."""
        corpus = Corpus.build([hypothesis], [[reference]])
        hyp, ref = self._units(corpus, [hypothesis, reference], 1)
        rarity, _ = self.fit(corpus)
        return self._traced(hyp, ref, rarity, rarity)


@dataclass(frozen=True, kw_only=True)
class YiSi2(YiSi[tuple[WordRarity, WordRarity]]):
    """YiSi-1 with the source in place of the reference: words of two languages are as similar as
    their vectors in a multilingual encoder, and weigh by their rarity in all texts of their side.

    Words with a letter that stand in both texts are copied, not translated, and match nothing, so
    that a copied source scores next to 0. It agrees with people far less than metrics with
    references do.
    """

    info: ClassVar[Info] = Info(
        name="yisi-2",
        title="YiSi-2",
        family="contextual",
        cell="CD·U·ctx-emb",
        tasks=("MT",),
        criteria=("adequacy",),
        scale=1.0,
        needs=("sources",),
        extras=("neural",),
        pair_seconds=3.2e-8,
        paper=PAPER,
        checked_against="YiSi-1, with the references in place of the sources",
        revision=2,
    )

    similarity: Literal["encoder", "vectors"] = option(
        "encoder", "of two words (or pieces of words), by vectors of both languages"
    )

    copies: Literal["zero", "count"] = option(
        "zero", "what words that stand in both texts match: nothing, or each other"
    )

    other: ClassVar[str] = "source"

    def _similarities(self, hyp: TextUnits, ref: TextUnits) -> Floats:
        found = super()._similarities(hyp, ref)
        return without_copies(found, hyp, ref) if self.copies == "zero" else found

    def sides(self, corpus: Corpus) -> tuple[TextSide, ...]:
        """Return hypotheses and sources, with their lookup."""
        assert corpus.sources is not None
        lookup = self.lookup()
        return (
            TextSide("hypotheses", corpus.hypotheses, lookup),
            TextSide("sources", corpus.sources, lookup),
        )

    def counts_hypotheses(self) -> bool:
        """Return that hypotheses have rarities of their own."""
        return True

    def count_part(self, part: Corpus) -> tuple[tuple[Counter[str], int], ...]:
        """Count in how many hypotheses, and in how many sources, each word occurs."""
        assert part.sources is not None
        return self._counted(part.hypotheses), self._counted(part.sources)

    def settle(self, counts: tuple[tuple[Counter[str], int], ...]) -> tuple[WordRarity, WordRarity]:
        """Return the rarities of words in hypotheses and in sources."""
        return WordRarity(*counts[0]), WordRarity(*counts[1])

    def segment_rows(
        self, corpus: Corpus, state: tuple[WordRarity, WordRarity], *, threads: int
    ) -> Floats:
        """Compute the columns: the score, 1, precision, recall, counts of words."""
        assert corpus.sources is not None
        found = []
        for block in self._blocks(corpus):
            hyps = self._units(corpus, [corpus.hypotheses[i] for i in block], threads)
            sources = self._units(corpus, [corpus.sources[i] for i in block], threads)
            found.append(self._matched(zip(hyps, sources, strict=True), *state, threads=threads))
        return self._rows(corpus, *np.concatenate(found).T)
