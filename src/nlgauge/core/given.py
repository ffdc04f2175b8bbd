"""Scores that another tool gave, so that they are tested and correlated like our own."""

from __future__ import annotations

from dataclasses import dataclass

from nlgauge.core.metric import Info, Mean
from nlgauge.data.corpus import Corpus
from nlgauge.errors import SpecError
from nlgauge.kernels import Floats


@dataclass(frozen=True, kw_only=True)
class GivenScores(Mean):
    """Segment scores are given as a column; the score of a system is their mean."""

    name: str
    higher_is_better: bool = True
    source: str = ""  # the file's name and the hash of its contents

    @property
    def info(self) -> Info:  # type: ignore[override]
        """Return what is known about scores of unknown origin."""
        return Info(
            name=self.name,
            title=self.name,
            family="given",
            cell="",
            tasks=(),
            higher_is_better=self.higher_is_better,
            bounds=(float("-inf"), float("inf")),
            scale=1.0,
            needs=(),
            paper="",
            checked_against="",
        )

    def signature(self, corpus: Corpus | None = None) -> str:  # noqa: ARG002
        """Say where the numbers come from; nothing can be rebuilt from it."""
        higher = "yes" if self.higher_is_better else "no"
        return f"given|name:{self.name}|higher_is_better:{higher}|source:{self.source}"

    def segment_rows(self, corpus: Corpus, state: None, *, threads: int) -> Floats:  # noqa: ARG002
        """Refuse: there is nothing to compute the scores from."""
        raise SpecError(f"{self.name}: scores from elsewhere cannot be computed for new texts")
