"""Texts changed on purpose, to see whether a metric notices what it should and nothing else."""

from __future__ import annotations

from nlgauge.errors import SpecError
from nlgauge.meta.stress.perturbations.agreement import Disagree
from nlgauge.meta.stress.perturbations.content import (
    CopyContext,
    DropContent,
    Empty,
    Flood,
    Generic,
    Plead,
    Repeat,
)
from nlgauge.meta.stress.perturbations.contractions import ExpandContractions
from nlgauge.meta.stress.perturbations.meaning import Antonyms, Negate, SwapEntities
from nlgauge.meta.stress.perturbations.numbers import ChangeNumbers
from nlgauge.meta.stress.perturbations.order import Jumble, Reverse, SwapArguments
from nlgauge.meta.stress.perturbations.perturbation import Original, Perturbation, WordByWord
from nlgauge.meta.stress.perturbations.rewording import ChangeVoice, Paraphrase, Synonyms
from nlgauge.meta.stress.perturbations.surface import ChangeCase, RemovePunctuation, RemoveStopWords

__all__ = ["PERTURBATIONS", "Original", "Perturbation", "WordByWord", "perturbation"]

PERTURBATIONS: dict[str, Perturbation] = {
    p.name: p
    for p in (
        Jumble(),
        Reverse(),
        SwapArguments(),
        Negate(),
        Antonyms(),
        SwapEntities(),
        ChangeNumbers(),
        Disagree(),
        DropContent(),
        Repeat(),
        Flood(),
        Plead(),
        Generic(),
        CopyContext(),
        Empty(),
        Synonyms(),
        ExpandContractions(),
        RemovePunctuation(),
        ChangeCase(),
        RemoveStopWords(),
        ChangeVoice(),
        Paraphrase(),
    )
}


def perturbation(name: str) -> Perturbation:
    """Return the perturbation of that name."""
    if name not in PERTURBATIONS:
        raise SpecError(
            f"no perturbation is called {name!r}; there are: {', '.join(PERTURBATIONS)}"
        )
    return PERTURBATIONS[name]
