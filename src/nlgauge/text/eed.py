"""EED's preparation of English: a blank before sentence marks, numbers and titles joined again."""

from __future__ import annotations

import re
from dataclasses import dataclass

_BLANKS = re.compile(r"\s\s+|[^\S ]")  # all that is not one blank already
_NUMBER = re.compile(r"(\d) ([.,]) (\d)")
_TITLES = ("Dr", "Jr", "Prof", "Rev", "Gen", "Mr", "Mt", "Mrs", "Ms")
# The dot stands for any character, in EED.py (f944adc) and in torchmetrics: "Mr Hill" -> "Mr.ill".
_TITLE = re.compile(f"({'|'.join(_TITLES)}) .")


@dataclass(frozen=True)
class English:
    """As torchmetrics has it; `official` keeps the tool's slip that writes "i.e." as "e.g."."""

    official: bool = False

    def __call__(self, text: str) -> str:
        """The text as EED compares it, without the blanks around it."""
        text = text.rstrip().replace(".", " .").replace("!", " !")
        text = _BLANKS.sub(" ", text.replace("?", " ?").replace(",", " ,"))
        if " . " in text or " , " in text:  # the rules from here on seldom apply, and cost more
            text = _NUMBER.sub(r"\1\2\3", text)
        if any(title in text for title in _TITLES):
            text = _TITLE.sub(r"\1.", text)
        if " . " in text:
            text = text.replace("e . g .", "e.g.")
            text = text.replace("i . e .", "e.g." if self.official else "i.e.")
            text = text.replace("U . S .", "U.S.")
        return text
