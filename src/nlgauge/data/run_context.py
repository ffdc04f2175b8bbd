"""Say how a run is done, as opposed to what is scored: threads, folders of caches, progress, and
which languages texts are said to be in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nlgauge.data.judge_server import JudgeServer


@dataclass(frozen=True, kw_only=True)
class RunContext:
    """A run context holds the settings of one run; none of them can change a number.

    `Corpus.within` and `Suite.within` give texts a context, and `score_suite` does so for its run.
    """

    threads: int | None = None  # None: all processors
    parse_cache: str | None = None  # a folder that keeps parses, trees and roles
    embedding_cache: str | None = None  # a folder that keeps vectors of texts
    language: str | None = None  # code of the outputs' language, if somebody has said it
    source_language: str | None = None  # the same of sources
    judge: JudgeServer | None = None  # where language models are asked; None: nowhere
    on_system: Callable[[str], None] | None = None  # hears each system's name before its turn
    on_encoded: Callable[[int], None] | None = None  # hears how many texts are encoded so far
    on_share: Callable[[float], None] | None = None  # hears how much of a system is done, 0 to 1
    on_judged: Callable[[int, int], None] | None = None  # hears how many of how many are answered

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave behind who hears of the progress when a context goes to another process."""
        deaf = {name: None for name in vars(self) if name.startswith("on_")}
        kept = vars(replace(self, **deaf))
        return partial(RunContext, **kept), ()
