"""Draw the README's pictures: the demo's table as the terminal shows it, and an explanation."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

from rich.console import Console

from nlgauge.explain.explanation import explain
from nlgauge.io import read_suite
from nlgauge.report.explain.explanation_html import write_pictures
from nlgauge.report.tables.printing import print_grids
from nlgauge.report.tables.score_tables import score_grid
from nlgauge.run.scoring import score_suite

ROOT = Path(__file__).parent.parent


def draw_explanation(path: str) -> None:
    """Draw how TER sees one example segment."""
    corpus = read_suite([ROOT / "examples/news.jsonl"]).systems["coast"]
    i = corpus.find("news-013")
    (explanation,) = explain(corpus.hypotheses[i], corpus.references[i], ["ter"])
    write_pictures(path, [explanation])


def draw_scores(path: str) -> None:
    """Draw the table of scores that the terminal shows for the example."""
    suite = read_suite([ROOT / "examples/news.jsonl"])
    table = score_suite(suite, ["bleu", "chrf++", "ter"], confidence=True, paired=True)
    out = Console(record=True, width=112, file=io.StringIO(), highlight=False)
    out.print(
        "$ nlgauge score news.jsonl -m bleu chrf++ ter --confidence --paired-bs", style="bold"
    )
    print_grids([score_grid(table)], out)
    svg = out.export_svg(title="nlgauge score")
    # The picture stands alone: no fonts from the network.
    Path(path).write_text(
        re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL), encoding="utf-8"
    )


if __name__ == "__main__":
    draw_scores(f"{sys.argv[1]}/score.svg")
    draw_explanation(f"{sys.argv[1]}/explain.svg")
