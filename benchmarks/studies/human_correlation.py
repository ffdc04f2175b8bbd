"""How well every metric agrees with people: writes docs/results/agreement.md.

    python benchmarks/studies/human_correlation.py FOLDER [docs/results/agreement.md]

FOLDER holds judged outputs as records: wmt16_da_seg.jsonl.gz, summeval.jsonl.gz and so on.
"""

from __future__ import annotations

import gzip
import json
import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from nlgauge.errors import NlgaugeWarning
from nlgauge.meta.correlation.meta_result import MetaResult, correlate
from nlgauge.meta.correlation.reading import read_judged
from nlgauge.meta.correlation.settings import Level, MetaSettings
from nlgauge.version import __version__

METRICS = ("all-lexical", "sentbleu", "chrf++", "bleu-s")

HEAD = f"""# How well the metrics agree with people

Written by `benchmarks/studies/human_correlation.py` with nlgauge {__version__}, every metric with
its default options. Metrics whose inputs a data set lacks are not in its table. Error rates are
negated: agreement is positive. The best of a column is bold.

Judgements: WMT16 direct assessments (research data of WMT, packaging MIT), SummEval (MIT), Newsroom
(packaging Apache-2.0), BAGEL, SFHOTEL and SFREST (MIT), Flickr8k-Expert (BSD-style), GRADE (no
licence stated). Only results are shown, no texts.
"""


@dataclass(frozen=True)
class Study:
    """One table: a coefficient at some levels for some criteria."""

    title: str
    file: str
    coefficient: str
    levels: tuple[Level, ...]
    criteria: tuple[str, ...]
    split: str | None = None
    parts: tuple[str, ...] = ()
    note: str = ""
    numbered: bool = False  # outputs are told apart by their number, ids being used twice


SUMMARIES = ("coherence", "consistency", "fluency", "relevance")
RESPONSES = ("informativeness", "naturalness", "quality")
STUDIES = (
    Study(
        "SummEval: summaries by 18 systems, three experts",
        "summeval",
        "kendall-b",
        ("segment-by-item", "system"),
        SUMMARIES,
        note="Kendall's τ-b among the summaries of each document (mean) and among systems.",
    ),
    Study(
        "Newsroom: summaries by 7 systems",
        "newsroom",
        "kendall-b",
        ("segment-by-item", "system"),
        ("coherence", "fluency", "informativeness", "relevance"),
        note="Kendall's τ-b among the summaries of each document (mean) and among systems.",
    ),
    Study(
        "Flickr8k-Expert: captions, five references",
        "flickr8k_expert",
        "kendall-c",
        ("segment",),
        ("expert",),
        split="candidate_is_own_caption",
        parts=("False",),
        note="Kendall's τ-c with the mean of three experts; without captions that are references "
        "of their image.",
    ),
    Study(
        "GRADE: dialogue replies, coherence",
        "grade_dialogue",
        "spearman",
        ("segment",),
        ("coherence",),
        note="Spearman's ρ with the mean of 8 to 11 annotators; one reference.",
        numbered=True,
    ),
    *(
        Study(
            f"{name}: text from data",
            file,
            "spearman",
            ("segment",),
            RESPONSES,
            note="Spearman's ρ of all outputs.",
            numbered=True,
        )
        for name, file in (("BAGEL", "bagel"), ("SFHOTEL", "sfhot"), ("SFREST", "sfres"))
    ),
)


def measured(folder: Path, study: Study, settings: MetaSettings) -> MetaResult:
    """The metrics of one study."""
    path = folder / f"{study.file}.jsonl.gz"
    with TemporaryDirectory() as scratch:
        if study.numbered:
            path = renumbered(path, Path(scratch) / "numbered.jsonl")
        judged = read_judged(path, metrics=METRICS, split=study.split)
    return correlate(judged.paired, criteria=study.criteria, split=study.split, settings=settings)


def renumbered(path: Path, target: Path) -> Path:
    """The same records with their numbers as ids."""
    with gzip.open(path, "rt", encoding="utf-8") as file, target.open("w", encoding="utf-8") as out:
        for number, line in enumerate(file):
            out.write(json.dumps({**json.loads(line), "segment_id": str(number)}) + "\n")
    return target


def short(value: float, decimals: int = 3) -> str:
    """Without the leading zero."""
    return "–" if np.isnan(value) else f"{value:.{decimals}f}".replace("0.", ".", 1)


def table(heads: Sequence[str], rows: Sequence[tuple[str, Sequence[float], Sequence[str]]]) -> str:
    """Rows of name, numbers and their texts, best mean first; the best of each column is bold."""
    rows = sorted(rows, key=lambda row: -np.nan_to_num(np.nanmean([*row[1], -9]), nan=-9))
    best = np.nanmax(np.array([values for _, values, _ in rows]), axis=0)
    lines = [f"| metric | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for name, values, texts in rows:
        cells = [
            f"**{text}**" if value == top else text
            for text, value, top in zip(texts, values, best, strict=True)
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def translation(folder: Path) -> str:
    """WMT16, with intervals and tests."""
    study = Study("", "wmt16_da_seg", "pearson", ("segment",), ("da_z",), "lang_pair")
    result = measured(folder, study, MetaSettings(levels=study.levels, test="williams"))
    found = {(a.metric, a.part): a for a in result.agreements}
    rows = []
    for metric in result.metrics:
        own = [found[metric, part] for part in result.parts]
        values = [a.value for a in own]
        texts = [f"{short(a.value)} [{short(a.low, 2)}, {short(a.high, 2)}]" for a in own]
        mean = float(np.mean(values))
        rows.append((metric, [*values, mean], [*texts, short(mean)]))
    text = "## WMT16: segments of machine translation\n\n"
    text += (
        "Pearson's r with standardised direct assessments, 560 segments for each language pair, "
        "with 95 % bootstrap intervals (1,000 resamples of the segments).\n\n"
    )
    text += table([*result.parts, "mean"], rows)
    return text + "\n" + significance(result, [row[0] for row in rows])


def significance(result: MetaResult, metrics: Sequence[str]) -> str:
    """In how many language pairs the row's metric is significantly better than the column's."""
    wins = dict.fromkeys([(a, b) for a in metrics for b in metrics], 0)
    means = dict.fromkeys(metrics, 0.0)
    for tested in result.significance:
        for i, a in enumerate(tested.metrics):
            means[a] += float(tested.values[i])
            for j, b in enumerate(tested.metrics):
                wins[a, b] += bool(tested.p_values[i, j] < tested.alpha)
    order = sorted(metrics, key=lambda m: -means[m])
    width = max(map(len, order))
    lines = [
        f"{a:>{width}} {i:2} " + "".join(" ·" if a == b else f" {wins[a, b] or ' '}" for b in order)
        for i, a in enumerate(order, 1)
    ]
    heads = [
        " " * (width + 4) + "".join(f" {digits}" for digits in row)
        for row in zip(*(f"{i:2}" for i in range(1, len(order) + 1)), strict=True)
    ]
    return (
        "### Is the difference real?\n\n"
        "In how many of the seven language pairs the metric of a row is significantly better than "
        "that of a column (Williams' test, one-sided, p < 0.05, not corrected):\n\n```text\n"
        + "\n".join(line.rstrip() for line in [*heads, *lines])
        + "\n```\n"
    )


def section(folder: Path, study: Study) -> str:
    """Any other data set."""
    settings = MetaSettings(
        levels=study.levels, coefficients=(study.coefficient,), resamples=0, test="none"
    )
    result = measured(folder, study, settings)
    parts = study.parts or result.parts
    keys = [(p, c, level) for p in parts for level in study.levels for c in study.criteria]
    found = {(a.metric, a.part, a.criterion, a.level): a for a in result.agreements}
    names = {"segment-by-item": "by item", "system": "systems", "segment": "outputs"}
    rows = []
    for metric in result.metrics:
        values = [found[(metric, *key)].value for key in keys]
        rows.append((metric, values, [short(value) for value in values]))
    heads = [f"{criterion}, {names[level]}" for _, criterion, level in keys]
    points = {
        level: max(a.points for a in result.agreements if a.level == level and a.part in parts)
        for level in study.levels
    }
    sizes = ", ".join(f"{names[level]} {n}" for level, n in points.items())
    return f"## {study.title}\n\n{study.note} n: {sizes}.\n\n" + table(heads, rows)


def main() -> None:
    """Measure and write."""
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    warnings.simplefilter("ignore", NlgaugeWarning)
    folder = Path(sys.argv[1])
    target = Path(sys.argv[2] if len(sys.argv) == 3 else "docs/results/agreement.md")
    sections = [HEAD, translation(folder)]
    for study in STUDIES:
        print(study.title, file=sys.stderr)
        sections.append(section(folder, study))
    target.write_text("\n".join(sections), encoding="utf-8")


if __name__ == "__main__":
    main()
