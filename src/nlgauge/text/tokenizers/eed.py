"""Prepare English as EED does: a blank before sentence marks, numbers and titles joined again."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = re.compile(r"(\d) ([.,]) (\d)")
# The dot stands for any character, in EED.py (f944adc) and in torchmetrics: "Mr Hill" -> "Mr.ill".
_TITLE = re.compile("(Dr|Jr|Prof|Rev|Gen|Mr|Mt|Mrs|Ms) .")


def _may_have_title(text: str) -> bool:
    return ("Mr" in text or "Dr" in text or "Ms" in text or "Gen" in text) or (
        "Jr" in text or "Mt" in text or "Prof" in text or "Rev" in text
    )


@dataclass(frozen=True)
class English:
    """The rules as torchmetrics has them; `official` keeps a slip: "i.e." is written as "e.g."."""

    official: bool = False

    def __call__(self, text: str) -> str:
        """Return the text as EED compares it, without the blanks around it."""
        text = text.rstrip().replace(".", " .").replace("!", " !")
        text = text.replace("?", " ?").replace(",", " ,")
        text = " ".join(text.split()) if not text[:1].isspace() else f" {' '.join(text.split())}"
        if " . " in text or " , " in text:  # the rules from here on seldom apply, and cost more
            text = _NUMBER.sub(r"\1\2\3", text)
        if _may_have_title(text):
            text = _TITLE.sub(r"\1.", text)
        if " . " in text:
            text = text.replace("e . g .", "e.g.")
            text = text.replace("i . e .", "e.g." if self.official else "i.e.")
            text = text.replace("U . S .", "U.S.")
        return text
