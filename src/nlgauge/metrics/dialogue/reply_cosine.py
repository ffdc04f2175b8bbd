"""The cosine of the last utterance and the reply: the hardest simple baseline of dialogue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nlgauge.core.metric import Info
from nlgauge.kernels import Floats
from nlgauge.metrics.dialogue.utterances import SentenceMetric, Utterances, cosines


@dataclass(frozen=True, kw_only=True)
class ReplyCosine(SentenceMetric[None]):
    """Cosine of the sentence vectors of a reply and of the utterance before it."""

    info: ClassVar[Info] = Info(
        name="reply-cosine",
        title="Cosine of last utterance and reply",
        family="dialogue",
        cell="CD·U·ctx-emb",
        tasks=("DG",),
        criteria=("relevance",),
        bounds=(-1.0, 1.0),
        scale=1.0,
        needs=("turns",),
        extras=("neural",),
        paper="a baseline without a paper of its own",
        checked_against="hand calculation",
    )

    def replies_scored(self, said: Utterances, *, threads: int) -> Floats:
        """Return cosines of replies and the last utterances."""
        return cosines(said.vectors[said.turns.last], said.vectors[said.replies])
