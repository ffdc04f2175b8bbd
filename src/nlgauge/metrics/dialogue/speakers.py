"""Tell which turns of a dialogue are the system's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nlgauge.data.contexts import MACHINES


def turns_of_system(names: Sequence[str | None], *, replied: bool) -> Sequence[bool]:
    """Return whether turns are the system's, by who says them; `replied` says whether a reply of
    the system follows.
    """
    named = [name for name in names if name is not None]
    machines = {name for name in named if name.lower() in MACHINES}
    second = next((name for name in named if name != named[0]), None)
    if len(named) < len(names) or (not machines and second is None):
        return list(every_second(len(names), replied=replied)[: len(names)])
    return [name in machines if machines else name == second for name in names]


def every_second(turns: int, *, replied: bool) -> npt.NDArray[np.bool_]:
    """Return whether turns, and the reply after them, are the system's if nobody says so."""
    numbers = np.arange(turns, -1, -1) if replied else np.arange(1, turns + 1)
    found: npt.NDArray[np.bool_] = numbers % 2 == 0
    return found
