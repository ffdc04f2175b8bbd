"""EED's preparation of English: a blank before sentence marks, numbers and titles joined again."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MARKS = str.maketrans({mark: f" {mark}" for mark in ".!?,"})
_BLANKS = re.compile(r"\s+")
_NUMBER = re.compile(r"(\d) ([.,]) (\d)")
# The dot stands for any character, in EED.py (f944adc) and in torchmetrics: "Mr Hill" -> "Mr.ill".
_TITLE = re.compile(r"(Dr|Jr|Prof|Rev|Gen|Mr|Mt|Mrs|Ms) .")


@dataclass(frozen=True)
class English:
    """As torchmetrics has it; `official` keeps the tool's slip that writes "i.e." as "e.g."."""

    official: bool = False

    def __call__(self, text: str) -> str:
        """The text as EED compares it, without the blanks around it."""
        text = _BLANKS.sub(" ", text.rstrip().translate(_MARKS))
        text = _TITLE.sub(r"\1.", _NUMBER.sub(r"\1\2\3", text))
        if " . " in text:
            text = text.replace("e . g .", "e.g.")
            text = text.replace("i . e .", "e.g." if self.official else "i.e.")
            text = text.replace("U . S .", "U.S.")
        return text
