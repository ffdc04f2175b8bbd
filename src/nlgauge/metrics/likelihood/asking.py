"""What metrics have in common that ask a language model how probable texts are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nlgauge.core.metric import Metric
from nlgauge.core.options import option
from nlgauge.kernels import Floats
from nlgauge.models.likelihood.language_model import (
    HELP,
    LanguageModel,
    find_model,
    model_facts,
)

ENGLISH = (None, "smollm2")  # names of models that learnt from English texts only


@dataclass(frozen=True, kw_only=True)
class LikelihoodMetric(Metric[None]):
    """Metrics of this kind have a language model, which the option `model` names."""

    model: str | None = option(None, HELP)
    device: str = option("cpu", "of torch; models that run without it are always on the processor")

    def resources(self) -> dict[str, str]:
        """Name the model by its content, and its licence where it is known."""
        return model_facts(self.model)

    def english_only(self) -> tuple[str, ...]:
        """Name the language model, unless another is given."""
        return ("its language model",) if self.model in ENGLISH else ()

    def language_model(self) -> LanguageModel:
        """Return the model, or raise ResourceMissing with the command to run."""
        return find_model(self.model, device=self.device)

    def asked(
        self, texts: Sequence[str], given: Sequence[str] | None, *, threads: int
    ) -> list[Floats]:
        """Return the logarithms of the probabilities of tokens; like texts are asked for once."""
        asked = list(zip(texts, given or [""] * len(texts), strict=True))
        distinct = list(dict.fromkeys(asked))
        logs = self.language_model().log_probabilities(
            [text for text, _ in distinct],
            None if given is None else [before for _, before in distinct],
            threads=threads,
        )
        known = dict(zip(distinct, logs, strict=True))
        return [known[pair] for pair in asked]
