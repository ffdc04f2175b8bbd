"""Split captions as the COCO tools' ROUGE-L does: at blanks only, so that numbers stay whole that
the tokeniser has tied together with a no-break space, such as telephone numbers.
"""

from __future__ import annotations

from nlgauge.text.tokenizers import each_blank, ptb_coco


def tokenise(text: str) -> str:
    """Return the words of a caption, joined by blanks."""
    return each_blank.tokenise(ptb_coco.tokenise(text))
