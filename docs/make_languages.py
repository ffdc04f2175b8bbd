"""Write the page that says what each metric does in each language, from the one table of languages.

python docs/make_languages.py docs/reference/languages.md
"""

from __future__ import annotations

import sys
from pathlib import Path

from nlgauge.core.language_options import choice
from nlgauge.text.languages import LANGUAGES, Language

INTRODUCTION = """# Languages

Written by `docs/make_languages.py` from `nlgauge/text/languages.py`, the one table of languages.
`--lang de` (or `--lang en-de`, and `lang="de"` in Python) chooses these options where nobody has
chosen; signatures name every one of them, and `nlgauge metrics --lang de` lists all metrics.

Next: `nlgauge metrics --lang th` for one language in the terminal;
[my language](../guide/my-language.md) says what to type, and what not to trust.

## What there is

Where no tokeniser is named, each metric has its own. English alone has stop words (SMART), WordNet
3.0, and a parser of dependencies, constituents and roles. `use` is the multilingual encoder:
`nlgauge fetch multilingual`.
"""
CHOICES = """## What metrics do

By metric, what `--lang` chooses; "as usual" is what it does without. The others of a family do as
the one that is shown. chrF, EED and CER look at characters, and do the same for all.
"""
SHOWN = (
    *("bleu", "rouge1", "wer", "ter", "cider", "meteor", "meteor-1.5", "token-f1", "bertscore"),
    "hwcm",
)


def page() -> str:
    """Return the whole page."""
    return "\n".join([INTRODUCTION, *_parts(), "", CHOICES, *_choices(), ""])


def _parts() -> list[str]:
    head = "| code | language | script | words | stems | METEOR 1.5 | encoder | note |"
    return [head, "|---" * 8 + "|", *map(_part, LANGUAGES.values())]


def _part(one: Language) -> str:
    cells = (
        *(one.code, one.name, one.script, one.tokenizer or "own", one.stem),
        *(one.meteor or "universal", one.encoder or "none", one.note),
    )
    return f"| {' | '.join(cells)} |"


def _choices() -> list[str]:
    found: dict[tuple[str, ...], list[str]] = {}
    for code, language in LANGUAGES.items():
        row = tuple(_cell(spec, language) for spec in SHOWN)
        found.setdefault(row, []).append(code)
    lines = [f"| languages | {' | '.join(SHOWN)} |", "|---" * (len(SHOWN) + 1) + "|"]
    rows = (f"| {' '.join(codes)} | {' | '.join(row)} |" for row, codes in found.items())
    return [*lines, *rows]


def _cell(spec: str, language: Language) -> str:
    chosen = choice(spec, language)
    return "refused" if chosen.refused else chosen.shown().replace(",", ", ")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
